import type { Accounts } from "../authorization/accounts.ts";
import { Emitter, type Event } from "../base/event.ts";
import { DisposableStore, toDisposable, type Disposable } from "../base/lifecycle.ts";
import type { ConfigProblem } from "../servers/config.ts";
import type { ListStatus } from "../servers/managedList.ts";
import type { Root, Session, SessionDirectory } from "../servers/session.ts";
import {
	groupKinds,
	itemsOf,
	nodeId,
	type GroupKind,
	type GroupNode,
	type MoreNode,
	type ServerNode,
	type TreeNode,
} from "./nodes.ts";

/** A list of something that changes. */
export interface Watched<T> {
	readonly current: readonly T[];
	readonly onDidChange: Event<unknown>;
}

/** What the tree shows. */
export interface TreeSources {
	readonly directory: SessionDirectory;
	readonly roots: Watched<Root>;
	/** Faults of the configuration, shown below the servers. */
	readonly problems?: Watched<ConfigProblem>;
	/** Who is signed in where. */
	readonly accounts?: Pick<Accounts, "get" | "onDidChange">;
}

/** How many items of a group are shown at first; "Show More" doubles it. */
const pageSize = 100;

/** How long changes are gathered before they are announced, in milliseconds. */
const coalesceMs = 50;

/** The nodes of one session that keep their identity, by which the editor finds what to refresh. */
interface Entry {
	readonly session: Session;
	readonly node: ServerNode;
	readonly groups: ReadonlyMap<GroupKind, GroupNode>;
	readonly store: DisposableStore;
	/** The groups at the last announcement, to tell a change within a group from one of the groups. */
	shownGroups: string;
}

/** The servers tree as data: servers, what they offer, and what is wrong with them. */
export class ServersTree implements Disposable {
	private readonly sources: TreeSources;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<readonly TreeNode[] | undefined>();
	private readonly limits = new Map<string, number>();
	private readonly dirty = new Set<TreeNode>();
	private entries = new Map<string, Entry>();
	private isAllDirty = false;
	private timer: NodeJS.Timeout | undefined;
	/** The nodes whose texts or children changed; undefined when it is the list of servers itself. */
	readonly onDidChange: Event<readonly TreeNode[] | undefined> = this.changed.event;

	constructor(sources: TreeSources) {
		this.sources = sources;
		this.store.add(sources.directory.onDidChange(() => this.update()));
		this.store.add(
			sources.roots.onDidChange(() => {
				for (const { groups } of this.entries.values()) this.mark(groups.get("roots"));
			}),
		);
		if (sources.accounts !== undefined) {
			this.store.add(sources.accounts.onDidChange((id) => this.mark(this.entries.get(id)?.node)));
		}
		if (sources.problems !== undefined) this.store.add(sources.problems.onDidChange(() => this.mark(undefined)));
		this.store.add(toDisposable(() => clearTimeout(this.timer)));
		this.update();
	}

	/** The nodes below a node, or the outermost ones. */
	children(node?: TreeNode): readonly TreeNode[] {
		if (node === undefined) {
			const problems = (this.sources.problems?.current ?? []).map((problem, index): TreeNode => ({
				kind: "config-problem",
				id: nodeId("problem", index),
				problem,
			}));
			return [...[...this.entries.values()].map((entry) => entry.node), ...problems];
		}
		if (node.kind === "server") return this.childrenOfServer(node);
		return node.kind === "group" ? this.childrenOfGroup(node) : [];
	}

	/** How a group's list stands and how many items it has. */
	count({ session, group }: GroupNode): { readonly items: number; readonly status: ListStatus } {
		if (group === "roots") return { items: this.sources.roots.current.length, status: { kind: "ready" } };
		return { items: session[group].items.length, status: session[group].status };
	}

	/** Shows twice as many items of the group as before. */
	showMore({ server, group, shown }: MoreNode): void {
		this.limits.set(nodeId(server, group), shown * 2);
		this.mark(this.entries.get(server)?.groups.get(group));
	}

	dispose(): void {
		this.store.dispose();
		for (const { store } of this.entries.values()) store.dispose();
		this.changed.dispose();
	}

	private childrenOfServer({ session, server }: ServerNode): readonly TreeNode[] {
		const entry = this.entries.get(server);
		const { state } = session;
		switch (state.kind) {
			case "stopped":
			case "needs-approval":
			case "needs-sign-in":
				return [];
			case "starting":
				return [
					{ kind: "note", id: nodeId(server, "note"), server, session, text: "Waiting for the server to answer…" },
				];
			case "running":
				return visibleGroups(session).flatMap((group) => entry?.groups.get(group) ?? []);
			case "failed":
				return [
					{ kind: "server-problem", id: nodeId(server, "failure"), server, session, message: state.message },
					...state.stderr.flatMap((line, index): readonly TreeNode[] =>
						line.trim() === ""
							? []
							: [{ kind: "output-line", id: nodeId(server, "line", index), server, session, line }],
					),
				];
		}
	}

	private childrenOfGroup(node: GroupNode): readonly TreeNode[] {
		const { server, session, group } = node;
		const { items: total, status } = this.count(node);
		const limit = this.limits.get(nodeId(server, group)) ?? pageSize;
		const nodes: TreeNode[] = [];
		const note = (text: string): TreeNode => ({
			kind: "note",
			id: nodeId(server, group, "", "note"),
			server,
			session,
			text,
		});
		if (status.kind === "failed") {
			const { message } = status;
			nodes.push({ kind: "list-problem", id: nodeId(server, group, "", "problem"), server, session, group, message });
		}
		nodes.push(...itemsOf(session, group, this.sources.roots.current, limit));
		if (total > limit) {
			const id = nodeId(server, group, "", "more");
			nodes.push({ kind: "more", id, server, session, group, shown: limit, total });
		}
		if (status.kind === "loading") nodes.push(note("Loading…"));
		if (status.kind === "ready" && status.truncated !== undefined) nodes.push(note(`Incomplete: ${status.truncated}`));
		return nodes;
	}

	/** Takes the sessions as they are now: keeps those it knows, so that their nodes stay the same objects. */
	private update(): void {
		const { sessions } = this.sources.directory;
		const before = [...this.entries.values()];
		const isSame =
			before.length === sessions.length && sessions.every((session, index) => session === before[index]?.session);
		if (isSame) return;
		const known = new Map(before.map((entry) => [entry.session, entry]));
		this.entries = new Map(
			sessions.map((session) => [session.definition.id, known.get(session) ?? this.createEntry(session)]),
		);
		for (const entry of before) {
			if (this.entries.get(entry.session.definition.id) !== entry) entry.store.dispose();
		}
		this.mark(undefined);
	}

	private createEntry(session: Session): Entry {
		const server = session.definition.id;
		const { accounts } = this.sources;
		const node: ServerNode = {
			kind: "server",
			id: nodeId(server),
			server,
			session,
			get account() {
				return accounts?.get(server);
			},
		};
		const groups = new Map(
			groupKinds.map((group): [GroupKind, GroupNode] => [
				group,
				{ kind: "group", id: nodeId(server, group), server, session, group },
			]),
		);
		const store = new DisposableStore();
		const entry: Entry = { session, node, groups, store, shownGroups: visibleGroups(session).join() };
		store.add(session.onDidChangeState(() => this.mark(node)));
		for (const group of groupKinds) {
			if (group === "roots") continue;
			store.add(
				session[group].onDidChange(() => {
					const shown = visibleGroups(session).join();
					// A group that came or went changes its server; anything else only the group.
					this.mark(shown === entry.shownGroups ? groups.get(group) : node);
					entry.shownGroups = shown;
				}),
			);
		}
		return entry;
	}

	/** Announces a change of a node soon, together with what else changes until then; undefined means the whole tree. */
	private mark(node: TreeNode | undefined): void {
		if (node === undefined) this.isAllDirty = true;
		else this.dirty.add(node);
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			const nodes = this.isAllDirty ? undefined : [...this.dirty];
			this.isAllDirty = false;
			this.dirty.clear();
			this.changed.fire(nodes);
		}, coalesceMs);
	}
}

/** The groups of a running server: what it offers, and what it may see of the workspace. */
function visibleGroups(session: Session): readonly GroupKind[] {
	return groupKinds.filter((group) => {
		if (group === "roots") return session.state.kind === "running";
		return session[group].status.kind !== "unsupported" || session[group].items.length > 0;
	});
}
