import { HostError } from "../base/errors.ts";

/**
 * Why a model did not answer, for code that distinguishes the cases: the key or consent was refused, the model does not
 * exist, requests are blocked for now (rate, quota), the conversation is too long, nothing answers, or any other
 * reason.
 */
export type ModelFailureReason = "refused" | "not-found" | "blocked" | "too-long" | "unreachable" | "other";

/** A HostError `model` that says which case it is. */
export class ModelFailure extends HostError {
	readonly reason: ModelFailureReason;
	/** Whether the model certainly used nothing for the request: it was refused as a whole, or never arrived. */
	readonly isUnused: boolean;

	/** Without `isUnused`, the reason decides: a refusal means unused, silence and unreadable answers do not. */
	constructor(reason: ModelFailureReason, message: string, options?: { cause?: unknown; isUnused?: boolean }) {
		super("model", message, options);
		this.reason = reason;
		this.isUnused = options?.isUnused ?? (reason !== "unreachable" && reason !== "other");
	}
}

/** Whether the model certainly used nothing for a request that failed this way. */
export function isUnused(error: unknown): boolean {
	return error instanceof ModelFailure && error.isUnused;
}

/** Why a model failed; `other` for errors that are not model failures. */
export function failureReason(error: unknown): ModelFailureReason {
	return error instanceof ModelFailure ? error.reason : "other";
}
