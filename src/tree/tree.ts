import type { Accounts } from "../authorization/accounts.ts";
import { Emitter, type Event } from "../base/event.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { throttle } from "../base/throttle.ts";
import type { ConfigProblem } from "../servers/config.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";
import {
	groupKinds,
	nodeId,
	type CoreNode,
	type GroupKind,
	type GroupNode,
	type ServerNode,
	type TreeNode,
} from "./nodes.ts";
import type { ServerRoots } from "./sources.ts";
import type { GroupCount } from "./view.ts";

/** A list of something that changes. */
export interface Watched<T> {
	readonly current: readonly T[];
	readonly onDidChange: Event<unknown>;
}

/** What the tree shows. */
export interface TreeSources {
	readonly directory: SessionDirectory;
	readonly roots: ServerRoots;
	/** Faults of the configuration, shown below the servers. */
	readonly problems?: Watched<ConfigProblem>;
	/** Who is signed in where. */
	readonly accounts?: Pick<Accounts, "get" | "onDidChange">;
}

/** How long changes are gathered after one that was announced at once, in milliseconds. */
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

/**
 * The servers tree as data, down to the groups of what each server offers, and what is wrong with it. The rows of a group
 * are the rooms' (contents.ts); this part of the tree is painted before they are loaded.
 */
export class ServersTree implements Disposable {
	private readonly sources: TreeSources;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<readonly TreeNode[] | undefined>();
	private readonly dirty = new Set<TreeNode>();
	private entries = new Map<string, Entry>();
	private isAllDirty = false;
	private readonly announcing = this.store.add(throttle(() => this.announce(), coalesceMs));
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
		this.update();
	}

	/** The nodes below a server, or the outermost ones. */
	children(node?: CoreNode): readonly CoreNode[] {
		if (node !== undefined) return node.kind === "server" ? this.childrenOfServer(node) : [];
		const problems = (this.sources.problems?.current ?? []).map((problem, index): CoreNode => ({
			kind: "config-problem",
			id: nodeId("problem", index),
			problem,
		}));
		return [...[...this.entries.values()].map((entry) => entry.node), ...problems];
	}

	/** The server that a node of it is shown below; none for the outermost nodes. */
	parent(node: CoreNode): ServerNode | undefined {
		return node.kind === "server" || node.kind === "config-problem" ? undefined : this.entries.get(node.server)?.node;
	}

	/** How a group's list stands and how many items it has. */
	count({ session, group }: GroupNode): GroupCount {
		if (group !== "roots") return { items: session[group].items.length, status: session[group].status };
		const { roots } = this.sources;
		const { definition } = session;
		return { items: roots.of(definition).length, status: { kind: "ready" }, remark: roots.remark(definition) };
	}

	/** Takes note that a group is to be shown anew, or one row that is shown below it. */
	refresh({
		server,
		group,
		node,
	}: {
		readonly server: string;
		readonly group: GroupKind;
		readonly node?: TreeNode;
	}): void {
		const groupNode = this.entries.get(server)?.groups.get(group);
		if (groupNode !== undefined) this.mark(node ?? groupNode);
	}

	dispose(): void {
		this.store.dispose();
		for (const { store } of this.entries.values()) store.dispose();
		this.changed.dispose();
	}

	private childrenOfServer({ session, server }: ServerNode): readonly CoreNode[] {
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
					...state.stderr.flatMap((line, index): readonly CoreNode[] =>
						line.trim() === ""
							? []
							: [{ kind: "output-line", id: nodeId(server, "line", index), server, session, line }],
					),
				];
		}
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

	/** Announces the change of a node; undefined means the whole tree. */
	private mark(node: TreeNode | undefined): void {
		if (node === undefined) this.isAllDirty = true;
		else this.dirty.add(node);
		this.announcing.run();
	}

	private announce(): void {
		const nodes = this.isAllDirty ? undefined : [...this.dirty];
		this.isAllDirty = false;
		this.dirty.clear();
		this.changed.fire(nodes);
	}
}

/** The groups of a running server: what it offers, and what it may see of the workspace. */
function visibleGroups(session: Session): readonly GroupKind[] {
	return groupKinds.filter((group) => {
		if (group === "roots") return session.state.kind === "running";
		return session[group].status.kind !== "unsupported" || session[group].items.length > 0;
	});
}
