import { Emitter, type Event } from "./event.ts";

/** Something that is made when it is first asked for, such as the contents of a bundle that is loaded late. */
export interface Lazy<T> {
	/** The one instance. Rejects as its making did; the next call then tries again. */
	get(): Promise<T>;
	/** Fires when it has been made, before anybody who waits for it goes on. */
	readonly onDidMake: Event<T>;
}

/** Puts off `make` until somebody needs what it makes. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
	const made = new Emitter<T>();
	let making: Promise<T> | undefined;
	const announce = (value: T): T => {
		made.fire(value);
		return value;
	};
	const forget = (error: unknown): never => {
		making = undefined;
		throw error;
	};
	return {
		get: () => (making ??= Promise.resolve().then(make).then(announce, forget)),
		onDidMake: made.event,
	};
}
