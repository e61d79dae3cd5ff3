/** The texts and comments of src and media are plain technical English: a failure names the retired word and its replacement. package.json is not checked. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Words that a text must not contain, and what to say instead. */
const retired: readonly (readonly [pattern: RegExp, instead: string])[] = [
	[/\bthe persons?\b/i, "user"],
	[/\b(?:is|are|was|were|be|been) told\b|\btold (?:about|of|so)\b/i, "shown, reported, sent or informed"],
	[/\bby itself\b|\bby themselves\b/i, "automatically"],
	[/\bhardly\b/i, "say what is likely"],
	[/\bmend(?:s|ed|ing)?\b/i, "fix"],
	[/\blapsed?\b/i, "ended or expired"],
	[/\bor else\b/i, "or, otherwise"],
	[/\bas it came\b/i, "as received"],
	[/\bwhoever\b/i, "the operator, or name who"],
	[/\binformation, not orders\b/i, "untrusted data"],
	[/\bunder way\b/i, "running or in progress"],
	[/\b(?:legacy|modern) era\b/i, "name the revision"],
	[/\bknows? no\b/i, "does not support"],
	[/(?:^|[.!?] )What (?!changes|went|happened)[a-z' ]+ (?:is|are|was|were) /, "name the subject"],
];

/** Further words that a comment must not contain, and what to say instead. Text in backticks is not checked. */
const retiredInComments: readonly (readonly [pattern: RegExp, instead: string])[] = [
	...retired,
	[/\btold\b|\btell(?:s|ing)?\b/i, "shown, reported, sent, returned or distinguished"],
	[/\b(?:stands?|stood|standing)\b/i, "is, represents, replaces"],
	[/\b(?:comes? (?:back|of|by itself|out of|up)|came|coming)\b/i, "was received, results"],
	[/\b(?:said|hears?|heard)\b/i, "reported, received"],
	[/(?<!(?:any|every|no|some)(?:thing|body|one|where)|little) else\b/i, "otherwise"],
	[/\b(?:is|are) asked about by\b|\bpeople\b|\bpersons?\b/i, "user"],
	[/\banew\b/i, "again"],
	[/(?:^|[.!?] )What /, "name the subject"],
];

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
function commentsOf(file: string): readonly { readonly line: number; readonly text: string }[] {
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
				retired
					.filter(([pattern]) => pattern.test(text))
					.map(
						([pattern, instead]) => `${file}: ${pattern.exec(text)?.[0]} in "${text.slice(0, 100)}" (say: ${instead})`,
					),
			);
		});
		expect(files.length).toBeGreaterThan(700);
		expect(faults).toEqual([]);
	});
});

describe("the comments of src and media", () => {
	it("contain no retired words", () => {
		const comments = sources.flatMap((file) => commentsOf(file).map((comment) => ({ file, ...comment })));
		const faults = comments.flatMap(({ file, line, text }) =>
			retiredInComments.flatMap(([pattern, instead]) => {
				const word = pattern.exec(text)?.[0].trim();
				return word === undefined ? [] : [`${file}:${line}: ${word} (say: ${instead})`];
			}),
		);
		expect(new Set(comments.map(({ file }) => path.extname(file)))).toEqual(new Set([".ts", ".css"]));
		expect(comments.length).toBeGreaterThan(9000);
		expect(faults).toEqual([]);
	});
});
