import type { Settled } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import type { Generation } from "./generation.ts";
import type { ReviewAnswer } from "./review.ts";
import type { ReviewStep } from "./reviewProtocol.ts";

/** How much of an answer that is still coming is shown, in characters: its end. All of it comes under review. */
const longestShown = 50_000;

/** An answer while it comes. */
export function generatingStep({ text, model, note }: Generation): ReviewStep {
	const earlier = Math.max(0, text.length - longestShown);
	const cut =
		earlier === 0 ? undefined : `${earlier.toLocaleString("en-US")} earlier characters are shown when it ends.`;
	const notes = [note, cut].filter((one) => one !== undefined);
	return {
		kind: "generating",
		text: text.slice(earlier),
		model: model.name,
		...(notes.length > 0 && { note: notes.join(" ") }),
	};
}

/** How a review ended, for its panel. */
export function describeEnd(outcome: Settled<ReviewAnswer>, server: string): string {
	if (outcome.by === "lapse") return describeLapse(outcome.reason, server);
	const { answer } = outcome;
	if (answer.kind === "reject") return "You rejected the request.";
	return answer.rule === undefined ? "You returned the completion." : `“${answer.rule}” returned the completion.`;
}
