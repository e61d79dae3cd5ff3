/** docs/architecture.md is correct: the files that it names exist, and each walk leads from file to file. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const text = read("docs/architecture.md");

/** The files that a file imports: types, values and dynamic imports alike. */
function importsOf(file: string): readonly string[] {
	return [...read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(([, specifier = ""]) =>
		path.posix.join(path.posix.dirname(file), specifier),
	);
}

/** The walks by their titles, each the files of its steps in their order. */
const walks = text
	.split(/^### /m)
	.slice(1)
	.map((section): [title: string, steps: readonly string[]] => [
		section.slice(0, section.indexOf("\n")),
		[...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file),
	]);

describe("docs/architecture.md", () => {
	it("names files that exist", () => {
		const named = [...text.matchAll(/`((?:src|media|test)\/[\w./*-]+|\.[\w-]+\.json)`/g)].map(([, file = ""]) => file);
		expect(named.length).toBeGreaterThan(40);
		expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
	});

	it("draws the storeys in their order, from the top to the ground, with all their rooms", () => {
		const rows = [...text.matchAll(/^ │ ([a-z]*) {2,}([^│]*)│$/gm)];
		const drawn = rows.map(([, storey = ""]) => storey).filter((storey) => storey !== "");
		const list = /const storeys[^=]*= \{([^}]+)\}/.exec(read("test/unit/layers.test.ts"))?.[1] ?? "";
		const storeys = [...list.matchAll(/^\t(\w+): \[([^\]]*)\]/gm)];
		expect(drawn).toEqual(storeys.map(([, storey = ""]) => storey).toReversed());
		const words = new Set(rows.flatMap(([, , row = ""]) => row.match(/\w+/g) ?? []));
		const undrawn = storeys
			.filter(([, storey = ""]) => !["base", "models"].includes(storey))
			.flatMap(([, , rooms = ""]) => rooms.match(/\w+/g) ?? [])
			.filter((room) => !words.has(room));
		expect(undrawn).toEqual([]);
	});

	it("has four walks", () => {
		expect(walks.map(([, steps]) => steps.length >= 8)).toEqual([true, true, true, true]);
	});

	it.each(walks)("leads from each file to the next: %s", (_title, steps) => {
		const gaps = steps.flatMap((step, index) => {
			const next = steps[index + 1];
			if (next === undefined || importsOf(step).includes(next) || importsOf(next).includes(step)) return [];
			return [`${step} and ${next}`];
		});
		expect(gaps).toEqual([]);
	});
});
