import { isDeepStrictEqual } from "node:util";
import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { rowNote } from "../../servers/otherHosts/remarks.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { Arrangements, Layout } from "./arrangements.ts";
import { DefinitionMarks } from "./definitionMarks.ts";
import { viewOfItem } from "./itemView.ts";
import { listingOf, type Listing, type ListView } from "./listing.ts";
import {
	nodeId,
	type BelowNode,
	type FolderNode,
	type GroupKind,
	type GroupNode,
	type ItemNode,
	type MoreNode,
	type ResourceNode,
	type TaskNode,
	type TasksNode,
	type TemplateNode,
} from "./nodes.ts";
import { withShape } from "./shapes.ts";
import type { TaskRows } from "./taskRows.ts";
import { describeCost } from "./toolCost.ts";
import type { ContentSources, LiveStates, RememberedResults } from "./sources.ts";
import type { GroupMarks, NodeView, ServerMarks } from "./view.ts";
import { oneLine } from "../../base/text.ts";

/** How many rows of a group or folder are shown at first. "Load More…" doubles it, up to a limit. */
const pageSize = 100;
const largestStep = 1000;

/** The part to show again: a row below a group, or a group or a server with everything below it. */
export interface ContentChange {
	readonly server: string;
	/** Absent for the server. */
	readonly group?: GroupKind;
	readonly node?: BelowNode;
}

/** The requests for rows below a group. */
type Container = GroupNode | BelowNode;

/** The rows below a node. */
interface ShownRows {
	readonly node: Container;
	readonly rows: ReadonlyMap<string, BelowNode>;
}

/** The stored state of one session. */
interface Kept {
	readonly listings: Map<GroupKind, Listing>;
	/** How many rows are shown of a node whose "Load More…" was chosen, by its id. */
	readonly limits: Map<string, number>;
	/** The rows that are shown, with the node above them, by the ids of both. */
	readonly shown: Map<string, ShownRows>;
	/** Whether the resources were too many for one list once: they do not change back and forth. */
	isLarge: boolean;
}

/**
 * The rows below the groups of the servers tree, as data. Each list is filtered, sorted and put in folders once for
 * each of its versions, and only the visible rows are made.
 */
export class GroupContents implements Disposable {
	private readonly sources: ContentSources;
	private readonly arrangements: Arrangements;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<ContentChange>();
	private readonly marksOfDefinitions: DefinitionMarks;
	private readonly kept = new WeakMap<Session, Kept>();
	private readonly tasks: TaskRows | undefined;
	readonly onDidChange: Event<ContentChange> = this.changed.event;

	constructor(sources: ContentSources, arrangements: Arrangements) {
		this.sources = sources;
		this.arrangements = arrangements;
		this.tasks = sources.taskRows;
		if (this.tasks !== undefined)
			this.store.add(
				this.tasks.onDidChange((node) => {
					if (node !== undefined) this.changed.fire({ server: node.server, group: node.group, node });
				}),
			);
		const { live, results, pins, definitions, costs, sharedFiles } = sources;
		this.store.add(sharedFiles.onDidChange(() => this.announceServers()));
		for (const one of [sources.sources, sources.restarts, sources.ownChanges])
			if (one !== undefined)
				this.store.add(one.onDidChange(({ definition }) => this.changed.fire({ server: definition.id })));
		this.store.add(live.onDidChange(({ server, uri }) => this.announceRow(server, "resources", uri)));
		this.store.add(
			results.onDidChange(({ server, uriTemplate }) => this.announceRow(server, "resourceTemplates", uriTemplate)),
		);
		this.store.add(pins.onDidChange(() => this.announce(undefined, "prompts")));
		this.marksOfDefinitions = new DefinitionMarks(definitions);
		this.store.add(definitions.onDidChange(() => this.announceDefinitions()));
		this.store.add(costs.onDidChange(({ server }) => this.announce(server, "tools")));
		if (sources.taskChoices !== undefined)
			this.store.add(sources.taskChoices.onDidChange(({ server }) => this.announce(server, "tools")));
		if (sources.checked !== undefined)
			this.store.add(sources.checked.onDidChange(({ server }) => this.announce(server, "tools")));
		this.store.add(arrangements.onDidChange(({ server, group }) => this.announce(server, group)));
	}

	/** The rows below a group, or below a row of it. */
	children(node: Container): readonly BelowNode[] {
		if (isOfTasks(node)) return node.kind === "task" ? [] : (this.tasks?.children() ?? []);
		const { shown } = this.keptOf(node.session);
		const rows = new Map(this.rowsBelow(node).map((row) => [row.id, row]));
		for (const id of shown.get(node.id)?.rows.keys() ?? []) if (!rows.has(id)) forget(shown, id);
		shown.set(node.id, { node, rows });
		return [...rows.values()];
	}

	/** Whether other rows than those that are shown are below a group now, or below an opened row of it. */
	hasOtherRows({ session, group }: GroupNode): boolean {
		return [...this.keptOf(session).shown.values()].some(({ node, rows }) => {
			if (node.group !== group) return false;
			const now = this.rowsBelow(node);
			return !isDeepStrictEqual(now, [...rows.values()]);
		});
	}

	/** The group or row below which a row is shown. */
	parent(node: BelowNode): Container | undefined {
		if (isOfTasks(node)) return this.tasks?.parent(node);
		const { session, id } = node;
		const lists = [...this.keptOf(session).shown.values()];
		return lists.find(({ rows }) => rows.has(id))?.node;
	}

	/** A row that is shown, by its id. */
	shown(session: Session, id: string): BelowNode | undefined {
		for (const { rows } of this.keptOf(session).shown.values()) if (rows.has(id)) return rows.get(id);
		return undefined;
	}

	/** A row's texts, icon and command. */
	view(node: BelowNode): NodeView {
		if (isOfTasks(node))
			return (
				this.tasks?.view(node) ?? { label: "", description: "", icon: undefined, context: "", isCollapsible: false }
			);
		return viewOfItem(node, { ...this.sources, marks: this.marksOfDefinitions });
	}

	/** The text of a group's row about how it is shown. */
	marks({ session, group }: GroupNode): GroupMarks {
		const view = this.viewOf(session, group);
		return {
			layout: group === "resources" ? view.layout : undefined,
			sort: view.sort === "server" ? undefined : view.sort,
			notes: group === "tools" ? describeCost(session, this.sources.costs) : [],
			...(view.filter !== "" && { filter: view.filter, matches: this.listing(session, group).matches(view) }),
		};
	}

	/** The text of a server's row about the user's approvals, and about the other host that can run it. */
	serverMarks(session: Session): ServerMarks {
		const note = developmentNote(session, this.sources) ?? rowNote(this.sources.sharedFiles, session.definition.origin);
		return { ...this.marksOfDefinitions.ofServer(session), note };
	}

	/** Shows the next page of a group or folder, and returns the first row of it, where a user goes on reading. */
	showMore({ session, server, group, container, shown }: MoreNode): BelowNode | undefined {
		const kept = this.keptOf(session);
		kept.limits.set(container, shown + Math.min(shown, largestStep));
		const before = kept.shown.get(container);
		const rows = before === undefined ? [] : this.children(before.node);
		this.changed.fire({ server, group });
		return rows.find(({ id }) => before?.rows.has(id) === false);
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	private rowsBelow(node: Container): readonly BelowNode[] {
		if (node.kind === "group") return this.rowsOfGroup(node);
		if (node.kind === "folder") return this.page(node, node);
		if (node.kind === "resource") return partsOf(node, this.sources.live);
		return node.kind === "template" ? resultsOf(node, this.sources.results) : [];
	}

	private rowsOfGroup(node: GroupNode): readonly BelowNode[] {
		const { server, session, group } = node;
		const status = group === "roots" ? undefined : session[group].status;
		const base = (key: string): { id: string; server: string; session: Session; group: GroupKind } => ({
			id: nodeId(server, group, "", key),
			server,
			session,
			group,
		});
		const note = (text: string): BelowNode => ({ ...base("note"), kind: "list-note", text });
		const rows: BelowNode[] = [];
		if (status?.kind === "failed") rows.push({ ...base("problem"), kind: "list-problem", message: status.message });
		rows.push(...this.page(node, undefined));
		const view = this.viewOf(session, group);
		if (view.filter !== "" && this.listing(session, group).matches(view) === 0) {
			rows.push({ ...base("no-match"), kind: "no-match", filter: view.filter });
		}
		if (status?.kind === "loading") rows.push(note("Loading…"));
		if (status?.kind === "ready" && status.truncated !== undefined) rows.push(note(`Incomplete: ${status.truncated}`));
		return rows;
	}

	/** The rows of a group or folder that are shown, and "Load More…" for the others. */
	private page(node: GroupNode | FolderNode, folder: FolderNode | undefined): readonly BelowNode[] {
		const { id: container, server, session, group } = node;
		const limit = this.keptOf(session).limits.get(container) ?? pageSize;
		const { nodes, total } = this.listing(session, group).rows(this.viewOf(session, group), folder, limit);
		if (total <= nodes.length) return nodes;
		const id = nodeId(server, group, "", "more", container);
		return [...nodes, { id, kind: "more", server, session, group, container, shown: nodes.length, total }];
	}

	private viewOf(session: Session, group: GroupKind): ListView {
		const server = session.definition.id;
		const isGrowing = group !== "roots" && session[group].status.kind === "loading";
		return {
			...this.arrangements.of(server, group),
			isGrowing,
			layout: group === "resources" ? (this.arrangements.layoutOf(server) ?? this.suitableLayout(session)) : "list",
		};
	}

	/** Items that fit into one page are shown flat; folders are for more. */
	private suitableLayout(session: Session): Layout {
		const kept = this.keptOf(session);
		kept.isLarge ||= session.resources.items.length > pageSize;
		return kept.isLarge ? "tree" : "list";
	}

	private listing(session: Session, group: GroupKind): Listing {
		const { listings } = this.keptOf(session);
		const listing =
			listings.get(group) ?? withShape(group, this.sources, (shape): Listing => listingOf(session, shape));
		listings.set(group, listing);
		return listing;
	}

	private keptOf(session: Session): Kept {
		const kept = this.kept.get(session) ?? { listings: new Map(), limits: new Map(), shown: new Map(), isLarge: false };
		this.kept.set(session, kept);
		return kept;
	}

	/** Announces the change of a group of one server, or of all. */
	private announce(server: string | undefined, group: GroupKind): void {
		for (const { definition } of this.sources.directory.sessions) {
			if (server === undefined || definition.id === server) this.changed.fire({ server: definition.id, group });
		}
	}

	private announceServers(): void {
		for (const { definition } of this.sources.directory.sessions) this.changed.fire({ server: definition.id });
	}

	/** Announces the servers and tools whose rows have another text about approvals than before. */
	private announceDefinitions(): void {
		const marks = this.marksOfDefinitions;
		for (const session of this.sources.directory.sessions) {
			const server = session.definition.id;
			if (marks.isOtherServer(session)) this.changed.fire({ server });
			for (const { rows } of this.keptOf(session).shown.values()) {
				for (const node of rows.values()) {
					const isOther = node.kind === "tool" && marks.isOtherTool(session, node.tool);
					if (isOther) this.changed.fire({ server, group: "tools", node });
				}
			}
		}
	}

	/** Announces the change of one row, if it is shown. */
	private announceRow(server: string, group: GroupKind, key: string): void {
		const session = this.sources.directory.sessions.find(({ definition }) => definition.id === server);
		if (session === undefined) return;
		const id = nodeId(server, group, key);
		const lists = [...this.keptOf(session).shown.values()];
		const node = lists.map(({ rows }) => rows.get(id)).find((row) => row !== undefined);
		if (node !== undefined) this.changed.fire({ server, group, node });
	}
}

function isOfTasks(node: Container): node is TasksNode | TaskNode {
	return node.kind === "running-tasks" || node.kind === "task";
}

/** Forgets what was shown below a row that is gone. */
function forget(shown: Map<string, ShownRows>, id: string): void {
	const rows = shown.get(id)?.rows;
	shown.delete(id);
	for (const inner of rows?.keys() ?? []) forget(shown, inner);
}

/** The contents of a resource that has several. */
function partsOf({ session, server, group, uri }: ResourceNode, live: LiveStates): readonly ItemNode[] {
	return live.partsOf({ server, uri }).map(({ uri: partUri, mimeType, size }, part) => {
		const id = nodeId(server, group, uri, part);
		return { id, kind: "part", server, session, group, uri, part, partUri, mimeType, size };
	});
}

/** The resources that were opened from a template. */
function resultsOf(node: TemplateNode, results: RememberedResults): readonly ItemNode[] {
	const { session, server, group, uriTemplate, template } = node;
	return results.of(server, uriTemplate).map(({ uri }) => {
		const id = nodeId(server, group, uriTemplate, uri);
		return { id, kind: "template-result", server, session, group, uriTemplate, uri, mimeType: template.mimeType };
	});
}

/** The note on the row of a server in development: its changed file, the changes by its restart, and whether its changes are trusted. */
export function developmentNote(
	session: Session,
	{ sources, restarts, ownChanges }: Pick<ContentSources, "sources" | "restarts" | "ownChanges">,
): string | undefined {
	const file = sources?.changedFile(session);
	const change = restarts?.of(session);
	const parts = [
		...(file === undefined ? [] : [`${oneLine(file, 60)} changed · Restart`]),
		...(change === undefined ? [] : [`since restart: ${change.words}`]),
		...(ownChanges?.has(session) === true ? ["your changes are trusted"] : []),
	];
	return parts.length === 0 ? undefined : parts.join(" · ");
}
