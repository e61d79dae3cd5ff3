import type { Disposable } from "./lifecycle.ts";

/** Something that is done again and again, but not more often than once in an interval. */
export interface Throttled extends Disposable {
	/** Runs now, or once at the end of the interval when it ran a moment ago. */
	run(): void;
}

/** Limits how often `action` runs. The last call is never lost; disposing drops pending calls. */
export function throttle(action: () => void, intervalMs: number): Throttled {
	let timer: NodeJS.Timeout | undefined;
	let isDue = false;
	const run = (): void => {
		if (timer !== undefined) {
			isDue = true;
			return;
		}
		timer = setTimeout(() => {
			timer = undefined;
			if (isDue) run();
		}, intervalMs);
		isDue = false;
		action();
	};
	return {
		run,
		dispose: () => {
			clearTimeout(timer);
			isDue = false;
		},
	};
}
