import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { ContentSources, ResourceKey } from "./sources.ts";

/** Counts the watched resources that changed and were not looked at since. Those of servers that are gone do not count. */
export class ChangedResources implements Disposable {
	private readonly store = new DisposableStore();
	private readonly changedCount = this.store.add(new Emitter<number>());
	private readonly directory: ContentSources["directory"];
	/** The URIs by server; those of removed servers as well, which may return. */
	private readonly changed = new Map<string, Set<string>>();
	private last = 0;
	/** The number is another than before. */
	readonly onDidChange: Event<number> = this.changedCount.event;

	constructor({ live, directory }: Pick<ContentSources, "live" | "directory">) {
		this.directory = directory;
		this.store.add(
			live.onDidChange((resource: ResourceKey) => {
				const { isWatched, isChanged } = live.stateOf(resource);
				const uris = this.changed.get(resource.server) ?? new Set();
				this.changed.set(resource.server, uris);
				if (isWatched && isChanged) uris.add(resource.uri);
				else uris.delete(resource.uri);
				this.announce();
			}),
		);
		this.store.add(directory.onDidChange(() => this.announce()));
	}

	get count(): number {
		const { sessions } = this.directory;
		return sessions.reduce((sum, { definition }) => sum + (this.changed.get(definition.id)?.size ?? 0), 0);
	}

	dispose(): void {
		this.store.dispose();
	}

	private announce(): void {
		const { count } = this;
		if (count === this.last) return;
		this.last = count;
		this.changedCount.fire(count);
	}
}

/**
 * The text of the view's badge; undefined for no badge. While decisions wait for the user, only they have a badge: VS
 * Code adds up the badges of a container, and the numbers could not be distinguished.
 */
export function badgeFor(
	changed: number,
	waiting: number,
): { readonly value: number; readonly tooltip: string } | undefined {
	if (changed === 0 || waiting > 0) return undefined;
	return {
		value: changed,
		tooltip: changed === 1 ? "1 watched resource changed" : `${changed} watched resources changed`,
	};
}
