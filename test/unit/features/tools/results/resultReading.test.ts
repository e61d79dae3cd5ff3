import { describe, expect, test } from "vitest";
import type { ModelPart } from "../../../../../src/models/model.ts";
import {
	KeptResults,
	readingLimits,
	type ReadingLimits,
	ResultReading,
} from "../../../../../src/features/tools/results/resultReading.ts";
import { resultTools } from "../../../../../src/features/agentTools/resultTools.ts";
import { png } from "../media.ts";

const limits: ReadingLimits = {
	each: 1000,
	head: 1000,
	all: 3000,
	least: 100,
	media: 2,
	mediaCharacters: 1000,
	canReadOn: true,
};
const say = (text: string): ModelPart => ({ type: "text", text });

function textOf(content: readonly ModelPart[]): string {
	return content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}

function idIn(content: readonly ModelPart[]): string {
	return /"id": "([^"]+)"/.exec(textOf(content))?.[1] ?? "";
}

/** A text in which every position is identifiable. */
const long = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join("");

describe("a long result (TOL-15)", () => {
	test("is cut for the model with a note of its length and how to read on", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		expect(reading.cutNote([say(long)])).toBe(
			"The result is long: 1000 bytes of 18.4 KB were sent to the model, which can request more.",
		);
		const [note, ...content] = reading.fit([say(long), say("the end")]);
		expect(textOf(note === undefined ? [] : [note])).toContain(
			`Only the first 1,000 of ${(long.length + 9).toLocaleString("en-US")}`,
		);
		expect(textOf(content)).toBe(`${long.slice(0, 1000)}…`);
	});

	test("shows the structure of the whole, and only its beginning if the rest can be read (TOL-27)", () => {
		const reading = new ResultReading(new KeptResults(), { ...limits, head: 100 });
		expect(reading.cutNote([say(long)])).toContain("100 bytes of 18.4 KB were sent");
		const [note, head] = reading.fit([say(long)]);
		expect(textOf(note === undefined ? [] : [note])).toContain("The whole result is 2,000 lines of text.");
		expect(head).toEqual(say(`${long.slice(0, 100)}…`));
		const rows = JSON.stringify({ total: 300, rows: Array.from({ length: 300 }, (_, id) => ({ id, name: `n${id}` })) });
		expect(textOf(reading.fit([say(rows)]))).toContain(
			"The whole result is JSON: object with total (number), rows (list of 300 objects with id (number), name (text)).",
		);
	});

	test("is read by lines and by a path (TOL-27)", () => {
		const reading = new ResultReading(new KeptResults(), { ...limits, all: 1_000_000 });
		const read = (args: object): string => textOf(reading.read({ id, ...args }).content);
		let id = idIn(reading.fit([say(long)]));
		expect(read({ line: 1200, lines: 2 })).toBe(
			`(Characters 10,880 to 10,900 of ${long.length.toLocaleString("en-US")}, starting at line 1,200. Continue at offset 10900.)\nline 1199\nline 1200\n`,
		);
		expect(read({ line: "2", lines: "1" })).toContain("\nline 1\n");
		expect(read({ line: 9999 })).toContain("This is the end.");
		expect(read({ path: "/rows" })).toBe("The result is not JSON: read it by line or by offset.");
		const rows = Array.from({ length: 300 }, (_, index) => ({ "a/b": index, deep: { name: `n${index}` } }));
		id = idIn(reading.fit([say(JSON.stringify({ rows }))]));
		for (const path of ["/rows/299/deep", "rows[299].deep", "$.rows[299]['deep']"]) {
			expect(read({ path })).toMatch(/^\(Characters 0 to 15 of 15 at .*\)\n\{"name":"n299"\}$/);
		}
		expect(read({ path: "/rows/7/a~1b" })).toMatch(/\n7$/);
		expect(read({ path: "/rows/299/deep/name" })).toMatch(/\nn299$/);
		expect(read({ path: "/rows/300" })).toContain(
			'has nothing at "300". "/rows" is: list of 300 objects with a/b (number), deep (object with name (text))',
		);
		expect(read({ path: "/rows", find: '"n150"' })).toContain("occurs 1 time");
		expect(read({ path: "/rows/constructor" })).toContain("has nothing at");
	});

	test("within the limit is sent unchanged", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const content = [say("short"), say("too")];
		expect(reading.cutNote(content)).toBeUndefined();
		expect(reading.fit(content)).toEqual(content);
		expect(reading.hasKept).toBe(false);
	});

	test("can be read to its end, piece by piece, with nothing lost or doubled", () => {
		const reading = new ResultReading(new KeptResults(), { ...limits, all: 1_000_000 });
		const told = reading.fit([say(long)]);
		const id = idIn(told);
		let whole = textOf(told.slice(1)).slice(0, -1);
		for (let round = 0; whole.length < long.length && round < 100; round++) {
			const [piece] = reading.read({ id, offset: whole.length }).content;
			const [head = "", ...rest] = textOf(piece === undefined ? [] : [piece]).split("\n");
			expect(head).toMatch(/^\(Characters [\d,]+ to [\d,]+ of [\d,]+\./);
			whole += rest.join("\n");
		}
		expect(whole).toBe(long);
	});

	test("can be searched for words, in any case and characters", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const id = idIn(reading.fit([say(`${long}Total (EUR): 7.50 [net]`)]));
		const { content, note } = reading.read({ id, find: "total (eur): 7.50 [" });
		expect(textOf(content)).toContain("Total (EUR): 7.50 [net]");
		expect(note).toContain("found 1 time");
		expect(textOf(reading.read({ id, find: "nowhere" }).content)).toContain("occurs 0 times");
		// 5, 50 to 59, and 500 to 599: as many as fit are shown.
		const many = textOf(reading.read({ id, find: "line 5" }).content);
		expect(many).toMatch(/occurs 111 times .*The first \d+ follow/);
		expect(many.length).toBeLessThan(1300);
		const from = Number(
			/At offset (\d+)/.exec(textOf(reading.read({ id, find: "line 15", offset: 10_000 }).content))?.[1],
		);
		expect(from).toBeGreaterThanOrEqual(9800);
	});

	test("can be read with the arguments of weak models, and always makes progress", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const id = idIn(reading.fit([say(long)]));
		expect(textOf(reading.read({ id, offset: "1000", length: "10" }).content)).toMatch(
			/^\(Characters 1,000 to 1,010 of/,
		);
		expect(textOf(reading.read({ id, offset: 1000, length: 0 }).content)).toMatch(/^\(Characters 1,000 to 1,001 of/);
	});

	test("reports that there are more places than it counts", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const id = idIn(reading.fit([say("ab".repeat(20_000))]));
		expect(textOf(reading.read({ id, find: "ab" }).content)).toContain("at least 10,000 times");
	});

	test("leaves less for the next ones of the turn, but never nothing", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const lengths = [1, 2, 3, 4, 5].map(() => textOf(reading.fit([say(long)]).slice(1)).length - 1);
		expect(lengths).toEqual([1000, 1000, 1000, 100, 100]);
	});

	test("offers no further reading to a model that calls no tools, and keeps nothing for it", () => {
		const kept = new KeptResults();
		const told = new ResultReading(kept, { ...limits, canReadOn: false }).fit([say(long)]);
		expect(textOf(told)).toContain("Only the first 1,000");
		expect(textOf(told)).not.toContain("read_result");
		expect(kept.isEmpty).toBe(true);
	});

	test("cuts no character in two", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const told = reading.fit([say(`x${"🚀".repeat(600)}`)]);
		expect(textOf(told)).toContain("Only the first 999 of 1,201");
		expect(textOf(told).isWellFormed()).toBe(true);
		expect(textOf(reading.read({ id: idIn(told), offset: 999, length: 1 }).content).isWellFormed()).toBe(true);
	});

	test("with 200 images sends a few and names the rest", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const told = reading.fit(
			Array.from({ length: 200 }, () => ({ type: "image" as const, data: png, mimeType: "image/png" })),
		);
		expect(told.filter(({ type }) => type === "image")).toHaveLength(2);
		expect(told).toHaveLength(3);
		expect(textOf(told)).toContain("(198 images and recordings are left out: too large or too many.");
	});

	test("with images repeatedly sends at most as many as a request can hold", () => {
		const reading = new ResultReading(new KeptResults(), { ...limits, mediaCharacters: 100_000 });
		const image: ModelPart = { type: "image", mimeType: "image/png", data: png };
		const told = Array.from({ length: 20 }, () => reading.fit([image, image])).flat();
		expect(told.filter(({ type }) => type === "image")).toHaveLength(3 * limits.media);
		expect(textOf(told.slice(-1))).toContain("2 images and recordings are left out");
	});

	test("with 500 blocks is cut as one text", () => {
		const reading = new ResultReading(new KeptResults(), limits);
		const told = reading.fit(Array.from({ length: 500 }, (_, index) => say(`block ${index}`)));
		expect(textOf(told).length).toBeLessThan(1600);
		expect(textOf(reading.read({ id: idIn(told), find: "block 499" }).content)).toContain("block 499");
	});
});

describe("kept results", () => {
	test("are limited: the first ones are no longer kept, and the model is informed", () => {
		const kept = new KeptResults(10_000);
		const ids = ["a", "b", "c"].map((letter) => kept.keep(letter.repeat(4000)));
		expect(ids.map((id) => kept.get(id)?.length)).toEqual([undefined, 4000, 4000]);
		const answer = new ResultReading(kept, limits).read({ id: ids[0] ?? "" });
		expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("has been deleted") }] });
	});

	test("keep one that is larger than their common limit", () => {
		const kept = new KeptResults(10);
		expect(kept.get(kept.keep("x".repeat(100)))).toHaveLength(100);
	});

	test("hold 20 MB, and later turns of the chat find them", () => {
		const kept = new KeptResults();
		const told = new ResultReading(kept, readingLimits({ maxInputTokens: 128_000, supportsTools: true })).fit([
			say("x".repeat(20_000_000)),
		]);
		expect(textOf(told).length).toBeLessThan(5000);
		const later = new ResultReading(kept, limits);
		expect(later.hasKept).toBe(true);
		expect(later.read({ id: idIn(told), offset: 19_999_990 })).toMatchObject({
			isError: false,
			content: [{ text: expect.stringContaining("This is the end.)\nxxxxxxxxxx") }],
		});
	});

	test.each([{}, { id: 7 }, { id: "x" }, { id: null, offset: -1 }])("answer %j with an error", (args) => {
		expect(new ResultReading(new KeptResults(), limits).read(args)).toMatchObject({ isError: true });
	});
});

test("have a limit that follows the model's context", () => {
	expect(readingLimits({ maxInputTokens: 4096, supportsTools: true })).toMatchObject({
		each: 2458,
		head: 2458,
		all: 8192,
	});
	expect(readingLimits({ maxInputTokens: 200_000, supportsTools: true })).toMatchObject({
		each: 60_000,
		head: 4000,
		all: 400_000,
	});
	expect(readingLimits({ maxInputTokens: 200_000, supportsTools: false }).head).toBe(60_000);
	expect(readingLimits({ maxInputTokens: 0, supportsTools: true }).each).toBeGreaterThan(10_000);
});

test("further reading is offered once there is a result to read", async () => {
	const reading = new ResultReading(new KeptResults(), limits);
	const offered = () => resultTools(reading, { sessions: [], isLinked: () => false });
	expect(offered()).toEqual([]);
	const id = idIn(reading.fit([say(long)]));
	const [tool] = offered();
	if (tool?.kind !== "local") throw new Error("no tool to read on");
	expect(tool.tool.name).toBe("read_result");
	expect(await tool.run({ id, offset: 14, length: 7 }, new AbortController().signal)).toMatchObject({ isError: false });
});
