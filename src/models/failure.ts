import { HostError } from "../base/errors.ts";

/**
 * Why a model did not answer, for those who treat the cases differently: the key or consent was refused, the model is not
 * there, requests are blocked for now (rate, quota), the conversation is too long, nothing answers, or anything else.
 */
export type ModelFailureReason = "refused" | "not-found" | "blocked" | "too-long" | "unreachable" | "other";

/** A HostError `model` that says which case it is. */
export class ModelFailure extends HostError {
	readonly reason: ModelFailureReason;

	constructor(reason: ModelFailureReason, message: string, options?: { cause?: unknown }) {
		super("model", message, options);
		this.reason = reason;
	}
}

/** The case of a failure; works across the bundles, each of which holds a copy of the class. */
export function failureReason(error: unknown): ModelFailureReason {
	return HostError.is(error, "model") && "reason" in error ? (error as ModelFailure).reason : "other";
}
