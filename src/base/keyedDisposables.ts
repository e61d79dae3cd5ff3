import type { Disposable } from "./lifecycle.ts";

/** Something for each of several keys, such as the sessions of now: made when a key comes, disposed when it goes. */
export class KeyedDisposables<K, T extends Disposable = Disposable> implements Disposable {
	private readonly items = new Map<K, T>();
	private readonly make: (key: K) => T;

	constructor(make: (key: K) => T) {
		this.make = make;
	}

	get(key: K): T | undefined {
		return this.items.get(key);
	}

	/** Takes these keys in place of the former ones. */
	follow(keys: Iterable<K>): void {
		const wanted = new Set(keys);
		for (const [key, item] of this.items) {
			if (wanted.has(key)) continue;
			this.items.delete(key);
			item.dispose();
		}
		for (const key of wanted) if (!this.items.has(key)) this.items.set(key, this.make(key));
	}

	dispose(): void {
		this.follow([]);
	}
}
