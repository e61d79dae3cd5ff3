import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/**
 * The storeys of `src`, from the ground up, each with its rooms in the order in which they may import. A file imports from
 * storeys below its own and from earlier rooms of its own storey. A new folder is a word here.
 */
const storeys: Readonly<Record<string, readonly string[]>> = {
	base: ["secrets", "schema", "store"],
	protocol: ["messages", "stdio", "shared", "http", "authorization", "connection"],
	questions: ["completion", "decisions", "webview", "form"],
	records: ["activity", "trace"],
	servers: [
		"formats",
		"definitions",
		"sessions",
		"development",
		"accounts",
		"approval",
		"roots",
		"sources",
		"otherHosts",
		"review",
		"status",
	],
	setup: ["bundles", "serverJson", "entries", "registry", "templates"],
	models: ["kept", "openai"],
	permissions: ["catalog", "pinning", "grants", "policy", "budgets"],
	features: ["resources", "tools", "tasks", "skills", "prompts", "elicitation", "sampling", "apps", "agentTools"],
	surfaces: [
		"runner",
		"trace",
		"namedCalls",
		"chat",
		"guest",
		"handover",
		"bridge",
		"tree",
		"doctor",
		"mayRun",
		"reset",
		"demo",
	],
	wiring: [],
};
const order = Object.keys(storeys);

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("{src,media}/**/*.ts", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
/** Static and dynamic imports and re-exports of files, types included. */
const importOf = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const ofSource = files.filter((file) => file.startsWith("src/"));

/** The files that a file imports, from the root of the repository. */
function importsOf(file: string): readonly string[] {
	const text = readFileSync(path.join(root, file), "utf8");
	return [...text.matchAll(importOf)].map(([, specifier = ""]) =>
		path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)),
	);
}

/** The storey of a file, as a number; files of `src` itself compose all storeys and come after them. */
function storeyOf(file: string): number {
	const [, storey = "", rest] = file.split("/");
	return rest === undefined ? order.length : order.indexOf(storey);
}

/** The room of a file within its storey: a folder, or the file itself where it lies in the storey's own folder. */
function roomOf(file: string): string {
	return file.split("/")[2] ?? file;
}

/** The imports of `src` that stay within one storey and leave their room. */
const acrossRooms = ofSource.flatMap((file) =>
	(imports.get(file) ?? [])
		.filter((imported) => storeyOf(imported) === storeyOf(file) && storeyOf(file) < order.length)
		.filter((imported) => roomOf(imported) !== roomOf(file))
		.map((imported) => ({ file, imported })),
);

/** The cycles among some things. */
function inCircles(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
	const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean =>
		[...(arrows.get(from) ?? [])].some((next) => {
			if (next === to) return true;
			if (seen.has(next)) return false;
			seen.add(next);
			return leadsTo(next, to, seen);
		});
	return [...arrows.keys()].filter((one) => leadsTo(one, one));
}

describe("The storeys of src", () => {
	it("are at most eleven", () => {
		expect(order.length).toBeLessThanOrEqual(11);
	});

	it("are all its folders, with all their rooms", () => {
		const found = ofSource.map((file) => file.split("/")).filter(({ length }) => length > 2);
		expect(new Set(found.map(([, storey]) => storey))).toEqual(new Set(order));
		const rooms = new Set(found.flatMap(([, storey, room, rest]) => (rest === undefined ? [] : [`${storey}/${room}`])));
		expect(rooms).toEqual(
			new Set(order.flatMap((storey) => storeys[storey]?.map((room) => `${storey}/${room}`) ?? [])),
		);
	});

	it("import only from storeys below", () => {
		const upward = ofSource.flatMap((file) =>
			(imports.get(file) ?? [])
				.filter((imported) => storeyOf(imported) > storeyOf(file))
				.map((imported) => `${file} imports ${imported}`),
		);
		expect(upward).toEqual([]);
	});

	it("have rooms that import only from rooms before them", () => {
		const numberOf = (file: string): number => storeys[order[storeyOf(file)] ?? ""]?.indexOf(roomOf(file)) ?? -1;
		const backward = acrossRooms
			.filter(({ file, imported }) => numberOf(file) >= 0 && numberOf(imported) > numberOf(file))
			.map(({ file, imported }) => `${file} imports ${imported}`);
		expect(backward).toEqual([]);
	});

	it("have no cycle of rooms", () => {
		const arrows = new Map<string, Set<string>>();
		for (const { file, imported } of acrossRooms) {
			const storey = order[storeyOf(file)];
			const from = `${storey}/${roomOf(file)}`;
			arrows.set(from, (arrows.get(from) ?? new Set()).add(`${storey}/${roomOf(imported)}`));
		}
		expect(inCircles(arrows)).toEqual([]);
	});

	it("have no cycle of files except two that share their types", () => {
		const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean =>
			(imports.get(from) ?? []).some((next) => {
				// Two files may name each other's types. Cycles of values are found by the linter, of any length.
				if (next === to) return !imports.get(to)?.includes(from);
				if (seen.has(next)) return false;
				seen.add(next);
				return leadsTo(next, to, seen);
			});
		expect(files.filter((file) => leadsTo(file, file))).toEqual([]);
	});

	it("are not imported by the webviews, except for types and base", () => {
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
