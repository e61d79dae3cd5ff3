import { describe, expect, test } from "vitest";
import { KeptPieces, thinkingOf } from "../../../../src/models/openai/keptPieces.ts";
import { ToolCallPieces } from "../../../../src/models/openai/toolCallPieces.ts";
import type { JsonObject } from "../../../../src/base/json.ts";

function joined(...deltas: readonly JsonObject[]): { readonly fields: JsonObject; readonly thoughts: string } {
	const pieces = new KeptPieces();
	const thoughts = deltas.map((delta) => pieces.add(delta)).join("");
	return { fields: pieces.fields, thoughts };
}

describe("MDL-01: the data that an endpoint wants back", () => {
	test("is the same as in one piece", () => {
		const block = { type: "reasoning.text", index: 0, format: "anthropic-claude-v1" };
		const { fields, thoughts } = joined(
			{ role: "assistant", content: "", reasoning: "Let ", reasoning_details: [{ ...block, text: "Let " }] },
			{ reasoning: "me see.", reasoning_details: [{ ...block, text: "me see.", signature: null }] },
			{ reasoning_details: [{ ...block, text: "", signature: "S1" }] },
			{ reasoning_details: [{ ...block, index: 1, text: "And then." }] },
			{ reasoning_details: [{ type: "reasoning.encrypted", index: 2, data: "E1", id: "call_1" }] },
			{ reasoning_details: [{ type: "reasoning.encrypted", index: 3, data: "E2", id: "call_2" }] },
			{ content: "Hello" },
		);
		expect(fields).toEqual({
			reasoning_details: [
				{ ...block, text: "Let me see.", signature: "S1" },
				{ ...block, index: 1, text: "And then." },
				{ type: "reasoning.encrypted", index: 2, data: "E1", id: "call_1" },
				{ type: "reasoning.encrypted", index: 3, data: "E2", id: "call_2" },
			],
		});
		expect(thoughts).toBe("Let me see.And then.");
	});

	test("begins a new block after a signature if blocks have no numbers", () => {
		const thinking = (text: string, signature = ""): JsonObject => ({
			thinking_blocks: [{ type: "thinking", thinking: text, signature }],
		});
		const { fields } = joined(thinking("One"), thinking(".", "S1"), thinking("Two", "S2"));
		expect(fields["thinking_blocks"]).toEqual([
			{ type: "thinking", thinking: "One.", signature: "S1" },
			{ type: "thinking", thinking: "Two", signature: "S2" },
		]);
	});

	test("is Gemini's signature, at any place", () => {
		const { fields } = joined(
			{ content: "Hi", extra_content: { google: { thought_signature: "S0" } } },
			{ extra_content: { google: { other: 1 } } },
		);
		expect(fields).toEqual({ extra_content: { google: { thought_signature: "S0", other: 1 } } });
		const calls = new ToolCallPieces([]);
		const google = { google: { thought_signature: "S1" } };
		calls.add({ index: 0, id: "a", function: { name: "look", arguments: '{"a"' } });
		calls.add({ index: 0, extra_content: google, function: { arguments: ":1}" } });
		calls.add({ index: 1, id: "b", function: { name: "look", arguments: "{}" } });
		expect(calls.kept).toEqual([{ callId: "a", fields: { extra_content: google } }]);
	});

	test("is the thoughts as a text, once", () => {
		expect(joined({ reasoning_content: "H" }, { reasoning_content: "m" }, { reasoning_content: null })).toEqual({
			fields: { reasoning_content: "Hm" },
			thoughts: "Hm",
		});
		// As some vLLM servers send them, which read one of the two (github.com/vllm-project/vllm/issues/38488).
		const both = { reasoning: "Hm", reasoning_content: "Hm" };
		expect(joined(both)).toEqual({ fields: both, thoughts: "Hm" });
		expect(joined({ reasoning: "Hm" }).fields).toEqual({ reasoning: "Hm" });
	});

	test("is an empty field, for endpoints that require it", () => {
		// github.com/MoonshotAI/kimi-cli/pull/2498, github.com/OpenRouterTeam/ai-sdk-provider (src/chat/index.ts).
		expect(joined({ reasoning_content: "" }, { reasoning_content: null }).fields).toEqual({ reasoning_content: "" });
		expect(joined({ reasoning: "Hm", reasoning_details: [] }).fields).toEqual({
			reasoning: "Hm",
			reasoning_details: [],
		});
		expect(joined({ reasoning: "", reasoning_content: null, reasoning_details: null }).fields).toEqual({});
	});

	test("is Mistral's thoughts, which are parts of the content, joined up to each signature", () => {
		const thinking = (text: string, more: object = {}): JsonObject => ({
			content: [{ type: "thinking", thinking: [{ type: "text", text }], ...more }],
		});
		const reference = { type: "reference", reference_ids: [1] };
		const { fields } = joined(
			thinking("Ok"),
			thinking("ay."),
			{ content: [{ type: "thinking", thinking: [reference] }] },
			thinking(" Then", { signature: "S1", closed: true }),
			thinking("Two"),
			{ content: [{ type: "text", text: "Hello" }] },
			{ content: [{ type: "thinking", thinking: "of another shape" }] },
		);
		const text = (words: string): JsonObject => ({ type: "text", text: words });
		expect(thinkingOf(fields)).toEqual([
			{ type: "thinking", thinking: [text("Okay."), reference, text(" Then")], signature: "S1", closed: true },
			{ type: "thinking", thinking: [text("Two")] },
		]);
		expect(thinkingOf({ thinking_parts: [{ type: "text", text: "no thought" }, null] })).toEqual([]);
	});

	test("is no other member", () => {
		const odd = { role: "system", name: "x", tool_calls: [], reasoning_details: "no", extra_content: 7, __proto__: {} };
		expect(joined(odd, { reasoning_details: [null, 1] }).fields).toEqual({ reasoning_details: "no" });
	});
});
