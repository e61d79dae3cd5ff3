import { setTimeout as wait } from "node:timers/promises";

/** How failed requests are repeated. Times are in milliseconds. */
export interface RetryPolicy {
	/** The total number of requests. */
	readonly attempts: number;
	/** The first pause; each further one is twice as long. */
	readonly firstPause: number;
	/** All pauses together take no longer than this. */
	readonly budget: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 5, firstPause: 500, budget: 60_000 };

/** A failure's data about retrying: not at all, or (perhaps) after the time that the other side requests. */
export type RetryAdvice =
	| { readonly retry: false }
	| {
			readonly retry: true;
			/** Why, in a phrase of ours: `is receiving too many requests`. */
			readonly reason: string;
			readonly afterMs?: number;
	  };

/** A pause that begins now, before the operation is tried again. */
export interface RetryPause {
	readonly reason: string;
	readonly afterMs: number;
	/** The number of the next attempt; the first one was 1. */
	readonly attempt: number;
}

/**
 * Runs an operation until it succeeds, its failure is final, or attempts or time run out; then the last failure is
 * thrown unchanged. Each pause is reported before it begins. Pauses grow with some randomness, so that many windows do
 * not retry at once. Rejects with the signal's reason when aborted in a pause.
 */
export async function* withRetries<T>(
	operation: () => Promise<T>,
	advise: (error: unknown) => RetryAdvice,
	signal: AbortSignal,
	policy: RetryPolicy = defaultRetryPolicy,
): AsyncGenerator<RetryPause, T> {
	let left = policy.budget;
	for (let attempt = 1; ; attempt++) {
		let pause: RetryPause;
		try {
			return await operation();
		} catch (error) {
			const advice = advise(error);
			if (!advice.retry || attempt >= policy.attempts || signal.aborted) throw error;
			const grown = policy.firstPause * 2 ** (attempt - 1);
			const afterMs = Math.ceil(advice.afterMs ?? grown * (0.75 + Math.random() / 4));
			if (afterMs > left) throw error;
			left -= afterMs;
			pause = { reason: advice.reason, afterMs, attempt: attempt + 1 };
		}
		yield pause;
		await wait(pause.afterMs, undefined, { signal });
	}
}
