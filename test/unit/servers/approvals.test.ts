import { describe, expect, it } from "vitest";
import { Approvals, whyNotStart } from "../../../src/servers/approvals.ts";
import { EraCache } from "../../../src/servers/eraCache.ts";
import { InputValues } from "../../../src/servers/inputValues.ts";
import { define } from "../../../src/servers/parseConfig.ts";
import { definition, MemorySecrets, MemoryStore, stdioConfig, userOrigin, workspaceOrigin } from "./fixtures.ts";

const key = "mcpHost.approvals";

describe("Approvals", () => {
	it("bind to the hash: a change asks again and can be shown against what was approved", async () => {
		const approvals = new Approvals(new MemoryStore());
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

	it("do not pass to an equal name at another place", async () => {
		const approvals = new Approvals(new MemoryStore());
		await approvals.approve(definition("a", stdioConfig(), workspaceOrigin));
		expect(
			approvals.isApproved(
				definition("a", stdioConfig(), { ...workspaceOrigin, folder: "/b", file: "/b/.vscode/mcp.json" }),
			),
		).toBe(false);
		expect(approvals.isApproved(definition("a", stdioConfig(), userOrigin))).toBe(false);
	});

	it.each([7, "text", null, [], { id: 1 }, { id: { hash: 7, config: {} } }, { id: { hash: "x" } }])(
		"are none in a damaged store: %j",
		async (damage) => {
			const store = new MemoryStore();
			await store.update(key, damage);
			const approvals = new Approvals(store);
			expect(approvals.all.size).toBe(0);
			await approvals.approve(definition());
			expect(approvals.isApproved(definition())).toBe(true);
		},
	);

	it("keep the sound entries of a damaged store", async () => {
		const store = new MemoryStore();
		const approvals = new Approvals(store);
		await approvals.approve(definition());
		await store.update(key, { ...store.get<object>(key), other: 1 });
		expect([...approvals.all.keys()]).toEqual([definition().id]);
	});

	it("are not needed for the demo server, which nobody else can claim to be", () => {
		const approvals = new Approvals(new MemoryStore());
		expect(
			approvals.isApproved(define("travel", stdioConfig(), { kind: "demo", label: "Demo", isWorkspace: false })),
		).toBe(true);
		expect(approvals.isApproved(definition("demo"))).toBe(false);
	});
});

describe("whyNotStart", () => {
	it("says what is missing, the workspace's trust first", async () => {
		const approvals = new Approvals(new MemoryStore());
		const mine = definition();
		const theirs = definition("a", stdioConfig(), workspaceOrigin);
		expect(whyNotStart(mine, approvals, false)).toBe("approval needed");
		expect(whyNotStart(theirs, approvals, false)).toBe("the workspace is not trusted");
		expect(whyNotStart(theirs, approvals, true)).toBe("approval needed");
		await approvals.approve(theirs);
		await approvals.approve(mine);
		expect(whyNotStart(theirs, approvals, false)).toBe("the workspace is not trusted");
		expect(whyNotStart(theirs, approvals, true)).toBeUndefined();
		expect(whyNotStart(mine, approvals, false)).toBeUndefined();
		const changed = definition("a", stdioConfig({ command: "other" }), workspaceOrigin);
		expect(whyNotStart(changed, approvals, true)).toBe("approval needed: the definition changed");
	});
});

describe("InputValues", () => {
	const input = (id: string): { id: string; description: string; isPassword: boolean } => ({
		id,
		description: id,
		isPassword: true,
	});
	const always = (): boolean => true;
	const withInput = (args: readonly string[], name = "a"): ReturnType<typeof define> =>
		define(name, stdioConfig({ args: ["${input:key}", ...args] }), userOrigin, [input("key")]);

	it("ask once and keep the answer in the key store only", async () => {
		const secrets = new MemorySecrets();
		let asked = 0;
		const values = new InputValues(secrets, () => Promise.resolve(`answer ${++asked}`));
		expect(await values.get(withInput([]), "key", always)).toBe("answer 1");
		expect(await values.get(withInput([]), "key", always)).toBe("answer 1");
		expect([...secrets.values.values()]).toEqual(["answer 1"]);
	});

	it("ask again for another server and after a change", async () => {
		let asked = 0;
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve(`answer ${++asked}`));
		const answers = [withInput([]), withInput([], "b"), withInput(["-x"])].map((one) => values.get(one, "key", always));
		expect(await Promise.all(answers)).toEqual(["answer 1", "answer 2", "answer 3"]);
	});

	it("keep an empty answer, but not the lack of one", async () => {
		const answers = [undefined, "", "never"];
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve(answers.shift()));
		expect(await values.get(withInput([]), "key", always)).toBeUndefined();
		expect(await values.get(withInput([]), "key", always)).toBe("");
		expect(await values.get(withInput([]), "key", always)).toBe("");
	});

	it("are not asked for where nobody waits, but known where they were given before", async () => {
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve("x"));
		expect(await values.get(withInput([]), "key", () => false)).toBeUndefined();
		await values.get(withInput([]), "key", always);
		expect(await values.get(withInput([]), "key", () => false)).toBe("x");
	});

	it("know no input that the definition does not have, and forget", async () => {
		const secrets = new MemorySecrets();
		const values = new InputValues(secrets, () => Promise.resolve("x"));
		expect(await values.get(withInput([]), "other", always)).toBeUndefined();
		await values.get(withInput([]), "key", always);
		await values.forget(withInput([]));
		expect(secrets.values.size).toBe(0);
	});
});

describe("EraCache", () => {
	it("remembers and forgets verdicts", () => {
		const cache = new EraCache(new MemoryStore());
		expect(cache.get("h")).toBeUndefined();
		cache.set("h", { kind: "modern", version: "2026-07-28" });
		cache.set("i", { kind: "legacy" });
		expect(cache.get("h")).toEqual({ kind: "modern", version: "2026-07-28" });
		expect(cache.get("i")).toEqual({ kind: "legacy" });
		cache.set("h", undefined);
		expect(cache.get("h")).toBeUndefined();
	});

	it.each([7, null, [], "x", { h: 1 }, { h: { kind: "modern" } }, { h: { kind: "new", version: "x" } }])(
		"takes a damaged store for an empty one: %j",
		async (damage) => {
			const store = new MemoryStore();
			await store.update("mcpHost.eras", damage);
			expect(new EraCache(store).get("h")).toBeUndefined();
		},
	);

	it("keeps the 200 youngest and writes nothing that it has", () => {
		const store = new MemoryStore();
		let writes = 0;
		const update = store.update.bind(store);
		store.update = (name, value) => {
			writes++;
			return update(name, value);
		};
		const cache = new EraCache(store);
		for (let index = 0; index < 205; index++) cache.set(`h${index}`, { kind: "legacy" });
		cache.set("h204", { kind: "legacy" });
		cache.set("unknown", undefined);
		expect(writes).toBe(205);
		expect([cache.get("h4"), cache.get("h5"), cache.get("h204")]).toEqual([
			undefined,
			{ kind: "legacy" },
			{ kind: "legacy" },
		]);
	});

	it("survives a store that cannot write", async () => {
		const store = new MemoryStore();
		store.update = () => Promise.reject(new Error("disk full"));
		new EraCache(store).set("h", { kind: "legacy" });
		// An unhandled rejection would fail this run.
		await new Promise((done) => setImmediate(done));
	});
});
