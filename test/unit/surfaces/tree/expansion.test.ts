import { expect, test } from "vitest";
import { Expansion } from "../../../../src/surfaces/tree/expansion.ts";
import { memory } from "./treeScene.ts";

const key = "mcpHost.openRows";

test("rows that the user opened or closed take precedence over the default", () => {
	const expansion = new Expansion(memory());
	expect([expansion.isOpen("a", false), expansion.isOpen("a", true)]).toEqual([false, true]);
	expansion.note("a", true);
	expect(expansion.isOpen("a", false)).toBe(true);
	expansion.note("a", false);
	expect(expansion.isOpen("a", true)).toBe(false);
});

test("a row that the editor closes as it becomes expandable stays open; one that the user closes does not", () => {
	const expansion = new Expansion(memory());
	expansion.note("server", true);
	expansion.show("server", true);
	expansion.show("server", false);
	expansion.show("server", true);
	expansion.note("server", false);
	expect(expansion.isOpen("server", false)).toBe(true);
	expansion.show("server", true);
	expansion.note("server", false);
	expect(expansion.isOpen("server", true)).toBe(false);
	expansion.note("server", true);
	expansion.show("server", false);
	expansion.show("server", true);
	// Opened by hand, and then closed.
	expansion.note("server", true);
	expansion.note("server", false);
	expect(expansion.isOpen("server", true)).toBe(false);
});

test("the rows touched longest ago are forgotten first, so that the memory is limited", () => {
	const expansion = new Expansion(memory());
	expansion.note("first", true);
	expansion.note("second", true);
	for (let index = 0; index < 9_998; index++) expansion.note(`row ${index}`, true);
	expansion.note("first", true);
	expansion.note("one more", true);
	expect([expansion.isOpen("first", false), expansion.isOpen("second", false)]).toEqual([true, false]);
});

test("the next window shows the newest rows unchanged, and keeps no text of a server (UI-17)", () => {
	const state = memory();
	const before = new Expansion(state);
	before.note("oldest", true);
	for (let index = 0; index < 498; index++) before.note(`row ${index}`, true);
	before.note("https://user:secret@example.com/", true);
	before.note("closed", false);
	const kept = JSON.stringify(state.get(key));
	expect(kept).not.toMatch(/secret|example/);
	expect(kept.length).toBeLessThan(15_000);

	const after = new Expansion(state);
	expect(after.isOpen("https://user:secret@example.com/", false)).toBe(true);
	expect(after.isOpen("closed", true)).toBe(false);
	expect(after.isOpen("oldest", false)).toBe(false);
});

test.each([undefined, null, "odd", { a: 1 }, [1, null, {}]])("invalid stored data is ignored: %j", async (kept) => {
	const state = memory();
	await state.update(key, kept);
	expect(new Expansion(state).isOpen("a", false)).toBe(false);
});
