import { toDisposable, type Disposable } from "./lifecycle.ts";

/** Subscribes a listener; disposing the result unsubscribes it. Structurally assignable to `vscode.Event`. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/**
 * Owns one event. `fire` calls every listener in order; one that throws does not stop the others, and one that was
 * disposed meanwhile is not called any more.
 */
export class Emitter<T> implements Disposable {
	private readonly listeners = new Set<(value: T) => unknown>();

	readonly event: Event<T> = (listener) => {
		// Wrapped, so that the same function may subscribe twice and unsubscribe once.
		const entry = (value: T): unknown => listener(value);
		this.listeners.add(entry);
		return toDisposable(() => this.listeners.delete(entry));
	};

	fire(value: T): void {
		for (const listener of Array.from(this.listeners)) {
			if (!this.listeners.has(listener)) continue;
			try {
				listener(value);
			} catch (error) {
				// A listener's fault must not break the one who announces; surface it as an uncaught error instead.
				queueMicrotask(() => {
					throw error;
				});
			}
		}
	}

	dispose(): void {
		this.listeners.clear();
	}
}
