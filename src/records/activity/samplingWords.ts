import { formatCost } from "../../base/amounts.ts";
import { oneLine } from "../../base/text.ts";
import type { RecordedAttempt, RecordedText, SamplingEntry } from "./samplingRecord.ts";

/** The text of a row about a recorded request: the beginning of its last message, and model, edits, tokens and cost. */
export function summaryOf({ attempts, request, end }: SamplingEntry): {
	readonly excerpt: string;
	readonly details: string;
} {
	const last = attempts.at(-1);
	const isEdited = attempts.some(({ request: sent }) => sent.length > 0) || (end?.returned ?? []).some(isChanged);
	const took = tookOf(attempts);
	return {
		excerpt: oneLine(lastSaid(request), 140),
		details: [
			...(last === undefined ? [] : [oneLine(modelOf(last), 60)]),
			...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
			...(isEdited ? ["edited"] : []),
			...(took === "" ? [] : [took]),
		].join(" · "),
	};
}

/** The last message of the user, or of anybody, which distinguishes one request from another. */
function lastSaid(request: readonly RecordedText[]): string {
	const said = request.filter(({ place, original }) => place.startsWith("message.") && original !== "");
	return (said.findLast(({ role }) => role === "user") ?? said.at(-1))?.original ?? "";
}

function isChanged({ original, edited }: RecordedText): boolean {
	return edited !== undefined && edited !== original;
}

/** The replacement for a model if the user answered. */
export const byHand = "by hand";

/** The name by which a model is found; an answer by hand has one as well. */
export function modelOf({ model }: Pick<RecordedAttempt, "model">): string {
	return model?.name ?? byHand;
}

/** The total usage of attempts: `3,400 tokens in, 900 out · $0.012`; empty when there is none. */
export function tookOf(attempts: readonly RecordedAttempt[]): string {
	const taking = attempts.filter(({ inputTokens, outputTokens }) => (inputTokens ?? outputTokens) !== undefined);
	if (taking.length === 0) return "";
	const sum = (amounts: readonly (number | undefined)[]): number =>
		amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
	const input = sum(taking.map(({ inputTokens }) => inputTokens));
	const output = sum(taking.map(({ outputTokens }) => outputTokens));
	const about = taking.some(({ isEstimated = false }) => isEstimated) ? "about " : "";
	const tokens = `${about}${input.toLocaleString("en-US")} tokens in, ${output.toLocaleString("en-US")} out`;
	const costs = taking.flatMap(({ cost }) => cost ?? []);
	if (costs.length === 0) return `${tokens} · ${formatCost(undefined)}`;
	const more = costs.length < taking.length ? " and more: some prices are unknown" : "";
	return `${tokens} · ${formatCost(sum(costs))}${more}`;
}
