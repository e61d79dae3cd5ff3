/** Something that holds resources until it is disposed. Disposing twice is harmless. */
export interface Disposable {
	dispose(): void;
}

/** Makes a disposable of a function, which runs at most once. */
export function toDisposable(dispose: () => unknown): Disposable {
	let pending: (() => unknown) | undefined = dispose;
	return {
		dispose() {
			const run = pending;
			pending = undefined;
			run?.();
		},
	};
}

/** Owns disposables: disposing the store disposes them in reverse order; a later `add` disposes immediately. */
export class DisposableStore implements Disposable {
	private readonly items = new Set<Disposable>();
	private disposed = false;

	get isDisposed(): boolean {
		return this.disposed;
	}

	add<T extends Disposable>(item: T): T {
		if (this.disposed) item.dispose();
		else this.items.add(item);
		return item;
	}

	/** Disposes the contents and stays usable. One that throws does not prevent the others; the first error is thrown. */
	clear(): void {
		const items = [...this.items].toReversed();
		this.items.clear();
		const errors: unknown[] = [];
		for (const item of items) {
			try {
				item.dispose();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) throw errors[0];
	}

	dispose(): void {
		this.disposed = true;
		this.clear();
	}
}
