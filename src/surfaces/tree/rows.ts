import { Emitter, type Event } from "../../base/event.ts";
import type { Lazy } from "../../base/lazy.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { badgeFor } from "./changedResources.ts";
import type { GroupContents } from "./contents.ts";
import type { MissedChanges } from "./missedChanges.ts";
import { isBelowGroup, type MoreNode, type TreeNode } from "./nodes.ts";
import type { ServerOrder } from "./serverOrder.ts";
import { ServersTree, type TreeSources } from "./tree.ts";
import { viewOf, type NodeView } from "./view.ts";

/** The parts that are loaded after the first paint: the rows below the groups, and the tooltips. */
export interface LateRows {
	readonly contents: GroupContents;
	readonly order: Pick<ServerOrder, "of" | "onDidChange">;
	/** Receives VS Code's requests and notifications. */
	readonly missed: Pick<MissedChanges, "asked" | "announced" | "onDidMiss">;
	/** The badge of the view, while so many decisions wait for the user. */
	readonly badge: (waiting: number) => ReturnType<typeof badgeFor>;
	readonly onDidChangeBadge: Event<unknown>;
	/** The tooltip of a row, as Markdown. */
	readonly tooltipOf: (node: TreeNode) => Promise<string | undefined>;
}

/** A value, or a promise of one that arrives when its module is loaded. */
type Soon<T> = T | Promise<T>;

/**
 * All rows of the Servers view as data. Servers and their groups are available immediately: until they are, VS Code
 * does not know on which row a user clicks. Rows below a group wait until their module is loaded.
 */
export class TreeRows implements Disposable {
	private readonly wired: Lazy<{ readonly tree: LateRows }>;
	private readonly store = new DisposableStore();
	private readonly badgeChanged = this.store.add(new Emitter<void>());
	private readonly upper: ServersTree;
	private late: LateRows | undefined;
	private areServersKnown = false;
	private readonly serversKnown: Promise<void>;
	/** The rows whose texts or children changed; undefined when it is the list of servers itself. */
	readonly onDidChange: Event<readonly TreeNode[] | undefined>;
	readonly onDidChangeBadge: Event<void> = this.badgeChanged.event;

	/** `serversKnown` resolves once it is known which servers there are. */
	constructor(sources: TreeSources, serversKnown: Promise<void>, wired: Lazy<{ readonly tree: LateRows }>) {
		this.wired = wired;
		this.serversKnown = serversKnown.then(() => void (this.areServersKnown = true));
		const hasOtherRows: TreeSources["hasOtherRows"] = (group) => this.late?.contents.hasOtherRows(group) ?? true;
		this.upper = this.store.add(new ServersTree({ ...sources, hasOtherRows }));
		this.onDidChange = this.upper.onDidChange;
		this.store.add(
			wired.onDidMake(({ tree }) => {
				this.late = tree;
				this.store.add(tree.contents.onDidChange((change) => this.upper.refresh(change)));
				this.store.add(this.onDidChange((nodes) => tree.missed.announced(nodes)));
				this.store.add(tree.missed.onDidMiss((nodes) => this.upper.announceAgain(nodes)));
				this.store.add(tree.order.onDidChange(() => this.upper.announceAgain(undefined)));
				this.store.add(tree.onDidChangeBadge(() => this.badgeChanged.fire()));
				// The rows that are shown can say how they are shown, and what is known of them.
				for (const session of sources.directory.sessions) {
					const { changes, note } = tree.contents.serverMarks(session);
					const isMarked = changes.length > 0 || note !== undefined;
					this.upper.refresh({ server: session.definition.id, ...(isMarked ? {} : { group: "resources" }) });
				}
			}),
		);
	}

	/**
	 * The rows below one, or the outermost ones: once they are known, because VS Code asks again late after an empty
	 * answer.
	 */
	children(node?: TreeNode): Soon<TreeNode[]> {
		if (!this.areServersKnown) return this.serversKnown.then(() => this.children(node));
		this.late?.missed.asked(node);
		if (node !== undefined && (node.kind === "group" || isBelowGroup(node)))
			return this.wired.get().then(({ tree }) => [...tree.contents.children(node)]);
		const rows = this.upper.children(node);
		return [...(this.late?.order.of(rows) ?? rows)];
	}

	/** The row below which one is shown; none for the outermost ones. */
	parent(node: TreeNode): TreeNode | undefined {
		return isBelowGroup(node) ? this.late?.contents.parent(node) : this.upper.parent(node);
	}

	/** A row's texts, icon and command. */
	view(node: TreeNode): Soon<NodeView> {
		if (isBelowGroup(node)) return this.wired.get().then(({ tree }) => tree.contents.view(node));
		return viewOf(
			node,
			(group) => ({ ...this.upper.count(group), ...this.late?.contents.marks(group) }),
			({ session }) => this.late?.contents.serverMarks(session),
		);
	}

	/** The tooltip of a row, as Markdown; undefined for none. */
	async tooltip(node: TreeNode): Promise<string | undefined> {
		return (await this.wired.get()).tree.tooltipOf(node);
	}

	/** The badge of the view, while so many decisions wait for the user. */
	badge(waiting: number): ReturnType<LateRows["badge"]> {
		return this.late?.badge(waiting);
	}

	/** See `ServersTree`. */
	whenAnnounced(): Promise<void> {
		return this.upper.whenAnnounced();
	}

	/** Shows the next page of a group or folder, and returns the first row of it. */
	showMore(node: MoreNode): TreeNode | undefined {
		return this.late?.contents.showMore(node);
	}

	dispose(): void {
		this.store.dispose();
	}
}
