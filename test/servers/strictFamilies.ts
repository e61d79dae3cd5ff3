/** The families of strictModels.ts. */
import { isDeepStrictEqual } from "node:util";
import type { ChatRequestBody } from "./scriptedModel.ts";
import { currentTurn, type Message, opaqueMark, type PlainAnswer, type StrictFamily } from "./strictModels.ts";

/** The signed text of an answer: long, and with characters that stay unchanged only if nothing processes them. */
function signatureOf(number: number): string {
	return `${opaqueMark}-${number}-${"CiQB+/é\u2028".repeat(40)}==`;
}

function pieces(calls: PlainAnswer["calls"] = [], prefix = "call", more: (index: number) => object = () => ({})) {
	return calls.map(({ name, arguments: args }, index) => ({
		index,
		id: `${prefix}_${crypto.randomUUID().slice(0, 8)}`,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
		...more(index),
	}));
}

function callingMessages(messages: readonly Message[]): readonly Message[] {
	return messages.filter(({ role, tool_calls: calls }) => role === "assistant" && calls !== undefined);
}

/**
 * Gemini 3: the first call of each answer is signed, and in the current turn the signatures are required. Calls have no
 * index, and an answer with calls ends as any other.
 */
export function gemini(): StrictFamily {
	const issued = new Map<string, string>();
	const error = (message: string) => ({
		status: 400,
		body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }],
	});
	return {
		name: "Gemini",
		source:
			"https://ai.google.dev/gemini-api/docs/thought-signatures, …/openai, discuss.ai.google.dev/t/109823, github.com/noho/dayu-agent/issues/45, github.com/open-webui/computer/issues/224",
		path: "/v1beta/openai",
		finish: "stop",
		refuse: (body) => {
			for (const { tool_calls: calls = [] } of callingMessages(currentTurn(body))) {
				const [call] = calls as readonly { id: string; extra_content?: { google?: { thought_signature?: string } } }[];
				const signature = call?.extra_content?.google?.thought_signature;
				if (signature === undefined) {
					return error("Function call is missing a thought_signature in functionCall parts. This is required …");
				}
				const isKnown = signature === "skip_thought_signature_validator" || signature === issued.get(call?.id ?? "");
				if (!isKnown) return error("Corrupted thought signature.");
			}
			return undefined;
		},
		deltas: ({ text, calls }, number) => {
			const extra_content = { google: { thought_signature: signatureOf(number) } };
			const signed = pieces(calls, "function-call", (index) => ({
				index: undefined,
				...(index === 0 ? { extra_content } : {}),
			}));
			for (const { id } of signed) issued.set(id, signatureOf(number));
			return [
				...(text === undefined ? [] : [{ role: "assistant", content: text }]),
				...(signed.length === 0 ? [{ extra_content, role: "assistant" }] : [{ role: "assistant", tool_calls: signed }]),
			];
		},
	};
}

/** OpenRouter with a model that signs its thoughts: in a turn with tools all blocks go back unchanged, in their order. */
export function openRouter(): StrictFamily {
	const issued = new Map<string, unknown>();
	return {
		name: "OpenRouter",
		source: "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens (Preserving reasoning)",
		path: "/api/v1",
		refuse: (body) => {
			const wrong = callingMessages(currentTurn(body)).find(
				({ tool_calls: [call] = [], reasoning_details: details }) =>
					!isDeepStrictEqual(details, issued.get(call?.id ?? "")),
			);
			if (wrong === undefined) return undefined;
			const raw = "messages.1.content.0: Invalid `signature` in `thinking` block";
			const metadata = { raw, provider_name: "Anthropic" };
			return { status: 400, body: { error: { message: "Provider returned error", code: 400, metadata } } };
		},
		deltas: ({ text, calls }, number) => {
			const block = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
			const encrypted = {
				type: "reasoning.encrypted",
				data: signatureOf(number),
				format: "openai-responses-v1",
				index: 1,
			};
			const called = pieces(calls, "toolu");
			const whole = { ...block, text: `${opaqueMark} I should look.`, signature: signatureOf(number) };
			for (const { id } of called) issued.set(id, [whole, encrypted]);
			return [
				{ role: "assistant", content: "", reasoning: opaqueMark, reasoning_details: [{ ...block, text: opaqueMark }] },
				{ content: "", reasoning: " I should look.", reasoning_details: [{ ...block, text: " I should look." }] },
				{ content: "", reasoning_details: [{ ...block, signature: signatureOf(number) }] },
				{ content: "", reasoning_details: [encrypted] },
				...(text === undefined ? [] : [{ content: text }]),
				...called.map((call) => ({ tool_calls: [call] })),
			];
		},
	};
}

/** DeepSeek's thinking mode: the thoughts of every answer that called tools go back, in all later turns too. */
export function deepSeek(): StrictFamily {
	const issued = new Set<unknown>([""]);
	return {
		name: "DeepSeek",
		source: "https://api-docs.deepseek.com/guides/thinking_mode",
		path: "/v1",
		refuse: ({ messages }: ChatRequestBody) => {
			if (callingMessages(messages).every(({ reasoning_content: thoughts }) => issued.has(thoughts))) return undefined;
			const message = "The `reasoning_content` in the thinking mode must be passed back to the API.";
			const code = "invalid_request_error";
			return { status: 400, body: { error: { message, type: code, param: null, code } } };
		},
		deltas: ({ text, calls }, number) => {
			const thoughts = [`${opaqueMark} The user `, `wants step ${number}.`];
			issued.add(thoughts.join(""));
			return [
				{ role: "assistant", content: null, reasoning_content: "" },
				...thoughts.map((piece) => ({ content: null, reasoning_content: piece })),
				...(text === undefined ? [] : [{ content: text, reasoning_content: null }]),
				...pieces(calls).map((call) => ({ tool_calls: [call] })),
			];
		},
	};
}

/** LiteLLM before Anthropic: blocks of thoughts in pieces, and a signature that it adds to each call of Gemini's. */
export function liteLlm(): StrictFamily {
	const issued = new Map<string, unknown>();
	return {
		name: "LiteLLM",
		source: "https://docs.litellm.ai/docs/reasoning_content, github.com/BerriAI/litellm/issues/16893",
		path: "/v1",
		refuse: (body) => {
			const wrong = callingMessages(currentTurn(body)).find(({ tool_calls: [call] = [], thinking_blocks: blocks }) => {
				const fields = (call as { readonly provider_specific_fields?: unknown }).provider_specific_fields;
				return !isDeepStrictEqual([blocks, fields], issued.get(call?.id ?? ""));
			});
			const message = "litellm.BadRequestError: messages.1.content.0.type: Expected `thinking`, but found `tool_use`.";
			return wrong && { status: 400, body: { error: { message, type: null, param: null, code: "400" } } };
		},
		deltas: ({ text, calls }, number) => {
			const block = { type: "thinking", thinking: `${opaqueMark} Let me see.`, signature: signatureOf(number) };
			const provider_specific_fields = { thought_signature: signatureOf(number) };
			const called = pieces(calls, "call", () => ({ provider_specific_fields }));
			for (const { id } of called) issued.set(id, [[block], provider_specific_fields]);
			return [
				{ role: "assistant", thinking_blocks: [{ type: "thinking", thinking: opaqueMark, signature: "" }] },
				{ thinking_blocks: [{ type: "thinking", thinking: " Let me see.", signature: "" }] },
				{ thinking_blocks: [{ type: "thinking", thinking: "", signature: signatureOf(number) }] },
				...(text === undefined ? [] : [{ content: text }]),
				...called.map((call) => ({ tool_calls: [call] })),
			];
		},
	};
}

/** The fields that Mistral accepts in a request, and in a message. */
const mistralFields = new Set(
	"model messages stream tools tool_choice temperature max_tokens stop parallel_tool_calls random_seed metadata".split(
		" ",
	),
);
const mistralMessageFields = new Set("role content tool_calls tool_call_id name prefix".split(" "));

/** The parts of its contents, and their members. */
const mistralParts: ReadonlyMap<string, readonly string[]> = new Map([
	["text", ["type", "text"]],
	["image_url", ["type", "image_url"]],
	["input_audio", ["type", "input_audio"]],
	["thinking", ["type", "thinking", "signature", "closed"]],
]);

/**
 * Mistral: no unknown field, ids of nine characters, and only the model speaks after results. Its thoughts are parts of
 * the content, a few words in each; the signature is "to replay some reasoning blocks across turns".
 */
export function mistral(): StrictFamily {
	const extra = (loc: readonly (string | number)[]) => {
		const detail = [
			{ type: "extra_forbidden", loc: ["body", ...loc], msg: "Extra inputs are not permitted", input: 1 },
		];
		return { status: 422, body: { object: "error", message: { detail }, type: "invalid_request_error", code: null } };
	};
	const refused = (message: string, code: string) => ({
		status: 400,
		body: { object: "error", message, type: "invalid_request_error", param: null, code, raw_status_code: 400 },
	});
	return {
		name: "Mistral",
		source:
			"https://docs.mistral.ai/api (ThinkChunk), github.com/vercel/ai/issues/17930, github.com/zed-industries/zed/issues/53034, github.com/anomalyco/opencode/issues/1680",
		path: "/v1",
		refuse: (body) => {
			for (const field of Object.keys(body))
				if (!mistralFields.has(field)) return extra(field === "stream_options" ? [field, "include_usage"] : [field]);
			for (const [index, message] of body.messages.entries()) {
				const field = Object.keys(message).find((key) => !mistralMessageFields.has(key));
				if (field !== undefined) return extra(["messages", index, message.role, field]);
				const strange = partsOf(message).find(({ type, ...rest }) => {
					const known = mistralParts.get(String(type));
					return known === undefined || Object.keys(rest).some((key) => !known.includes(key));
				});
				if (strange !== undefined) return extra(["messages", index, message.role, "content", String(strange["type"])]);
				const before = body.messages[index - 1]?.role;
				if (message.role === "user" && before === "tool") {
					return refused("Unexpected role 'user' after role 'tool'", "3230");
				}
				const ids = [message.tool_call_id, ...(message.tool_calls ?? []).map(({ id }) => id)];
				const wrong = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(id));
				if (wrong !== undefined) {
					return refused(`Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`, "3280");
				}
			}
			return undefined;
		},
		deltas: ({ text, calls }, number) => [
			{ role: "assistant", content: "" },
			{ content: [{ type: "thinking", thinking: [{ type: "text", text: opaqueMark }] }] },
			{ content: [{ type: "thinking", thinking: [{ type: "text", text: " Hm." }], signature: signatureOf(number) }] },
			...(text === undefined ? [] : [{ content: text }]),
			...pieces(calls).map((call) => ({ tool_calls: [{ ...call, id: crypto.randomUUID().slice(0, 8) + "x" }] })),
		],
	};
}

/** The parts of a content that is a list. */
function partsOf({ content }: Message): readonly { readonly [field: string]: unknown }[] {
	return Array.isArray(content) ? (content as readonly { readonly [field: string]: unknown }[]) : [];
}

/** OpenAI: ids of calls have forty characters at most. */
export function openAi(): StrictFamily {
	return {
		name: "OpenAI",
		source: "https://platform.openai.com/docs/api-reference/chat, community.openai.com/t/1067012",
		path: "/v1",
		refuse: ({ messages }) => {
			const wrong = messages.flatMap(({ tool_calls: calls = [] }) => calls).find(({ id }) => id.length > 40);
			if (wrong === undefined) return undefined;
			const message = `Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length ${wrong.id.length} instead.`;
			return {
				status: 400,
				body: { error: { message, type: "invalid_request_error", code: "string_above_max_length" } },
			};
		},
		deltas: ({ text, calls }) => [
			{ role: "assistant", content: text ?? null, refusal: null },
			...pieces(calls).map((call) => ({ tool_calls: [call] })),
		],
	};
}
