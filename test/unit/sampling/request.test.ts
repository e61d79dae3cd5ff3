import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { readSamplingRequest } from "../../../src/sampling/request.ts";

const text = { type: "text", text: "hi" } as const;
const use = (id: string) => ({ type: "tool_use", id, name: "t", input: { a: 1 } }) as const;
const result = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [text] }) as const;
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });

function read(params: object) {
	const whole = { messages: [{ role: "user", content: text }], maxTokens: 10, ...params };
	return readSamplingRequest(whole as CreateMessageRequestParams);
}

describe("readSamplingRequest", () => {
	it("puts single blocks and arrays into one form", () => {
		const image = { type: "image", data: "AAAA", mimeType: "image/png" };
		const request = read({ messages: [{ role: "user", content: text }, assistant(text, image)] });
		expect(request.messages).toEqual([
			{ role: "user", content: [{ type: "text", text: "hi" }] },
			{ role: "assistant", content: [text, image] },
		]);
	});

	it("fills in what is absent, and takes hints without a name for none", () => {
		expect(read({ modelPreferences: { hints: [{}, { name: "qwen" }] } })).toMatchObject({
			systemPrompt: undefined,
			temperature: undefined,
			stopSequences: [],
			includeContext: "none",
			modelHints: ["qwen"],
		});
	});

	it.each([
		["tools", { tools: [] }, /sampling\.tools/],
		["a tool choice", { toolChoice: { mode: "auto" } }, /sampling\.tools/],
		["no messages", { messages: [] }, /must not be empty/],
		["too many messages", { messages: Array.from({ length: 1001 }, () => user(text)) }, /At most 1000/],
		["no tokens", { maxTokens: 0 }, /maxTokens/],
		["negative tokens", { maxTokens: -5 }, /maxTokens/],
		["half tokens", { maxTokens: 1.5 }, /maxTokens/],
		["tokens that are no number", { maxTokens: Number.NaN }, /maxTokens/],
		["endless tokens", { maxTokens: Number.POSITIVE_INFINITY }, /maxTokens/],
		["a negative temperature", { temperature: -1 }, /temperature/],
		[
			"a huge image",
			{ messages: [user({ type: "image", data: "A".repeat(15_000_000), mimeType: "image/png" })] },
			/10 MB/,
		],
		["a huge text", { messages: [user({ type: "text", text: "A".repeat(2_000_001) })] }, /longer than/],
		["content of another kind", { messages: [user({ type: "video" })] }, /unknown type/],
		[
			"results mixed with text",
			{ messages: [assistant(use("a")), user(result("a"), text)] },
			/^Tool results mixed with other content$/,
		],
		["a missing result", { messages: [assistant(use("a")), user(text)] }, /^Tool result missing in request$/],
		[
			"one result of two",
			{ messages: [assistant(use("a"), use("b")), user(result("a"))] },
			/^Tool result missing in request$/,
		],
		["no message after a use", { messages: [user(text), assistant(use("a"))] }, /^Tool result missing in request$/],
		["a result without a use", { messages: [user(result("a"))] }, /without a tool use/],
		["a use by the user", { messages: [user(use("a")), user(result("a"))] }, /assistant message/],
		["results by the assistant", { messages: [assistant(use("a")), assistant(result("a"))] }, /user message/],
		["equal ids", { messages: [assistant(use("a"), use("a")), user(result("a"))] }, /same id/],
	])("refuses %s as invalid params", (_what, params, message) => {
		expect(() => read(params)).toThrow(
			expect.objectContaining({ rpcCode: -32602, message: expect.stringMatching(message) }),
		);
	});

	it("accepts balanced tool uses and hands them on", () => {
		const request = read({
			messages: [user(text), assistant(use("a"), use("b")), user(result("b"), result("a")), assistant(text)],
		});
		expect(request.messages[1]?.content).toEqual([
			{ type: "tool-call", callId: "a", name: "t", arguments: { a: 1 } },
			{ type: "tool-call", callId: "b", name: "t", arguments: { a: 1 } },
		]);
		expect(request.messages[2]?.content[0]).toEqual({
			type: "tool-result",
			callId: "b",
			content: [text],
			isError: false,
		});
	});
});
