/**
 * The promise's outcome, or the signal's reason if the signal is aborted first. A later outcome is dropped, so the
 * promise must release its own resources.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = (): void => reject(signal.reason);
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
		if (signal.aborted) onAbort();
		else signal.addEventListener("abort", onAbort, { once: true });
	});
}
