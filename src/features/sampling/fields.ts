import type { Json } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelMessage, ModelPart } from "../../models/model.ts";
import { exactJson } from "../../base/exactJson.ts";
import type { ModelPreferences } from "./modelChoice/chooseModel.ts";
import type { SamplingRequest } from "./request.ts";
import type { ReviewPlace, ReviewField } from "./review/reviewProtocol.ts";
import { sentOtherwise } from "./samplingTools.ts";

/** The request for a model with the user's changes, text for text. */
export interface ApprovedRequest extends Pick<
	SamplingRequest,
	"maxTokens" | "temperature" | "stopSequences" | "tools" | "toolChoice" | "metadata"
> {
	readonly messages: readonly ModelMessage[];
	/** The server's names of the tools by their names for the model. */
	readonly serverNames: ReadonlyMap<string, string>;
}

/** Why a draft cannot be sent, in a sentence that says what to change, and where. */
export interface DraftProblem {
	readonly problem: string;
	readonly place?: ReviewPlace;
}

/** The draft's preferences, for choosing the model again; undefined while they cannot be read. */
export type DraftPreferences = ModelPreferences | undefined;

/** The place of a message; of a part of it; of a piece of a tool result that has several. */
export function partPlace(message: number, part?: number, piece?: number): ReviewPlace {
	const whole = part === undefined ? `message.${message}` : `message.${message}.part.${part}`;
	return piece === undefined ? whole : `${whole}.content.${piece}`;
}

/** The place of the name or the id of the tool call at a place, or of the id of a tool result. */
export function callPlace(place: ReviewPlace, what: "name" | "id"): ReviewPlace {
	return `${place}.${what}`;
}

/** The names and ids of tool calls and their results, by their places: texts of a server that nobody edits. */
export function callTexts({ messages }: SamplingRequest): ReadonlyMap<ReviewPlace, string> {
	const texts = new Map<ReviewPlace, string>();
	for (const [message, { content }] of messages.entries()) {
		for (const [index, part] of content.entries()) {
			if (part.type !== "tool-call" && part.type !== "tool-result") continue;
			const place = partPlace(message, index);
			texts.set(callPlace(place, "id"), part.callId);
			if (part.type === "tool-call") texts.set(callPlace(place, "name"), part.name);
		}
	}
	return texts;
}

/** Whether a tool result is edited as one text, at the place of the result itself. */
export function isOneText(content: readonly ModelPart[]): boolean {
	return content.length === 1 && content[0]?.type === "text";
}

/** Stop sequences and hints as a line that can be edited: JSON strings with commas between them. */
export function lineOf(texts: readonly string[]): string {
	return texts.map((text) => exactJson(text)).join(", ");
}

const callHint =
	"The arguments, a JSON object. Data that only the model uses, such as its signature, is returned to it unchanged.";

const metadataHint =
	'A JSON object with at most 16 strings for the provider. OpenAI accepts it only if the parameters of the endpoint contain "store": true.';

/**
 * Everything of a request that the user can change, with its text as the server sent it: the system prompt, the parts of
 * the messages, parameters, tools, preferences, metadata. JSON is written so that every character of it can be seen.
 */
export function fieldsOf(request: SamplingRequest): readonly ReviewField[] {
	const { systemPrompt = "", messages, metadata } = request;
	return [
		{ place: "system", kind: "text", label: "System prompt", original: systemPrompt },
		...messages.flatMap(({ content }, message) => content.flatMap((part, index) => partFields(part, message, index))),
		...parameterFields(request),
		...toolFields(request),
		...preferenceFields(request.preferences),
		...(metadata === undefined ? [] : [jsonField("metadata", "Metadata", metadata, metadataHint)]),
	];
}

/**
 * The places of the parts that the user can remove: messages, their parts, and the images and sounds in tool results.
 */
export function removableOf({ messages }: SamplingRequest): ReadonlySet<ReviewPlace> {
	const places = new Set<ReviewPlace>();
	for (const [message, { content }] of messages.entries()) {
		places.add(partPlace(message));
		for (const [index, part] of content.entries()) {
			places.add(partPlace(message, index));
			if (part.type !== "tool-result") continue;
			for (const [piece, { type }] of part.content.entries()) {
				if (type === "image" || type === "audio") places.add(partPlace(message, index, piece));
			}
		}
	}
	return places;
}

function partFields(part: ModelPart, message: number, index: number): readonly ReviewField[] {
	const place = partPlace(message, index);
	switch (part.type) {
		case "text":
			return [{ place, kind: "text", label: "Text", original: part.text }];
		case "image":
		case "audio":
			return [];
		case "tool-call":
			return [jsonField(place, `Call of ${oneLine(part.name, 60)}`, part.arguments, callHint)];
		case "tool-result":
			return resultFields(part, message, index);
		default:
			return part satisfies never;
	}
}

function resultFields(
	{ content, isError }: Extract<ModelPart, { type: "tool-result" }>,
	message: number,
	index: number,
): readonly ReviewField[] {
	const label = isError ? "Tool result (error)" : "Tool result";
	// Providers have no other way to express it.
	const field = { kind: "text" as const, label, ...(isError ? { hint: "The model sees “Error:” before it." } : {}) };
	const isWhole = isOneText(content);
	return content.flatMap((piece, at) => {
		if (piece.type !== "text") return [];
		return [{ ...field, place: partPlace(message, index, isWhole ? undefined : at), original: piece.text }];
	});
}

function parameterFields({ maxTokens, temperature, stopSequences }: SamplingRequest): readonly ReviewField[] {
	return [
		{
			place: "maxTokens",
			kind: "line",
			label: "Max tokens",
			original: String(maxTokens),
			hint: `From 1 to ${maxTokens}, the number that the server requested.`,
		},
		{
			place: "temperature",
			kind: "line",
			label: "Temperature",
			original: temperature === undefined ? "" : String(temperature),
			hint: "A number of 0 or more, or empty for the model's default.",
		},
		{
			place: "stopSequences",
			kind: "line",
			label: "Stop sequences",
			original: lineOf(stopSequences),
			hint: 'JSON strings separated by commas, such as "END", "\\n\\n". The answer ends before the first of them.',
		},
	];
}

function toolFields({ tools, toolChoice }: SamplingRequest): readonly ReviewField[] {
	if (tools.length === 0) return [];
	const otherwise = sentOtherwise(tools);
	const hint = "The server runs these tools itself when the model calls them.";
	return [
		jsonField(
			"tools",
			"Tools",
			tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
			otherwise.length === 0 ? hint : `${hint} The model sees ${otherwise.slice(0, 10).join(", ")}.`,
		),
		{
			place: "toolChoice",
			kind: "choice",
			label: "Tool choice",
			original: toolChoice ?? "auto",
			hint: "With none, the tools are not sent to the model.",
			choices: ["auto", "required", "none"],
		},
	];
}

function preferenceFields({ hints, cost, speed, intelligence }: ModelPreferences): readonly ReviewField[] {
	const priority = (place: ReviewPlace, label: string, value: number | undefined): ReviewField => ({
		place,
		kind: "line",
		label,
		original: value === undefined ? "" : String(value),
		hint: "From 0 to 1, or empty.",
	});
	return [
		{
			place: "hints",
			kind: "line",
			label: "Model hints",
			original: lineOf(hints),
			hint: "Parts of model names as JSON strings separated by commas, best first.",
		},
		priority("costPriority", "Cost priority", cost),
		priority("speedPriority", "Speed priority", speed),
		priority("intelligencePriority", "Intelligence priority", intelligence),
	];
}

function jsonField(place: ReviewPlace, label: string, value: Json, hint: string): ReviewField {
	return { place, kind: "json", label, original: exactJson(value), hint };
}
