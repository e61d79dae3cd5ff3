/** Values that arrive by callback, read as one iteration in the order of arrival, with none lost. */
export class Inbox<T> implements AsyncIterator<T, void> {
	private readonly values: T[] = [];
	private isClosed = false;
	/** The caller that waits for the next value. */
	private reader: ((next: IteratorResult<T, void>) => void) | undefined;

	/** Adds a value; after the end it is dropped. */
	add(value: T): void {
		if (this.isClosed) return;
		this.values.push(value);
		this.serve();
	}

	/** Ends the iteration once all earlier values have been read. */
	close(): void {
		this.isClosed = true;
		this.serve();
	}

	/** The next value, as soon as there is one. Call it only after the previous call has resolved. */
	next(): Promise<IteratorResult<T, void>> {
		return new Promise((resolve) => {
			this.reader = resolve;
			this.serve();
		});
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	private serve(): void {
		const { reader } = this;
		if (reader === undefined || (this.values.length === 0 && !this.isClosed)) return;
		this.reader = undefined;
		const value = this.values.shift();
		reader(value === undefined ? { done: true, value: undefined } : { done: false, value });
	}
}
