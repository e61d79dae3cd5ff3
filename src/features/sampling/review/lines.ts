import { count, oneLine } from "../../../base/text.ts";
import type { ModelInfo, ModelStopReason } from "../../../models/model.ts";
import { costOf, type ModelPrice } from "../../../models/prices.ts";
import { formatCost } from "../../../base/amounts.ts";
import { describeUse } from "../../../models/reportedUse.ts";
import { estimateRequestTokens } from "../../../models/tokenCount.ts";
import type { Spent } from "../../../permissions/budgets/samplingPolicy.ts";
import type { ApprovedRequest, DraftProblem } from "../fields.ts";

/** The estimated cost of sending a request, in a line: `About 310 tokens in, 400 out at most · $0.002`. */
export function estimateLine(
	request: ApprovedRequest | DraftProblem,
	model: ModelInfo | undefined,
	price: ModelPrice | undefined,
): string {
	if ("problem" in request) return "No estimate: some fields are not valid.";
	const inputTokens = estimateRequestTokens(request.messages, request.tools);
	const tokens = `About ${count(inputTokens)} tokens in, ${count(request.maxTokens)} out at most`;
	if (model === undefined) return tokens;
	const cost = formatCost(costOf(price, { inputTokens, outputTokens: request.maxTokens }));
	const isLong = inputTokens > model.maxInputTokens;
	const most = isLong ? ` · more than the limit of ${oneLine(model.name, 60)} (${count(model.maxInputTokens)})` : "";
	return `${tokens} · ${cost}${most}`;
}

/** The cost of an answer, in a line: `312 tokens in (256 of them cached), 85 out · $0.0012 · 2.1 s`. */
export function usedLine({ cost, ...used }: Spent, durationMs: number): string {
	return `${describeUse(used)} · ${formatCost(cost)} · ${(durationMs / 1000).toFixed(1)} s`;
}

const stopNotes: Readonly<Record<string, string>> = {
	endTurn: "The model ended its answer.",
	maxTokens: "The answer was cut off at the maximum number of tokens.",
	stopSequence: "The answer ended at a stop sequence.",
	toolUse: "The model asks the server to run a tool.",
	refusal: "The model refused to answer.",
	writtenCall: "The model wrote a tool call as text, so no tool is called.",
};

/** Why a model stopped, for users; with the parameters that it did not accept. */
export function stopNote(stopReason: ModelStopReason, isEmpty: boolean, without: readonly string[]): string {
	const known = Object.hasOwn(stopNotes, stopReason) ? stopNotes[stopReason] : undefined;
	const notes = [known ?? `The model stopped: ${oneLine(stopReason, 60)}.`];
	if (isEmpty) notes.push("The answer is empty.");
	if (without.length > 0) notes.push(`The model does not accept ${without.join(", ")}.`);
	return notes.join(" ");
}
