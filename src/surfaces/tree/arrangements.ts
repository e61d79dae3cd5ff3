import { Emitter, type Event } from "../../base/event.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { Arrangement, SortOrder } from "./arrange.ts";
import { nodeId, type GroupKind } from "./nodes.ts";

/** Whether resources are shown one below the other, or in the folders of their URIs. */
export type Layout = "list" | "tree";

/** The user's choices for the resources of one server, or of all. */
interface Choice {
	readonly layout?: Layout;
	readonly sort?: SortOrder;
}

/** Which group is to be shown differently; without a server that of every server. */
interface ArrangementChange {
	readonly server: string | undefined;
	readonly group: GroupKind;
}

/** The orders that a user may choose from, the first one being the default. */
export const sortOrders = ["server", "name", "priority", "modified"] as const satisfies readonly SortOrder[];

const layouts: readonly Layout[] = ["list", "tree"];
const stateKey = "mcpHost.tree.resources";
const forAll = "";

/** How the user wants the groups to be shown: filters for as long as the window is open, the rest for longer. */
export class Arrangements implements Disposable {
	private readonly state: KeyValue;
	private choices: Map<string, Choice>;
	private readonly filters = new Map<string, string>();
	private readonly changed = new Emitter<ArrangementChange>();
	/** A group is to be shown differently, of one server or of all. */
	readonly onDidChange: Event<ArrangementChange> = this.changed.event;

	constructor(state: KeyValue) {
		this.state = state;
		this.choices = read(state.get(stateKey));
	}

	/** How the items of a group are to be filtered and sorted. Only resources are sorted. */
	of(server: string, group: GroupKind): Arrangement {
		const filter = this.filters.get(nodeId(server, group)) ?? "";
		return { filter, sort: group === "resources" ? this.sortOf(server) : "server" };
	}

	/** The user's choice for a server, otherwise for all; undefined if there is none. */
	layoutOf(server?: string): Layout | undefined {
		return (server === undefined ? undefined : this.choices.get(server)?.layout) ?? this.choices.get(forAll)?.layout;
	}

	sortOf(server?: string): SortOrder {
		const own = server === undefined ? undefined : this.choices.get(server)?.sort;
		return own ?? this.choices.get(forAll)?.sort ?? "server";
	}

	setFilter(server: string, group: GroupKind, filter: string): void {
		const key = nodeId(server, group);
		if ((this.filters.get(key) ?? "") === filter) return;
		if (filter === "") this.filters.delete(key);
		else this.filters.set(key, filter);
		this.changed.fire({ server, group });
	}

	/** Chooses for one server; or for all, including those with a choice of their own. */
	choose(choice: Choice, server?: string): void {
		// Another window may have chosen something for another server since.
		this.choices = read(this.state.get(stateKey));
		if (server === undefined) {
			for (const [id, own] of this.choices) this.choices.set(id, { ...own, ...choice });
		}
		const key = server ?? forAll;
		this.choices.set(key, { ...this.choices.get(key), ...choice });
		this.changed.fire({ server, group: "resources" });
		void this.state.update(stateKey, Object.fromEntries(this.choices));
	}

	dispose(): void {
		this.changed.dispose();
	}
}

/** The stored choices, as far as this version understands them. */
function read(value: unknown): Map<string, Choice> {
	const choices = new Map<string, Choice>();
	for (const [server, kept] of Object.entries(isJsonObject(value) ? value : {})) {
		if (!isJsonObject(kept)) continue;
		const layout = layouts.find((known) => known === kept["layout"]);
		const sort = sortOrders.find((known) => known === kept["sort"]);
		choices.set(server, { ...(layout && { layout }), ...(sort && { sort }) });
	}
	return choices;
}
