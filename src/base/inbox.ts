/** Values that come by callback, read as an iteration: in the order in which they came, none lost. */
export class Inbox<T> {
	private readonly values: T[] = [];
	private isClosed = false;
	private wake: () => void = () => undefined;

	/** Adds a value; after the end it is dropped. */
	add(value: T): void {
		if (this.isClosed) return;
		this.values.push(value);
		this.wake();
	}

	/** Ends the iteration once what came before has been read. */
	close(): void {
		this.isClosed = true;
		this.wake();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
		for (;;) {
			const next = this.values.shift();
			if (next !== undefined) yield next;
			else if (this.isClosed) return;
			else await new Promise<void>((resolve) => (this.wake = resolve));
		}
	}
}
