import { orAborted } from "../base/abort.ts";

/** One task at a time for any number of waiters: who comes while it runs waits for the same one. */
export class SharedTask {
	private running:
		| { readonly promise: Promise<void>; readonly controller: AbortController; waiters: number }
		| undefined;

	/**
	 * Starts the task, or joins the one that runs. Its signal is aborted when nobody waits any more.
	 * @throws what the task throws; the waiter's own reason when that comes first.
	 */
	async join(start: (signal: AbortSignal) => Promise<void>, waiter: AbortSignal): Promise<void> {
		waiter.throwIfAborted();
		const task = (this.running ??= this.start(start));
		task.waiters++;
		try {
			await orAborted(task.promise, waiter);
		} finally {
			if (--task.waiters === 0) {
				// What is given up must not be joined by the next one.
				if (this.running === task) this.running = undefined;
				task.controller.abort(waiter.reason);
			}
		}
	}

	private start(start: (signal: AbortSignal) => Promise<void>): NonNullable<SharedTask["running"]> {
		const controller = new AbortController();
		const promise = start(controller.signal);
		const task = { promise, controller, waiters: 0 };
		const end = (): void => {
			if (this.running === task) this.running = undefined;
		};
		promise.then(end, end);
		return task;
	}
}
