import type { Settled } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import type { RecordedEnd, RecordedText } from "../record/samplingRecord.ts";
import type { GuardEnd } from "./guard.ts";
import type { ReviewAnswer } from "./review.ts";

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
	{ at, mask }: { readonly at: number; readonly mask: (text: string) => string },
): RecordedEnd {
	if (settled.by === "lapse") {
		// Closing the panel is the person's doing, and the server is told so.
		const isClosed = settled.reason === "closed";
		const reason = describeLapse(settled.reason, server);
		return {
			at,
			kind: isClosed ? "rejected" : "lapsed",
			by: isClosed ? "you" : lapsedBy(settled.reason, server),
			reason,
		};
	}
	const { answer } = settled;
	if (answer.kind === "return") return { at, kind: "returned", by: answer.rule ?? "you", returned };
	return { at, kind: "rejected", by: "you", ...(answer.reason !== "" && { reason: mask(answer.reason) }) };
}

function lapsedBy(reason: string, server: string): string {
	return reason === "cancelled" || reason === "server-gone" ? server : "MCP Host";
}
