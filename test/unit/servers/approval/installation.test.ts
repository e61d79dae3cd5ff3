import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Store } from "../../../../src/base/store/store.ts";
import { Approvals, approvalsName } from "../../../../src/servers/approval/approvals.ts";
import {
	bindToInstallation,
	isInstalledAnew,
	readInstallation,
	type InstallationPlaces,
} from "../../../../src/servers/approval/installation.ts";
import { definition } from "../fixtures.ts";

const id = "mcp-host.mcp-host";
let folder: string;
let places: InstallationPlaces;

/** The record of VS Code 1.139 when it installs an extension; `profile` for a profile other than the default one. */
function install(version: string, at: number, more: object = {}, list = path.join(folder, "extensions")): void {
	const name = `${id}-${version}`;
	const extensionPath = path.join(folder, "extensions", name);
	mkdirSync(extensionPath, { recursive: true });
	mkdirSync(list, { recursive: true });
	const manifest = { name: "mcp-host", version, __metadata: { installedTimestamp: at, targetPlatform: "undefined" } };
	writeFileSync(path.join(extensionPath, "package.json"), JSON.stringify(manifest));
	const metadata = { installedTimestamp: at + 1, pinned: true, source: "vsix", ...more };
	const entry = { identifier: { id }, version, location: { $mid: 1 }, relativeLocation: name, metadata };
	writeFileSync(path.join(list, "extensions.json"), JSON.stringify([{ identifier: { id: "a.b" } }, entry]));
	places = { id, version, extensionPath, profile: path.join(folder, "profile") };
}

/** A window opens: its withdrawals, and the approvals in it then. */
async function open(): Promise<{ readonly isWithdrawn: boolean; readonly approvals: Approvals; close(): void }> {
	const store = new Store({ folder: path.join(folder, "store"), onProblem: () => undefined });
	const isWithdrawn = await bindToInstallation(store, places);
	const approvals = new Approvals();
	approvals.open(store.journal(approvalsName));
	return { isWithdrawn, approvals, close: () => store.dispose() };
}

async function approve(): Promise<void> {
	const { approvals, close } = await open();
	await approvals.approve(definition());
	close();
}

async function isApproved(): Promise<boolean> {
	const { approvals, close } = await open();
	close();
	return approvals.isApproved(definition());
}

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "installation-"));
	install("0.1.0", 1000);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("The approvals of an installation (SEC-13)", () => {
	it("apply as long as the extension stays installed", async () => {
		await approve();
		expect(await isApproved()).toBe(true);
		expect(await isApproved()).toBe(true);
	});

	it("do not apply after an uninstall and an install of the same version, in any later window", async () => {
		await approve();
		install("0.1.0", 2000);
		const { isWithdrawn, approvals, close } = await open();
		expect([isWithdrawn, approvals.isApproved(definition())]).toEqual([true, false]);
		close();
		expect(await isApproved()).toBe(false);
		// The next consent is one of this installation.
		await approve();
		expect(await isApproved()).toBe(true);
	});

	it("do not apply if the editor installs the same files again, according to its list", async () => {
		await approve();
		const { unpacked } = await readInstallation(places);
		install("0.1.0", 1000, { installedTimestamp: 3000 });
		expect((await readInstallation(places)).unpacked).toBe(unpacked);
		expect(await isApproved()).toBe(false);
	});

	it("do not apply to another version that is not an update", async () => {
		await approve();
		install("0.2.0", 2000, { updated: false });
		expect(await isApproved()).toBe(false);
	});

	it("apply after an update, from the gallery or a file", async () => {
		await approve();
		install("0.2.0", 2000, { updated: true });
		expect(await isApproved()).toBe(true);
		install("0.3.0", 3000);
		expect(await isApproved()).toBe(true);
	});

	it("are bound to the list of the editor's profile if that has one", async () => {
		const profile = path.join(folder, "profile");
		install("0.1.0", 1000, {}, profile);
		await approve();
		install("0.1.0", 1000, { installedTimestamp: 5000 }, profile);
		expect(await isApproved()).toBe(false);
	});

	it("apply if installations cannot be distinguished, as in development", async () => {
		const bare = { id, version: "0.1.0", extensionPath: path.join(folder, "nowhere", "x"), profile: folder };
		expect(await readInstallation(bare)).toEqual({ version: "0.1.0" });
		expect(isInstalledAnew({ version: "0.1.0" }, { version: "0.1.0", listed: 1, unpacked: 1 })).toBe(false);
		expect(isInstalledAnew({ version: "0.1.0", listed: 1, unpacked: 1 }, { version: "0.1.0", unpacked: 1 })).toBe(
			false,
		);
	});

	it("include grants, for calls and sampling requests", async () => {
		const store = new Store({ folder: path.join(folder, "store"), onProblem: () => undefined });
		await bindToInstallation(store, places);
		for (const name of ["grants", "pins"]) store.journal(name).put("key", { id: "1" });
		install("0.1.0", 2000);
		await bindToInstallation(store, places);
		const left = ["grants", "pins"].map((name) => store.journal(name).lines.length);
		expect(left).toEqual([0, 1]);
		store.dispose();
	});
});
