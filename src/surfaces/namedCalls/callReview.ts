import { exactJson } from "../../base/exactJson.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import { badgeLine, destructive } from "../../permissions/catalog/annotations.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { changedFields } from "../../permissions/pinning/toolFields.ts";
import type { PreparedCall } from "./callRun.ts";
import type { CallReviewAnswer, CallReviewState, ReviewedCall } from "./callReviewProtocol.ts";
import { targetWords } from "./namedCall.ts";

/** The inputs of a review of calls. */
export interface CallReviewServices {
	readonly pins: Pick<DefinitionPins, "stateOf" | "warningsOf">;
	readonly redact: (text: string) => string;
	/** Allows a call with exactly its arguments from now on, in this workspace. */
	readonly grant: (call: PreparedCall) => Promise<void>;
}

/**
 * The question about the calls of a run that nothing allows: all of them, whole, with one answer for exactly these. It
 * settles once; every answer except a plain yes is a no (CAL-04).
 */
export class CallReview {
	readonly state: CallReviewState;
	/** Resolves with the calls that were allowed; never rejects. */
	readonly settled: Promise<ReadonlySet<PreparedCall>>;
	private readonly calls: readonly PreparedCall[];
	private readonly services: CallReviewServices;
	private readonly resolve: (allowed: ReadonlySet<PreparedCall>) => void;
	private isSettled = false;

	constructor(calls: readonly PreparedCall[], services: CallReviewServices) {
		this.calls = calls;
		this.services = services;
		this.state = {
			calls: calls.map((call) => toReviewed(call, services)),
			grantable: calls.filter(isGrantable).length,
		};
		const { promise, resolve } = Promise.withResolvers<ReadonlySet<PreparedCall>>();
		this.settled = promise;
		this.resolve = resolve;
	}

	/** Takes a view's message; only the first counts, and an invalid one is ignored (UI-06). */
	async answer(answer: unknown): Promise<void> {
		if (this.isSettled || !isAnswer(answer)) return;
		this.isSettled = true;
		// A grant that cannot be kept is asked for again, and does not stop what was allowed now.
		if (answer === "always") {
			await Promise.allSettled(this.calls.filter(isGrantable).map((call) => this.services.grant(call)));
		}
		this.resolve(answer === "none" ? new Set() : new Set(this.calls));
	}
}

const answers: ReadonlySet<unknown> = new Set<CallReviewAnswer>(["none", "once", "always"]);

function isAnswer(value: unknown): value is CallReviewAnswer {
	return answers.has(value);
}

/** Whether a grant would count: not where a rule asks, or the tool changed. */
function isGrantable({ verdict }: PreparedCall): boolean {
	return verdict.by.kind === "default";
}

function toReviewed(
	{ wanted, target, entry, arguments: args, verdict }: PreparedCall,
	{ pins, redact }: CallReviewServices,
): ReviewedCall {
	const { session, tool, perform } = entry;
	const state = perform === undefined ? pins.stateOf(session, tool) : undefined;
	const why = verdict.by.kind === "default" ? [] : [`Confirmation required by ${showHidden(verdict.by.label)}.`];
	const changed =
		state?.kind === "changed"
			? [`Changed since you approved it: ${changedFields(state.changes)}. This run does not accept the change.`]
			: [];
	const warnings = perform === undefined ? pins.warningsOf(session, tool).map(({ text }) => text) : [];
	return {
		name: oneLine(wanted.call.name, 200),
		place: oneLine(wanted.place, 200),
		server: oneLine(session.definition.name),
		target: oneLine(redact(targetWords(target)), 500),
		badges: badgeLine(tool.annotations),
		isRisky: destructive(tool.annotations) !== undefined,
		arguments: redact(exactJson(args)),
		notes: [...why, ...changed, ...warnings],
	};
}
