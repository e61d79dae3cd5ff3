import { setImmediate as breathe } from "node:timers/promises";

/** How long work may block the event loop, in milliseconds. */
const sliceMs = 8;

/** Work that lets others in between: `if (slices.isOver) await slices.next()` after each of its steps. */
export class Slices {
	private end = performance.now() + sliceMs;

	/** Whether others should have their turn. */
	get isOver(): boolean {
		return performance.now() >= this.end;
	}

	/** Lets others have their turn. */
	async next(): Promise<void> {
		await breathe();
		this.end = performance.now() + sliceMs;
	}
}

/** Does work that yields after each of its steps, so that other work can run in between. Returns the work's result. */
export async function inSlices<T>(work: Generator<unknown, T>): Promise<T> {
	const slices = new Slices();
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
		if (slices.isOver) await slices.next();
	}
}

/** Does such work synchronously. */
export function atOnce<T>(work: Generator<unknown, T>): T {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
}
