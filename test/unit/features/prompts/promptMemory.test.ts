import { describe, expect, test } from "vitest";
import { PromptPins } from "../../../../src/features/prompts/promptMemory.ts";
import { memory } from "./memory.ts";

describe("pinned prompts", () => {
	test("are distinguished by server and name, kept, and removed again", async () => {
		const store = memory();
		const pins = new PromptPins(store);
		let changes = 0;
		pins.onDidChange(() => changes++);
		await pins.set("user:#travel", "plan", true);
		await pins.set("user:#travel", "plan", true);
		await pins.set("user:#notes", "plan", true);
		expect([pins.has("user:#travel", "plan"), pins.has("user:#travel", "greet")]).toEqual([true, false]);
		expect(new PromptPins(store).keys).toEqual(["user:#travel\nplan", "user:#notes\nplan"]);
		await pins.set("user:#travel", "plan", false);
		expect(pins.keys).toEqual(["user:#notes\nplan"]);
		expect(changes).toBe(4);
	});

	test("the first of more than 100 is removed", async () => {
		const pins = new PromptPins(memory());
		for (let index = 0; index <= 100; index++) await pins.set("s", `p${index}`, true);
		expect([pins.keys.length, pins.has("s", "p0"), pins.has("s", "p100")]).toEqual([100, false, true]);
	});

	test("of two windows are kept, whichever pins last", async () => {
		const store = memory();
		const [one, other] = [new PromptPins(store), new PromptPins(store)];
		await one.set("s", "here", true);
		await other.set("s", "there", true);
		expect(new PromptPins(store).keys).toEqual(["s\nhere", "s\nthere"]);
		await one.set("s", "here", false);
		expect(new PromptPins(store).keys).toEqual(["s\nthere"]);
	});

	test("data stored by another version is harmless", () => {
		expect(new PromptPins(memory({ "mcpHost.pinnedPrompts": { a: 1 } })).keys).toEqual([]);
		expect(new PromptPins(memory({ "mcpHost.pinnedPrompts": ["s\np", 1] })).has("s", "p")).toBe(true);
	});
});
