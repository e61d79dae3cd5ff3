/** The one-line filter of the trace: its matches, and the errors of an unreadable one (TRC-30, TRC-31). */
import { describe, expect, it } from "vitest";
import { readFilter, termsOf, type Filterable } from "../../../../src/records/trace/filter.ts";
import { completeFilter, filterPresets } from "../../../../src/records/trace/filterWords.ts";

const call: Filterable = {
	server: "Git Tools",
	method: "tools/call",
	target: "search_code",
	origin: "model",
	id: "12",
	statuses: ["error", "tool-error"],
	milliseconds: 700,
	bytes: 150 * 1024,
	text: () => '{"message":"Repository not found, sorry"}',
};

function holds(filter: string, subject = call): boolean {
	const read = readFilter(filter);
	if ("problem" in read) throw new Error(read.problem);
	return read.matches(subject);
}

describe("a filter (TRC-30)", () => {
	it.each([
		"",
		"   ",
		"server:git*",
		'server:"git tools"',
		"SERVER:*TOOLS",
		"method:tools/*",
		"method:tools/call,ping",
		"status:error",
		"status:tool-*",
		"origin:user,model",
		"id:12",
		">500ms",
		"<1s",
		">0.5s <0.75s",
		">100KB",
		"<1MB",
		'text:"not found"',
		'text:"found, sorry"',
		"text:nothing,sorry",
		"search",
		'"tools/call"',
		"-server:other",
		"-status:ok -origin:host >500ms search",
		'-">5"',
		"target:s*c*e",
	])("%s matches a call that failed", (filter) => {
		expect(holds(filter)).toBe(true);
	});

	it.each([
		"server:git",
		"method:tools",
		"-method:tools/*",
		"status:ok",
		"origin:user",
		"id:1",
		">700ms",
		"<700ms",
		"<100KB",
		"text:absent",
		"sorry",
		"target:search_code_",
		"target:search*search*",
		"server:git* status:ok",
		'">5"',
	])("%s does not", (filter) => {
		expect(holds(filter)).toBe(false);
	});

	it("requests texts only when it searches them", () => {
		const silent: Filterable = {
			...call,
			text: () => {
				throw new Error("asked");
			},
		};
		expect(holds("status:ok text:x", silent)).toBe(false);
		expect(() => holds("text:x", silent)).toThrow("asked");
	});

	it("has valid presets", () => {
		for (const { filter } of filterPresets) expect(readFilter(filter)).not.toHaveProperty("problem");
	});
});

describe("an unreadable filter (TRC-31)", () => {
	it.each([
		["serer:git", "“serer:” is not a field. Did you mean “server:”? Put text that contains a colon in quotes."],
		["ok http://x", "“http:” is not a field. Fields: server:, method:, target:, status:, origin:, id:, text:. Put"],
		["status:", "“status:” needs a value, such as status:error."],
		['text:""', '“text:” needs a value, such as text:"not found".'],
		[">5", "“>5” is not a time or a size. Write >500ms, >2s, >100KB or >1MB."],
		["-<x", "“<x” is not a time or a size. Write <500ms, <2s, <100KB or <1MB."],
		["constructor:x", "“constructor:” is not a field"],
		[">5toString", "“>5toString” is not a time or a size"],
	])("%s", (filter, problem) => {
		const read = readFilter(filter);
		expect("problem" in read && read.problem).toContain(problem);
	});

	it("is reported with its place", () => {
		expect(readFilter("search  status: >1s")).toMatchObject({ start: 8, end: 15 });
	});
});

/** A generator that returns the same numbers in every run. */
function numbers(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((state / 2_147_483_648) * below);
	};
}

describe("any text as a filter", () => {
	const pieces = [
		"server:",
		"status:error",
		"-",
		'"',
		",",
		"*",
		">1s",
		"<",
		" ",
		"  ",
		"text:",
		"\t",
		"é",
		"x",
		":",
		"a:b",
		"12",
	];

	it("is read or reported as invalid, with its words in order and apart, and each word and its negation partition all", () => {
		for (let seed = 1; seed <= 2000; seed++) {
			const next = numbers(seed);
			const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join("");
			let end = 0;
			for (const term of termsOf(text)) {
				expect(term.start, text).toBeGreaterThanOrEqual(end);
				expect(term.end, text).toBeGreaterThan(term.start);
				end = term.end;
				const word = text.slice(term.start, term.end);
				const read = readFilter(word);
				if (term.isNegated || "problem" in read || /^[-"]/.test(word)) continue;
				expect(holds(`-${word}`), word).toBe(!holds(word));
			}
			const read = readFilter(text);
			if ("problem" in read) expect(text.slice(read.start, read.end).trim(), text).not.toBe("");
		}
	});

	it("offers only readable completions, whole words once accepted", () => {
		const known = { server: ["Git Tools", 'a "b", c'], method: ["tools/call"] };
		for (let seed = 1; seed <= 2000; seed++) {
			const next = numbers(seed);
			const text = Array.from({ length: next(6) }, () => pieces[next(pieces.length)]).join("");
			const caret = next(text.length + 1);
			const { from, to, words } = completeFilter(text, caret, known);
			expect(from <= to && to === caret, text).toBe(true);
			if ("problem" in readFilter(text.slice(0, from))) continue;
			for (const { insert } of words.filter((word) => word.insert.endsWith(" "))) {
				expect(readFilter(text.slice(0, from) + insert), `${text} + ${insert}`).not.toHaveProperty("problem");
			}
		}
	});
});

describe("completion of a filter", () => {
	const labels = (text: string, known = {}): readonly string[] =>
		completeFilter(text, text.length, known).words.map(({ label }) => label);

	it("offers fields first, then their values in the trace", () => {
		expect(labels("")).toEqual([
			"server:",
			"method:",
			"target:",
			"status:",
			"origin:",
			"id:",
			"text:",
			">500ms",
			">100KB",
			"-",
		]);
		expect(labels("s")).toEqual(["server:", "status:"]);
		expect(labels("-or")).toEqual(["origin:"]);
		expect(labels("x server:g", { server: ["git", "other", "big"] })).toEqual(["git", "big"]);
		expect(labels("status:ok,t")[0]).toBe("tool-error");
		expect(labels("nonsense:")).toEqual([]);
	});

	it("writes values with blanks or commas so that they are read as one", () => {
		const text = "server:gi";
		const { from, words } = completeFilter(text, text.length, { server: ["Git Tools"] });
		expect(text.slice(0, from) + (words[0]?.insert ?? "")).toBe('server:"Git Tools" ');
		expect(holds('server:"Git Tools" ')).toBe(true);
	});
});
