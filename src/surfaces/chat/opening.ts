import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine, count } from "../../base/text.ts";
import type { ModelInfo, LongerContext, ModelMessage } from "../../models/model.ts";
import type { NoModel } from "../../models/noModel.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { instructionsParts, noteParts } from "./render.ts";
import type { ChatLink, ChatPart } from "./parts.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { ToolBox, SearchableToolBox } from "../../features/agentTools/toolBox.ts";
import type { ServerChoice } from "./turnServers.ts";
import { toolBudget } from "../../features/tools/toolLimits.ts";
import { describeTokens } from "../../features/tools/toolCosts.ts";
import { requestTokens } from "./turnBudget.ts";

/** A turn before the model is asked. */
export interface Opening {
	readonly info: ModelInfo;
	readonly choice: ServerChoice;
	readonly box: ToolBox;
	/** The servers of the turn that are about to run, and whose tools it does not have. */
	readonly coming: readonly Session[];
	readonly pins: Pick<DefinitionPins, "instructionChange">;
	/** The relation of the turn to the model's context. */
	readonly context?: Omit<ContextOfTurn, "info">;
}

/** The notes for the user before the model answers: what it cannot do, or does not receive, in this turn. */
export function openingParts({ info, choice, box, coming, pins, context }: Opening): readonly ChatPart[] {
	const parts: ChatPart[] = [];
	if (choice.note !== undefined) parts.push(...noteParts(choice.note, "choose-servers"));
	for (const session of box.sessions) {
		if (pins.instructionChange(session) !== undefined) parts.push(...instructionsParts(session));
	}
	if (coming.length > 0) {
		const names = coming.map(({ definition }) => oneLine(definition.name, 60)).join(", ");
		parts.push(
			...noteParts(
				`These servers are still starting, so their tools are not offered in this turn: ${names}.`,
				"show-servers",
			),
		);
	}
	const remark = context === undefined ? undefined : contextNote({ info, ...context });
	if (remark !== undefined) {
		parts.push(...noteParts(remark));
		const give = { label: "Set a Longer Context…", action: "give-context" } as const;
		if (info.longerContext?.by === "ollama") parts.push({ kind: "links", id: info.id, links: [give] });
	}
	if (!info.supportsTools) {
		parts.push(...noteParts(`${oneLine(info.name)} cannot call tools. It answers only from the conversation.`));
	} else if (box.offered.length === 0 && choice.note === undefined && coming.length === 0) {
		const message = "No server with tools is running. Start one so that the model can call tools.";
		parts.push(...noteParts(message, "show-servers"));
	}
	return parts;
}

/** One line about Restricted Mode, for the first answer of a chat; nothing in a trusted workspace (FST-19). */
export function trustParts(isTrusted: boolean, isFirst: boolean): readonly ChatPart[] {
	if (isTrusted || !isFirst) return [];
	const message =
		"Restricted Mode: servers of this workspace do not start until you trust it, and VS Code may hide models.";
	return noteParts(message, "manage-trust");
}

/** The metadata of an answer without a model, so that it is not sent to a model as a part of the conversation. */
export const noModelMetadata = { mcpHostNoModel: true } as const;

/** Whether a result carries {@link noModelMetadata}. */
export function isNoModelAnswer(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
	return metadata?.["mcpHostNoModel"] === true;
}

/** The answer of `@mcp` without a model: what is missing, the remedies, and what works without one. */
export function noModelParts({ problems, endpointCount, available }: NoModel): readonly ChatPart[] {
	if (available !== undefined) {
		const markdown = `Your message was not sent to a model, since the one in the model picker was gone. **${escapeMarkdown(available)}** is available: check the model picker below, and send your message again.`;
		return [{ kind: "text", markdown }];
	}
	const list = problems.map((problem) => `- ${escapeMarkdown(oneLine(problem, 300))}`).join("\n");
	const lead =
		endpointCount === 0
			? "**No model yet.** `@mcp` needs a language model to answer: one that runs on this machine, such as with Ollama or LM Studio, or any other OpenAI-compatible endpoint. The demo needs neither."
			: "**No model is available.** None of your endpoints offers one:";
	const links: readonly ChatLink[] = [
		{ label: "Add Model Endpoint…", action: "add-model" },
		{ label: "Detect Local Models", action: "detect-models" },
		...(problems.length === 0 ? [] : [{ label: "Manage Models…", action: "manage-models" as const }]),
		{ label: "Try the Demo", action: "try-demo" },
	] as const;
	return [
		{ kind: "text", markdown: `${lead}${list === "" ? "" : `\n\n${list}`}\n\n` },
		{ kind: "links", id: "", links },
		{
			kind: "text",
			markdown:
				"Without a model you can still use your servers from here: `/tools` and `/servers` list what there is, `/call` runs a tool, `/resource` reads a resource.",
		},
	];
}

/** A turn, as far as a model's context bears on it. */
export interface ContextOfTurn {
	readonly info: ModelInfo;
	readonly box: Pick<SearchableToolBox, "isLazy" | "offered" | "cost">;
	/** The setting `mcpHost.chat.toolTokens`. */
	readonly toolTokens: number | undefined;
	/** The conversation before it. */
	readonly history: readonly ModelMessage[];
	/** The user's message. */
	readonly messages: readonly ModelMessage[];
}

/**
 * The note for the user when the model's context, and not a setting, prevents sending all tools, or even the request:
 * with the numbers, and what to do. Undefined if there is room.
 */
export function contextNote({ info, box, toolTokens, history, messages }: ContextOfTurn): string | undefined {
	if (!info.supportsTools || info.maxInputTokens <= 0) return undefined;
	const { isLazy } = box;
	const { tools, tokens } = box.cost;
	const budget = toolBudget(toolTokens, info.maxInputTokens);
	const name = oneLine(info.name, 60);
	const reads = `${name} has a context of ${count(info.maxInputTokens)} tokens`;
	const asked = requestTokens([...history, ...messages], box.offered);
	if (asked > info.maxInputTokens) {
		return `${reads}, but this request has ${describeTokens(asked)}. Its endpoint may silently cut off the beginning. ${advice(info)}`;
	}
	// With a longer context it would receive all. A note that applies to all turns of a chat is in the first.
	const isItsContext = history.length === 0 && isLazy && tokens > budget && tokens <= toolBudget(toolTokens, Infinity);
	if (!isItsContext) return undefined;
	return `${reads}. All ${count(tools)} tools would need ${describeTokens(tokens)}, so it receives only some and searches for the others. ${advice(info)}`;
}

function advice({ longerContext }: ModelInfo): string {
	if (longerContext === undefined) return "Choose a model with a longer context, or use fewer servers in the turn.";
	const { tokens, by } = longerContext;
	return `The model supports ${count(tokens)} tokens, but its server must be configured for them. ${toDo[by]}`;
}

const toDo: Readonly<Record<LongerContext["by"], string>> = {
	ollama: "Start Ollama with a larger OLLAMA_CONTEXT_LENGTH, or:",
	"lm-studio": "Load it in LM Studio with a longer context length.",
	"llama.cpp": "Start llama.cpp with a larger --ctx-size.",
};
