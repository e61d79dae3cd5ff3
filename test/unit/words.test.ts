/** The texts and comments of src and media are plain technical English: a failure names the retired word and its replacement. package.json is not checked. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { retired, retiredIn, retiredInComments } from "./retiredWords.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Texts that hold a retired word for a reason: a stored value, a name, or words that are searched for. */
const allowed: ReadonlySet<string> = new Set(["lapsed", "lapse", "colleague person user member contact"]);

const sources = ["src", "media"].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((file) => /\.(?:ts|css)$/.test(file))
		.map((file) => `${folder}/${file.replaceAll("\\", "/")}`),
);
const files = sources.filter((file) => file.endsWith(".ts"));

/** The string literals and templates of a file, without the expressions within; each as its source has it. */
function textsOf(file: string): readonly string[] {
	const texts: string[] = [];
	const visitor = new Visitor({
		Literal: ({ value }) => void (typeof value === "string" && texts.push(value)),
		TemplateLiteral: ({ quasis }) => void texts.push(quasis.map(({ value }) => value.raw).join("…")),
	});
	visitor.visit(parseSync(file, readFileSync(path.join(root, file), "utf8")).program);
	return texts;
}

/** The comments of a file as running text, each with its first line. Line comments that follow each other are one. */
function commentsOf(file: string): readonly { readonly file: string; readonly line: number; readonly text: string }[] {
	const source = readFileSync(path.join(root, file), "utf8");
	const places = file.endsWith(".css")
		? Array.from(source.matchAll(/\/\*[^]*?\*\//g), ({ index, 0: { length } }) => [index, index + length] as const)
		: parseSync(file, source).comments.map(({ start, end }) => [start, end] as const);
	const joined: [start: number, end: number][] = [];
	for (const [start, end] of places) {
		const last = joined.at(-1);
		const follows = last !== undefined && /^\n\s*\/\/$/.test(source.slice(last[1], start + 2));
		if (follows && source.startsWith("//", last[0])) last[1] = end;
		else joined.push([start, end]);
	}
	return joined.map(([start, end]) => ({
		file,
		line: source.slice(0, start).split("\n").length,
		text: source
			.slice(start, end)
			.replaceAll(/^\/\*+|\*+\/$|^\s*(?:\/\/|\*)/gm, "")
			.replaceAll(/`[^`]*`/g, "`…`")
			.replaceAll(/\s+/g, " ")
			.trim(),
	}));
}

describe("the texts of src and media", () => {
	it("contain no retired words", () => {
		const faults = files.flatMap((file) => {
			const texts = textsOf(file).filter((text) => !allowed.has(text));
			return texts.flatMap((text) =>
				retiredIn(text, retired).map((words) => `${file}: ${words} in "${text.slice(0, 100)}"`),
			);
		});
		expect(files.length).toBeGreaterThan(700);
		expect(faults).toEqual([]);
	});
});

describe("the comments of src and media", () => {
	it("contain no retired words", () => {
		const comments = sources.flatMap(commentsOf);
		const faults = comments.flatMap(({ file, line, text }) =>
			retiredIn(text, retiredInComments).map((words) => `${file}:${line}: ${words}`),
		);
		expect(new Set(comments.map(({ file }) => path.extname(file)))).toEqual(new Set([".ts", ".css"]));
		expect(comments.length).toBeGreaterThan(9000);
		expect(faults).toEqual([]);
	});
});
