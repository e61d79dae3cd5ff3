import type { McpHost } from "../../../src/servers/host.ts";
import { Store } from "../../../src/base/store/store.ts";
import { PinnedDefinitions } from "../../../src/permissions/pinning/pinnedDefinitions.ts";
import type { ServerSession } from "../../../src/servers/sessions/serverSession.ts";
import { ToolCosts } from "../../../src/features/tools/toolCosts.ts";
import { Arrangements } from "../../../src/surfaces/tree/arrangements.ts";
import { GroupContents } from "../../../src/surfaces/tree/contents.ts";
import type { GroupNode, MoreNode } from "../../../src/surfaces/tree/nodes.ts";
import type { ContentSources } from "../../../src/surfaces/tree/sources.ts";
import { ServersTree } from "../../../src/surfaces/tree/tree.ts";
import { viewOf } from "../../../src/surfaces/tree/view.ts";
import type { ListName } from "../side.ts";
import type { ShownTree } from "../tree.ts";

const never = (): { dispose(): void } => ({ dispose: () => undefined });

/** The product's tree over one session: all rows, with every text. */
export function hostTree(core: McpHost, session: ServerSession, onPage: (kind: ListName) => void): ShownTree {
	const store = { get: () => undefined, update: async () => undefined };
	const definitions = new PinnedDefinitions(
		core.registry,
		new Store({ folder: undefined, onProblem: () => undefined }),
	);
	const costs = new ToolCosts(core.registry, { current: 10_000, onDidChange: never });
	const sources: ContentSources = {
		directory: core.registry,
		// Nothing is open, watched, pinned or remembered.
		live: {
			stateOf: () => ({ isWatched: false, isOpen: false, isChanged: false }),
			partsOf: () => [],
			answeredAs: () => undefined,
			onDidChange: never,
		},
		results: { of: () => [], onDidChange: never },
		pins: { has: () => false, onDidChange: never },
		definitions,
		costs,
		roots: core.roots,
		sharedFiles: {
			answer: undefined,
			access: undefined,
			isEditorOn: false,
			isLeft: () => false,
			isShared: () => false,
			onDidChange: never,
		},
	};
	const tree = new ServersTree({ directory: core.registry, roots: core.roots });
	const arrangements = new Arrangements(store);
	const server = session.definition.id;
	// As the others show them; a tree without a user's choice shows folders when a list is longer than a page. Chosen
	// before, as in another window: the editor would pass on nothing for a while after a choice in this one.
	arrangements.choose({ layout: "list" }, server);
	const contents = new GroupContents(sources, arrangements);
	for (const kind of ["tools", "resources"] as const) {
		// A list changes as well when its reading begins.
		session[kind].onDidChange(() => session[kind].items.length > 0 && onPage(kind));
	}
	const subscription = contents.onDidChange((change) => tree.refresh(change));

	const groupOf = (kind: ListName): GroupNode | undefined => {
		const above = tree.children().find((node) => node.kind === "server" && node.server === server);
		return tree.children(above).find((node): node is GroupNode => node.kind === "group" && node.group === kind);
	};
	return {
		rows(kind) {
			const group = groupOf(kind);
			if (group === undefined || session[kind].items.length === 0) return [];
			const top = viewOf(group, (node) => ({ ...tree.count(node), ...contents.marks(node) }));
			const rows = contents.children(group).map((node) => contents.view(node));
			return [top, ...rows].map(({ label, description }) => `${label} ${description}`);
		},
		progress: (kind) => ({ count: session[kind].items.length, isWhole: session[kind].status.kind === "ready" }),
		showMore(kind) {
			const group = groupOf(kind);
			const more = group && contents.children(group).find((node): node is MoreNode => node.kind === "more");
			if (more !== undefined) contents.showMore(more);
		},
		arrange({ filter = "", sort = "server", layout = "list" }) {
			arrangements.setFilter(server, "resources", filter);
			arrangements.choose({ sort, layout }, server);
		},
		onDidChange: (listener) => tree.onDidChange(listener),
		dispose() {
			subscription.dispose();
			contents.dispose();
			definitions.dispose();
			costs.dispose();
			arrangements.dispose();
			tree.dispose();
		},
	};
}
