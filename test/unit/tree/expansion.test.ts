import { expect, test } from "vitest";
import { Expansion } from "../../../src/tree/expansion.ts";

test("what the person opened or closed counts more than how it starts", () => {
	const expansion = new Expansion();
	expect([expansion.isOpen("a", false), expansion.isOpen("a", true)]).toEqual([false, true]);
	expansion.note("a", true);
	expect(expansion.isOpen("a", false)).toBe(true);
	expansion.note("a", false);
	expect(expansion.isOpen("a", true)).toBe(false);
});

test("the rows touched longest ago are forgotten first, so that the memory does not grow for ever", () => {
	const expansion = new Expansion();
	expansion.note("first", true);
	expansion.note("second", true);
	for (let index = 0; index < 9_998; index++) expansion.note(`row ${index}`, true);
	expansion.note("first", true);
	expansion.note("one more", true);
	expect([expansion.isOpen("first", false), expansion.isOpen("second", false)]).toEqual([true, false]);
});
