import { describe, expect, it } from "vitest";
import { toolUseOf, toResult, type CompletionPart } from "../../../../src/features/sampling/answer.ts";

const said: CompletionPart = { type: "text", text: "Let me see." };
const used: CompletionPart = { type: "tool-use", id: "1", name: "text.shout", input: { text: "hi" } };
const block = { type: "tool_use", id: "1", name: "text.shout", input: { text: "hi" } };
const plain = { answersWithArray: false };
const withTools = { answersWithArray: true };
const result = (parts: readonly CompletionPart[], stopReason: string | undefined, request: typeof plain): unknown =>
	toResult({ parts, model: "m", stopReason }, request);

describe("toResult", () => {
	it("is a single block for a text, in every revision and with tools too", () => {
		const expected = { model: "m", role: "assistant", content: said, stopReason: "endTurn" };
		expect(result([said], "endTurn", plain)).toEqual(expected);
		expect(result([said], "endTurn", withTools)).toEqual(expected);
		const pieces: readonly CompletionPart[] = [
			{ type: "text", text: "Let me " },
			{ type: "text", text: "see." },
		];
		expect(result(pieces, "endTurn", plain)).toEqual(expected);
	});

	it("is a list for tool uses, after their text if there is one (BLT-14)", () => {
		expect(result([said, used], "toolUse", withTools)).toEqual({
			model: "m",
			role: "assistant",
			content: [said, block],
			stopReason: "toolUse",
		});
		expect(result([used], "toolUse", withTools)).toMatchObject({ content: [block] });
	});

	it("is never a list for a server of a revision without tools", () => {
		expect(result([said, used], "toolUse", plain)).toMatchObject({ content: said, stopReason: "endTurn" });
	});

	it.each([
		["endTurn", "endTurn"],
		["maxTokens", "maxTokens"],
		["stopSequence", "stopSequence"],
		["refusal", "refusal"],
		["whatever", "whatever"],
		["writtenCall", "endTurn"],
		["toolUse", "endTurn"],
	])("returns the stop reason %s of a text as %s (BLT-10)", (stopReason, told) => {
		expect(result([said], stopReason, withTools)).toMatchObject({ stopReason: told });
	});

	it("returns toolUse if a use is returned, unless the answer was cut off", () => {
		expect(result([used], "endTurn", withTools)).toMatchObject({ stopReason: "toolUse" });
		expect(result([used], undefined, withTools)).toMatchObject({ stopReason: "toolUse" });
		expect(result([used], "maxTokens", withTools)).toMatchObject({ stopReason: "maxTokens" });
	});

	it("returns no reason if none is known", () => {
		expect(result([said], undefined, plain)).not.toHaveProperty("stopReason");
	});
});

describe("toolUseOf", () => {
	const approved = { serverNames: new Map([["text_shout_1", "text.shout"]]), toolChoice: undefined };
	const call = { type: "tool-call" as const, callId: "1", name: "text_shout_1", arguments: { text: "hi" } };

	it("names the use as the server does", () => {
		expect(toolUseOf(call, approved)).toEqual(used);
	});

	it.each([
		["of a tool that was not offered", { name: "delete\u202eall" }, /“delete\\u202Eall”, which was not offered/],
		["with arguments that are no object", { malformed: "[1" }, /not a JSON object/],
		["with numbers that would be lost", { malformed: "1", problem: "The number 1 is long." }, /The number 1 is long/],
	])("SMP-03: returns no call %s", (_what, more, problem) => {
		expect(toolUseOf({ ...call, ...more }, approved)).toEqual({ problem: expect.stringMatching(problem) });
	});

	it("SMP-03: returns no call if none was allowed", () => {
		expect(toolUseOf(call, { ...approved, toolChoice: "none" })).toHaveProperty("problem");
	});
});
