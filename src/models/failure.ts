import { HostError } from "../base/errors.ts";

/**
 * Why a model did not answer, for those who handle the cases differently: the key or consent was refused, the model is not
 * there, requests are blocked for now (rate, quota), the conversation is too long, nothing answers, or anything else.
 */
export type ModelFailureReason = "refused" | "not-found" | "blocked" | "too-long" | "unreachable" | "other";

/** A HostError `model` that says which case it is. */
export class ModelFailure extends HostError {
	readonly reason: ModelFailureReason;
	/** Whether the model surely took nothing for the request: it was refused as a whole, or never arrived. */
	readonly isUnused: boolean;

	/** Without `isUnused`, the reason decides: a refusal is one, silence and what cannot be read are none. */
	constructor(reason: ModelFailureReason, message: string, options?: { cause?: unknown; isUnused?: boolean }) {
		super("model", message, options);
		this.reason = reason;
		this.isUnused = options?.isUnused ?? (reason !== "unreachable" && reason !== "other");
	}
}

/** Whether the model surely took nothing for a request that failed so. */
export function isUnused(error: unknown): boolean {
	return error instanceof ModelFailure && error.isUnused;
}

/** Why a model failed; `other` for what is no failure of one. */
export function failureReason(error: unknown): ModelFailureReason {
	return error instanceof ModelFailure ? error.reason : "other";
}
