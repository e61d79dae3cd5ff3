import { count, oneLine } from "../../base/text.ts";
import type { LongerContext, ModelInfo, ModelMessage } from "../../models/model.ts";
import { toolBudget } from "../../features/tools/toolLimits.ts";
import { describeTokens } from "../../features/tools/toolCosts.ts";
import type { SearchableToolBox } from "../../features/agentTools/toolBox.ts";
import { requestTokens } from "./turnBudget.ts";

/** A turn, as far as a model's context bears on it. */
export interface ContextOfTurn {
	readonly info: ModelInfo;
	readonly box: Pick<SearchableToolBox, "isLazy" | "offered" | "cost">;
	/** The setting `mcpHost.chat.toolTokens`. */
	readonly toolTokens: number | undefined;
	/** The conversation before it. */
	readonly history: readonly ModelMessage[];
	/** What the person says now. */
	readonly messages: readonly ModelMessage[];
}

/**
 * What the person is told when it is the model's context, and nothing that they set, for which it is not told of all tools, or
 * not even the request fits: with the numbers, and what to do. Undefined where there is room.
 */
export function contextNote({ info, box, toolTokens, history, messages }: ContextOfTurn): string | undefined {
	if (!info.supportsTools || info.maxInputTokens <= 0) return undefined;
	const { isLazy } = box;
	const { tools, tokens } = box.cost;
	const budget = toolBudget(toolTokens, info.maxInputTokens);
	const name = oneLine(info.name, 60);
	const reads = `${name} reads ${count(info.maxInputTokens)} tokens at a time`;
	const asked = requestTokens([...history, ...messages], box.offered);
	if (asked > info.maxInputTokens) {
		return `${reads}, and this request has ${describeTokens(asked)}: its endpoint may cut off the beginning without saying so. ${advice(info)}`;
	}
	// By a longer context it would be told of all. What holds for all turns of a chat is said in the first.
	const isItsContext = history.length === 0 && isLazy && tokens > budget && tokens <= toolBudget(toolTokens, Infinity);
	if (!isItsContext) return undefined;
	return `${reads}. All ${count(tools)} tools would take ${describeTokens(tokens)} of them, so it is told of some and searches for the others. ${advice(info)}`;
}

function advice({ longerContext }: ModelInfo): string {
	if (longerContext === undefined) return "Choose a model with a longer context, or leave servers out of the turn.";
	const { tokens, by } = longerContext;
	return `Its server gives it no more unless it is told to; it can read ${count(tokens)}. ${toDo[by]}`;
}

const toDo: Readonly<Record<LongerContext["by"], string>> = {
	ollama: "Start Ollama with OLLAMA_CONTEXT_LENGTH set to more, or:",
	"lm-studio": "Load it in LM Studio with a longer context length.",
	"llama.cpp": "Start llama.cpp with a larger --ctx-size.",
};
