import { HostError } from "../../src/base/errors.ts";
import type { RequestOutcome } from "../../src/servers/sessions/requestLog.ts";
import type { Step } from "./plan.ts";

/**
 * How a call ended for its caller. `refused`: the host reported that the server is not connected, so it was not carried
 * out.
 */
export type Outcome = RequestOutcome | "refused";

/** One call of the plan, ended. Times are in milliseconds of the monotonic clock. */
export interface EndedCall {
	readonly step: Extract<Step, { type: "call" }>;
	readonly startedAt: number;
	readonly endedAt: number;
	readonly outcome: Outcome;
	/** The caller's message when there was no result. */
	readonly message?: string;
}

/** A time in which a server was disturbed, from the disturbance until it served again. */
export interface Disturbed {
	readonly server: string;
	readonly from: number;
	until: number;
}

/** The problems, one sentence each. */
export type Findings = {
	/** Calls whose outcome nothing explains. */
	readonly unexplained: readonly string[];
	/** Calls that a server carried out twice. */
	readonly doubled: readonly string[];
	/** Calls that were carried out by their outcome but not by the server's log, or the other way round. */
	readonly miscounted: readonly string[];
};

/** The outcome for an error of a session's call. */
export function outcomeOf(error: unknown): Outcome {
	if (!HostError.is(error)) return "error";
	if (error.code === "cancelled") return "cancelled";
	if (error.code === "timeout") return "timed-out";
	if (error.code === "outcome-unknown") return "unknown";
	return error.code === "not-connected" || error.code === "unreachable" ? "refused" : "error";
}

/** Compares the callers' outcomes with the plan, the disturbances, and the calls that the servers carried out. */
export function audit(
	calls: readonly EndedCall[],
	disturbed: readonly Disturbed[],
	carriedOut: ReadonlyMap<number, number>,
): Findings {
	const unexplained: string[] = [];
	const doubled: string[] = [];
	const miscounted: string[] = [];
	for (const call of calls) {
		const { step, outcome } = call;
		const isDisturbed = disturbed.some(
			({ server, from, until }) => server === step.server && call.startedAt <= until && call.endedAt >= from,
		);
		const text = `call ${step.id} (${step.kind}, ${step.server}): ${outcome}${call.message === undefined ? "" : `: ${call.message}`}`;
		if (!isExplained(call, isDisturbed)) unexplained.push(text);
		const count = carriedOut.get(step.id) ?? 0;
		if (count > 1) doubled.push(`${text}; carried out ${count} times`);
		const [least, most] = executions(call, isDisturbed);
		if (count < least || (count > most && count < 2)) miscounted.push(`${text}; carried out ${count} times`);
	}
	return { unexplained, doubled, miscounted };
}

function isExplained({ step: { kind }, outcome }: EndedCall, isDisturbed: boolean): boolean {
	if (isDisturbed && (outcome === "refused" || outcome === "unknown")) return true;
	switch (kind) {
		case "quick":
		case "slow":
			return outcome === "result";
		case "failing":
			return outcome === "error";
		case "silent":
			return outcome === "timed-out";
		case "cancelled":
			// On a machine that stalled for a while the answer may have been first.
			return outcome === "cancelled" || outcome === "result";
	}
}

/** How often at least and at most a server may have carried a call out. */
function executions({ outcome }: EndedCall, isDisturbed: boolean): readonly [number, number] {
	switch (outcome) {
		case "result":
		case "error":
			return [1, 1];
		case "refused":
			return [0, 0];
		case "timed-out":
			return [isDisturbed ? 0 : 1, 1];
		case "cancelled":
		case "unknown":
			return [0, 1];
	}
}

/** Counts things by a name of each. */
export function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Readonly<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
	return counts;
}
