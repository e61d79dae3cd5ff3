/** The names and comments of tests are plain technical English: a name can be read alone in a report, and retired words do not return. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { retired, retiredIn, retiredInComments } from "./retiredWords.ts";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("test/**/*.{ts,mjs,cjs}", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));

interface Text {
	readonly text: string;
	readonly start: number;
	readonly words: typeof retired;
}

/** The text of a literal or template, with `…` for what it inserts. */
function textOf(node: Node | null | undefined, words: typeof retired): readonly Text[] {
	if (node?.type === "Literal" && typeof node.value === "string")
		return [{ text: node.value, start: node.start, words }];
	if (node?.type !== "TemplateLiteral") return [];
	return [{ text: node.quasis.map(({ value }) => value.raw).join("…"), start: node.start, words }];
}

/** The members and calls that lead to a call, the outermost name first: `test.each([…])("…")` is `test`, `each`. */
function calledNames(node: Node): readonly string[] {
	if (node.type === "Identifier") return [node.name];
	if (node.type === "CallExpression") return calledNames(node.callee);
	if (node.type !== "MemberExpression") return [];
	return [...calledNames(node.object), ...(node.property.type === "Identifier" ? [node.property.name] : [])];
}

/** The first text of each row of a table, which `each` inserts into the names. It may be data of a user or a server. */
function rowsOf(table: Node | undefined): readonly Text[] {
	if (table?.type !== "ArrayExpression") return [];
	return table.elements.flatMap((row) => textOf(row?.type === "ArrayExpression" ? row.elements[0] : row, retired));
}

/** The comments of a file, and the names of its tests with the rows of their tables. */
function textsOf(file: string, source: string): readonly Text[] {
	const parsed = parseSync(file, source);
	const texts: Text[] = parsed.comments.map(({ value, start }) => ({
		text: value
			.replace(/^\*/, "")
			.replace(/\s+(?:\* ?)?/g, " ")
			.trim(),
		start,
		words: retiredInComments,
	}));
	const visitor = new Visitor({
		CallExpression: ({ callee, arguments: [first] }) => {
			const [called = "", ...members] = calledNames(callee);
			if (!["it", "test", "describe", "suite"].includes(called)) return;
			texts.push(...textOf(first, retiredInComments));
			if (["each", "for"].includes(members.at(-1) ?? "")) texts.push(...rowsOf(first));
		},
	});
	// Reading the program takes most of the time, and only files of tests have names.
	if (/\.(?:test|spec)\.ts$/.test(file)) visitor.visit(parsed.program);
	return texts;
}

/** The retired words of a file, each with its line and its replacement. */
function faultsOf(file: string, source: string): readonly string[] {
	return textsOf(file, source).flatMap(({ text, start, words }) =>
		retiredIn(text.replaceAll(/`[^`]*`/g, "`…`"), words).map(
			(fault) => `${file}:${source.slice(0, start).split("\n").length}: ${fault}`,
		),
	);
}

describe("names and comments of tests", () => {
	it("contain no retired words", () => {
		expect(files.length).toBeGreaterThan(800);
		expect(files.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), "utf8")))).toEqual([]);
	});

	it("are searched in titles, tables, comments and templates, and not in other texts", () => {
		const word = ["har", "dly"].join("");
		const titles = [`it("a user ${word} waits", f);`, `test.each([["${word} once", 1]])("%s", f);`];
		const others = [`// It ${word} waits.`, `describe(\`\${x} ${word} waits\`, f);`, `expect("${word}").toBe(x);`];
		const faults = faultsOf("a.test.ts", [...titles, ...others].join("\n")).toSorted();
		expect(faults).toEqual([1, 2, 3, 4].map((line) => `a.test.ts:${line}: ${word} (say: rarely, or what is likely)`));
	});
});
