import type { ContentBlock, CreateMessageRequestParams, SamplingMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { invalidParams } from "../decisions/refusal.ts";
import type { ModelMessage, ModelPart } from "../models/model.ts";

/** A server's request for a completion, checked and in the terms of the host: nothing is missing and nothing is odd. */
export interface SamplingRequest {
	readonly systemPrompt: string | undefined;
	readonly messages: readonly (ModelMessage & { readonly role: "user" | "assistant" })[];
	/** The most tokens that the answer may have; the person may lower it, nobody may raise it (spec.md P2s). */
	readonly maxTokens: number;
	readonly temperature: number | undefined;
	readonly stopSequences: readonly string[];
	/** Parts of model names that the server would like, best first. */
	readonly modelHints: readonly string[];
	/** The context of servers that was asked for; none is ever given (security.md SMP-04). */
	readonly includeContext: "none" | "thisServer" | "allServers";
	/** What the server would pass on to a provider; it is shown and not sent. */
	readonly metadata: JsonObject | undefined;
}

/** Caps on what a server may put before a person and a model (security.md SMP-12). */
const limits = { messages: 1000, characters: 2_000_000, mediaCharacters: 14_000_000, stopSequences: 16 };

/**
 * Checks the params of `sampling/createMessage` and puts single blocks and arrays of content into one form.
 * @throws RequestRefusal -32602 for tools, which the host does not declare, for tool uses and results that are not
 * balanced (specification 2025-11-25, "Sampling"; spec.md P5s, P6s), and for values that make no sense.
 */
export function readSamplingRequest(params: CreateMessageRequestParams): SamplingRequest {
	if (params.tools !== undefined || params.toolChoice !== undefined) {
		// The SDK lets them through undeclared (spec.md P5s).
		throw invalidParams("tools and toolChoice need the capability sampling.tools, which this client does not declare");
	}
	const { messages, maxTokens, temperature, stopSequences = [] } = params;
	if (messages.length === 0) throw invalidParams("messages must not be empty");
	if (messages.length > limits.messages) throw invalidParams(`At most ${limits.messages} messages are accepted`);
	if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) throw invalidParams("maxTokens must be a positive integer");
	if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
		throw invalidParams("temperature must not be negative");
	}
	if (stopSequences.length > limits.stopSequences) {
		throw invalidParams(`At most ${limits.stopSequences} stop sequences are accepted`);
	}
	checkToolBalance(messages);
	const request: SamplingRequest = {
		systemPrompt: params.systemPrompt,
		messages: messages.map((message) => ({ role: message.role, content: blocksOf(message).map(toPart) })),
		maxTokens,
		temperature,
		stopSequences: stopSequences.filter((text) => text !== ""),
		// A hint may come without a name (built-in.md 11).
		modelHints: (params.modelPreferences?.hints ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])),
		includeContext: params.includeContext ?? "none",
		metadata: isJsonObject(params.metadata) ? params.metadata : undefined,
	};
	checkSize(request);
	return request;
}

type Block = Extract<SamplingMessage["content"], readonly unknown[]>[number];

function blocksOf({ content }: SamplingMessage): readonly Block[] {
	return Array.isArray(content) ? content : [content];
}

/** Every tool use of an assistant message is answered by the next message, which holds nothing but results. */
function checkToolBalance(messages: readonly SamplingMessage[]): void {
	let open = new Set<string>();
	for (const message of messages) {
		const blocks = blocksOf(message);
		const results = blocks.filter((block) => block.type === "tool_result");
		if (results.length > 0) {
			if (results.length < blocks.length) throw invalidParams("Tool results mixed with other content");
			if (message.role !== "user") throw invalidParams("Tool results must be in a user message");
			if (results.some(({ toolUseId }) => !open.has(toolUseId))) throw invalidParams("Tool result without a tool use");
		}
		for (const { toolUseId } of results) open.delete(toolUseId);
		if (open.size > 0) throw invalidParams("Tool result missing in request");
		const uses = blocks.filter((block) => block.type === "tool_use");
		if (uses.length > 0 && message.role !== "assistant")
			throw invalidParams("Tool uses must be in an assistant message");
		open = new Set(uses.map(({ id }) => id));
		if (open.size < uses.length) throw invalidParams("Two tool uses have the same id");
	}
	if (open.size > 0) throw invalidParams("Tool result missing in request");
}

function toPart(block: Block): ModelPart {
	switch (block.type) {
		case "text":
			return { type: "text", text: block.text };
		case "image":
		case "audio":
			return { type: block.type, data: block.data, mimeType: block.mimeType };
		case "tool_use":
			return { type: "tool-call", callId: block.id, name: block.name, arguments: block.input as JsonObject };
		case "tool_result": {
			const content = block.content.map(toResultPart);
			return { type: "tool-result", callId: block.toolUseId, content, isError: block.isError ?? false };
		}
		default:
			throw invalidParams("A message holds content of an unknown type");
	}
}

function toResultPart(block: ContentBlock): ModelPart {
	if (block.type === "text") return { type: "text", text: block.text };
	if (block.type === "image" || block.type === "audio") {
		return { type: block.type, data: block.data, mimeType: block.mimeType };
	}
	if (block.type === "resource_link") return { type: "text", text: block.uri };
	return { type: "text", text: "text" in block.resource ? block.resource.text : block.resource.uri };
}

function checkSize({ systemPrompt = "", messages, stopSequences }: SamplingRequest): void {
	let characters = systemPrompt.length + stopSequences.join("").length;
	let media = 0;
	const count = (part: ModelPart): void => {
		if (part.type === "text") characters += part.text.length;
		else if (part.type === "image" || part.type === "audio") media += part.data.length;
		else if (part.type === "tool-call") characters += JSON.stringify(part.arguments).length;
		else part.content.forEach(count);
	};
	for (const { content } of messages) content.forEach(count);
	if (characters > limits.characters) throw invalidParams(`The texts are longer than ${limits.characters} characters`);
	if (media > limits.mediaCharacters) throw invalidParams("The images and sounds are larger than 10 MB");
}
