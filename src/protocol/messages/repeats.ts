/** The last value that was delivered under one key, and the one that arrived since. */
interface Entry {
	timer: NodeJS.Timeout;
	latest: (() => void) | undefined;
}

/**
 * Thins out repeated values: under each key the first is delivered immediately, and then at most one in each interval,
 * the latest. The last one is never lost (TRN-24, TRN-25).
 */
export class Repeats<K> {
	private readonly intervalMs: number;
	private readonly entries = new Map<K, Entry>();

	constructor(intervalMs: number) {
		this.intervalMs = intervalMs;
	}

	/** How many keys had a value in the last interval. */
	get size(): number {
		return this.entries.size;
	}

	/** Whether something waits under a key to be delivered at the end of the interval. */
	isWaiting(key: K): boolean {
		return this.entries.get(key)?.latest !== undefined;
	}

	/** Delivers now, or at the end of the interval unless something later is offered under the key by then. */
	offer(key: K, deliver: () => void): void {
		const entry = this.entries.get(key);
		if (entry !== undefined) {
			entry.latest = deliver;
			return;
		}
		this.entries.set(key, { timer: setTimeout(() => this.goOn(key), this.intervalMs), latest: undefined });
		deliver();
	}

	/** Delivers now what waits under a key, which ends. */
	flush(key: K): void {
		const entry = this.entries.get(key);
		this.forget(key);
		entry?.latest?.();
	}

	/** Drops what waits under a key. */
	forget(key: K): void {
		clearTimeout(this.entries.get(key)?.timer);
		this.entries.delete(key);
	}

	/** Drops all that waits. */
	clear(): void {
		for (const { timer } of this.entries.values()) clearTimeout(timer);
		this.entries.clear();
	}

	private goOn(key: K): void {
		const latest = this.entries.get(key)?.latest;
		this.entries.delete(key);
		if (latest !== undefined) this.offer(key, latest);
	}
}
