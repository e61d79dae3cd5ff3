import { expect, test } from "vitest";
import { WatchList, watchLimit } from "../../../../src/features/resources/watchList.ts";

/** A workspace's memory. */
class Memory {
	readonly values = new Map<string, unknown>();
	get(key: string): never {
		return this.values.get(key) as never;
	}
	async update(key: string, value: unknown): Promise<void> {
		this.values.set(key, JSON.parse(JSON.stringify(value)));
	}
}

test("watched resources are remembered exactly, once each, in the order of watching", async () => {
	const memory = new Memory();
	const list = new WatchList(memory);
	const a = { server: "s", uri: "memo://A?x#y" };
	const b = { server: "s", uri: "memo://a?x#y" };
	await list.add(a);
	await list.add(b);
	await list.add(a);
	expect(new WatchList(memory).all).toEqual([b, a]);
	await list.delete(b);
	await list.delete(b);
	expect(new WatchList(memory).all).toEqual([a]);
});

test("only a limited number is watched, the latest", async () => {
	const list = new WatchList(new Memory());
	for (let index = 0; index < watchLimit + 3; index++) await list.add({ server: "s", uri: `x://${index}` });
	expect(list.all).toHaveLength(watchLimit);
	expect(list.all[0]?.uri).toBe("x://3");
});

test("data of another version is not trusted", () => {
	const memory = new Memory();
	const list = new WatchList(memory);
	expect(list.all).toEqual([]);
	for (const odd of ["x", {}, [null, "x", [], { server: 1, uri: "x" }, { server: "s" }]]) {
		memory.values.set("mcpHost.watchedResources", odd);
		expect(list.all).toEqual([]);
	}
});
