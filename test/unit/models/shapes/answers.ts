import { chunk, pieces, sse, type Shape } from "./shapes.ts";

const weather = ["get_weather", { city: "Rome" }] as const;
const time = ["get_time", { zone: "CET" }] as const;

/** Answers that end well, in any odd spelling. */
export const answerShapes: readonly Shape[] = [
	{
		name: "OpenAI: text, usage-only chunk without choices, obfuscation, service tier",
		body: sse(
			chunk({ role: "assistant", content: "", refusal: null }, null, { service_tier: "default", obfuscation: "aX9" }),
			chunk({ content: "Hel" }),
			chunk({ content: "lo" }),
			chunk({}, "stop"),
			{ object: "chat.completion.chunk", model: "m", choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
		),
		expected: { text: "Hello", stopReason: "endTurn", usage: [9, 2] },
	},
	{
		name: "OpenAI: two parallel calls in interleaved pieces",
		body: sse(
			chunk({
				role: "assistant",
				content: null,
				...pieces({ index: 0, id: "call_a", type: "function", function: { name: "get_weather", arguments: "" } }),
			}),
			chunk(pieces({ index: 1, id: "call_b", type: "function", function: { name: "get_time", arguments: "" } })),
			chunk(pieces({ index: 0, function: { arguments: '{"city"' } })),
			chunk(pieces({ index: 1, function: { arguments: '{"zone":' } })),
			chunk(pieces({ index: 0, function: { arguments: ':"Rome"}' } })),
			chunk(pieces({ index: 1, function: { arguments: '"CET"}' } })),
			chunk({}, "tool_calls"),
		),
		expected: { text: "", calls: [weather, time], stopReason: "toolUse" },
	},
	{
		name: "Azure: first chunk with the results of the prompt filter and empty choices, filter results beside the text",
		body: sse(
			{
				choices: [],
				created: 0,
				id: "",
				model: "",
				object: "",
				prompt_filter_results: [
					{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: "safe" } } },
				],
			},
			chunk({ role: "assistant", content: "" }),
			{
				...chunk({ content: "Hi" }),
				choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null, content_filter_results: {} }],
			},
			{
				choices: [{ index: 0, delta: {}, finish_reason: null, content_filter_offsets: { check_offset: 44 } }],
				id: "",
				model: "",
				object: "",
			},
			chunk({}, "stop"),
		),
		expected: { text: "Hi", stopReason: "endTurn" },
	},
	{
		name: "Azure: the content filter ends the answer",
		body: sse(chunk({ content: "So" }), chunk({}, "content_filter")),
		expected: { text: "So", stopReason: "refusal" },
	},
	{
		name: "Ollama: each call whole in one delta, all with index 0",
		body: sse(
			chunk({
				role: "assistant",
				content: "",
				...pieces({
					id: "call_1",
					index: 0,
					type: "function",
					function: { name: "get_weather", arguments: '{"city":"Rome"}' },
				}),
			}),
			chunk({
				role: "assistant",
				content: "",
				...pieces({
					id: "call_2",
					index: 0,
					type: "function",
					function: { name: "get_time", arguments: '{"zone":"CET"}' },
				}),
			}),
			chunk({ role: "assistant", content: "" }, "tool_calls"),
		),
		expected: { text: "", calls: [weather, time], stopReason: "toolUse" },
	},
	{
		name: "Ollama: thoughts in a field `reasoning`, calls that finish by `stop`",
		body: sse(
			chunk({ role: "assistant", content: "", reasoning: "The user wants" }),
			chunk(
				pieces({
					id: "call_1",
					index: 0,
					type: "function",
					function: { name: "get_weather", arguments: '{"city":"Rome"}' },
				}),
			),
			chunk({}, "stop"),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "vLLM: thoughts in `reasoning_content`, usage in every chunk (continuous_usage_stats)",
		body: sse(
			chunk({ role: "assistant", content: "" }, null, { usage: { prompt_tokens: 4, completion_tokens: 0 } }),
			chunk({ reasoning_content: "Let me think." }, null, { usage: { prompt_tokens: 4, completion_tokens: 3 } }),
			chunk({ content: "Yes." }, null, { usage: { prompt_tokens: 4, completion_tokens: 5 } }),
			chunk({ content: "" }, "stop", { usage: { prompt_tokens: 4, completion_tokens: 5 } }),
		),
		expected: { text: "Yes.", stopReason: "endTurn", usage: [4, 5] },
	},
	{
		name: "vLLM from 0.11.2 on: thoughts in `reasoning`, and in both fields where it keeps to the old one too",
		body: sse(
			chunk({ role: "assistant", content: "", reasoning: "Let me", reasoning_content: "Let me" }),
			chunk({ reasoning: " think." }),
			chunk({ content: "Yes." }, "stop"),
		),
		expected: { text: "Yes.", stopReason: "endTurn" },
	},
	{
		name: "LM Studio: an id of digits, thoughts beside the answer (lmstudio.ai/docs/developer/api-changelog)",
		body: sse(
			chunk({ role: "assistant", reasoning_content: "The user" }),
			chunk(
				pieces({
					index: 0,
					id: "365174486",
					type: "function",
					function: { name: "get_weather", arguments: '{"city":"Rome"}' },
				}),
			),
			chunk({}, "tool_calls", { stats: {} }),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "vLLM: the last chunk repeats the finish reason `stop` behind calls, stop_reason beside it",
		body: sse(
			chunk(pieces({ id: "chatcmpl-tool-1", type: "function", index: 0, function: { name: "get_weather" } })),
			chunk(pieces({ index: 0, function: { arguments: '{"city": ' } })),
			chunk(pieces({ index: 0, function: { arguments: '"Rome"}' } })),
			{
				...chunk({ content: "" }),
				choices: [{ index: 0, delta: { content: "" }, finish_reason: "stop", stop_reason: null }],
			},
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "LM Studio: pieces without id behind the first, last chunk without finish reason",
		body: sse(
			chunk(pieces({ index: 0, id: "365174485", type: "function", function: { name: "get_weather", arguments: "" } })),
			chunk(pieces({ index: 0, type: "function", function: { name: "", arguments: '{"city":"Rome"' } })),
			chunk(pieces({ index: 0, type: "function", function: { name: "", arguments: "}" } })),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "llama.cpp: timings, an empty id, arguments from the first piece on",
		body: sse(
			chunk({ role: "assistant", content: null }),
			chunk(pieces({ index: 0, id: "", type: "function", function: { name: "get_weather", arguments: "{" } })),
			chunk(pieces({ index: 0, function: { arguments: '"city":"Rome"}' } })),
			chunk({}, "tool_calls", { timings: { prompt_n: 5, predicted_per_second: 41.5 } }),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "OpenRouter: comments that keep the connection alive, native_finish_reason, reasoning_details",
		body: `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${sse(
			chunk({
				role: "assistant",
				content: "",
				reasoning: "Hm",
				reasoning_details: [{ type: "reasoning.text", text: "Hm" }],
			}),
			{
				...chunk({ content: "Hello" }),
				provider: "Some",
				choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop", native_finish_reason: "end_turn" }],
			},
			{
				id: "gen-1",
				choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
				usage: { prompt_tokens: 3, completion_tokens: 1, cost: 0.1 },
			},
		)}`,
		expected: { text: "Hello", stopReason: "endTurn", usage: [3, 1] },
	},
	{
		name: "OpenRouter before DeepSeek: an empty list of thoughts (OpenRouterTeam/ai-sdk-provider, src/chat/index.ts)",
		body: sse(
			chunk({ role: "assistant", content: "", reasoning: null, reasoning_details: [] }),
			chunk({ content: "Hi", reasoning_details: [] }, "stop"),
		),
		expected: { text: "Hi", stopReason: "endTurn" },
	},
	{
		name: "Gemini: arguments in pieces without index, a signature behind them (github.com/open-webui/computer/issues/224)",
		body: sse(
			chunk(pieces({ id: "jm4owj31", type: "function", function: { name: "get_weather", arguments: '{"city":' } })),
			chunk(pieces({ function: { arguments: '"Rome"}' } })),
			chunk({ extra_content: { google: { thought_signature: "EjQK" } } }),
			chunk({}, "stop"),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "Gemini's compatible endpoint: whole calls without index, empty ids",
		body: sse(
			chunk({
				role: "assistant",
				...pieces(
					{ id: "", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
					{ id: "", type: "function", function: { name: "get_time", arguments: '{"zone":"CET"}' } },
				),
			}),
			chunk({}, "stop"),
		),
		expected: { text: "", calls: [weather, time], stopReason: "toolUse" },
	},
	{
		name: "a gateway: the same id for two calls with different indexes",
		body: sse(
			chunk(
				pieces(
					{ index: 0, id: "call_0", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
					{ index: 1, id: "call_0", function: { name: "get_time", arguments: '{"zone":"CET"}' } },
				),
			),
			chunk({}, "tool_calls"),
		),
		expected: { text: "", calls: [weather, time], stopReason: "toolUse" },
	},
	{
		name: "a gateway: pieces without index, arguments as an object, and as a text within a text",
		body: sse(
			chunk(pieces({ id: "a", function: { name: "get_weather", arguments: { city: "Rome" } } })),
			chunk(
				pieces({ id: "b", function: { name: "get_time", arguments: JSON.stringify(JSON.stringify({ zone: "CET" })) } }),
			),
			chunk({}, "tool_calls"),
		),
		expected: { text: "", calls: [weather, time], stopReason: "toolUse" },
	},
	{
		name: "an old gateway: function_call in place of tool_calls",
		body: sse(
			chunk({ function_call: { name: "get_weather", arguments: "" } }),
			chunk({ function_call: { arguments: '{"city":"Rome"}' } }),
			chunk({}, "function_call"),
		),
		expected: { text: "", calls: [weather], stopReason: "toolUse" },
	},
	{
		name: "Mistral: content as a list of parts, thoughts among them (docs.mistral.ai/api, ThinkChunk)",
		body: sse(
			chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }),
			chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "." }], signature: "S", closed: true }] }),
			chunk({
				content: [
					{ type: "text", text: "Good " },
					{ type: "text", text: "day" },
				],
			}),
			chunk({}, "stop"),
		),
		expected: { text: "Good day", stopReason: "endTurn" },
	},
	{
		name: "a proxy: lines that end in CR LF, data without a space, no [DONE]",
		body: `data:${JSON.stringify(chunk({ content: "Hi" }))}\r\n\r\ndata:${JSON.stringify(chunk({}, "length"))}\r\n\r\n`,
		expected: { text: "Hi", stopReason: "maxTokens" },
	},
	{
		name: "a server that does not stream: the whole completion in answer to the wish for a stream",
		headers: { "content-type": "application/json; charset=utf-8" },
		body: JSON.stringify({
			object: "chat.completion",
			model: "m",
			choices: [
				{
					index: 0,
					finish_reason: "tool_calls",
					message: {
						role: "assistant",
						content: "One moment.",
						...pieces({
							id: "call_1",
							type: "function",
							function: { name: "get_weather", arguments: '{"city":"Rome"}' },
						}),
					},
				},
			],
			usage: { prompt_tokens: 8, completion_tokens: 6, total_tokens: 14 },
		}),
		expected: { text: "One moment.", calls: [weather], stopReason: "toolUse", usage: [8, 6] },
	},
	{
		name: "a weak model: a call written as text in the way of Hermes and Qwen",
		body: sse(
			chunk({ content: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>' }),
			chunk({}, "stop"),
		),
		expected: {
			text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
			stopReason: "writtenCall",
		},
	},
	{
		name: "a weak model: a call in a block of JSON and nothing else, with finish reason tool_calls",
		body: sse(
			chunk({ content: '```json\n{"name": "get_weather", "parameters": {"city": "Rome"}}\n```' }),
			chunk({}, "tool_calls"),
		),
		expected: {
			text: '```json\n{"name": "get_weather", "parameters": {"city": "Rome"}}\n```',
			stopReason: "writtenCall",
		},
	},
	{
		name: "a good model that shows such an object in an explanation",
		body: sse(
			chunk({ content: 'Send `{"name": "get_weather"}` to the endpoint, as its manual says.' }),
			chunk({}, "stop"),
		),
		expected: { text: 'Send `{"name": "get_weather"}` to the endpoint, as its manual says.', stopReason: "endTurn" },
	},
];
