/**
 * The values of an iteration, until it ends or the signal is aborted: then immediately, even if the source ignores the
 * signal. A source that does not end is notified through `return` and is not awaited. Rejects as the source does.
 */
export async function* untilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
	const iterator = values[Symbol.asyncIterator]();
	// One promise for each value: a race with a promise that outlives them all would leave something on it each time.
	let stop = (): void => undefined;
	const onAbort = (): void => stop();
	signal.addEventListener("abort", onAbort);
	try {
		for (;;) {
			const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<T> | undefined>();
			stop = () => resolve(undefined);
			if (signal.aborted) stop();
			iterator.next().then(resolve, reject);
			const next = await promise;
			if (next === undefined || next.done === true) return;
			yield next.value;
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
		void iterator.return?.().catch(() => undefined);
	}
}
