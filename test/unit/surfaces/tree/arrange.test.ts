import { describe, expect, test } from "vitest";
import { Arranger, type Arrangement, type Traits } from "../../../../src/surfaces/tree/arrange.ts";

interface Item {
	readonly name: string;
	readonly priority?: number;
	readonly time?: string;
}

const traits: Traits<Item> = {
	name: ({ name }) => name,
	texts: ({ name }) => [name],
	priority: ({ priority }) => priority,
	lastModified: ({ time }) => time,
};
const all: Arrangement = { filter: "", sort: "server" };

function names(items: readonly Item[], arrangement: Partial<Arrangement>): readonly string[] {
	return new Arranger(traits).arrange(items, { ...all, ...arrangement }, false).items.map(({ name }) => name);
}

describe("sorting", () => {
	test("by name sorts numbers by value, and ignores capitals and accents", () => {
		const items = ["page 10", "Page 2", "élan", "echo", "Zoo", "page 2b"].map((name) => ({ name }));
		expect(names(items, { sort: "name" })).toEqual(["echo", "élan", "Page 2", "page 2b", "page 10", "Zoo"]);
	});

	test("by priority puts important ones first and those without one last, in the server's order", () => {
		const items = [{ name: "none" }, { name: "low", priority: 0 }, { name: "high", priority: 1 }, { name: "none too" }];
		expect(names(items, { sort: "priority" })).toEqual(["high", "low", "none", "none too"]);
	});

	test("by time puts new ones first and invalid times last", () => {
		const items = [
			{ name: "bad", time: "yesterday" },
			{ name: "old", time: "2025-01-12T15:00:58Z" },
			{ name: "new", time: "2026-01-12T15:00:58+02:00" },
			{ name: "none" },
		];
		expect(names(items, { sort: "modified" })).toEqual(["new", "old", "bad", "none"]);
	});

	test("does not change the list of the server", () => {
		const items = [{ name: "b" }, { name: "a" }];
		names(items, { sort: "name" });
		expect(items.map(({ name }) => name)).toEqual(["b", "a"]);
	});
});

describe("a filter", () => {
	const items = ["München Guide", "munich map", "Guide to Rome"].map((name) => ({ name }));

	test.each([
		["one word anywhere, whatever its capitals", "GUIDE", ["München Guide", "Guide to Rome"]],
		["all words in any order", "guide mun", ["München Guide"]],
		["accents or none", "munchen", ["München Guide"]],
		["nothing but blanks: everything", "   ", items.map(({ name }) => name)],
		["no hidden names where there are none", ".*", []],
		["characters that make no pattern as they are", "rome{", []],
	])("finds %s", (_what, filter, expected) => {
		expect(names(items, { filter })).toEqual(expected);
	});

	const files = ["note://docs/a.md", "note://docs/deep/b.md", "file:///src/c.ts", "note://[draft]"].map((name) => ({
		name,
	}));
	test.each([
		["note://**", ["note://docs/a.md", "note://docs/deep/b.md", "note://[draft]"]],
		["note://docs/*", ["note://docs/a.md"]],
		["*.md", ["note://docs/a.md", "note://docs/deep/b.md"]],
		["*.{md,ts} src", ["file:///src/c.ts"]],
		["?.TS", ["file:///src/c.ts"]],
		["[draft]", ["note://[draft]"]],
		["{1..100000}", []],
	])("treats %s as a pattern, like rules do", (filter, expected) => {
		expect(names(files, { filter })).toEqual(expected);
	});
});

describe("a version of a list", () => {
	const items = Array.from({ length: 1000 }, (_, index) => ({ name: `item ${index}` }));

	test("is arranged once", () => {
		let looks = 0;
		const counting = new Arranger<Item>({ ...traits, texts: ({ name }) => (looks++, [name]) });
		const first = counting.arrange(items, { ...all, filter: "7" }, false);
		expect(counting.arrange(items, { ...all, filter: "7" }, false)).toBe(first);
		expect(first.folders()).toBe(first.folders());
		expect(looks).toBe(items.length);
		counting.arrange(items, { ...all, filter: "8" }, false);
		expect(looks).toBe(2 * items.length);
		counting.arrange([...items], { ...all, filter: "8" }, false);
		expect(looks).toBe(3 * items.length);
	});

	test("that is being read is arranged again each time that it has doubled, and when it is complete", () => {
		let looks = 0;
		const counting = new Arranger<Item>({ ...traits, texts: ({ name }) => (looks++, [name]) });
		for (let size = 10; size < items.length; size += 10) {
			const { items: shown } = counting.arrange(items.slice(0, size), { ...all, filter: "item" }, true);
			expect(shown.length).toBeGreaterThan(size / 2);
		}
		expect(looks).toBeLessThan(2 * items.length);
		expect(counting.arrange(items, { ...all, filter: "item" }, false).items).toHaveLength(items.length);
	});
});
