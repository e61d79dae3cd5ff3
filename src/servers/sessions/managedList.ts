import { Emitter, type Event } from "../../base/event.ts";
import { messageOf } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Page } from "../../protocol/connection.ts";

/** The state of a list. An error is a state: a failed list is not an empty one. */
export type ListStatus =
	| { readonly kind: "unsupported" } // the server does not offer this primitive, or is not connected
	| { readonly kind: "loading" }
	| {
			readonly kind: "ready";
			/** Set when a cap ended the list early. */ readonly truncated?: string;
			/** Why it is empty, though the server declares it. */ readonly note?: string;
	  }
	| { readonly kind: "failed"; readonly message: string };

/** Caps against endless lists (TRN-31, TRN-32). Read at each use, so that a changed setting counts. */
export interface ListLimits {
	readonly pages: number;
	readonly items: number;
}

export const defaultListLimits: ListLimits = { pages: 1000, items: 100_000 };

/** How long `list_changed` notifications are gathered before the list is read again, in milliseconds. */
const coalesceMs = 250;
/** Changes that follow each other within this time are one storm; from its fifth refresh on each waits twice as long. */
const stormMs = 5000;
const promptRefreshes = 4;
/** A storm is followed no slower than this, so that the list is whole soon after its end (TRN-59). */
const slowestMs = 2000;
/** The maximum delay of notifications, in milliseconds: a list that is complete by then is of one generation. */
const reportedAfterMs = 300;
/** How often the first load shows what it has, in milliseconds, unless that is twice as much as before. */
const showMs = 100;

/**
 * One of a server's lists (tools, prompts, resources, templates), read page by page and kept current.
 * While one refresh runs, any number of further requests for a refresh become exactly one more.
 */
export class ManagedList<T> implements Disposable {
	private current: readonly T[] = [];
	private byKey: ReadonlyMap<string, T> = new Map();
	private currentStatus: ListStatus = { kind: "unsupported" };
	private fetchPage: ((cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) | undefined;
	private controller = new AbortController();
	private running: Promise<void> | undefined;
	private again = false;
	private timer: NodeJS.Timeout | undefined;
	/** When the last change of the list was reported, and after how many refreshes of the same storm. */
	private changedAt = Number.NEGATIVE_INFINITY;
	private refreshes = 0;
	private readonly changed = new Emitter<void>();
	private readonly keyOf: (item: T) => string;
	private readonly limits: ListLimits;
	/** Fired after each page and whenever the status changes. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** `keyOf` identifies an item of its list (a tool's name, a resource's URI); repeated items are kept once. */
	constructor(keyOf: (item: T) => string, limits: ListLimits = defaultListLimits) {
		this.keyOf = keyOf;
		this.limits = limits;
	}

	get items(): readonly T[] {
		return this.current;
	}

	get status(): ListStatus {
		return this.currentStatus;
	}

	/** The item with a key, however long the list is. */
	get(key: string): T | undefined {
		return this.byKey.get(key);
	}

	/**
	 * Starts reading from a newly connected server, or, with undefined, says that there is nothing to read. Resolves when the
	 * list has been read, or as far as that goes.
	 */
	connect(
		fetchPage: ((cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) | undefined,
	): Promise<void> {
		this.disconnect();
		this.fetchPage = fetchPage;
		return this.refresh();
	}

	/** Forgets the server and the items. */
	disconnect(): void {
		this.controller.abort();
		this.controller = new AbortController();
		clearTimeout(this.timer);
		this.timer = undefined;
		this.fetchPage = undefined;
		this.running = undefined;
		this.again = false;
		this.publish(new Map(), { kind: "unsupported" });
	}

	/** Takes note of a `list_changed` notification; a storm of them costs one refresh (TRN-24). */
	invalidate(): void {
		if (this.fetchPage === undefined) return;
		const now = performance.now();
		if (now - this.changedAt > stormMs) this.refreshes = 0;
		this.changedAt = now;
		this.arm();
	}

	/** Reads the list again in a moment: the longer a storm lasts, the later. */
	private arm(): void {
		if (this.timer !== undefined) return;
		const delayMs = Math.min(coalesceMs * 2 ** Math.max(0, this.refreshes - promptRefreshes), slowestMs);
		this.timer = setTimeout(() => {
			this.timer = undefined;
			// A running read is completed, or given up, before.
			if (this.running !== undefined) return this.arm();
			this.refreshes++;
			void this.refresh();
		}, delayMs);
	}

	/** Reads the list again; resolves when it is current. A failure is in the status, never thrown. */
	refresh(): Promise<void> {
		if (this.fetchPage === undefined) return Promise.resolve();
		if (this.running !== undefined) {
			this.again = true;
			return this.running;
		}
		this.running = this.loop(this.fetchPage, this.controller.signal);
		return this.running;
	}

	dispose(): void {
		this.disconnect();
		this.changed.dispose();
	}

	private async loop(
		fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
		signal: AbortSignal,
	): Promise<void> {
		do {
			this.again = false;
			await this.read(fetchPage, signal);
		} while (this.again && !signal.aborted);
		// In the same turn as the last look at `again`, so that no request is lost between the two.
		if (!signal.aborted) this.running = undefined;
	}

	private async read(
		fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
		signal: AbortSignal,
	): Promise<void> {
		const isFirst = this.current.length === 0;
		if (isFirst) this.publish(new Map(), { kind: "loading" });
		const items = new Map<string, T>();
		const seen = new Set<string>();
		let shown = { at: Number.NEGATIVE_INFINITY, size: 0 };
		let truncated: string | undefined;
		let note: string | undefined;
		let cursor: string | undefined;
		const begunAt = performance.now();
		try {
			for (let page = 1; ; page++) {
				const { items: more, nextCursor, note: why } = await fetchPage(cursor, signal);
				note = why;
				if (signal.aborted) return;
				const isOfPages = page > 1 || nextCursor !== undefined;
				const isStormy = isOfPages && begunAt - this.changedAt < stormMs;
				if (isStormy && nextCursor === undefined) await wait(reportedAfterMs, signal);
				if (signal.aborted) return;
				// Pages of two generations are not a list: it is read again once the storm allows it (TRN-59).
				if (isOfPages && this.changedAt >= begunAt) return this.arm();
				const { pages: mostPages, items: mostItems } = this.limits;
				const sizeBefore = items.size;
				for (const item of more) {
					const key = this.keyOf(item);
					if (items.has(key)) continue;
					if (items.size >= mostItems) {
						truncated = `only the first ${mostItems} are shown`;
						break;
					}
					items.set(key, item);
				}
				if (nextCursor === undefined || truncated !== undefined) break;
				// Some servers end their lists with an empty cursor, and give the same page for it.
				if (nextCursor === "" && cursor === "" && items.size === sizeBefore) break;
				if (seen.has(nextCursor)) truncated = "the server repeated a page cursor";
				else if (page >= mostPages) truncated = `only the first ${page} pages were read`;
				if (truncated !== undefined) break;
				seen.add(nextCursor);
				cursor = nextCursor;
				// The first load shows pages as they arrive, a refresh replaces the list in one step. Not every one of many
				// fast pages is shown: each time costs a copy of all items.
				const now = performance.now();
				if (!isFirst || (now - shown.at < showMs && items.size < 2 * shown.size)) continue;
				shown = { at: now, size: items.size };
				this.publish(items, { kind: "loading" });
			}
			this.publish(items, {
				kind: "ready",
				...(truncated === undefined ? {} : { truncated }),
				...(note === undefined ? {} : { note }),
			});
		} catch (error) {
			if (!signal.aborted) this.publish(this.byKey, { kind: "failed", message: messageOf(error) });
		}
	}

	private publish(items: ReadonlyMap<string, T>, status: ListStatus): void {
		const isSame = items.size === 0 && this.current.length === 0 && status.kind === this.currentStatus.kind;
		// The first read grows in place: a copy by keys would take as long as reading it.
		if (items !== this.byKey || items.size !== this.current.length) this.current = [...items.values()];
		this.byKey = items;
		this.currentStatus = status;
		if (!isSame || status.kind === "failed") this.changed.fire();
	}
}

/** Resolves after a time, or at once when aborted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const done = (): void => {
			clearTimeout(timer);
			signal.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener("abort", done);
	});
}
