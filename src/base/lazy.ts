import { Emitter, type Event } from "./event.ts";

/** A value that is made on first use, such as the exports of a file that is loaded late. */
export interface Lazy<T> {
	/** The one instance. Rejects as its making did; the next call then tries again. */
	get(): Promise<T>;
	/** Fires when it has been made, before its waiters continue. */
	readonly onDidMake: Event<T>;
}

/** A lazy value that its users may hold before its dependencies exist. */
export class LateValue<T> implements Lazy<T> {
	private readonly made = new Emitter<T>();
	private make: (() => Promise<T>) | undefined;
	private making: Promise<T> | undefined;
	readonly onDidMake: Event<T> = this.made.event;

	/** Sets how it is made. Nobody may request it before. */
	madeBy(make: () => Promise<T>): void {
		this.make = make;
	}

	get(): Promise<T> {
		this.making ??= Promise.resolve()
			.then(() => {
				if (this.make === undefined) throw new Error("No factory was set.");
				return this.make();
			})
			.then(
				(value) => {
					this.made.fire(value);
					return value;
				},
				(error: unknown) => {
					this.making = undefined;
					throw error;
				},
			);
		return this.making;
	}
}

/** Defers `make` until its result is needed. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
	const value = new LateValue<T>();
	value.madeBy(make);
	return value;
}
