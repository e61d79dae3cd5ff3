import { HostError } from "./errors.ts";
import { Emitter, type Event } from "./event.ts";
import { describeProgress, type Progress } from "./progress.ts";

/** Work that takes longer than a user likes to wait without a word. */
export interface SlowWork {
	/** Resolves when the work is over, however it ends. */
	readonly ended: Promise<void>;
	/** The latest progress message, fit for one line; empty when there is none. */
	readonly latest: string;
	readonly onDidProgress: Event<string>;
	/** Cancels it, for everybody who waits for it. */
	cancel(): void;
}

/** The input of the work; its members fit `CallOptions`. */
export interface WorkControl {
	readonly signal: AbortSignal;
	readonly onProgress: (progress: Progress) => void;
}

/** How long nothing is shown about the work, in milliseconds. */
const defaultPatienceMs = 1000;

/**
 * Does the work, and has it announced when it is not over after a moment. Cancelling aborts its signal with a HostError
 * `cancelled`. Rejects as the work does.
 */
export async function withPatience<T>(
	work: (control: WorkControl) => Promise<T>,
	announce: (slow: SlowWork) => unknown,
	patienceMs: number = defaultPatienceMs,
): Promise<T> {
	const controller = new AbortController();
	const progressed = new Emitter<string>();
	let latest = "";
	const onProgress = (progress: Progress): void => {
		latest = describeProgress(progress);
		progressed.fire(latest);
	};
	const ended = Promise.withResolvers<void>();
	const timer = setTimeout(() => {
		announce({
			ended: ended.promise,
			get latest() {
				return latest;
			},
			onDidProgress: progressed.event,
			cancel: () => controller.abort(new HostError("cancelled", "Cancelled.")),
		});
	}, patienceMs);
	try {
		return await work({ signal: controller.signal, onProgress });
	} finally {
		clearTimeout(timer);
		ended.resolve();
		progressed.dispose();
	}
}
