import { expect, test } from "vitest";
import { Keeper } from "../../../../src/records/activity/keeper.ts";
import { placeLabel, samplingDetailOf } from "../../../../src/records/activity/samplingDetail.ts";
import type { RecordedText, SamplingEntry } from "../../../../src/records/activity/samplingRecord.ts";
import { arrival } from "./recordScene.ts";

function entryOf(more: Partial<SamplingEntry>): SamplingEntry {
	const { request, parameters } = arrival();
	return { request, parameters, attempts: [], ...more };
}

test.each([
	["system", undefined, "System prompt"],
	["message.0.part.0", "user", "Message 1 (user)"],
	["message.11.part.2.content.1", undefined, "Message 12, part 3, piece 2"],
	["message.3", undefined, "Message 4"],
	["call.1", undefined, "Tool call 2"],
	["intelligencePriority", undefined, "Intelligence priority"],
	["constructor", undefined, "constructor"],
	["somewhere\u202E", undefined, "somewhere\\u202E"],
])("the place %s is named %s", (place, role, label) => {
	expect(placeLabel(place, role)).toBe(label);
});

test("the texts of a request and its numbers are distinguished; missing members are absent", () => {
	const { request, settings } = samplingDetailOf(
		entryOf({
			request: [
				{ place: "system", original: "" },
				{ place: "message.0.part.0", role: "user", original: "a\u202Eb" },
				{ place: "maxTokens", original: "100" },
				{ place: "temperature", original: "" },
			],
		}),
	);
	expect(request).toEqual([{ label: "Message 1 (user)", original: "a\\u202Eb" }]);
	expect(settings).toEqual([{ name: "Max tokens", value: "100", isCode: true }]);
});

test("for a tool call, whose text is its arguments, the details and the record name the tool", () => {
	const call: RecordedText = { place: "call.0", label: "Call of getWeather\u202E", original: "{}", edited: "[]" };
	const [kept] = new Keeper("full").attempt({ at: 1, request: [], completion: [call] }).completion ?? [];
	expect(kept).toEqual(call);
	const attempts = [{ at: 1, request: [], completion: [call] }];
	expect(samplingDetailOf(entryOf({ attempts })).attempts[0]?.completion[0]?.label).toBe(
		"Tool call 1: Call of getWeather\\u202E",
	);
	const [without] = new Keeper("without texts").attempt({ at: 1, request: [], completion: [call] }).completion ?? [];
	expect(without).not.toHaveProperty("label");
});

test("for a text that is not kept whole the details show its length and its hash", () => {
	const before = "x".repeat(60_000);
	const after = `${before}!`;
	const keeper = new Keeper("full");
	const text: RecordedText = { place: "system", original: before, edited: after };
	const kept = keeper.received({ request: [text], parameters: {} });
	const detail = samplingDetailOf({ ...kept, attempts: [keeper.attempt({ at: 1, request: [text] })] });
	expect(detail.request[0]?.note).toMatch(/^Beginning of 60,000 characters; SHA-256 [0-9a-f]{64}\.$/);
	// Both beginnings are the same, and still it was changed.
	expect(detail.attempts[0]?.edits).toHaveLength(1);
	expect(detail.attempts[0]?.edits[0]?.note).toMatch(/^Before: Beginning of 60,000 .* After: Beginning of 60,001 /);
	const bare = new Keeper("without texts").received({ request: [text], parameters: {} });
	expect(samplingDetailOf({ ...bare, attempts: [] }).request[0]?.note).toBe("60,000 characters, which are not kept.");
});

test("parameters that were too long to be kept as JSON are shown as far as they exist", () => {
	const parameters = { tools: [{ description: "d".repeat(100_000) }] };
	const received = new Keeper("full").received({ request: [], parameters });
	const { parameters: shown } = samplingDetailOf({ ...received, attempts: [] });
	expect(shown).toMatch(/^\{"tools":\[\{"description":"d+$/);
	expect(shown).toHaveLength(50_000);
});

test("shows the call of a request, the reason of its end, its usage, and how much is missing", () => {
	const attempts = [{ at: 1, request: [], inputTokens: 3, outputTokens: 4, cost: 0.5 }];
	const end = { reason: "too\u202Elong" };
	const { facts, notes } = samplingDetailOf(entryOf({ during: "tools/call a\nb", attempts, end, moreTexts: 3 }));
	expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
		"During: tools/call a b",
		"Reason: too\\u202Elong",
		"Used: 3 tokens in, 4 out · $0.50",
	]);
	expect(notes).toEqual(["3 more parts of the request were not recorded."]);
});
