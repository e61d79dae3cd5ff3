/** The names and comments of tests are plain technical English: a name can be read alone in a report, and retired words do not return. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("test/**/*.{ts,mjs,cjs}", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));

/** Words that a name or a comment must not contain, and what to say instead. */
const retired: readonly (readonly [pattern: RegExp, instead: string])[] = [
	[/\btold\b/i, "shown, reported, sent or informed"],
	[/\bstands\b|\bstood\b/i, "is"],
	[/\bby (?:itself|themselves)\b/i, "automatically, or on its own"],
	[/\bhardly\b/i, "rarely, or what is likely"],
	[/\bmend(?:s|ed|ing)?\b/i, "fix"],
	[/\bthe persons?\b|\bwhoever\b/i, "user"],
	[/\bunder way\b/i, "running or in progress"],
	[/^What (?!if\b)/, "the subject by its name"],
];

interface Text {
	readonly text: string;
	readonly start: number;
}

/** The text of a literal or template, with `…` for what it inserts. */
function textOf(node: Node | null | undefined): Text[] {
	if (node?.type === "Literal" && typeof node.value === "string") return [{ text: node.value, start: node.start }];
	if (node?.type !== "TemplateLiteral") return [];
	return [{ text: node.quasis.map(({ value }) => value.raw).join("…"), start: node.start }];
}

/** The members and calls that lead to a call, the outermost name first: `test.each([…])("…")` is `test`, `each`. */
function calledNames(node: Node): readonly string[] {
	if (node.type === "Identifier") return [node.name];
	if (node.type === "CallExpression") return calledNames(node.callee);
	if (node.type !== "MemberExpression") return [];
	return [...calledNames(node.object), ...(node.property.type === "Identifier" ? [node.property.name] : [])];
}

/** The first text of each row of a table, which `each` inserts into the names. */
function rowsOf(table: Node | undefined): readonly Text[] {
	if (table?.type !== "ArrayExpression") return [];
	return table.elements.flatMap((row) => textOf(row?.type === "ArrayExpression" ? row.elements[0] : row));
}

/** The comments of a file, and the names of its tests with the rows of their tables. */
function textsOf(file: string, source: string): readonly Text[] {
	const { comments, program } = parseSync(file, source);
	const texts = comments.map(({ value, start }) => ({
		text: value
			.replace(/^\*/, "")
			.replace(/\s+(?:\* ?)?/g, " ")
			.trim(),
		start,
	}));
	const visitor = new Visitor({
		CallExpression: ({ callee, arguments: [first] }) => {
			const [called = "", ...members] = calledNames(callee);
			if (!["it", "test", "describe", "suite"].includes(called)) return;
			texts.push(...textOf(first), ...(["each", "for"].includes(members.at(-1) ?? "") ? rowsOf(first) : []));
		},
	});
	visitor.visit(program);
	return texts;
}

/** The retired words of a file, each with its line and a better one. Only a file that has such a word somewhere is parsed. */
function faultsOf(file: string, source: string): readonly string[] {
	const isSuspect = retired.some(([{ source: words, flags }]) =>
		new RegExp(words.replace("^", String.raw`\b`), flags).test(source),
	);
	if (!isSuspect) return [];
	return textsOf(file, source).flatMap(({ text, start }) =>
		retired.flatMap(([pattern, instead]) => {
			const word = pattern.exec(text)?.[0].trim();
			if (word === undefined) return [];
			return [`${file}:${source.slice(0, start).split("\n").length}: ${word} (say: ${instead})`];
		}),
	);
}

describe("names and comments of tests", () => {
	it("contain no retired words", () => {
		expect(files.length).toBeGreaterThan(800);
		expect(files.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), "utf8")))).toEqual([]);
	});

	it("are searched in titles, tables, comments and templates, and not in other texts", () => {
		const words = ["to", "ld"].join("");
		const titles = [`it("a user is ${words}", f);`, `test.each([["${words} twice", 1]])("%s", f);`];
		const others = [`// Nobody is ${words}.`, `describe(\`\${x} is ${words}\`, f);`, `expect("${words}").toBe(x);`];
		const faults = faultsOf("a.test.ts", [...titles, ...others].join("\n")).toSorted();
		expect(faults).toEqual([1, 2, 3, 4].map((line) => expect.stringContaining(`a.test.ts:${line}: ${words} (say: `)));
		expect(faults).toHaveLength(4);
	});
});
