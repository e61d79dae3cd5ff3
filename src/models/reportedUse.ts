import { formatCost } from "../base/amounts.ts";
import type { TokenUse } from "./model.ts";

/** More tokens than any request or answer has. */
const mostTokens = 10_000_000;
/** Estimates of larger requests are never wrong by more than this factor, so a smaller report is not used. */
const widestError = 20;
const largeRequest = 1000;

/** The usage of a request and its answer; `isEstimated` if the provider reports none, or an implausible one. */
export type MeasuredUse = TokenUse & { readonly isEstimated: boolean };

/**
 * The usage of a request and its answer: as the endpoint reports it, number by number, if plausible, otherwise as
 * estimated. It is never below `fewest`, the minimum of all tokenizers (SMP-16). Endpoints report zero, nothing,
 * negative numbers, only the uncached tokens, and any other value; a budget that trusted them would never limit
 * anything.
 */
export function believableUse(reported: TokenUse | undefined, estimated: TokenUse, fewest: TokenUse): MeasuredUse {
	const input = believable(reported?.inputTokens, estimated.inputTokens, fewest.inputTokens);
	const output = believable(reported?.outputTokens, estimated.outputTokens, fewest.outputTokens);
	const cached = reported?.cachedTokens;
	// The report about a cache counts as part of an accepted input.
	const isCached =
		cached !== undefined && input !== undefined && Number.isInteger(cached) && cached > 0 && cached <= input;
	return {
		...(isCached ? { cachedTokens: cached } : {}),
		inputTokens: input ?? Math.max(estimated.inputTokens, fewest.inputTokens),
		outputTokens: output ?? Math.max(estimated.outputTokens, fewest.outputTokens),
		isEstimated: input === undefined || output === undefined,
	};
}

function believable(reported: number | undefined, estimated: number, fewest: number): number | undefined {
	if (!Number.isInteger(reported) || reported === undefined || reported > mostTokens) return undefined;
	if (reported < Math.max(fewest, estimated > 0 ? 1 : 0)) return undefined;
	return estimated > largeRequest && reported < estimated / widestError ? undefined : reported;
}

/** The usage, in a line: `312 tokens in (256 of them cached), 85 out · $0.0012`; without a price if none is known. */
export function describeUse({
	inputTokens,
	outputTokens,
	cachedTokens,
	isEstimated,
	cost,
}: MeasuredUse & { readonly cost?: number | undefined }): string {
	const count = (tokens: number): string => tokens.toLocaleString("en-US");
	const cached = cachedTokens === undefined ? "" : ` (${count(cachedTokens)} of them cached)`;
	const tokens = `${count(inputTokens)} tokens in${cached}, ${count(outputTokens)} out`;
	return `${isEstimated ? "About " : ""}${tokens}${cost === undefined ? "" : ` · ${formatCost(cost)}`}`;
}
