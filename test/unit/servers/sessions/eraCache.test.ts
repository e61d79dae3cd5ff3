import { describe, expect, it } from "vitest";
import { EraCache } from "../../../../src/servers/sessions/eraCache.ts";
import { MemoryStore } from "../fixtures.ts";

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
		"treats a damaged store as empty: %j",
		async (damage) => {
			const store = new MemoryStore();
			await store.update("mcpHost.eras", damage);
			expect(new EraCache(store).get("h")).toBeUndefined();
		},
	);

	it("keeps the 200 youngest and writes nothing that it already has", () => {
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
