import type { Accounts } from "../../servers/accounts/accounts.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { throttle } from "../../base/throttle.ts";
import type { ConfigProblem } from "../../servers/definitions/config.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import {
	expectsLists,
	groupKinds,
	nodeId,
	type CoreNode,
	type GroupKind,
	type GroupNode,
	type ServerNode,
	type TreeNode,
	visibleGroups,
} from "./nodes.ts";
import type { Roots } from "../../servers/roots/roots.ts";
import { canUnfold, type GroupCount } from "./view.ts";

/** A list of something that changes. */
export interface Watched<T> {
	readonly current: readonly T[];
	readonly onDidChange: Event<unknown>;
}

/** The contents of the tree. */
export interface TreeSources {
	readonly directory: SessionDirectory;
	readonly roots: Roots;
	/** Faults of the configuration, shown below the servers. */
	readonly problems?: Watched<ConfigProblem>;
	/** Who is signed in where. */
	readonly accounts?: Pick<Accounts, "get" | "onDidChange">;
	/** Whether other rows than those that are shown are below a group now. Absent: perhaps. */
	readonly hasOtherRows?: (group: GroupNode) => boolean;
}

/**
 * How long changes are gathered after one that was announced immediately, in milliseconds. VS Code passes on a change
 * only when there was no other for 200 ms before it or after it: with more frequent announcements, only the first would
 * be shown.
 */
const coalesceMs = 210;
/** How long changes of the whole tree are gathered before they are announced, in milliseconds. */
const gatherMs = 50;
/** How long the other lists of a running server are waited for after the first has arrived, in milliseconds. */
const joinMs = 15;

/** The nodes of one session that keep their identity, by which the editor finds what to refresh. */
interface Entry {
	readonly session: Session;
	readonly node: ServerNode;
	readonly groups: ReadonlyMap<GroupKind, GroupNode>;
	readonly store: DisposableStore;
	/** The groups at the last announcement, to distinguish a change within a group from one of the groups. */
	shownGroups: string;
	/** The texts of the groups' rows when they were drawn last. */
	readonly drawnCounts: Map<GroupKind, string>;
}

/**
 * The servers tree as data, down to the groups of what each server offers, and what is wrong with it. The rows of a group
 * are made by `GroupContents`.
 */
export class ServersTree implements Disposable {
	private readonly sources: TreeSources;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<readonly TreeNode[] | undefined>();
	private readonly dirty = new Set<TreeNode>();
	/** The groups whose lists were read again, perhaps with what they were before. */
	private readonly reread = new Set<GroupNode>();
	private entries = new Map<string, Entry>();
	private gathering: { readonly timer: NodeJS.Timeout; readonly until: number } | undefined;
	private isAllDirty = false;
	/** Whether the servers were requested. */
	private areShown = false;
	private couldUnfoldAny = false;
	private shownProblems = "[]";
	private readonly announcing = this.store.add(throttle(() => this.announce(), coalesceMs));
	private readonly settled = new Emitter<void>();
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
		if (sources.problems !== undefined) this.store.add(sources.problems.onDidChange(() => this.updateProblems()));
		this.store.add(toDisposable(() => clearTimeout(this.gathering?.timer)));
		this.update();
	}

	/** The nodes below a server, or the outermost ones. */
	children(node?: CoreNode): readonly CoreNode[] {
		if (node !== undefined) return node.kind === "server" ? this.childrenOfServer(node) : [];
		this.areShown = true;
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

	/** The state of a group's list and its number of items, for its row: a change is announced when this differs. */
	count(node: GroupNode): GroupCount {
		const count = this.countNow(node);
		this.entries.get(node.server)?.drawnCounts.set(node.group, JSON.stringify(count));
		return count;
	}

	/** Takes note that a server is to be shown again, or a group of it, or one visible row below that. */
	refresh({
		server,
		group,
		node,
	}: {
		readonly server: string;
		readonly group?: GroupKind;
		readonly node?: TreeNode;
	}): void {
		const entry = this.entries.get(server);
		const above = group === undefined ? entry?.node : entry?.groups.get(group);
		if (above !== undefined) this.mark(node ?? above);
	}

	/** Announces nodes once more, or, with undefined, the whole tree. */
	announceAgain(nodes: readonly TreeNode[] | undefined): void {
		if (nodes === undefined) return this.markAll();
		for (const node of nodes) this.mark(node);
	}

	/**
	 * Resolves once everything that changed by now is announced: VS Code opens no row while it knows nothing below it.
	 */
	async whenAnnounced(): Promise<void> {
		// The caller may have been notified of a change before the tree, in the same turn.
		await Promise.resolve();
		while (this.isAllDirty || this.dirty.size > 0 || this.reread.size > 0) {
			const { promise, resolve } = Promise.withResolvers<unknown>();
			const listening = this.settled.event(resolve);
			await promise;
			listening.dispose();
		}
	}

	dispose(): void {
		this.store.dispose();
		for (const { store } of this.entries.values()) store.dispose();
		this.changed.dispose();
		this.settled.dispose();
	}

	private childrenOfServer({ session, server }: ServerNode): readonly CoreNode[] {
		const entry = this.entries.get(server);
		const { state } = session;
		switch (state.kind) {
			case "stopped":
			case "needs-approval":
			case "off":
			case "left-to-editor":
			case "needs-sign-in":
				return [];
			case "starting":
				return [
					{
						kind: "note",
						id: nodeId(server, "note"),
						server,
						session,
						text: state.note ?? "Waiting for the server to answer…",
					},
				];
			case "running":
				return visibleGroups(session).flatMap((group) => entry?.groups.get(group) ?? []);
			case "failed":
				return [
					{ kind: "server-problem", id: nodeId(server, "failure"), server, session, message: state.message },
					...state.stderr.flatMap((line, index): readonly CoreNode[] =>
						!/[\p{L}\d]/u.test(line)
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
		this.markAll();
	}

	private updateProblems(): void {
		const problems = JSON.stringify(this.sources.problems?.current ?? []);
		if (problems === this.shownProblems) return;
		this.shownProblems = problems;
		this.markAll();
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
		const shownGroups = visibleGroups(session).join();
		const entry: Entry = { session, node, groups, store, shownGroups, drawnCounts: new Map() };
		store.add(
			session.onDidChangeState(({ kind }) => {
				this.dirty.add(node);
				// Its lists arrive in a moment: an announcement without them would delay them in VS Code for as long.
				if (kind === "running") this.gather(coalesceMs);
				else this.announceSoon();
			}),
		);
		for (const group of groupKinds) {
			if (group === "roots") continue;
			store.add(
				session[group].onDidChange(() => {
					const shown = visibleGroups(session).join();
					// A group that was added or removed changes its server; any other change affects only the group.
					const groupNode = groups.get(group);
					if (shown !== entry.shownGroups || groupNode === undefined) this.mark(node);
					else this.markReread(groupNode);
					entry.shownGroups = shown;
					if (this.gathering !== undefined && session[group].items.length > 0)
						this.gather(expectsLists(session) ? joinMs : 0);
				}),
			);
		}
		return entry;
	}

	/** Announces the change of a node: at once, or soon, together with others, when another was announced just now. */
	private mark(node: TreeNode | undefined): void {
		if (node === undefined) return;
		this.dirty.add(node);
		this.announceSoon();
	}

	/** Announces the change of a group, unless it turns out that it shows the same as before. */
	private markReread(group: GroupNode): void {
		this.reread.add(group);
		this.announceSoon();
	}

	/**
	 * Announces the change of the whole tree, always gathered: until VS Code has requested all rows again, it does not
	 * know on which of them a user clicks.
	 */
	private markAll(): void {
		if (!this.areShown) return;
		this.isAllDirty = true;
		const expects = [...this.entries.values()].some(({ session }) => expectsLists(session));
		this.gather(expects ? coalesceMs : gatherMs);
	}

	/** Announces what is marked, with what is gathered if anything is. */
	private announceSoon(): void {
		if (this.gathering === undefined) this.announcing.run();
	}

	/** Has changes gathered for a while, or as long as before if that is less. */
	private gather(ms: number): void {
		const until = performance.now() + ms;
		if (this.gathering !== undefined && this.gathering.until <= until) return;
		clearTimeout(this.gathering?.timer);
		const timer = setTimeout(() => {
			this.gathering = undefined;
			this.announcing.run();
		}, ms);
		this.gathering = { timer, until };
	}

	private announce(): void {
		// The gathered changes include everything.
		if (this.gathering !== undefined) return;
		this.align();
		if (!this.isAllDirty) for (const group of this.reread) if (this.showsOther(group)) this.dirty.add(group);
		const nodes = this.isAllDirty ? undefined : [...this.dirty];
		this.isAllDirty = false;
		this.reread.clear();
		this.dirty.clear();
		if (nodes === undefined || nodes.length > 0) this.changed.fire(nodes);
		this.settled.fire();
	}

	/** VS Code indents rows by whether any beside them can be unfolded, and redraws only the announced ones. */
	private align(): void {
		const entries = [...this.entries.values()];
		const canUnfoldAny = entries.some(({ session }) => canUnfold(session.state));
		if (canUnfoldAny === this.couldUnfoldAny) return;
		this.couldUnfoldAny = canUnfoldAny;
		for (const { node } of entries) this.dirty.add(node);
	}

	private countNow({ session, group }: GroupNode): GroupCount {
		if (group !== "roots") return { items: session[group].items.length, status: session[group].status };
		const { roots } = this.sources;
		const { definition } = session;
		return { items: roots.of(definition).length, status: { kind: "ready" }, remark: roots.remark(definition) };
	}

	/** Whether the row of a group, or one below it, differs from the drawn one. */
	private showsOther(group: GroupNode): boolean {
		const drawn = this.entries.get(group.server)?.drawnCounts.get(group.group);
		return drawn !== JSON.stringify(this.countNow(group)) || (this.sources.hasOtherRows?.(group) ?? true);
	}
}
