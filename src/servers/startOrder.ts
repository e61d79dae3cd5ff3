/** A start that has not come to an end after this time mostly waits; the next one may use the processor. Milliseconds. */
const waitMs = 150;

/**
 * Starts several servers in order, a few at a time: those that compute would only slow each other down, so that the first
 * is ready late; those that wait, and one that hangs, hold up nobody (performance.md, "8 servers that compute"). Resolves
 * when all have come to an end. `starts` never reject.
 */
export async function startInOrder(starts: readonly (() => Promise<unknown>)[], atOnce: number): Promise<void> {
	const all: Promise<unknown>[] = [];
	const queue = [...starts];
	const lane = async (): Promise<void> => {
		for (let start = queue.shift(); start !== undefined; start = queue.shift()) {
			const started = start();
			all.push(started);
			await new Promise<void>((next) => {
				const timer = setTimeout(next, waitMs);
				void started.finally(() => {
					clearTimeout(timer);
					next();
				});
			});
		}
	};
	await Promise.all(Array.from({ length: Math.max(1, atOnce) }, lane));
	await Promise.all(all);
}
