import type { ContentBlock, CreateMessageRequestParams, SamplingMessage } from "@modelcontextprotocol/client";
import { ordinaryBase64 } from "../../base/base64.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { invalidParams } from "../../base/refusal.ts";
import { emptyResult, type ModelMessage, type ModelPart } from "../../models/model.ts";
import type { ModelPreferences } from "./modelChoice/chooseModel.ts";
import { readTools, type SamplingTool } from "./samplingTools.ts";
import { findImbalance } from "./toolBalance.ts";

/** Whether the model may, must or must not use tools. */
export type ToolChoice = "auto" | "required" | "none";

/** A server's request for a completion, checked and in the terms of the host: nothing is missing and nothing is odd. */
export interface SamplingRequest {
	readonly systemPrompt: string | undefined;
	readonly messages: readonly (ModelMessage & { readonly role: "user" | "assistant" })[];
	/** The maximum number of tokens of the answer; the user may lower it, nobody may raise it (SMP-07). */
	readonly maxTokens: number;
	readonly temperature: number | undefined;
	readonly stopSequences: readonly string[];
	/** The tools that the server offers to the model and runs itself; empty when it offers none. */
	readonly tools: readonly SamplingTool[];
	readonly toolChoice: ToolChoice | undefined;
	readonly preferences: ModelPreferences;
	/** The context of servers that was asked for; none is given unless the user ticks it (SMP-04). */
	readonly includeContext: "none" | "thisServer" | "allServers";
	/** The metadata that the server would pass on to a provider; sent only when the user selects it. */
	readonly metadata: JsonObject | undefined;
	/** Whether the server takes a list of blocks: only who asks for tools does in every revision. */
	readonly answersWithArray: boolean;
}

/** Caps on a server's input for a user and a model (SMP-12). */
const limits = { messages: 1000, parts: 4000, characters: 2_000_000, mediaCharacters: 14_000_000, hints: 50 };
/** How many stop sequences there may be, and how long each: the host looks for them in every piece of an answer. */
export const stopLimits = { count: 16, characters: 1000 };
/** The first revision with tools in sampling. */
const toolRevision = "2025-11-25";

/**
 * Checks the params of `sampling/createMessage` and puts single blocks and arrays of content into one form. `revision`
 * is the server's revision, if known.
 * @throws RequestRefusal -32602 for tool uses and results that are not balanced, for tools in a revision without them
 * (specification 2025-11-25, "Sampling"; SMP-07, SMP-12), and for invalid values.
 */
export function readSamplingRequest(params: CreateMessageRequestParams, revision = toolRevision): SamplingRequest {
	const { messages, maxTokens, temperature, stopSequences = [], tools, toolChoice, modelPreferences = {} } = params;
	if (messages.length === 0) throw invalidParams("messages must not be empty");
	if (messages.length > limits.messages) throw invalidParams(`At most ${limits.messages} messages are accepted`);
	if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) throw invalidParams("maxTokens must be a positive integer");
	if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
		throw invalidParams("temperature must not be negative");
	}
	const { count: mostStops, characters: longestStop } = stopLimits;
	if (stopSequences.length > mostStops) throw invalidParams(`At most ${mostStops} stop sequences are accepted`);
	if (stopSequences.some(({ length }) => length > longestStop)) {
		throw invalidParams(`A stop sequence must not be longer than ${longestStop} characters`);
	}
	const asksForTools = tools !== undefined || toolChoice !== undefined;
	if (asksForTools && revision < toolRevision) {
		throw invalidParams(`tools and toolChoice need revision ${toolRevision}; this connection speaks ${revision}`);
	}
	const { hints = [], costPriority, speedPriority, intelligencePriority } = modelPreferences;
	const request: SamplingRequest = {
		systemPrompt: params.systemPrompt?.toWellFormed(),
		messages: messages.map((message) => ({ role: message.role, content: blocksOf(message).map(toPart) })),
		maxTokens,
		temperature,
		stopSequences: stopSequences.filter((text) => text !== "").map((text) => text.toWellFormed()),
		tools: toolsOf(tools),
		toolChoice: toolChoice?.mode,
		preferences: {
			// A hint may have no name (BLT-11).
			hints: hints.slice(0, limits.hints).flatMap(({ name }) => (name === undefined ? [] : [name.toWellFormed()])),
			cost: costPriority,
			speed: speedPriority,
			intelligence: intelligencePriority,
		},
		includeContext: params.includeContext ?? "none",
		metadata: isJsonObject(params.metadata) ? params.metadata : undefined,
		answersWithArray: asksForTools,
	};
	const imbalance = findImbalance(request.messages);
	if (imbalance !== undefined) throw invalidParams(imbalance.error);
	if (request.toolChoice === "required" && request.tools.length === 0) {
		throw invalidParams("toolChoice requires a tool, but tools is empty");
	}
	checkSize(request);
	return request;
}

type Block = Extract<SamplingMessage["content"], readonly unknown[]>[number];

function blocksOf({ content }: SamplingMessage): readonly Block[] {
	return Array.isArray(content) ? content : [content];
}

function toolsOf(tools: CreateMessageRequestParams["tools"]): readonly SamplingTool[] {
	const read = readTools(tools ?? []);
	if ("problem" in read) throw invalidParams(read.problem);
	return read;
}

/** Half a character is replaced here, where it is still to be shown: endpoints refuse it. */
function textPart(text: string): ModelPart {
	return { type: "text", text: text.toWellFormed() };
}

function toPart(block: Block): ModelPart {
	switch (block.type) {
		case "text":
			return textPart(block.text);
		case "image":
		case "audio":
			return mediaPart(block);
		case "tool_use":
			return { type: "tool-call", callId: block.id, name: block.name, arguments: jsonObjectOf(block.input) };
		case "tool_result": {
			const { content: blocks, structuredContent } = block;
			const isStructured = blocks.length === 0 && structuredContent !== undefined;
			const content = isStructured ? [textPart(JSON.stringify(structuredContent))] : blocks.map(toResultPart);
			// The model reads exactly the shown text.
			const sent = isEmptyResult(content) ? [textPart(emptyResult)] : content;
			return { type: "tool-result", callId: block.toolUseId, content: sent, isError: block.isError ?? false };
		}
		default:
			throw invalidParams("A message holds content of an unknown type");
	}
}

/** An image or a sound, its data in the form that models take. */
function mediaPart({ type, data: sent, mimeType }: Extract<Block, { type: "image" | "audio" }>): ModelPart {
	const data = ordinaryBase64(sent);
	if (data === undefined)
		throw invalidParams(`The data of ${type === "image" ? "an image" : "a sound"} is not valid base64`);
	return { type, data, mimeType };
}

/** Whether a tool result is empty, so that no model could receive it unchanged. */
export function isEmptyResult(content: readonly ModelPart[]): boolean {
	return content.every((part) => part.type === "text" && part.text === "");
}

function toResultPart(block: ContentBlock): ModelPart {
	if (block.type === "text") return textPart(block.text);
	if (block.type === "image" || block.type === "audio") return mediaPart(block);
	if (block.type === "resource_link") return textPart(block.uri);
	return textPart("text" in block.resource ? block.resource.text : block.resource.uri);
}

function checkSize({
	systemPrompt = "",
	messages,
	stopSequences,
	tools,
	preferences,
	metadata,
}: SamplingRequest): void {
	let characters = systemPrompt.length + JSON.stringify([stopSequences, tools, preferences, metadata]).length;
	let media = 0;
	let parts = 0;
	const count = (part: ModelPart): void => {
		parts++;
		if (part.type === "text") characters += part.text.length;
		else if (part.type === "image" || part.type === "audio") media += part.data.length + part.mimeType.length;
		else if (part.type === "tool-call") characters += part.name.length + JSON.stringify(part.arguments).length;
		else part.content.forEach(count);
		if ("callId" in part) characters += part.callId.length;
	};
	for (const { content } of messages) content.forEach(count);
	if (parts > limits.parts) throw invalidParams(`The messages have more than ${limits.parts} parts`);
	if (characters > limits.characters) throw invalidParams(`The texts are longer than ${limits.characters} characters`);
	if (media > limits.mediaCharacters) throw invalidParams("The images and sounds are larger than 10 MB");
}
