import { renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { memoryStore, StoreFolder } from "../../base/store/storeFolder.ts";
import { Approvals, serverOf } from "../../../../src/servers/approval/approvals.ts";
import type { ServerConfig } from "../../../../src/servers/definitions/config.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

/** The approvals of a window whose store is given. */
function approvalsOf(store = memoryStore()): Approvals {
	const approvals = new Approvals();
	approvals.open(store.journal("approvals"));
	return approvals;
}

/** The approvals of another window, which opens now. */
function approvalsIn(folder: StoreFolder): Approvals {
	return approvalsOf(folder.open());
}

function addressOf(key: string): ServerConfig {
	return { kind: "http", url: `https://mcp.example/mcp?api_key=${key}&page=2`, headers: {}, protocol: "auto" };
}

describe("Approvals", () => {
	it("bind to the hash: a change asks again and can be compared with the approved definition", async () => {
		const approvals = approvalsOf();
		let changes = 0;
		approvals.onDidChange(() => changes++);
		const before = definition("a", stdioConfig({ args: ["one"] }));
		const after = definition("a", stdioConfig({ args: ["two"] }));
		expect(approvals.isApproved(before)).toBe(false);
		expect(approvals.former(before)).toBeUndefined();
		await approvals.approve(before);
		expect(approvals.isApproved(before)).toBe(true);
		expect(approvals.former(before)).toBeUndefined();
		expect(approvals.isApproved(after)).toBe(false);
		expect(approvals.former(after)?.config).toEqual(before.config);
		await approvals.approve(after);
		expect(approvals.isApproved(before)).toBe(false);
		await approvals.revoke(after.id);
		expect(approvals.all.size).toBe(0);
		expect(changes).toBe(3);
	});

	it("hold no secret of a definition, and its change is shown nevertheless", async () => {
		const folder = new StoreFolder();
		const entry = definition("a", stdioConfig({ env: { PASSWORD: "correct-horse-7", HOME: "${userHome}" } }));
		await approvalsIn(folder).approve(entry);
		const approvals = approvalsIn(folder);
		expect(approvals.isApproved(entry)).toBe(true);
		expect(JSON.stringify([...approvals.all])).not.toContain("correct-horse-7");
		const changed = definition("a", stdioConfig({ env: { PASSWORD: "correct-horse-8", HOME: "${userHome}" } }));
		const environment = (now: typeof entry): unknown =>
			reviewServer(now, approvals.all.get(entry.id)).rows.find(({ label }) => label === "Environment");
		expect(environment(entry)).toEqual({
			label: "Environment",
			values: ["PASSWORD=(masked: 15 characters)", "HOME=${userHome}"],
		});
		expect(environment(changed)).toEqual({
			label: "Environment",
			values: ["PASSWORD=(masked: 15 characters) (another value)", "HOME=${userHome}"],
			former: ["PASSWORD=(masked: 15 characters)", "HOME=${userHome}"],
		});
	});

	it("hold no secret of arguments and addresses, whose changes are shown nevertheless (SEC-02)", async () => {
		const folder = new StoreFolder();
		const secrets = ["Zq7Rk2Lm9Xw4Tv8Bn3Jd6Hs1", "sw0rdfish-77", "pl4in-sight-9"];
		const [key = "", password = "", query = ""] = secrets;
		const local = definition(
			"a",
			stdioConfig({ args: ["--api-key", key, `--db=postgres://me:${password}@db/x`, "on"] }),
		);
		const remote = definition("b", addressOf(query));
		const approvals = approvalsIn(folder);
		for (const one of [local, remote]) await approvals.approve(one);
		const stored = folder.disk;
		for (const secret of secrets) expect(stored).not.toContain(secret);
		expect(stored).toContain("page=2");
		const changed = definition("a", stdioConfig({ args: ["--api-key", key, "--db=postgres://me:other-9@db/x", "on"] }));
		const rowOf = (now: typeof local, label: string): unknown =>
			reviewServer(now, approvals.of(now)).rows.find((row) => row.label === label);
		expect(rowOf(local, "Arguments")).not.toHaveProperty("former");
		expect(rowOf(changed, "Arguments")).toMatchObject({
			values: expect.arrayContaining(["--db=postgres://me:other-9@db/x"]),
			former: ["--api-key", key, "--db=postgres://me:(masked: 12 characters)@db/x", "on"],
		});
		const moved = definition("b", addressOf("another-1"));
		expect(rowOf(moved, "URL")).toMatchObject({
			former: ["https://mcp.example/mcp?api_key=(masked: 13 characters)&page=2"],
		});
	});

	it("are removed from the disk when they are revoked, and when another one replaces them", async () => {
		const folder = new StoreFolder();
		const approvals = approvalsIn(folder);
		await approvals.approve(definition("a", stdioConfig({ args: ["first-argument"] })));
		await approvals.approve(definition("a", stdioConfig({ args: ["second-argument"] })));
		expect(folder.disk).not.toContain("first-argument");
		expect(folder.disk).toContain("second-argument");
		await approvals.revoke(definition("a").id);
		expect(folder.disk).not.toContain("second-argument");
	});

	it("do not apply to an equal name at another place", async () => {
		const approvals = approvalsOf();
		await approvals.approve(definition("a", stdioConfig(), workspaceOrigin));
		expect(
			approvals.isApproved(
				definition("a", stdioConfig(), { ...workspaceOrigin, folder: "/b", file: "/b/.vscode/mcp.json" }),
			),
		).toBe(false);
		expect(approvals.isApproved(definition("a", stdioConfig(), userOrigin))).toBe(false);
	});

	it("keep the valid ones beside damage", async () => {
		const store = memoryStore();
		const approvals = approvalsOf(store);
		await approvals.approve(definition());
		for (const damage of [1, null, { hash: 7, config: {} }, { hash: "x" }])
			store.journal("approvals").put(`server ${JSON.stringify(damage)}`, damage);
		expect([...approvals.all.keys()]).toEqual([definition().id]);
	});

	it("that one window gives or revokes apply to the others, at the latest when they read", async () => {
		const folder = new StoreFolder();
		const [here, there] = [approvalsIn(folder), approvalsIn(folder)];
		await here.approve(definition());
		there.refresh();
		expect(there.isApproved(definition())).toBe(true);
		await there.revoke(definition().id);
		// No window has read: the other window was notified.
		await expect.poll(() => here.isApproved(definition())).toBe(false);
	});

	it("are revoked at every place, also those that another window gave a moment ago", async () => {
		const folder = new StoreFolder();
		const [here, there] = [approvalsIn(folder), approvalsIn(folder)];
		const server = definition();
		await here.approve({ ...server, place: "/one" });
		await there.revoke(server.id);
		here.refresh();
		expect([...here.all.keys()]).toEqual([]);
	});

	it("that are revoked while the store cannot be read stay so when it can be again (SEC-09)", async () => {
		const folder = new StoreFolder();
		const approvals = approvalsIn(folder);
		const server = definition();
		await approvals.approve(server);
		await approvals.approve({ ...server, place: "/one" });
		// Like a file system that is unavailable for a moment: a file is at the place of the folder.
		renameSync(folder.folder, `${folder.folder}-away`);
		writeFileSync(folder.folder, "");
		await approvals.revoke(server.id);
		rmSync(folder.folder);
		renameSync(`${folder.folder}-away`, folder.folder);
		approvals.refresh();
		expect([...approvals.all.keys()]).toEqual([]);
		expect([...approvalsIn(folder).all.keys()]).toEqual([]);
	});

	it("are revoked with a line break in the path of their file", async () => {
		const approvals = approvalsOf();
		const origin = { ...workspaceOrigin, folder: "/w\ns", file: "/w\ns/.vscode/mcp.json" };
		const [server, other] = [definition("a", stdioConfig(), origin), definition("b", stdioConfig(), origin)];
		await approvals.approve(server);
		await approvals.approve({ ...server, place: "/w\ns" });
		await approvals.approve(other);
		await approvals.revoke(server.id);
		expect([...approvals.all.keys()]).toEqual([other.id]);
		// As the list of approvals names it.
		await approvals.revoke(serverOf(other.id));
		expect([...approvals.all.keys()]).toEqual([]);
	});

	it("are not needed for the demo server, which no other server can claim to be", () => {
		const approvals = approvalsOf();
		expect(
			approvals.isApproved(define("travel", stdioConfig(), { kind: "demo", label: "Demo", isWorkspace: false })),
		).toBe(true);
		expect(approvals.isApproved(definition("demo"))).toBe(false);
	});
});
