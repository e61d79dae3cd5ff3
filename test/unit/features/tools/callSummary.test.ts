import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { CallSummary } from "../../../../src/questions/decisions/decision.ts";
import type { QuestionNotice } from "../../../../src/features/tools/approval.ts";
import { summaryOf } from "../../../../src/features/tools/callSummary.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, serve, tool } from "./toolSession.ts";

const known: QuestionNotice = { why: undefined, pin: { kind: "same" }, warnings: [] };

async function summarize(
	args: JsonObject,
	annotations: object = {},
	notice: Partial<QuestionNotice> = {},
): Promise<CallSummary> {
	const server = await serve("s", tool("book", {}, { annotations }));
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	return summaryOf({ callId: "1", entry, arguments: args }, { ...known, ...notice });
}

describe("the summary of a call in a row (UI-21)", () => {
	test("is its first argument in plain text, and in its hover exactly the sent arguments", async () => {
		const { about, exactly } = await summarize({ hotel: "Hotel\u202E Arts", nights: 3, late: true });
		expect(about).toBe(String.raw`hotel: Hotel\u202E Arts, 2 more`);
		expect(exactly).toBe(
			[
				'hotel: "Hotel\\u202E Arts"',
				"nights: 3",
				"late: true",
				"the server says nothing: treated as destructive and open world",
			].join("\n"),
		);
		expect((await summarize({})).about).toBe("no arguments");
		expect((await summarize({ list: [1, "two"] })).about).toBe('list: [1,"two"]');
	});

	test("is short for arguments of any length, and marked as incomplete", async () => {
		const huge = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, "x".repeat(5000)]));
		const { about, exactly } = await summarize(huge);
		expect(about.length).toBeLessThan(200);
		expect(exactly.length).toBeLessThan(4000);
		expect(exactly).toContain("Not shown in full. Review it to see everything");
	});
});

describe("the place from which a call may be allowed with one key (UI-20)", () => {
	test.each<[string, Promise<CallSummary>, string]>([
		["a small one of a tool that was approved before", summarize({ a: 1 }), "row"],
		["one that its server declares read-only", summarize({ a: 1 }, { readOnlyHint: true }), "row"],
		["one that may delete something", summarize({ a: 1 }, { destructiveHint: true }), "chat"],
		["one of a tool that was never approved", summarize({ a: 1 }, {}, { pin: { kind: "new" } }), "chat"],
		["one that a row cannot show", summarize({ a: "x".repeat(700) }), "chat"],
		["one that no chat shows at once", summarize({ a: "x".repeat(3000) }), "form"],
		["one of a tool that has changed", summarize({ a: 1 }, {}, { pin: { kind: "changed", changes: [] } }), "form"],
		[
			"one that is warned of",
			summarize({ a: 1 }, {}, { warnings: [{ word: "hidden", text: "Hidden characters.", isNote: false }] }),
			"form",
		],
		[
			"one with a mere note",
			summarize({ a: 1 }, {}, { warnings: [{ word: "two", text: "Two.", isNote: true }] }),
			"row",
		],
	])("%s", async (_name, summary, place) => {
		expect((await summary).fitsIn).toBe(place);
	});
});
