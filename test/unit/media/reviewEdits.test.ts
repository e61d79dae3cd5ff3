import { describe, expect, it } from "vitest";
import {
	completionEdits,
	mergeLoaded,
	nextEdit,
	partGroups,
	requestEdits,
	textAt,
	withoutEdits,
	withRemoved,
	withText,
} from "../../../media/review/edits.ts";
import { hasLongLine } from "../../../media/review/longLine.ts";
import { countOf, editCount, summaryOf } from "../../../media/review/summary.ts";
import type { RequestDraft, ReviewDocument } from "../../../src/features/sampling/review/reviewProtocol.ts";
import { completionOf, field, fullReview, plainReview } from "../../view/fixtures/reviewDocuments.ts";

const system = field("system", "System prompt", "Be brief.");
const none: RequestDraft = plainReview().draft;

describe("the edits of a request", () => {
	it("hold only differences: a text that is restored is not an edit", () => {
		const edited = withText(none, system, "Be long.");
		expect(edited.changes).toEqual({ system: "Be long." });
		expect(textAt(system, edited)).toBe("Be long.");
		expect(withText(edited, system, "Be brief.")).toEqual(none);
		expect(textAt(system, withText(edited, system, ""))).toBe("");
	});

	it("a place named like a member of every object is an ordinary place", () => {
		const odd = field("constructor", "Odd", "as it came");
		expect(textAt(odd, none)).toBe("as it came");
		expect(textAt(odd, withText(none, odd, "edited"))).toBe("edited");
	});

	it("a part is removed once and restored", () => {
		const out = withRemoved(withRemoved(none, "message.0", true), "message.0", true);
		expect(out.removed).toEqual(["message.0"]);
		expect(withRemoved(out, "message.0", false)).toEqual(none);
	});

	it("are counted in reading order; edits inside a removed part do not count", () => {
		const document = fullReview();
		let draft: RequestDraft = { ...document.draft, context: "thisServer" };
		const change = (place: string): void => {
			draft = { ...draft, changes: { ...draft.changes, [place]: "edited" } };
		};
		for (const place of ["metadata", "hints", "tools", "maxTokens", "message.1.part.1", "message.0.part.0", "system"]) {
			change(place);
		}
		for (const place of ["message.1", "message.2.part.0.content.1", "message.3.part.2"]) {
			draft = withRemoved(draft, place, true);
		}
		expect(requestEdits(document, draft).map(({ place, kind }) => `${place} ${kind}`)).toEqual([
			"system changed",
			"message.0.part.0 changed",
			"message.1 removed",
			"message.2.part.0.content.1 removed",
			"message.3.part.2 removed",
			"maxTokens changed",
			"tools changed",
			"hints changed",
			"metadata changed",
		]);
		expect(requestEdits(document, withoutEdits(draft))).toEqual([]);
		expect(withoutEdits(draft).context).toBe("thisServer");
	});

	it("a changed context counts only while one is chosen", () => {
		const document = plainReview({ context: { asked: "thisServer", field: field("context", "Context", "facts") } });
		const draft: RequestDraft = { ...document.draft, context: "thisServer", changes: { context: "fewer facts" } };
		expect(requestEdits(document, draft)).toHaveLength(1);
		expect(requestEdits(document, { ...draft, context: "none" })).toEqual([]);
	});

	it("are visited one after the other, in a loop", () => {
		const edits = ["system", "maxTokens"].map((place) => ({ place, kind: "changed" as const }));
		expect([undefined, "system", "maxTokens", "gone"].map((last) => nextEdit(edits, last)?.place)).toEqual([
			"system",
			"maxTokens",
			"system",
			"system",
		]);
		expect(nextEdit([], undefined)).toBeUndefined();
	});
});

it("the edits of a completion are its texts and the removed tool calls", () => {
	const completion = completionOf("Answer.");
	const draft = { attempt: 1, changes: { text: "Another.", "call.0": "{}" }, removed: ["call.0"] };
	expect(completionEdits(completion, draft).map(({ place, kind }) => `${place} ${kind}`)).toEqual([
		"text changed",
		"call.0 removed",
	]);
});

it("parts of a tool result that can only be removed together are one item", () => {
	const [, , result, mixed] = fullReview().messages;
	expect(result && partGroups(result).map(({ place, parts }) => `${place} ${parts.length}`)).toEqual([
		"message.2.part.0 2",
	]);
	expect(mixed && partGroups(mixed).map(({ parts }) => parts.length)).toEqual([1, 1, 1, 1]);
});

describe("mergeLoaded", () => {
	const before = plainReview({ system: field("system", "System prompt", "Use ⟦token 1⟧.") });
	const loaded = (change: Partial<ReviewDocument>): ReviewDocument => ({
		...before,
		...change,
		draft: { ...before.draft, revision: 2, changes: { system: "Use abc, host's.", temperature: "1" } },
	});

	it("keeps text typed meanwhile, and accepts the texts that the host has rewritten", () => {
		const local: RequestDraft = {
			...before.draft,
			changes: { system: "Use ⟦token 1⟧, typed.", maxTokens: "50" },
			removed: ["message.0"],
			context: "allServers",
			modelId: "large",
			isModelByHand: true,
		};
		expect(mergeLoaded(local, before, loaded({ system: field("system", "System prompt", "Use abc.") }))).toEqual({
			...local,
			revision: 2,
			changes: { system: "Use abc, host's.", maxTokens: "50" },
		});
	});

	it("a text that arrived with the loading is the host's", () => {
		const context = field("context", "Context", "facts");
		const next = loaded({ context: { asked: "thisServer", field: context } });
		const host = { ...next, draft: { ...next.draft, changes: { context: "fewer facts" } } };
		expect(mergeLoaded(before.draft, before, host).changes).toEqual({ context: "fewer facts" });
	});
});

it.each([
	["short\nlines\n".repeat(100), false],
	[`one\n${"x".repeat(100)}\ntwo`, false],
	[`one\n${"x".repeat(101)}\ntwo`, true],
	[`one\n${"x".repeat(101)}`, true],
	["", false],
])("a line is too long to be wrapped on every key: text %#", (text, isLong) => {
	expect(hasLongLine(text, 100)).toBe(isLong);
});

describe("words", () => {
	it.each([
		["[]", 0],
		['[{"name":"a"},{"name":"b"}]', 2],
		["{}", undefined],
		["[", undefined],
	])("countOf %s", (json, count) => expect(countOf(json)).toBe(count));

	it("summaryOf lists the set values, on one line", () => {
		expect(
			summaryOf([
				["Hints", '"qwen",\n"claude"'],
				["Cost priority", ""],
				["Speed priority", "0.9"],
			]),
		).toBe('hints "qwen", "claude" · speed priority 0.9');
	});

	it("editCount", () => {
		expect([editCount(1), editCount(3)]).toEqual(["1 edit", "3 edits"]);
	});
});
