import { describe, expect, it } from "vitest";
import { SuggestionList } from "../../../media/form/suggestionList.ts";
import type { FieldSuggestions } from "../../../src/questions/form/formProtocol.ts";

function answer(values: readonly string[], more: Partial<FieldSuggestions> = {}): FieldSuggestions {
	const rows = values.map((value) => ({ value, label: value }));
	return { field: 0, groups: rows.length === 0 ? [] : [{ label: "Suggestions", rows }], isBusy: false, ...more };
}

function setUp() {
	const asked: [number, number][] = [];
	const list = new SuggestionList(
		(field, line) => asked.push([field, line]),
		() => undefined,
	);
	return { list, asked };
}

describe("SuggestionList", () => {
	it.each([
		[["ArrowDown"], "a"],
		[["ArrowDown", "ArrowDown", "ArrowDown"], "c"],
		[["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"], undefined],
		[["ArrowUp"], "c"],
		[["ArrowDown", "ArrowUp"], undefined],
		[["PageDown"], "c"],
		[["ArrowUp", "PageUp"], "a"],
	])("the keys %j lead to %s, the text being before the first and after the last row", (keys, expected) => {
		const { list } = setUp();
		list.open(0, 0);
		list.receive(answer(["a", "b", "c"]));
		for (const key of keys) expect(list.move(key)).toBe(true);
		expect(list.active?.value).toBe(expected);
		expect(list.move("x")).toBe(false);
	});

	it("keeps the active row through later answers while it exists, and never activates one automatically", () => {
		const { list } = setUp();
		list.follow(0, 0);
		list.receive(answer(["a", "b"]));
		expect(list.active).toBeUndefined();
		list.move("ArrowDown");
		list.receive(answer(["new", "a"]));
		expect(list.active?.value).toBe("a");
		list.receive(answer(["new"]));
		expect(list.active).toBeUndefined();
		list.receive(answer(["a"]));
		expect(list.active).toBeUndefined();
	});

	it("shows nothing of another field, and nothing once it is closed", () => {
		const { list, asked } = setUp();
		list.receive(answer(["early"]));
		expect(list.isShown(0)).toBe(false);
		list.follow(1, 2);
		list.receive(answer(["other"]));
		expect(list.isShown(0)).toBe(false);
		expect(list.isShown(1)).toBe(false);
		list.receive(answer(["own"], { field: 1 }));
		expect(list.isShown(1)).toBe(true);
		list.close();
		list.receive(answer(["late"], { field: 1 }));
		expect(list.isShown(1)).toBe(false);
		expect(asked).toEqual([[1, 2]]);
	});

	it("closes once the caret has left its line: a value would replace another one", () => {
		const { list } = setUp();
		list.follow(0, 1);
		list.receive(answer(["a"]));
		list.leave(1);
		expect(list.isShown(0)).toBe(true);
		list.follow(0, 2);
		list.leave(2);
		expect(list.isShown(0)).toBe(true);
		list.leave(1);
		expect(list.isShown(0)).toBe(false);
	});

	it("shows that it is empty only when it was requested and nothing is awaited", () => {
		const { list } = setUp();
		list.follow(0, 0);
		list.receive(answer([]));
		expect(list.isEmpty(0)).toBe(false);
		list.open(0, 0);
		list.receive(answer([], { isBusy: true }));
		expect(list.isEmpty(0)).toBe(false);
		list.receive(answer([]));
		expect(list.isEmpty(0)).toBe(true);
	});

	it("requests nothing while a text is put into the field other than by typing", () => {
		const { list, asked } = setUp();
		list.hold(() => list.follow(0, 0));
		expect(asked).toEqual([]);
		expect(list.of(0)).toBeUndefined();
		list.follow(0, 0);
		expect(asked).toEqual([[0, 0]]);
	});
});
