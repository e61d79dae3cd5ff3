import { isJsonObject } from "../base/json.ts";
import type { ChatModel, ModelInfo, ModelMessage, ModelPart } from "../models/model.ts";
import type { SamplingRequest } from "./request.ts";
import type { RequestDraft } from "./reviewProtocol.ts";

/** What goes out to a model: the request as the person left it, text for text. */
export interface ApprovedRequest {
	readonly model: ChatModel;
	readonly messages: readonly ModelMessage[];
	readonly maxTokens: number;
	readonly temperature: number | undefined;
	readonly stopSequences: readonly string[];
}

/** The longest text that the person may make of one. */
const textLimit = 10_000_000;

/** The request as the server sent it, in the form in which the person edits it. */
export function draftOf(request: SamplingRequest, model: ModelInfo | undefined): RequestDraft {
	return {
		...(request.systemPrompt === undefined ? {} : { systemPrompt: request.systemPrompt }),
		texts: request.messages.flatMap(({ content }) =>
			content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
		),
		maxTokens: String(request.maxTokens),
		temperature: request.temperature === undefined ? "" : String(request.temperature),
		stopSequences: request.stopSequences.map((text) => JSON.stringify(text)).join(", "),
		modelId: model?.id ?? "",
	};
}

/** What the view sent as a draft of a request, or undefined when it does not fit the request (security.md UI-06). */
export function parseDraft(raw: unknown, request: SamplingRequest): RequestDraft | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { systemPrompt, texts, maxTokens, temperature, stopSequences, modelId } = raw as Readonly<
		Record<string, unknown>
	>;
	if (request.systemPrompt === undefined ? systemPrompt !== undefined : !isText(systemPrompt)) return undefined;
	if (!Array.isArray(texts) || texts.length !== draftOf(request, undefined).texts.length) return undefined;
	if (!texts.every(isText) || !isText(maxTokens) || !isText(temperature)) return undefined;
	if (!isText(stopSequences) || !isText(modelId)) return undefined;
	return { ...(isText(systemPrompt) && { systemPrompt }), texts, maxTokens, temperature, stopSequences, modelId };
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value.length <= textLimit;
}

/** Reads a draft for sending, or says in a sentence what the person has to change first. */
export function approve(
	request: SamplingRequest,
	draft: RequestDraft,
	models: readonly ChatModel[],
): ApprovedRequest | { readonly problem: string } {
	const model = models.find(({ info }) => info.id === draft.modelId);
	if (model === undefined) return { problem: models.length === 0 ? "No model is available." : "Choose a model." };
	const maxTokens = Number(draft.maxTokens);
	if (!/^\d+$/.test(draft.maxTokens.trim()) || maxTokens < 1 || maxTokens > request.maxTokens) {
		return { problem: `Max tokens must be a whole number from 1 to ${request.maxTokens}, which the server asked for.` };
	}
	const temperature = draft.temperature.trim() === "" ? undefined : Number(draft.temperature);
	if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
		return { problem: "Temperature must be a number that is not negative, or empty." };
	}
	const stopSequences = parseStopSequences(draft.stopSequences);
	if (stopSequences === undefined) {
		return { problem: 'Stop sequences must be JSON strings with commas between them, such as "END", "\\n\\n".' };
	}
	return { model, messages: messagesOf(request, draft), maxTokens, temperature, stopSequences };
}

function parseStopSequences(text: string): readonly string[] | undefined {
	try {
		const parsed: unknown = JSON.parse(`[${text}]`);
		return Array.isArray(parsed) && parsed.every((item) => typeof item === "string" && item !== "")
			? parsed
			: undefined;
	} catch {
		return undefined;
	}
}

function messagesOf(request: SamplingRequest, { systemPrompt = "", texts }: RequestDraft): readonly ModelMessage[] {
	let next = 0;
	const edited = (part: ModelPart): ModelPart => (part.type === "text" ? { ...part, text: texts[next++] ?? "" } : part);
	const messages = request.messages.map(({ role, content }) => ({ role, content: content.map(edited) }));
	if (systemPrompt === "") return messages;
	return [{ role: "system", content: [{ type: "text", text: systemPrompt }] }, ...messages];
}
