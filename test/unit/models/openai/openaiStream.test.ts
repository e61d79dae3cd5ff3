import { describe, expect, test } from "vitest";
import type { CallPart, ModelEvent, ModelRequestOptions } from "../../../../src/models/model.ts";
import { readCompletion } from "../../../../src/models/openai/openaiStream.ts";

/** The events of chunks whose only choice has these deltas. */
async function read(deltas: readonly object[], finish?: string): Promise<ModelEvent[]> {
	const last = finish === undefined ? [] : [{ choices: [{ delta: {}, finish_reason: finish }] }];
	return readChunks([...deltas.map((delta) => ({ model: "m", choices: [{ delta }] })), ...last]);
}

async function readChunks(
	chunks: readonly unknown[],
	onCallPart?: ModelRequestOptions["onCallPart"],
): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	for await (const event of readCompletion(stream(chunks), {
		label: "Test",
		model: "m",
		toolNames: [],
		keeper: "here m",
		secrets: [],
		mayBeginInThought: true,
		onCallPart,
	}))
		events.push(event);
	return events;
}

async function* stream(chunks: readonly unknown[]): AsyncGenerator {
	yield* chunks;
}

const calls = (events: readonly ModelEvent[]): unknown[] =>
	events.flatMap((event) => (event.type === "tool-call" ? [[event.callId, event.name, event.arguments]] : []));

test("a call is announced while it is written, with its final id and name (APP-24)", async () => {
	const parts: CallPart[] = [];
	const piece = (call: object): object => ({ choices: [{ delta: { tool_calls: [call] } }] });
	const events = await readChunks(
		[
			piece({ index: 0, id: "a", function: { name: "one", arguments: "" } }),
			piece({ index: 1, function: { name: "two", arguments: '{"y' } }),
			piece({ index: 0, function: { arguments: '{"x":' } }),
			piece({ index: 0, function: { arguments: "1}" } }),
			piece({ index: 1, function: { arguments: '":2}' } }),
		],
		(part) => void parts.push(part),
	);
	expect(parts.map(({ name, text }) => [name, text])).toEqual([
		["one", ""],
		["two", '{"y'],
		["one", '{"x":'],
		["one", '{"x":1}'],
		["two", '{"y":2}'],
	]);
	const ids = new Map(parts.map(({ callId, name }) => [callId, name]));
	expect(calls(events)).toEqual(Array.from(ids, ([id, name]) => [id, name, expect.anything()]));
});

describe("the dialects of tool calls", () => {
	test("pieces without an index continue the last call", async () => {
		const events = await read([
			{ tool_calls: [{ id: "a", function: { name: "one", arguments: '{"x"' } }] },
			{ tool_calls: [{ function: { arguments: ":1}" } }] },
			{ tool_calls: [{ id: "b", function: { name: "two", arguments: "{}" } }] },
		]);
		expect(calls(events)).toEqual([
			["a", "one", { x: 1 }],
			["b", "two", {}],
		]);
	});

	test("one index for several whole calls keeps them apart by their ids", async () => {
		const events = await read([
			{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: '{"x":1}' } }] },
			{ tool_calls: [{ index: 0, id: "b", function: { name: "two", arguments: '{"y":2}' } }] },
		]);
		expect(calls(events)).toEqual([
			["a", "one", { x: 1 }],
			["b", "two", { y: 2 }],
		]);
	});

	test("interleaved pieces find their call by the index", async () => {
		const events = await read([
			{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "" } }] },
			{ tool_calls: [{ index: 1, id: "b", function: { name: "two", arguments: "" } }] },
			{ tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
			{ tool_calls: [{ index: 1, function: { arguments: '{"y":2}' } }] },
		]);
		expect(calls(events)).toEqual([
			["a", "one", { x: 1 }],
			["b", "two", { y: 2 }],
		]);
	});

	test("calls without an id get one, and each its own", async () => {
		const events = await read([
			{
				tool_calls: [
					{ index: 0, function: { name: "one", arguments: "{}" } },
					{ index: 1, function: { name: "one" } },
				],
			},
		]);
		const ids = events.flatMap((event) => (event.type === "tool-call" ? [event.callId] : []));
		expect(new Set(ids).size).toBe(2);
		expect(ids.every((id) => id.length > 5)).toBe(true);
	});

	test("a name repeated in every piece, and arguments given as an object", async () => {
		const events = await read([
			{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "" } }] },
			{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: { x: 1 } } }] },
		]);
		expect(calls(events)).toEqual([["a", "one", { x: 1 }]]);
	});

	test.each(["[1]", "7", "null", '"text"', "{"])("arguments %s are not an object", async (text) => {
		const [event] = await read([{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: text } }] }]);
		expect(event).toMatchObject({ malformed: text, arguments: {} });
	});

	test.each(["12345678901234567890", "1e400", "0.1234567890123456789012"])(
		"the number %s, which would change when sent, is returned to the model",
		async (number) => {
			const text = `{"id":${number}}`;
			const [event] = await read([{ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: text } }] }]);
			expect(event).toMatchObject({ malformed: text, arguments: {}, problem: expect.stringContaining(number) });
		},
	);

	test("an answer with calls waits for results, whatever finish reason it has", async () => {
		const call = { tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "{}" } }] };
		expect((await read([call], "stop")).at(-1)).toMatchObject({ stopReason: "toolUse" });
		expect((await read([call])).at(-1)).toMatchObject({ stopReason: "toolUse" });
		expect((await read([call], "length")).at(-1)).toMatchObject({ stopReason: "maxTokens" });
	});
});

describe("the dialects of text", () => {
	test("an answer without a finish reason ends with its stream", async () => {
		expect((await read([{ content: "Hi" }])).at(-1)).toEqual({ type: "done", stopReason: "endTurn", model: "m" });
	});

	test("a chunk with usage only, chunks without choices, null deltas and thoughts are no text", async () => {
		const events = await readChunks([
			{ choices: [] },
			{ choices: [{ delta: null }] },
			{ choices: [{ delta: { reasoning_content: "Hmm", content: null } }] },
			{ choices: [{ delta: { content: "Yes" }, finish_reason: "stop" }] },
			{ model: "late", usage: { prompt_tokens: 1, completion_tokens: 2 } },
		]);
		const usage = { inputTokens: 1, outputTokens: 2 };
		const kept = { by: "here m", message: { reasoning_content: "Hmm" }, calls: [] };
		expect(events).toEqual([
			{ type: "reasoning", text: "Hmm" },
			{ type: "text", text: "Yes" },
			{ type: "done", stopReason: "endTurn", model: "late", usage, kept },
		]);
	});

	test.each([
		// Both of its names, and details of another kind beside one of them.
		["DeepSeek", { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: {}, prompt_cache_hit_tokens: 6 }, 6],
		["Moonshot", { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 5 }, 5],
		["OpenAI", { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } }, 8],
		[
			"DeepSeek",
			{ prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 7, prompt_cache_miss_tokens: 2 },
			7,
		],
		["one without a cache", { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: null }, undefined],
	])("tokens in the cache of %s are reported", async (_who, usage, cachedTokens) => {
		const events = await readChunks([{ choices: [{ delta: { content: "Yes" } }] }, { choices: [], usage }]);
		const cached = cachedTokens === undefined ? {} : { cachedTokens };
		expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 9, outputTokens: 2, ...cached } });
	});

	test("Gemini's summaries of its thoughts are not part of the answer, and are not sent back", async () => {
		const events = await read([
			{ content: "<thought>Let me see.</thought>", extra_content: { google: { thought: true } } },
			{ content: "Yes." },
		]);
		expect(events.slice(0, 2)).toEqual([
			{ type: "reasoning", text: "Let me see." },
			{ type: "text", text: "Yes." },
		]);
		expect(events.at(-1)).not.toHaveProperty("kept");
	});

	test("a refusal is shown", async () => {
		expect((await read([{ refusal: "I cannot." }]))[0]).toEqual({ type: "text", text: "I cannot." });
	});

	test("an empty stream is an error, not an empty answer", async () => {
		await expect(readChunks([])).rejects.toMatchObject({ code: "model" });
		await expect(readChunks([null, 1, "x", { choices: "no" }])).rejects.toMatchObject({ code: "model" });
	});
});
