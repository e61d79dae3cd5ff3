import type { Event } from "../event.ts";
import { Emitter } from "../event.ts";
import { Journal } from "./journal.ts";
import { makeKey } from "./line.ts";
import type { Store } from "./store.ts";

/** How long something lasts that the user decided: as long as this window, in this workspace, or everywhere. */
export type Scope = "session" | "workspace" | "always";

/** The narrowest first. */
export const scopes = ["session", "workspace", "always"] as const satisfies readonly Scope[];

/** The kind of things that are kept by scope, and their storage. */
export interface ScopedOptions<T> {
	/** The name of its journal. */
	readonly name: string;
	/** Whether a stored value is valid in all its members. An invalid value has no effect. */
	readonly isItem: (value: unknown) => value is T;
	/**
	 * The subject. Of two values with the same subject in one scope the later counts, and removing one affects the other.
	 */
	readonly subjectOf: (item: T) => string;
	/** Things of one group never make room for those of another. */
	readonly groupOf: (item: T) => string;
	/** The most of one group in one scope; the oldest makes room. */
	readonly limit: number;
}

/**
 * Things that the user decided for a session, a workspace or everywhere. Those of a session are only in memory; the
 * others are in a journal of the store, one per workspace. Reading is from memory: call `refresh` before a decision
 * that depends on it.
 */
export class ScopedStore<T extends { readonly id: string }> {
	private readonly options: ScopedOptions<T>;
	private readonly session: Journal;
	private readonly shared: Journal;
	private readonly workspace: string;
	private readonly changed = new Emitter<void>();
	/** Fired when something was added or removed, by this window or another. */
	readonly onDidChange: Event<void> = this.changed.event;
	private known: { readonly version: string; readonly items: readonly (T & { readonly scope: Scope })[] } | undefined;

	constructor(store: Store, options: ScopedOptions<T>) {
		this.options = options;
		this.workspace = store.workspace;
		this.shared = store.journal(options.name);
		this.session = new Journal({ ...this.shared.options, folder: undefined });
		for (const journal of [this.shared, this.session]) journal.onDidChange(() => this.changed.fire());
	}

	/** All of this window, of the workspace and of everywhere; the latest of each scope and group last. */
	get all(): readonly (T & { readonly scope: Scope })[] {
		const version = `${this.shared.version} ${this.session.version}`;
		if (this.known?.version !== version)
			this.known = {
				version,
				items: scopes.flatMap((scope) => this.of(scope).map((item) => Object.assign({}, item, { scope }))),
			};
		return this.known.items;
	}

	/** Reads the decisions of other windows since the last read. */
	refresh(): void {
		this.shared.refresh();
	}

	/**
	 * Applies something from now on, replacing the one with the same subject in its scope. On the disk when it returns.
	 */
	add(item: T, scope: Scope): void {
		const journal = this.journalOf(scope);
		journal.put(this.keyOf(item, scope), item);
		const counting = new Set(this.of(scope));
		const surplus = this.of(scope, Infinity).filter((one) => !counting.has(one));
		journal.write(surplus.map((one) => ({ key: this.keyOf(one, scope) })));
	}

	/** Removes things by their ids. They stop counting before this returns, even if the disk fails. */
	remove(ids: readonly string[]): void {
		this.refresh();
		const gone = new Set(ids);
		for (const scope of scopes) {
			const items = this.of(scope, Infinity).filter(({ id }) => gone.has(id));
			this.journalOf(scope).write(items.map((item) => ({ key: this.keyOf(item, scope) })));
		}
	}

	private keyOf(item: T, scope: Scope): string {
		return makeKey(...this.placeOf(scope), this.options.subjectOf(item));
	}

	private of(scope: Scope, limit = this.options.limit): readonly T[] {
		const start = `${makeKey(...this.placeOf(scope)).slice(0, -1)},`;
		const lines = this.journalOf(scope).lines.filter(({ key }) => key.startsWith(start));
		const items = lines.map(({ value }) => value).filter(this.options.isItem);
		return [...Map.groupBy(items, this.options.groupOf).values()].flatMap((group) => group.slice(-limit));
	}

	private placeOf(scope: Scope): readonly string[] {
		return scope === "workspace" ? [scope, this.workspace] : [scope];
	}

	private journalOf(scope: Scope): Journal {
		return scope === "session" ? this.session : this.shared;
	}
}
