import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** The folders of `src` in the order in which they may import: each only from those before it. A new folder is a line here. */
const layers = [
	"base",
	"formats",
	"protocol",
	"bundles",
	"questions",
	"activity",
	"servers",
	"trace",
	"setup",
	"models",
	"tools",
	"doctor",
	"resources",
	"prompts",
	"elicitation",
	"sampling",
	"apps",
	"runner",
	"namedCalls",
	"chat",
	"guest",
	"tree",
	"demo",
];

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("{src,media}/**/*.ts", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
/** Static and dynamic imports and re-exports of files, types included. */
const importOf = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** The files that a file imports, from the root of the repository. */
function importsOf(file: string): readonly string[] {
	const text = readFileSync(path.join(root, file), "utf8");
	return [...text.matchAll(importOf)].map(([, specifier = ""]) =>
		path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)),
	);
}

/** The place of a file in the order; what lies in `src` itself composes all layers and stands after them. */
function layerOf(file: string): number {
	const [, folder = "", rest] = file.split("/");
	return rest === undefined ? layers.length : layers.indexOf(folder);
}

describe("The layers of src", () => {
	it("are all its folders, each in the list", () => {
		const folders = new Set(
			files
				.map((file) => file.split("/"))
				.flatMap(([top, folder, rest]) => (top === "src" && rest !== undefined ? [folder] : [])),
		);
		expect(folders).toEqual(new Set(layers));
	});

	it("import only from layers before them", () => {
		const upward = files
			.filter((file) => file.startsWith("src/"))
			.flatMap((file) =>
				importsOf(file)
					.filter((imported) => layerOf(imported) > layerOf(file))
					.map((imported) => `${file} imports ${imported}`),
			);
		expect(upward).toEqual([]);
	});

	it("have no circle of files but of two that share their types", () => {
		const imports = new Map(files.map((file) => [file, new Set(importsOf(file))]));
		const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean =>
			[...(imports.get(from) ?? [])].some((next) => {
				// Two files may name each other's types. Circles of values are found by the linter, be they of two files or more.
				if (next === to) return !imports.get(to)?.has(from);
				if (seen.has(next)) return false;
				seen.add(next);
				return leadsTo(next, to, seen);
			});
		expect(files.filter((file) => leadsTo(file, file))).toEqual([]);
	});

	it("are unknown to the webviews, but for types and base", () => {
		const values = files
			.filter((file) => file.startsWith("media/"))
			.flatMap((file) => {
				const text = readFileSync(path.join(root, file), "utf8");
				return [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from "([^"]*\/src\/[^"]+)";/gm)]
					.filter(([, specifier = ""]) => !specifier.includes("/src/base/"))
					.map(([statement]) => `${file}: ${statement}`);
			});
		expect(values).toEqual([]);
	});
});
