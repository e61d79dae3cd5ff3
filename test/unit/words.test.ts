/** The texts of src and media are plain technical English: each word that was retired is named with what to say instead. package.json is not checked. */
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

/** Texts that hold a retired word for a reason: a stored value, a name, or words that are searched for. */
const allowed: ReadonlySet<string> = new Set(["lapsed", "lapse", "colleague person user member contact"]);

const files = ["src", "media"].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.map((file) => `${folder}/${file}`),
);

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
