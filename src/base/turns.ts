/** Has at most so many tasks run at once, the others in their order. */
export class Turns {
	private free: number;
	private readonly waiting: (() => void)[] = [];

	constructor(most: number) {
		this.free = most;
	}

	/** Runs a task when it is its turn; resolves and rejects as the task does. */
	async take<T>(task: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.free++;
			else next();
		}
	}
}
