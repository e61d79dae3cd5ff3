import { setTimeout } from "node:timers/promises";
import { stretch } from "./pace.ts";

/** Whatever does not arrive within this time is lost, in milliseconds. */
const lostMs = 30_000 * stretch;

/** An expected event did not happen. */
export class NotInTime extends Error {}

/** Waits for a condition; throws when it does not come true. `withinMs` is stretched on a busy machine. */
export async function until(condition: () => boolean, what: string, withinMs = 15_000): Promise<void> {
	const end = performance.now() + withinMs * stretch;
	while (!condition()) {
		if (performance.now() > end) throw new NotInTime(`It never came true that ${what}`);
		await setTimeout(15);
	}
}

/** Waits for a promise; throws when it does not settle. */
export async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
	const settled = new AbortController();
	const late = setTimeout(lostMs, undefined, { signal: settled.signal }).then(
		() => Promise.reject(new NotInTime(`It never came true that ${what}`)),
		() => new Promise<never>(() => undefined),
	);
	try {
		return await Promise.race([promise, late]);
	} finally {
		settled.abort();
	}
}
