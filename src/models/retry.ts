import { setTimeout as wait } from "node:timers/promises";

/** How failed requests are repeated. Times are in milliseconds. */
export interface RetryPolicy {
	/** Requests in all. */
	readonly attempts: number;
	/** The first pause; each further one is twice as long. */
	readonly firstPause: number;
	/** All pauses together take no longer than this. */
	readonly budget: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 5, firstPause: 500, budget: 30_000 };

/** What a failure says about trying again: not at all, or (perhaps) after the time that the other side asks for. */
export type RetryAdvice = { readonly retry: false } | { readonly retry: true; readonly afterMs?: number };

/**
 * Runs an operation until it succeeds, its failure is final, or attempts or time run out; then the last failure is
 * thrown as it is. Pauses grow with some chance in them, so that many windows do not knock at once.
 * Rejects with the signal's reason when aborted in a pause.
 */
export async function withRetries<T>(
	operation: () => Promise<T>,
	advise: (error: unknown) => RetryAdvice,
	signal: AbortSignal,
	policy: RetryPolicy = defaultRetryPolicy,
): Promise<T> {
	let left = policy.budget;
	for (let attempt = 1; ; attempt++) {
		try {
			return await operation();
		} catch (error) {
			const advice = advise(error);
			if (!advice.retry || attempt >= policy.attempts || signal.aborted) throw error;
			const grown = policy.firstPause * 2 ** (attempt - 1);
			const pause = advice.afterMs ?? grown * (0.75 + Math.random() / 4);
			if (pause > left) throw error;
			left -= pause;
			await wait(pause, undefined, { signal });
		}
	}
}
