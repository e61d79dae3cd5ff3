import type { Event } from "./event.ts";

/** The next value of an event; rejects with the signal's reason when aborted first. */
export function once<T>(event: Event<T>, signal?: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const onAbort = (): void => {
			subscription.dispose();
			reject(signal?.reason);
		};
		const subscription = event((value) => {
			subscription.dispose();
			signal?.removeEventListener("abort", onAbort);
			resolve(value);
		});
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}
