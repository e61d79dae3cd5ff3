import { orAborted } from "../../base/abort.ts";

interface Running {
	readonly promise: Promise<void>;
	/** Resolves when the task has ended, however. */
	readonly ended: Promise<void>;
	readonly controller: AbortController;
	waiters: number;
}

/** One task at a time for any number of waiters: who comes while it runs waits for the same one. */
export class SharedTask {
	private running: Running | undefined;

	/**
	 * Starts the task, or joins the one that runs. Its signal is aborted when nobody waits any more; until it has really
	 * ended, no other is started.
	 * @throws what the task throws; the waiter's own reason when that comes first.
	 */
	async join(start: (signal: AbortSignal) => Promise<void>, waiter: AbortSignal): Promise<void> {
		while (this.running?.controller.signal.aborted === true) await orAborted(this.running.ended, waiter);
		waiter.throwIfAborted();
		const task = (this.running ??= this.start(start));
		task.waiters++;
		try {
			await orAborted(task.promise, waiter);
		} finally {
			if (--task.waiters === 0 && task === this.running) task.controller.abort(waiter.reason);
		}
	}

	private start(start: (signal: AbortSignal) => Promise<void>): Running {
		const controller = new AbortController();
		const promise = start(controller.signal);
		const end = (): void => {
			if (this.running === task) this.running = undefined;
		};
		const task: Running = { promise, ended: promise.then(end, end), controller, waiters: 0 };
		return task;
	}
}
