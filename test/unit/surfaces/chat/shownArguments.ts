import type { Json, JsonObject } from "../../../../src/base/json.ts";

/** One class of hidden characters each: a control, an escape of a terminal, bidirectional ones, blanks of no width, tags, … */
export const hidden = {
	control: "\u0007",
	terminal: "\u001B[31m",
	"C1 control": "\u0085",
	"bidirectional override": "\u202E",
	"bidirectional isolate": "\u2066",
	"zero-width space": "\u200B",
	"zero-width joiner": "a\u200Db",
	"word joiner": "\u2060",
	"byte order mark": "\uFEFF",
	"soft hyphen": "\u00AD",
	tags: "\u{E0041}\u{E0042}",
	"variation selector": "a\uFE0F",
	"blank letter": "\u3164",
	"other space": "\u00A0",
	"line separator": "\u2028",
	"half of a pair": "\uD800",
	"musical control": "\u{1D173}",
};

/** Numbers from 0 to 1, the same in every run. */
export function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

const pieces = [
	...Object.values(hidden),
	..."`*_~|<>[]()!#\\\"'/$&:;\n\t",
	" ",
	"   ",
	" ".repeat(40),
	"``",
	"```",
	"word",
	"éß中😀",
	"_(12 spaces)_",
	"\\u202E",
	"null",
];

function randomText(random: () => number): string {
	return Array.from({ length: Math.floor(random() * 8) }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

/** Names with a meaning in JavaScript or in the protocol. */
const names = ["__proto__", "constructor", "toString", "_meta", "name", "arguments", "10", "2", "-0"];

function randomName(random: () => number): string {
	return random() < 0.2 ? (names[Math.floor(random() * names.length)] ?? "") : randomText(random);
}

/** Arguments of any shape with texts that are hard to show. */
export function randomObject(random: () => number, depth: number): JsonObject {
	const count = Math.floor(random() * 5);
	return Object.fromEntries(Array.from({ length: count }, () => [randomName(random), randomValue(random, depth)]));
}

function randomValue(random: () => number, depth: number): Json {
	const choice = Math.floor(random() * (depth > 0 ? 8 : 5));
	if (choice < 2) return randomText(random);
	if (choice === 2) return (random() - 0.5) * 10 ** Math.floor(random() * 30);
	if (choice === 3) return random() > 0.5;
	if (choice === 4) return null;
	if (choice < 7) return randomObject(random, depth - 1);
	return Array.from({ length: Math.floor(random() * 20) }, () => randomValue(random, depth - 1));
}

interface Row {
	readonly depth: number;
	/** Absent for an item of a list. */
	readonly name?: string;
	readonly json: string;
}

/** Marks that a long text continues in another line. */
const continued = "\u0001";

/** A reader's interpretation of the rendered list: by CommonMark, and by the list's own legend. */
export function readBack(markdown: string): Json {
	const rows = markdown
		.replace(/\n *_\(continued\)_ /g, continued)
		.split("\n")
		.filter((line) => /^ *- |^\*\*.*?(?<!\\)\*\* `/.test(line))
		.map((line) => readRow(line.replace(/ {2}$/, "").replace(/^(?=\*\*)/, "- ")));
	return build(rows, 0) ?? {};
}

function readRow(line: string): Row {
	const [, indent = "", rest = ""] = /^( *)- (.*)$/s.exec(line) ?? [];
	const depth = indent.length / 2;
	const named = /^\*\*(.*?)(?<!\\)\*\*(.*)$/s.exec(rest);
	if (named === null) return { depth, json: codeOf(rest.replace(/^\d+/, "")) };
	const name = (named[1] ?? "").replace(/&nbsp;/g, " ").replace(/\\([!-/:-@[-`{-~])/g, "$1");
	return { depth, name: name.startsWith('"') ? (JSON.parse(name) as string) : name, json: codeOf(named[2] ?? "") };
}

/** The text of code spans, with the text between them for long gaps. */
function codeOf(markdown: string): string {
	let text = "";
	let rest = markdown.trimStart();
	while (rest !== "") {
		const gap = /^ _\((\d+) spaces\)_ /.exec(rest);
		const [fence = ""] = /^`+/.exec(rest) ?? [];
		if (rest.startsWith(continued)) {
			rest = rest.slice(continued.length);
			continue;
		}
		if (gap !== null) {
			text += " ".repeat(Number(gap[1]));
			rest = rest.slice(gap[0].length);
			continue;
		}
		const end = new RegExp(`(?<!\`)${fence}(?!\`)`).exec(rest.slice(fence.length))?.index;
		if (fence === "" || end === undefined) throw new Error(`Not code: ${rest}`);
		const code = rest.slice(fence.length, fence.length + end);
		text += /^ .* $/s.test(code) && code.trim() !== "" ? code.slice(1, -1) : code;
		rest = rest.slice(fence.length * 2 + end);
	}
	return text;
}

/** Unquoted content that is not JSON is a text. */
function valueOf(shown: string): Json {
	try {
		return JSON.parse(shown) as Json;
	} catch {
		if (shown === "" || /["\\[\]{}]/.test(shown)) throw new Error(`Neither JSON nor a plain text: ${shown}`);
		return shown;
	}
}

function build(rows: readonly Row[], depth: number): Json | undefined {
	const starts = rows.flatMap((row, index) => (row.depth === depth ? [index] : []));
	if (starts.length === 0) return undefined;
	const members = starts.map((start, index) => {
		const row = rows[start];
		const within = rows.slice(start + 1, starts[index + 1] ?? rows.length);
		const value = row?.json === "" ? (build(within, depth + 1) ?? null) : valueOf(row?.json ?? "");
		return [row?.name, value] as const;
	});
	return members.every(([name]) => name === undefined)
		? members.map(([, value]) => value)
		: Object.fromEntries(members.map(([name = "", value]) => [name, value]));
}
