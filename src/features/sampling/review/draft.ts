import { isJsonObject } from "../../../base/json.ts";
import { toModelCallId } from "../../../models/callIds.ts";
import type { ModelMessage, ModelPart } from "../../../models/model.ts";
import { DraftReader, type Edits, type ShownTexts } from "./draftReader.ts";
import type { ApprovedRequest, DraftPreferences, DraftProblem } from "../fields.ts";
import { isCount, isText, parseEdits } from "./parseEdits.ts";
import type { SamplingRequest } from "../request.ts";
import type { ReviewPlace, RequestDraft } from "./reviewProtocol.ts";
import { toModelNames, toModelTools } from "../samplingTools.ts";

/**
 * A draft of a request from the view, or undefined when it is invalid for these places: only fields may be changed, and
 * only removable parts removed (UI-06). Halves of characters are replaced, because they cannot be sent.
 */
export function parseDraft(
	raw: unknown,
	places: ReadonlySet<ReviewPlace>,
	removable: ReadonlySet<ReviewPlace>,
): RequestDraft | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { revision, modelId, isModelByHand, context, sendsMetadata } = raw;
	const edits = parseEdits(raw, places, removable);
	const asked = (["none", "thisServer", "allServers"] as const).find((choice) => choice === context);
	if (edits === undefined || asked === undefined || !isCount(revision)) return undefined;
	if (!isText(modelId) || typeof isModelByHand !== "boolean" || typeof sendsMetadata !== "boolean") return undefined;
	return { ...edits, revision, modelId, isModelByHand, context: asked, sendsMetadata };
}

/**
 * Reads a draft for sending: exactly the shown texts with the user's changes, and untouched parts as received.
 * Otherwise returns a sentence about what the user must change first (SMP-07, SMP-10, SMP-12). `maxTokensCap` is a
 * limit of the user's below that of the server.
 */
export function readDraft(
	request: SamplingRequest,
	shown: ShownTexts,
	draft: Edits,
	maxTokensCap = Number.POSITIVE_INFINITY,
): ApprovedRequest | DraftProblem {
	const reader = new DraftReader(shown, draft);
	const system = reader.text("system", request.systemPrompt ?? "");
	const messages = reader.messages(request.messages);
	const tools = reader.tools(request.tools);
	const approved = {
		maxTokens: reader.maxTokens(request.maxTokens, maxTokensCap),
		temperature: reader.number("temperature", request.temperature, Number.POSITIVE_INFINITY),
		stopSequences: reader.stopSequences(request.stopSequences),
		toolChoice: reader.toolChoice(request.toolChoice, tools),
		metadata: reader.metadata(request.metadata),
	};
	if (reader.problem !== undefined) return reader.problem;
	const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-call"));
	const modelNames = toModelNames([...tools, ...calls].map(({ name }) => name));
	const sent = messages.map(({ role, content }) => ({ role, content: content.map((part) => named(part, modelNames)) }));
	return {
		...approved,
		messages: system === "" ? sent : [{ role: "system", content: [{ type: "text", text: system }] }, ...sent],
		tools: toModelTools(tools, modelNames),
		serverNames: new Map(tools.map(({ name }) => [modelNames.get(name) ?? name, name])),
	};
}

/**
 * A part with the names and ids of tools in valid form for models; no user sees an id, so none may carry words to a
 * model.
 */
function named(part: ModelPart, modelNames: ReadonlyMap<string, string>): ModelPart {
	if (part.type !== "tool-call" && part.type !== "tool-result") return part;
	const callId = toModelCallId(part.callId);
	return part.type === "tool-call"
		? { ...part, callId, name: modelNames.get(part.name) ?? part.name }
		: { ...part, callId };
}

/** The preferences of the server, or of the user in its place, for choosing the model. */
export function preferencesOf(request: SamplingRequest, shown: ShownTexts, draft: Edits): DraftPreferences {
	const reader = new DraftReader(shown, draft);
	const { hints, cost, speed, intelligence } = request.preferences;
	const preferences = {
		hints: reader.line("hints", hints) ?? [],
		cost: reader.number("costPriority", cost, 1),
		speed: reader.number("speedPriority", speed, 1),
		intelligence: reader.number("intelligencePriority", intelligence, 1),
	};
	return reader.problem === undefined ? preferences : undefined;
}

/**
 * The request with the context that the user selected, exactly as shown: it precedes everything else in the user role.
 * It is not a system message, because servers' data must not have the authority of the system prompt.
 */
export function withContext(approved: ApprovedRequest, context: string): ApprovedRequest {
	if (context === "") return approved;
	const part: ModelPart = { type: "text", text: context };
	const start = approved.messages.findIndex(({ role }) => role !== "system");
	const first = approved.messages[start];
	const isTexts = first?.role === "user" && first.content.every(({ type }) => type !== "tool-result");
	const joined: ModelMessage = { role: "user", content: [part, ...(isTexts ? first.content : [])] };
	const at = start < 0 ? approved.messages.length : start;
	return { ...approved, messages: approved.messages.toSpliced(at, isTexts ? 1 : 0, joined) };
}
