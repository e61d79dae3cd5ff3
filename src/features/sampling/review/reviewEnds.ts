import type { RecordedEnd, RecordedText } from "../../../records/activity/samplingRecord.ts";
import { describeLapse, type Settled } from "../../../questions/decisions/decision.ts";
import { oneLine } from "../../../base/text.ts";
import type { Completion } from "../answer.ts";
import type { GuardEnd } from "../guard.ts";

/** How a review ended, as the guard counts it. */
export function guardEndOf(settled: Settled<ReviewAnswer>, wasShown: boolean): GuardEnd {
	if (settled.by === "lapse") {
		if (settled.reason === "closed") return "rejected";
		return settled.reason === "cancelled" && wasShown ? "withdrawn" : "ended";
	}
	if (settled.answer.kind === "reject") return "rejected";
	return settled.answer.rule === undefined ? "answered" : "auto";
}

/**
 * How a review ended, as the record keeps it: who decided, and why. `returned` is the completion under review at the end;
 * `mask` hides secrets.
 */
export function recordedEndOf(
	settled: Settled<ReviewAnswer>,
	server: string,
	returned: readonly RecordedText[],
	{ mask, asked }: { readonly mask: (text: string) => string; readonly asked: readonly string[] },
): RecordedEnd {
	if (settled.by === "lapse") {
		// Closing the panel is an action of the user, and the server is informed of it.
		const isClosed = settled.reason === "closed";
		const reason = `${describeLapse(settled.reason, server)}${sentWords(asked)}`;
		return {
			kind: isClosed ? "rejected" : "lapsed",
			by: isClosed ? "you" : settled.reason === "cancelled" || settled.reason === "server-gone" ? server : "MCP Host",
			reason,
		};
	}
	const { answer } = settled;
	if (answer.kind === "return") return { kind: "returned", by: answer.rule ?? "you", returned };
	return { kind: "rejected", by: "you", ...(answer.reason !== "" && { reason: mask(answer.reason) }) };
}

/** How a review ended: a completion to return exactly in this form, or a rejection at either stage. */
export type ReviewAnswer =
	| {
			readonly kind: "return";
			readonly completion: Completion;
			/** The rule that let it go unseen; undefined when the user returned it. */
			readonly rule: string | undefined;
	  }
	/** The user's reason for the server, empty when they gave none. */
	| { readonly kind: "reject"; readonly reason: string };

/** How a review ended, for its panel. `asked` are the models that the request had gone to by then. */
export function describeEnd(outcome: Settled<ReviewAnswer>, server: string, asked: readonly string[]): string {
	if (outcome.by === "lapse") return `${describeLapse(outcome.reason, server)}${sentWords(asked)}`;
	const { answer } = outcome;
	if (answer.kind === "reject") return "You rejected the request.";
	return answer.rule === undefined
		? "You returned the completion."
		: `The rule “${answer.rule}” returned the completion.`;
}

/** Where the request had gone, as a sentence after others; empty where it went nowhere. */
function sentWords(asked: readonly string[]): string {
	const names = [...new Set(asked)].map((name) => oneLine(name, 60));
	return names.length === 0 ? "" : ` The request had already been sent to ${names.join(", ")}.`;
}
