import { vi } from "vitest";

/**
 * How often other work runs meanwhile, on a machine on which each step of the work takes a millisecond: measured by a
 * clock of the test, so that it is the same on every machine. Returns the result of the work as well.
 */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly result: T }> {
	let now = 0;
	using _clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
	let turns = 0;
	let isOver = false;
	const takeTurn = (): void => {
		turns++;
		if (!isOver) setImmediate(takeTurn);
	};
	setImmediate(takeTurn);
	try {
		const result = await work();
		return { turns, result };
	} finally {
		isOver = true;
	}
}
