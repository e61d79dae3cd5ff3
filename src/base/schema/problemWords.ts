import { wordList } from "../wordList.ts";

/** The names of JSON's types for users. */
const kinds: Readonly<Record<string, string>> = {
	string: "text",
	number: "a number",
	integer: "a whole number",
	boolean: "true or false",
	array: "a list",
	object: "an object",
};

type Words = (...parts: readonly string[]) => string;

const missing: Words = (name) => `${name} is missing.`;
const unlisted: readonly [RegExp, Words] = [
	/^Property ("[^]*") does not match/,
	(name) => `The schema does not allow this value for ${name}.`,
];

/** By the keyword that a value fails: how the validator's sentence begins, and the same in plain words. */
const sentences: Readonly<Record<string, readonly [pattern: RegExp, words: Words]>> = {
	type: [
		/^Instance type "(\w+)" is invalid\. Expected "([\w", ]+)"/,
		(is = "", wanted = "") => `Must be ${wordList(wanted.split('", "').map(kindOf), "or")}, but is ${kindOf(is)}.`,
	],
	required: [/^Instance does not have required property ("[^]*")\.$/, missing],
	enum: [/^Instance does not match any of \[([^]*)\]\.$/, (values) => `Must be one of these: ${values}.`],
	const: [/^Instance does not match ([^]*)\.$/, (value) => `Must be ${value}.`],
	minLength: [/\((\d+) < (\d+)\)/, (has, least) => `Must have at least ${count(least, "character")}, but has ${has}.`],
	maxLength: [/\((\d+) > (\d+)\)/, (has, most) => `Must have at most ${count(most, "character")}, but has ${has}.`],
	minItems: [/\((\d+) < (\d+)\)/, (has, least) => `Must have at least ${count(least, "item")}, but has ${has}.`],
	maxItems: [/\((\d+) > (\d+)\)/, (has, most) => `Must have at most ${count(most, "item")}, but has ${has}.`],
	pattern: [/^/, () => "Does not match the pattern in the schema."],
	format: [/format ("[^]*")/, (format) => `Does not have the format ${format}.`],
	uniqueItems: [
		/^Duplicate items at indexes (\d+) and (\d+)/,
		(one, other) => `Items ${one} and ${other} are the same.`,
	],
	anyOf: [/^/, () => "Must match at least one of the listed schemas, but matches none."],
	additionalProperties: unlisted,
	unevaluatedProperties: unlisted,
};

/** The validator's message for a keyword that fails, in plain words; other messages stay unchanged. */
export function plainProblem(keyword: string, error: string): string {
	const [pattern, words] = sentences[keyword] ?? [];
	const match = pattern?.exec(error);
	return match == null || words === undefined ? error : words(...match.slice(1));
}

function count(number: string | undefined, noun: string): string {
	return `${number} ${noun}${number === "1" ? "" : "s"}`;
}

function kindOf(kind: string): string {
	return kinds[kind] ?? kind;
}
