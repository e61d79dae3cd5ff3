/**
 * The promise's outcome, or the signal's reason if that comes first. What the promise does afterwards is dropped, so it
 * must let go of what it holds by itself.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = (): void => reject(signal.reason);
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
		if (signal.aborted) onAbort();
		else signal.addEventListener("abort", onAbort, { once: true });
	});
}
