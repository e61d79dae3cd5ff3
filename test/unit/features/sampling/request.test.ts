import { describe, expect, it } from "vitest";
import { assistant, image, read, result, text, tool, use, user } from "./requests.ts";

const refusal = (message: RegExp): unknown =>
	expect.objectContaining({ rpcCode: -32602, message: expect.stringMatching(message) });

const manyPieces = [
	assistant(use("a")),
	user(result("a", text, ...Array.from({ length: 4000 }, () => ({ ...text, text: "" })))),
];

describe("readSamplingRequest", () => {
	it("normalizes single blocks and arrays", () => {
		const request = read({ messages: [{ role: "user", content: text }, assistant(text, image)] });
		expect(request.messages).toEqual([
			{ role: "user", content: [{ type: "text", text: "hi" }] },
			{ role: "assistant", content: [text, image] },
		]);
	});

	it("fills in absent members, and ignores hints without a name (BLT-11)", () => {
		expect(read({ modelPreferences: { hints: [{}, { name: "qwen" }], speedPriority: 0.8 } })).toEqual({
			systemPrompt: undefined,
			messages: [{ role: "user", content: [text] }],
			maxTokens: 10,
			temperature: undefined,
			stopSequences: [],
			tools: [],
			toolChoice: undefined,
			preferences: { hints: ["qwen"], cost: undefined, speed: 0.8, intelligence: undefined },
			includeContext: "none",
			metadata: undefined,
			answersWithArray: false,
		});
	});

	it("reads tools and tool choice, and recognises that such a server accepts a list of blocks (BLT-14)", () => {
		const { inputSchema } = tool("t");
		const request = read({ tools: [{ name: "t", title: "T", inputSchema }], toolChoice: { mode: "required" } });
		expect(request).toMatchObject({
			tools: [{ name: "t", description: "T", inputSchema }],
			toolChoice: "required",
			answersWithArray: true,
		});
		expect(read({ toolChoice: {} })).toMatchObject({ tools: [], toolChoice: undefined, answersWithArray: true });
	});

	it.each([
		["no messages", { messages: [] }, /must not be empty/],
		["too many messages", { messages: Array.from({ length: 1001 }, () => user(text)) }, /At most 1000/],
		["a negative temperature", { temperature: -1 }, /temperature/],
		["a temperature that is no number", { temperature: Number.NaN }, /temperature/],
		["too many stop sequences", { stopSequences: Array.from({ length: 17 }, String) }, /At most 16/],
		["a stop sequence of thousands", { stopSequences: ["a".repeat(1001)] }, /longer than 1000/],
		["too many tools", { tools: Array.from({ length: 129 }, (_, index) => tool(`t${index}`)) }, /At most 128 tools/],
		["two tools of one name", { tools: [tool("t"), tool("t")] }, /Two tools have the name "t"/],
		["a tool without a name", { tools: [tool("")] }, /no name/],
		[
			"a tool that takes no object",
			{ tools: [{ ...tool("t"), inputSchema: { type: "string" } }] },
			/cannot be offered/,
		],
		["the demand for a tool where there is none", { toolChoice: { mode: "required" } }, /tools is empty/],
	])("refuses %s as invalid params", (_what, params, message) => {
		expect(() => read(params)).toThrow(refusal(message));
	});

	it.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53])(
		"SMP-07: refuses %s as the most tokens",
		(maxTokens) => expect(() => read({ maxTokens })).toThrow(refusal(/maxTokens/)),
	);

	it.each([
		["a huge image", [user({ ...image, data: "A".repeat(50_000_000) })], /10 MB/],
		["a huge text", [user({ type: "text", text: "A".repeat(2_000_001) })], /longer than/],
		["very many empty parts", [user(...Array.from({ length: 4001 }, () => ({ ...text, text: "" })))], /4000 parts/],
		["very many pieces of a result", manyPieces, /4000 parts/],
		["a huge id", [assistant(use("i".repeat(2_000_001))), user(result("i".repeat(2_000_001)))], /longer than/],
		["a huge name of a tool", [assistant(use("a", "n".repeat(2_000_001))), user(result("a"))], /longer than/],
		["a huge type", [user({ ...image, mimeType: "i".repeat(14_000_001) })], /10 MB/],
		["content of another kind", [user({ type: "video" })], /unknown type/],
		["mixed results", [assistant(use("a")), user(result("a"), text)], /^Tool results mixed with other content$/],
		["a missing result", [assistant(use("a")), user(text)], /^Tool result missing in request$/],
		["one result of two", [assistant(use("a"), use("b")), user(result("a"))], /^Tool result missing in request$/],
		["no message after a use", [user(text), assistant(use("a"))], /^Tool result missing in request$/],
		["a result without a use", [user(result("a"))], /without a tool use/],
		["two results for one use", [assistant(use("a")), user(result("a"), result("a"))], /^Two tool results for one/],
		["a use by the user", [user(use("a")), user(result("a"))], /assistant message/],
		["results by the assistant", [assistant(use("a")), assistant(result("a"))], /user message/],
		["equal ids", [assistant(use("a"), use("a")), user(result("a"))], /same id/],
	])("SMP-12: refuses %s as invalid params", (_what, messages, message) => {
		expect(() => read({ messages })).toThrow(refusal(message));
	});

	it("SMP-12: accepts messages that do not alternate", () => {
		const { messages } = read({ messages: [user(text), user(text), assistant(text), assistant(text)] });
		expect(messages.map(({ role }) => role)).toEqual(["user", "user", "assistant", "assistant"]);
	});

	it("SMP-03: refuses tools in a revision without them, and accepts everything else there", () => {
		expect(() => read({ tools: [tool("t")] }, "2025-06-18")).toThrow(refusal(/2025-11-25/));
		expect(() => read({ toolChoice: { mode: "auto" } }, "2024-11-05")).toThrow(refusal(/2025-11-25/));
		expect(read({}, "2024-11-05").answersWithArray).toBe(false);
		expect(read({ tools: [tool("t")] }, "2026-07-28").tools).toHaveLength(1);
	});

	it("accepts balanced tool uses and passes them on", () => {
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

	it("sends the model the content of a result: only structured content, or a note that it is empty", () => {
		const of = (more: object): unknown => {
			const block = { type: "tool_result", toolUseId: "a", content: [], ...more };
			return read({ messages: [assistant(use("a")), user(block)] }).messages[1]?.content[0];
		};
		const holding = (words: string): unknown => expect.objectContaining({ content: [{ type: "text", text: words }] });
		expect(of({ structuredContent: { sum: 5 } })).toEqual(holding('{"sum":5}'));
		expect(of({ structuredContent: { sum: 5 }, content: [text] })).toEqual(holding("hi"));
		expect(of({})).toEqual(holding("(the result is empty)"));
		expect(of({ content: [{ type: "text", text: "" }] })).toEqual(holding("(the result is empty)"));
		expect(of({ content: [image] })).toMatchObject({ content: [image] });
	});

	it("replaces unpaired surrogates before anything is shown, so that the shown text can be sent", () => {
		const half = "a\ud83d";
		const { systemPrompt, messages, stopSequences } = read({
			systemPrompt: half,
			messages: [user({ type: "text", text: half })],
			stopSequences: [half, ""],
		});
		expect([systemPrompt, messages[0]?.content, stopSequences]).toEqual([
			"a\ufffd",
			[{ type: "text", text: "a\ufffd" }],
			["a\ufffd"],
		]);
	});
});
