import { vi } from "vitest";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { Emitter } from "../../../../src/base/event.ts";
import type { KeyValue } from "../../../../src/base/storage.ts";
import type { ConfigProblem } from "../../../../src/servers/definitions/config.ts";
import type { RootsRemark } from "../../../../src/servers/roots/roots.ts";
import type { Resource, Root, Session, Tool } from "../../../../src/servers/sessions/session.ts";
import { TaskChoices } from "../../../../src/features/tasks/taskChoices.ts";
import type { ServerToolCost, ToolStanding } from "../../../../src/features/tools/toolCosts.ts";
import { PinnedDefinitions } from "../../../../src/permissions/pinning/pinnedDefinitions.ts";
import { Arrangements } from "../../../../src/surfaces/tree/arrangements.ts";
import { ChangedResources } from "../../../../src/surfaces/tree/changedResources.ts";
import { GroupContents } from "../../../../src/surfaces/tree/contents.ts";
import {
	isBelowGroup,
	type GroupKind,
	type GroupNode,
	type MoreNode,
	type TreeNode,
} from "../../../../src/surfaces/tree/nodes.ts";
import type {
	ContentSources,
	CostsOfTools,
	ResourceKey,
	ResourceState,
} from "../../../../src/surfaces/tree/sources.ts";
import { ServersTree } from "../../../../src/surfaces/tree/tree.ts";
import { viewOf, type NodeView } from "../../../../src/surfaces/tree/view.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";
import { FakeEditor } from "../../servers/otherHosts/fakeEditor.ts";

export const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
	name,
	inputSchema: { type: "object" },
	...more,
});

/** This many resources in one folder. */
export const manyResources = (count: number): Resource[] =>
	Array.from({ length: count }, (_, index) => ({ uri: `x://all/${index}`, name: `resource ${index}` }));

/** The values kept in memory. */
export function memory(): KeyValue {
	const values = new Map<string, unknown>();
	return {
		// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature of KeyValue
		get: <T>(key: string) => values.get(key) as T | undefined,
		update: (key, value) => Promise.resolve(void values.set(key, value)),
	};
}

const quiet: ResourceState = { isWatched: false, isOpen: false, isChanged: false };

/** Costs of tools as defined by a test. */
class FakeCosts implements CostsOfTools {
	readonly known = new Map<string, ServerToolCost>();
	readonly hidden = new Map<string, string>();
	areLazy = false;
	readonly changed = new Emitter<{ readonly server: string }>();
	readonly onDidChange = this.changed.event;

	of({ definition }: Session): ServerToolCost | undefined {
		return this.known.get(definition.name);
	}

	isLazy(): boolean {
		return this.areLazy;
	}

	whyHidden({ name }: Tool): string | undefined {
		return this.hidden.get(name);
	}

	standingOf({ definition }: Session, tool: Tool): ToolStanding {
		const why = this.whyHidden(tool);
		if (why !== undefined) return { offered: "never", why };
		return {
			offered: this.isLazy() ? "when needed" : "always",
			modelName: `${definition.name}_${tool.name}`,
			tokens: 123,
		};
	}
}

/** One server, `travel`, and the whole tree as the window has it. */
export class TreeScene {
	readonly travel = new FakeSession("travel");
	readonly directory = new FakeDirectory(this.travel);
	readonly state = memory();
	readonly taskChoices = new TaskChoices(this.state);
	readonly arrangements = new Arrangements(this.state);
	readonly announced: (readonly TreeNode[] | undefined)[] = [];
	readonly pinned = new Set<string>();
	readonly parts = new Map<string, ReturnType<ContentSources["live"]["partsOf"]>>();
	readonly opened: { uri: string }[] = [];
	rootList: readonly Root[] = [{ uri: "file:///work/app", name: "app" }];
	rootRemark: RootsRemark | undefined;
	problemList: readonly ConfigProblem[] = [];
	readonly rootsChanged = new Emitter<void>();
	readonly problemsChanged = new Emitter<void>();
	readonly pinsChanged = new Emitter<void>();
	readonly resultsChanged = new Emitter<{ server: string; uriTemplate: string }>();
	/** The cost of tools; unknown until a test sets it. */
	readonly costs = new FakeCosts();
	readonly #states = new Map<string, ResourceState>();
	readonly #liveChanged = new Emitter<ResourceKey>();
	/** The editor with its own MCP host. */
	readonly editor = new FakeEditor();
	readonly definitions: PinnedDefinitions;
	readonly tree: ServersTree;
	readonly contents: GroupContents;
	readonly changes: ChangedResources;

	constructor() {
		const roots = {
			of: () => this.rootList,
			remark: () => this.rootRemark,
			onDidChange: this.rootsChanged.event,
		};
		const problems = (): readonly ConfigProblem[] => this.problemList;
		this.tree = new ServersTree({
			directory: this.directory,
			roots,
			problems: {
				get current() {
					return problems();
				},
				onDidChange: this.problemsChanged.event,
			},
			hasOtherRows: (group) => this.contents.hasOtherRows(group),
		});
		this.definitions = new PinnedDefinitions(this.directory, memoryStore());
		const sources: ContentSources = {
			directory: this.directory,
			roots,
			sharedFiles: this.editor.shared,
			live: {
				stateOf: ({ uri }) => this.#states.get(uri) ?? quiet,
				partsOf: ({ uri }) => this.parts.get(uri) ?? [],
				answeredAs: () => undefined,
				onDidChange: this.#liveChanged.event,
			},
			results: { of: () => this.opened, onDidChange: this.resultsChanged.event },
			definitions: this.definitions,
			costs: this.costs,
			pins: { has: (_server, prompt) => this.pinned.has(prompt), onDidChange: this.pinsChanged.event },
			taskChoices: this.taskChoices,
		};
		this.contents = new GroupContents(sources, this.arrangements);
		this.changes = new ChangedResources(sources);
		this.contents.onDidChange((change) => this.tree.refresh(change));
		this.tree.onDidChange((nodes) => this.announced.push(nodes));
		// The window asks for the servers first.
		this.tree.children();
		this.settle();
		this.announced.length = 0;
	}

	/** The id of the server. */
	get id(): string {
		return this.travel.definition.id;
	}

	/** Waits for the time in which changes are gathered, until the next one would be announced at once. */
	settle(): void {
		vi.advanceTimersByTime(1000);
	}

	/** The state of a resource has changed. */
	setState(uri: string, state: Partial<ResourceState>): void {
		this.#states.set(uri, { ...quiet, ...state });
		this.#liveChanged.fire({ server: this.id, uri });
	}

	children(node?: TreeNode): readonly TreeNode[] {
		if (node === undefined || (node.kind !== "group" && !isBelowGroup(node))) return this.tree.children(node);
		return this.contents.children(node);
	}

	view(node: TreeNode | undefined): NodeView {
		if (node === undefined) throw new Error("There is no such node.");
		if (isBelowGroup(node)) return this.contents.view(node);
		return viewOf(
			node,
			(group) => ({ ...this.tree.count(group), ...this.contents.marks(group) }),
			({ session }) => this.contents.serverMarks(session),
		);
	}

	/** The tree as a user sees it, with everything expanded. */
	picture(node?: TreeNode, depth = 0): string {
		return this.children(node)
			.map((child) => {
				const { label, description } = this.view(child);
				return `${"  ".repeat(depth)}${`${label}  ${description}`.trimEnd()}\n${this.picture(child, depth + 1)}`;
			})
			.join("");
	}

	server(): TreeNode {
		const [node] = this.tree.children();
		if (node === undefined) throw new Error("There is no server.");
		return node;
	}

	group(kind: GroupKind): GroupNode {
		const found = this.children(this.server()).find((node) => node.kind === "group" && node.group === kind);
		if (found?.kind !== "group") throw new Error(`There is no group ${kind}.`);
		return found;
	}

	/** The rows of a group. */
	rows(kind: GroupKind): readonly TreeNode[] {
		return this.children(this.group(kind));
	}

	parent(node: TreeNode): TreeNode | undefined {
		return isBelowGroup(node) ? this.contents.parent(node) : this.tree.parent(node);
	}

	/** Chooses the "Load More…" of these rows, and returns the next row. */
	loadMore(rows: readonly TreeNode[]): TreeNode | undefined {
		const more = rows.find((node): node is MoreNode => node.kind === "more");
		if (more === undefined) throw new Error("There is nothing more.");
		return this.contents.showMore(more);
	}

	dispose(): void {
		this.changes.dispose();
		this.contents.dispose();
		this.tree.dispose();
		this.definitions.dispose();
		this.arrangements.dispose();
	}
}
