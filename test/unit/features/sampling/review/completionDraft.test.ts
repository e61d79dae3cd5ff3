import { describe, expect, it } from "vitest";
import type { CompletionPart } from "../../../../../src/features/sampling/answer.ts";
import {
	completionFields,
	parseCompletionDraft,
	readCompletion,
} from "../../../../../src/features/sampling/review/completionDraft.ts";
import { Dice } from "../edits.ts";

const parts: readonly CompletionPart[] = [
	{ type: "text", text: "Let me see." },
	{ type: "tool-use", id: "1", name: "weather", input: { city: "Rome" } },
	{ type: "tool-use", id: "2", name: "shout", input: { text: "\u202e" } },
];
const nothing = { changes: {}, removed: [] };

describe("completionFields", () => {
	it("has the text and the arguments of each call", () => {
		expect(completionFields(parts)).toMatchObject([
			{ place: "text", kind: "text", original: "Let me see." },
			{ place: "call.0", kind: "json", label: "Call of weather", original: '{\n  "city": "Rome"\n}' },
			{ place: "call.1", kind: "json", label: "Call of shout", original: '{\n  "text": "\\u202E"\n}' },
		]);
	});

	it("has a text to write if the model sent none, and for an answer by hand", () => {
		expect(completionFields(parts.slice(1))[0]).toMatchObject({ place: "text", original: "" });
		expect(completionFields([{ type: "text", text: "" }])).toMatchObject([{ place: "text", original: "" }]);
	});
});

describe("SMP-10: readCompletion", () => {
	it("returns untouched parts as received", () => {
		const read = readCompletion(parts, nothing);
		expect(read).toEqual(parts);
		expect("problem" in read || read[1]).toBe(parts[1]);
	});

	it.each(Array.from({ length: 50 }, (_, index) => index + 1))("returns exactly the edits of seed %i", (seed) => {
		const dice = new Dice(seed);
		const text = `${dice.text()}.`;
		const input = dice.json();
		const changes = { text, "call.1": JSON.stringify(input, undefined, dice.below(4)) };
		const read = readCompletion(parts, { changes, removed: dice.chance(50) ? ["call.0"] : [] });
		expect(JSON.stringify("problem" in read || [read[0], read.at(-1)])).toBe(
			JSON.stringify([
				{ type: "text", text },
				{ type: "tool-use", id: "2", name: "shout", input },
			]),
		);
	});

	it("leaves out removed calls, and an emptied text", () => {
		expect(readCompletion(parts, { changes: { text: "" }, removed: ["call.0"] })).toEqual([parts[2]]);
	});

	it.each([
		["the arguments are no JSON", { changes: { "call.0": "{" }, removed: [] }, "call.0"],
		["the arguments are no object", { changes: { "call.0": "1" }, removed: [] }, "call.0"],
		["nothing is left", { changes: { text: "" }, removed: ["call.0", "call.1"] }, "text"],
	])("names the place of the error when %s", (_what, draft, place) => {
		expect(readCompletion(parts, draft)).toEqual({ problem: expect.any(String), place });
	});
});

describe("UI-06: parseCompletionDraft", () => {
	const draft = { attempt: 1, changes: { text: "x", "call.1": "{}" }, removed: ["call.0"] };

	it("accepts a draft of these parts", () => {
		expect(parseCompletionDraft({ ...draft, more: 1 }, parts)).toEqual(draft);
	});

	it.each([
		{ attempt: 1.5 },
		{ attempt: "1" },
		{ changes: { "call.2": "{}" } },
		{ changes: { system: "x" } },
		{ changes: { text: 1 } },
		{ removed: ["text"] },
		{ removed: ["call.2"] },
		{ removed: 1 },
	])("refuses a draft with %j", (more) => expect(parseCompletionDraft({ ...draft, ...more }, parts)).toBeUndefined());
});
