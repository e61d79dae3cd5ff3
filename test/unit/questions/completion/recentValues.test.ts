import { describe, expect, test } from "vitest";
import { ValueMemory } from "../../../../src/questions/completion/recentValues.ts";
import { memory } from "../../features/prompts/memory.ts";

describe("remembered values", () => {
	test("are those of one argument of one owner, the latest first, each once, five at most", () => {
		const values = new ValueMemory(memory(), "key");
		for (const value of ["a", "b", "c", "a", "d", "e", "f"]) values.of("travel").remember("to", value);
		expect(values.of("travel").of("to")).toEqual(["f", "e", "d", "a", "c"]);
		expect(values.of("travel").of("from")).toEqual([]);
		expect(values.of("notes").of("to")).toEqual([]);
	});

	test("can be forgotten", () => {
		const store = memory();
		const values = new ValueMemory(store, "key").of("travel");
		values.remember("to", "Rome");
		values.remember("to", "Oslo");
		values.forget("to", "Oslo");
		expect(values.of("to")).toEqual(["Rome"]);
		values.forget("to", "Rome");
		expect(store.get("key")).toBeUndefined();
	});

	test.each([
		["password", "hunter2"],
		["apiKey", "k"],
		["to", "  "],
		["to", "two\nlines"],
		["to", "x".repeat(201)],
		["page", "https://example.com/?token=abc"],
	])("never keep %s = %j", (name, value) => {
		const store = memory();
		new ValueMemory(store, "key").of("travel").remember(name, value);
		expect(store.get("key")).toBeUndefined();
	});

	test("200 arguments at most, those used last", () => {
		const values = new ValueMemory(memory(), "key").of("travel");
		for (let index = 0; index <= 200; index++) values.remember(`argument-${index}`, "v");
		expect([values.of("argument-0"), values.of("argument-1"), values.of("argument-200")]).toEqual([[], ["v"], ["v"]]);
	});

	test("names of an object's own members are ordinary names; data of another version is harmless", () => {
		const values = new ValueMemory(memory(), "key").of("__proto__");
		values.remember("__proto__", "v");
		expect(values.of("__proto__")).toEqual(["v"]);
		const strange = new ValueMemory(memory({ key: [1, { key: "o" }, { key: ["o", "n"], texts: ["v"] }] }), "key");
		expect(strange.of("o").of("n")).toEqual(["v"]);
		expect(new ValueMemory(memory({ key: { a: 1 } }), "key").of("o").of("n")).toEqual([]);
	});
});
