import { editDistance, nearest } from "../../base/nearest.ts";
import { oneLine } from "../../base/text.ts";

/** The inputs of a filter. All texts are compared case-insensitively. */
export interface Filterable {
	/** The configured name of the server. */
	readonly server: string;
	readonly method: string;
	/** The tool, prompt or resource; empty when there is none. */
	readonly target: string;
	/** Who asked: `user`, `model`, `app`, `server` or `host`. */
	readonly origin: string;
	/** The id of the request, as on the wire; empty if there is none. */
	readonly id: string;
	/** All words for how it ended, such as `error`, `tool-error`, `404`. */
	readonly statuses: readonly string[];
	/** How long it took without the time of a user, so far if it is not over. */
	readonly milliseconds: number;
	/** Bytes out and in together. */
	readonly bytes: number;
	/** All of its texts, for `text:`; computed only when needed. */
	readonly text: () => string;
}

/** A parsed filter, or in a sentence its problem, with the place in the text. */
export type ReadFilter =
	| { readonly matches: (subject: Filterable) => boolean }
	| { readonly problem: string; readonly start: number; readonly end: number };

/** The fields of a filter, each with its meaning. */
export const filterFields = {
	server: "name of the server, * for any characters",
	method: "method of the protocol, such as tools/* or ping",
	target: "tool, prompt or resource",
	status: "how it ended: error, ok, waiting, a code …",
	origin: "who asked: user, model, app, server, host",
	id: "id of the request on the wire",
	text: "text anywhere in the message",
} as const satisfies Record<string, string>;

type Field = keyof typeof filterFields;

const fieldNames = Object.keys(filterFields)
	.map((field) => `${field}:`)
	.join(", ");

/** A word of a filter, as it is in the text. */
export interface FilterTerm {
	readonly start: number;
	readonly end: number;
	readonly isNegated: boolean;
	/** The text before the colon; undefined when there is none. */
	readonly field: string | undefined;
	/** Where the value begins. */
	readonly valueStart: number;
	/** The alternatives, without their quotes. */
	readonly values: readonly string[];
	/** Whether the value is quoted from its beginning. */
	readonly isQuoted: boolean;
}

/** Longest filter, in characters; the rest is not read. */
const maxLength = 2000;

/**
 * Reads a filter: words separated by blanks, all of which must match. `field:value` tests one field, with commas
 * between alternatives and `*` for any characters; `>500ms`, `<2s`, `>100KB` test time and size; any other word occurs
 * somewhere in method, target or server; `-` before a word negates it; quotes keep blanks, commas and colons together.
 */
export function readFilter(text: string): ReadFilter {
	const tests: ((subject: Filterable) => boolean)[] = [];
	for (const term of termsOf(text)) {
		const test = testOf(term);
		if (typeof test === "string") return { problem: test, start: term.start, end: term.end };
		tests.push(term.isNegated ? (subject) => !test(subject) : test);
	}
	return { matches: (subject) => tests.every((test) => test(subject)) };
}

/** The words of a filter in their order. An open quote continues to the end, because it is being typed. */
export function termsOf(text: string): readonly FilterTerm[] {
	const read = text.slice(0, maxLength);
	const terms: FilterTerm[] = [];
	for (let at = 0; at < read.length;) {
		if (isBlank(read.charAt(at))) {
			at++;
			continue;
		}
		const term = termAt(read, at);
		terms.push(term);
		at = term.end;
	}
	return terms;
}

function termAt(text: string, start: number): FilterTerm {
	const isNegated = text.charAt(start) === "-" && start + 1 < text.length && !isBlank(text.charAt(start + 1));
	const named = /^[A-Za-z]+:/.exec(text.slice(start + (isNegated ? 1 : 0), start + 40))?.[0];
	const valueStart = start + (isNegated ? 1 : 0) + (named?.length ?? 0);
	const values = [""];
	let end = valueStart;
	for (let isInQuotes = false; end < text.length; end++) {
		const character = text.charAt(end);
		if (!isInQuotes && isBlank(character)) break;
		if (character === '"') isInQuotes = !isInQuotes;
		else if (character === "," && !isInQuotes && named !== undefined) values.push("");
		else values[values.length - 1] += character;
	}
	return {
		start,
		end,
		isNegated,
		field: named?.slice(0, -1).toLowerCase(),
		valueStart,
		values: values.filter((value) => value !== ""),
		isQuoted: text.charAt(valueStart) === '"',
	};
}

function isBlank(character: string): boolean {
	return /\s/.test(character);
}

/** The test of a word, or in a sentence why there is none. */
function testOf({ field, values, isQuoted }: FilterTerm): ((subject: Filterable) => boolean) | string {
	if (field === undefined) return isQuoted ? wordTest(values[0] ?? "") : sizeOrWord(values[0] ?? "");
	if (!isField(field)) {
		const [like = ""] = nearest(field, Object.keys(filterFields));
		const hint = editDistance(field, like) <= 2 ? `Did you mean “${like}:”?` : `Fields: ${fieldNames}.`;
		return `“${oneLine(field, 40)}:” is not a field. ${hint} Put text that contains a colon in quotes.`;
	}
	if (values.length === 0) return `“${field}:” needs a value, such as ${examples[field]}.`;
	if (field === "text") {
		const wanted = values.map((value) => value.toLowerCase());
		return (subject) => {
			const whole = subject.text().toLowerCase();
			return wanted.some((value) => whole.includes(value));
		};
	}
	const globs = values.map(wildcard);
	if (field === "status") return ({ statuses }) => statuses.some((status) => globs.some((glob) => glob(status)));
	return (subject) => globs.some((glob) => glob(subject[field]));
}

const examples: Readonly<Record<Field, string>> = {
	server: "server:git",
	method: "method:tools/*",
	target: "target:search*",
	status: "status:error",
	origin: "origin:model",
	id: "id:12",
	text: 'text:"not found"',
};

function isField(name: string): name is Field {
	return Object.hasOwn(filterFields, name);
}

function wordTest(word: string): (subject: Filterable) => boolean {
	const wanted = word.toLowerCase();
	return ({ method, target, server }) => [method, target, server].some((text) => text.toLowerCase().includes(wanted));
}

/** Milliseconds and bytes of the units that can be written. */
const units: Readonly<Record<string, { readonly of: "milliseconds" | "bytes"; readonly times: number }>> = {
	ms: { of: "milliseconds", times: 1 },
	s: { of: "milliseconds", times: 1000 },
	min: { of: "milliseconds", times: 60_000 },
	b: { of: "bytes", times: 1 },
	kb: { of: "bytes", times: 1024 },
	mb: { of: "bytes", times: 1024 * 1024 },
};

function sizeOrWord(word: string): ((subject: Filterable) => boolean) | string {
	const sign = word.charAt(0);
	if (sign !== ">" && sign !== "<") return wordTest(word);
	const [, number = "", name = ""] = /^(\d{1,12}(?:\.\d{1,6})?)([A-Za-z]{1,3})$/.exec(word.slice(1)) ?? [];
	const unit = Object.hasOwn(units, name.toLowerCase()) ? units[name.toLowerCase()] : undefined;
	if (unit === undefined) {
		return `“${oneLine(word, 40)}” is not a time or a size. Write ${sign}500ms, ${sign}2s, ${sign}100KB or ${sign}1MB.`;
	}
	const limit = Number(number) * unit.times;
	return sign === ">" ? (subject) => subject[unit.of] > limit : (subject) => subject[unit.of] < limit;
}

/** A text in which `*` matches any characters, as a test of whole texts. It scans the text once. */
function wildcard(pattern: string): (text: string) => boolean {
	const pieces = pattern.toLowerCase().split("*");
	const first = pieces[0] ?? "";
	const last = pieces.at(-1) ?? "";
	if (pieces.length === 1) return (text) => text.toLowerCase() === first;
	const inner = pieces.slice(1, -1);
	return (text) => {
		const whole = text.toLowerCase();
		if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
		let at = first.length;
		for (const piece of inner) {
			const found = whole.indexOf(piece, at);
			if (found === -1) return false;
			at = found + piece.length;
		}
		return at <= whole.length - last.length;
	};
}
