import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Store } from "../../../../src/base/store/store.ts";
import { describeReset, measureStores, resetStores, type ResetServices } from "../../../../src/surfaces/reset/reset.ts";
import { keptStores, type StoreId } from "../../../../src/surfaces/reset/stores.ts";
import { MemorySecrets, MemoryStore } from "../../servers/fixtures.ts";

let folder: string;
let store: Store;
let cleared: StoreId[];
let services: ResetServices & { readonly userSettings: Map<string, unknown> };

const owner = (id: StoreId, count = 0) => ({ count: () => count, clear: () => void cleared.push(id) });
const everything = new Set(keptStores.map(({ id }) => id));

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "reset-"));
	store = open();
	cleared = [];
	const userSettings = new Map<string, unknown>();
	services = {
		userSettings,
		journal: (name) => store.journal(name),
		states: [new MemoryStore(), new MemoryStore()],
		secrets: new MemorySecrets(),
		folder,
		settings: {
			names: () => [...userSettings.keys()],
			value: (name) => userSettings.get(name),
			remove: async (name) => void userSettings.delete(name),
		},
		owners: { trace: owner("trace"), activity: owner("activity") },
	};
});
afterEach(() => {
	store.dispose();
	rmSync(folder, { recursive: true, force: true });
});

function open(workspace = "this"): Store {
	return new Store({ folder: path.join(folder, "store"), workspace, onProblem: () => undefined });
}

async function fill(): Promise<void> {
	for (const { places, isOwned } of keptStores) {
		for (const name of places.journals ?? []) if (isOwned !== true) store.journal(name).put("key", { a: 1 });
		for (const [index, key] of (places.state ?? []).entries())
			await services.states[index % 2]?.update(key, ["one", "two"]);
		for (const start of places.secrets ?? []) await services.secrets.store(`${start}x`, "value");
		for (const file of places.files ?? []) {
			mkdirSync(path.join(folder, file), { recursive: true });
			writeFileSync(path.join(folder, file, "file"), "text");
		}
		for (const name of places.settings ?? []) services.userSettings.set(name.replace("*", "chat.maxCalls"), 1);
	}
}

const holds = async (): Promise<Readonly<Record<string, string | undefined>>> =>
	Object.fromEntries((await measureStores(services)).map(({ id, holds: held }) => [id, held]));

describe("Reset MCP Host (SEC-12)", () => {
	it("lists every store with its content", async () => {
		expect(new Set(Object.values(await holds()))).toEqual(new Set([undefined]));
		await fill();
		const held = await holds();
		expect(held).toMatchObject({
			approvals: "1 approval",
			grants: "3 entries",
			inputs: "1 value",
			apps: "4 apps · 4 bytes",
			bundles: "4 bytes",
			settings: "1 setting",
			prompts: "6 entries",
		});
		// The trace is in memory, and has an owner that describes its content.
		expect(Object.keys(held).filter((id) => held[id] === undefined)).toEqual(["trace"]);
	});

	it("deletes everything if everything is chosen, except for data that an owner keeps", async () => {
		await fill();
		expect(await resetStores(everything, services)).toEqual([]);
		expect(Object.values(await holds()).filter((one) => one !== undefined)).toEqual(["4 bytes"]);
		expect(await services.secrets.keys()).toEqual(["activityKey"].map((start) => `${start}x`));
		expect(services.userSettings.size).toBe(0);
		expect(existsSync(path.join(folder, "bundles"))).toBe(false);
		// The activity is last: it records the revocations before.
		expect(cleared).toEqual(["trace", "activity"]);
	});

	it("keeps stores that were not chosen", async () => {
		await fill();
		const before = await holds();
		await resetStores(new Set<StoreId>(["inputs", "bundles"]), services);
		expect(await holds()).toEqual({ ...before, inputs: undefined, bundles: undefined });
	});

	it("deletes approvals for windows that read them later, and for those that have read them", async () => {
		await fill();
		const other = open("other");
		expect(other.journal("approvals").lines).toHaveLength(1);
		await resetStores(new Set<StoreId>(["approvals"]), services);
		other.journal("approvals").refresh();
		expect(other.journal("approvals").lines).toEqual([]);
		other.dispose();
		const later = open("later");
		expect(later.journal("approvals").lines).toEqual([]);
		later.dispose();
	});

	it("reports a store that cannot be deleted, and deletes the others", async () => {
		await fill();
		const owners = {
			inputs: {
				clear: () => {
					throw new Error("no");
				},
			},
		};
		const failures = await resetStores(everything, { ...services, owners });
		expect(failures).toEqual(["Inputs and Secrets of Servers: no"]);
		expect(await holds()).toMatchObject({ inputs: "1 value", approvals: undefined, settings: undefined });
	});

	it("names in the question what is deleted, the consequences, and which servers keep running", async () => {
		await fill();
		const stores = await measureStores(services);
		const of = (...ids: StoreId[]) => stores.filter(({ id }) => ids.includes(id));
		const approvals = describeReset(of("approvals"), 2);
		expect(approvals).toMatch(/^• Server Approvals \(1 approval\): Running servers stop, except the demo\./);
		expect(approvals).not.toContain("keep the approval");
		expect(describeReset(of("inputs"), 2)).toContain("2 servers of this window keep the approval to run.");
		expect(describeReset(of("inputs"), 0)).not.toContain("keep the approval");
	});
});
