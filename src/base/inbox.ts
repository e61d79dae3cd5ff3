/** Values that come by callback, read as an iteration: in the order in which they came, none lost. */
export class Inbox<T> implements AsyncIterator<T, void> {
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

	/** The next value, as soon as there is one. */
	async next(): Promise<IteratorResult<T, void>> {
		while (this.values.length === 0 && !this.isClosed) await new Promise<void>((resolve) => (this.wake = resolve));
		const value = this.values.shift();
		return value === undefined ? { done: true, value: undefined } : { done: false, value };
	}

	[Symbol.asyncIterator](): this {
		return this;
	}
}
