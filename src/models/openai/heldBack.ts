/** For how long a text is held back while the stream says nothing more, and after its first piece at most, in milliseconds. */
const longestHold = 1000;

/**
 * The items of a stream, and a `pause` when something has been held back for a while: `isWaiting` says whether it is. The
 * stream is asked for nothing before the last item was taken in.
 */
export async function* withPauses<T>(
	items: AsyncIterable<T>,
	isWaiting: () => boolean,
): AsyncGenerator<{ readonly item: T } | { readonly pause: true }> {
	const iterator = items[Symbol.asyncIterator]();
	let dueAt: number | undefined;
	try {
		for (;;) {
			const next = iterator.next();
			// It is waited for below, unless the reader stops at a pause.
			next.catch(() => undefined);
			dueAt = isWaiting() ? (dueAt ?? performance.now() + longestHold) : undefined;
			if (dueAt !== undefined && (await isLater(next, dueAt - performance.now()))) {
				dueAt = undefined;
				yield { pause: true };
			}
			const { done, value } = await next;
			if (done === true) return;
			yield { item: value };
		}
	} finally {
		await iterator.return?.();
	}
}

/** Whether a time passes before a promise has ended. */
async function isLater(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
	const { promise: timeout, resolve } = Promise.withResolvers<true>();
	const timer = setTimeout(() => resolve(true), Math.max(0, milliseconds));
	const ended = promise.then(
		() => false,
		() => false,
	);
	try {
		return await Promise.race([ended, timeout]);
	} finally {
		clearTimeout(timer);
	}
}
