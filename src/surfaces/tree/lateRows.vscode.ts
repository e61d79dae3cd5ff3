import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { isJsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { commandsOf } from "../../base/notify.vscode.ts";
import type { KeyValue } from "../../base/storage.ts";
import { runsElsewhere, takeCensus } from "../../servers/otherHosts/processes.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { resourceScheme } from "../../features/resources/scheme.ts";
import type { SortOrder } from "./arrange.ts";
import { Arrangements, sortOrders, type Layout } from "./arrangements.ts";
import { badgeFor, ChangedResources } from "./changedResources.ts";
import { GroupContents } from "./contents.ts";
import { badgeOf } from "./fileBadges.ts";
import { MissedChanges } from "./missedChanges.ts";
import { groupKinds, nodeId, type GroupKind, type GroupNode, type ServerNode, type TreeNode } from "./nodes.ts";
import type { LateRows } from "./rows.ts";
import { ServerOrder } from "./serverOrder.ts";
import type { ContentSources } from "./sources.ts";
import { TaskRows, type TasksOfTree } from "./taskRows.ts";
import { tooltipOf } from "./tooltip.ts";
import { groupLabel, treeCommands, viewOf } from "./view.ts";
import { withoutIcons } from "../../base/words.ts";
import { oneLine } from "../../base/text.ts";
import { pickServer } from "../../servers/pick.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import { type MenuManifest, serverActions } from "./serverActions.ts";

type TreeCommand =
	| "mcpHost.manageServers"
	| "mcpHost.filterGroup"
	| "mcpHost.clearFilter"
	| "mcpHost.sortResources"
	| "mcpHost.viewResourcesAsList"
	| "mcpHost.viewResourcesAsTree";

/** The dependencies of the rows below the groups on the window and the rest of the host. */
export interface TreeServices extends ContentSources {
	readonly tasks: TasksOfTree;
	readonly state: KeyValue;
	/** The server that a command is about, and our manifest: for what the menu of a row offers. */
	readonly menu: Pick<ManageServersServices, "host" | "extension">;
}

/** The rows below the groups, and the commands for the user's view of them. */
export interface WiredTree extends LateRows, Disposable {
	readonly commands: Commands<TreeCommand>;
	/** Brings the tools of a server that runs into sight, without the focus. */
	showTools(session: Session): Promise<void>;
}

/** Makes the rows below the groups of the Servers view, until it is disposed. */
export function wireTree({ state, menu, tasks, ...sources }: TreeServices): WiredTree {
	const store = new DisposableStore();
	const arrangements = store.add(new Arrangements(state));
	const { directory } = sources;
	const taskRows = store.add(new TaskRows({ tasks, directory }));
	const contents = store.add(new GroupContents({ ...sources, taskRows }, arrangements));
	const order = store.add(new ServerOrder(directory));
	const changes = store.add(new ChangedResources(sources));
	const updateContext = (): void => {
		const layout = arrangements.layoutOf() ?? "";
		void vscode.commands.executeCommand("setContext", "mcpHost.resourcesLayout", layout);
	};
	updateContext();
	store.add(arrangements.onDidChange(updateContext));
	store.add(registerBadges(sources));

	const chooseLayout = (layout: Layout) => (argument: unknown) =>
		arrangements.choose({ layout }, groupOf(argument)?.server);
	const contextOf = (session: Session): string => {
		const { id: server } = session.definition;
		const account = menu.host.signIns.accounts.get(server);
		const node: ServerNode = { kind: "server", id: nodeId(server), server, session, account };
		// Nothing is counted for the row of a server.
		const none = { items: 0, status: { kind: "ready" } } as const;
		return viewOf(
			node,
			() => none,
			() => contents.serverMarks(session),
		).context;
	};
	const manage = commandsOf({ "mcpHost.manageServers": (argument) => manageServers({ ...menu, contextOf }, argument) });
	const commands: Commands<TreeCommand> = {
		...manage,
		"mcpHost.filterGroup": async (argument) => {
			const group = groupOf(argument);
			if (group === undefined) return;
			// The matches must be visible. It unfolds before the box opens, because unfolding may take the focus; a removed
			// row needs nothing.
			await vscode.commands.executeCommand(treeCommands.unfold, argument).then(undefined, () => undefined);
			await askFilter(arrangements, group);
		},
		"mcpHost.clearFilter": (argument) => {
			const group = groupOf(argument);
			if (group !== undefined) arrangements.setFilter(group.server, group.group, "");
		},
		"mcpHost.sortResources": async (argument) => {
			const server = groupOf(argument)?.server;
			const sort = await askOrder(arrangements.sortOf(server));
			if (sort !== undefined) arrangements.choose({ sort }, server);
		},
		"mcpHost.viewResourcesAsList": chooseLayout("list"),
		"mcpHost.viewResourcesAsTree": chooseLayout("tree"),
	};
	const groupNode = (session: Session, group: GroupKind): GroupNode => {
		const { id: server } = session.definition;
		return { kind: "group", id: nodeId(server, group), server, session, group };
	};
	store.add(
		vscode.commands.registerCommand(treeCommands.showItem, async (argument: unknown) => {
			const named = groupOf(argument);
			const session = sources.directory.sessions.find(({ definition }) => definition.id === named?.server);
			if (named === undefined || session === undefined) return;
			const { server, group } = named;
			const { key } = jsonObjectOf(argument);
			const unfold = (node: TreeNode, isChosen: boolean): Thenable<unknown> =>
				vscode.commands.executeCommand(treeCommands.unfold, node, isChosen);
			const isRunning = session.state.kind === "running";
			// The rows below a group are known once that is unfolded.
			if (isRunning) await unfold(groupNode(session, group), false);
			const row = typeof key === "string" ? contents.shown(session, nodeId(server, group, key)) : undefined;
			const above = isRunning
				? groupNode(session, group)
				: ({ kind: "server", id: nodeId(server), server, session } as const);
			await unfold(row ?? above, true);
		}),
	);
	return {
		contents,
		order: {
			of: (rows) => {
				const ordered = order.of(rows);
				return rows.some(({ kind }) => kind === "server") ? taskRows.above(ordered) : ordered;
			},
			onDidChange: (listener) => {
				const both = new DisposableStore();
				both.add(order.onDidChange(listener));
				both.add(taskRows.onDidChange((node) => node === undefined && listener()));
				return both;
			},
		},
		missed: store.add(new MissedChanges()),
		badge: (waiting) => badgeFor(changes.count, waiting),
		onDidChangeBadge: changes.onDidChange,
		tooltipOf: async (node) => {
			if (node.kind === "task") return taskRows.tooltip(node);
			const isServer = node.kind === "server";
			const elsewhere = isServer ? runsElsewhere(await takeCensus(sources.directory), node.session) : [];
			return tooltipOf(node, { ...sources, elsewhere, marks: (group) => contents.marks(group) });
		},
		commands,
		showTools: async (session) => {
			await vscode.commands.executeCommand(treeCommands.unfold, groupNode(session, "tools"));
		},
		dispose: () => store.dispose(),
	};
}

/** The group that a command is about; undefined for all. */
function groupOf(argument: unknown): { readonly server: string; readonly group: GroupKind } | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, group } = argument as Partial<Record<string, unknown>>;
	const kind = groupKinds.find((known) => known === group);
	return typeof server === "string" && kind !== undefined ? { server, group: kind } : undefined;
}

const orderTexts: Readonly<Record<SortOrder, { readonly label: string; readonly detail: string }>> = {
	server: { label: "Server's Order", detail: "Server Order" },
	name: { label: "Name", detail: "Numbers by value; ignores case and accents" },
	priority: { label: "Priority", detail: "Highest priority of the server first, without priority last" },
	modified: { label: "Last Modified", detail: "Newest first, without a time last" },
};

/** Lets the user choose an order; the present one is marked. */
async function askOrder(present: SortOrder): Promise<SortOrder | undefined> {
	const items = sortOrders.map((order) => ({
		label: orderTexts[order].label,
		detail: orderTexts[order].detail,
		description: order === present ? "current" : "",
		iconPath: new vscode.ThemeIcon(order === present ? "check" : "blank"),
		order,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: "Sort Resources",
		placeHolder: "Sort by",
	});
	return picked?.order;
}

/** Marks the files of resources that are not what they seem, in the tree and on the tabs of editors. */
function registerBadges({ live }: ContentSources): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<undefined>());
	// VS Code asks again for the few files that it shows. The affected ones cannot be determined from the resource: their
	// URIs depend on how they were opened.
	store.add(live.onDidChange(() => changed.fire(undefined)));
	const provider: vscode.FileDecorationProvider = {
		onDidChangeFileDecorations: changed.event,
		provideFileDecoration: (uri) => {
			const badge = uri.scheme === resourceScheme ? badgeOf(uri, live) : undefined;
			return badge && { badge: badge.text, tooltip: badge.tooltip, color: new vscode.ThemeColor(badge.color) };
		},
	};
	store.add(vscode.window.registerFileDecorationProvider(provider));
	return store;
}

/**
 * Asks for the filter of a group. The tree follows while the user types; Enter keeps the filter, an empty one clears
 * it, and any other way to leave restores the former one. The box stays open when the focus moves: to a match, by a
 * click, or back to the tree, which takes it when it redraws its rows.
 */
function askFilter(
	arrangements: Arrangements,
	{ server, group }: { readonly server: string; readonly group: GroupKind },
): Promise<void> {
	const before = arrangements.of(server, group).filter;
	const input = vscode.window.createInputBox();
	const what = groupLabel(group);
	input.title = `Filter ${what}`;
	input.placeholder = "Words of the name or address, or patterns such as note://**";
	input.prompt = `Shows the ${what.toLowerCase()} that contain all words. Leave empty to show all.`;
	input.ignoreFocusOut = true;
	input.value = before;
	input.valueSelection = [0, before.length];
	let result = before;
	input.onDidChangeValue((text) => arrangements.setFilter(server, group, text.trim()));
	input.onDidAccept(() => {
		result = input.value.trim();
		input.hide();
	});
	return new Promise((resolve) => {
		input.onDidHide(() => {
			arrangements.setFilter(server, group, result);
			input.dispose();
			resolve();
		});
		input.show();
	});
}

/** The dependencies of choosing a server and an action on it. */
interface ManageServersServices {
	readonly host: McpHost;
	readonly extension: Pick<vscode.Extension<unknown>, "packageJSON">;
	/** The context of a server's row, which its menu depends on. */
	readonly contextOf: (session: Session) => string;
}

/** Lets the user choose a server, then what to do with it: all that the context menu of its row offers. */
async function manageServers(services: ManageServersServices, argument: unknown): Promise<void> {
	const { host, extension, contextOf } = services;
	const session = await pickServer(host, argument, "Choose a server to manage");
	if (session === undefined) return;
	const manifest: MenuManifest = extension.packageJSON;
	let group: string | undefined;
	const items = serverActions(manifest, contextOf(session)).flatMap((action) => {
		const isFirst = group !== undefined && group !== action.group;
		group = action.group;
		const item = { label: action.title, iconPath: new vscode.ThemeIcon(action.icon), command: action.command };
		return isFirst ? [{ label: "", kind: vscode.QuickPickItemKind.Separator, command: undefined }, item] : [item];
	});
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: withoutIcons(oneLine(session.definition.name, 60)),
		placeHolder: "Choose an action",
	});
	if (picked?.command !== undefined)
		await vscode.commands.executeCommand(picked.command, { server: session.definition.id });
}
