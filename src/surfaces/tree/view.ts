import { describeAccount } from "../../servers/accounts/accounts.ts";
import { count, oneLine } from "../../base/text.ts";
import type { UriComponents } from "../../features/resources/uri.ts";
import type { ListStatus } from "../../servers/sessions/managedList.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import type { Session, SessionState, Tool } from "../../servers/sessions/session.ts";
import { describeState, isRetrying, stateWord } from "../../servers/sessions/describeState.ts";
import type { RootsRemark } from "../../servers/roots/roots.ts";
import type { SortOrder } from "./arrange.ts";
import type { Layout } from "./arrangements.ts";
import type { CoreNode, GroupKind, GroupNode, ServerNode } from "./nodes.ts";

/** An icon of the editor's own set, with the name of a theme colour. Never from a server. */
export interface NodeIcon {
	readonly id: string;
	readonly color?: string;
}

/** A picture of a server, as data that was looked into (icons.ts). */
export interface NodePicture {
	readonly light: string;
	readonly dark: string;
}

/** A node as the tree shows it. Every text is fit for one line, with hidden characters shown. */
export interface NodeView {
	readonly label: string;
	readonly description: string;
	readonly icon: NodeIcon | undefined;
	/** Shown in place of the icon. */
	readonly picture?: NodePicture | undefined;
	/** The values for the menus of package.json: a kind, followed by words for states. */
	readonly context: string;
	readonly isCollapsible: boolean;
	/** Whether rows were below it and will be again: where the user opened it, it is open without any. */
	readonly staysOpen?: boolean;
	/** Whether a row that nobody opened or closed yet is open. */
	readonly startsOpen?: boolean;
	/** The text for screen readers, if label and description do not contain everything that the icon shows. */
	readonly spoken?: string;
	/** The file of the row: it can be dragged. Choosing the row opens it, unless there is a command. */
	readonly file?: UriComponents;
	/** The action of choosing the node. */
	readonly command?: { readonly id: string; readonly title: string; readonly argument: unknown };
}

/** The text of a group's row about how the group is shown. */
export interface GroupMarks {
	/** For groups that can be shown in folders. */
	readonly layout?: Layout | undefined;
	/** The order, where it is not that of the server. */
	readonly sort?: Exclude<SortOrder, "server"> | undefined;
	/** The user's filter, and how many items match. */
	readonly filter?: string;
	readonly matches?: number;
	/** Lines of ours about the group's items, for screen readers. */
	readonly notes?: readonly string[];
}

/** The text of a server's row about its approvals. */
export interface ServerMarks {
	/** The change, in words; empty without a change. */
	readonly changes: readonly string[];
	/** A line of ours about the other hosts that can run it. */
	readonly note?: string | undefined;
}

/** The state of a group, from `ServersTree.count`. */
export interface GroupCount {
	readonly items: number;
	readonly status: ListStatus;
	/** A line of ours about the group; a warning replaces the number. */
	readonly remark?: RootsRemark | undefined;
}

/** The tree's own commands, which only its nodes run. */
export const treeCommands = {
	/** Does what choosing the selected row does. */
	chooseRow: "_mcpHost.chooseRow",
	showMore: "_mcpHost.showMore",
	/** Opens a row that is folded, and chooses it if the second argument is true. */
	unfold: "_mcpHost.unfold",
	/** Chooses the row of `{server, group, key}`, the key a name or a URI; or the nearest one above it that is there. */
	showItem: "_mcpHost.showItem",
	showProblem: "_mcpHost.showConfigurationProblem",
} as const;

/** The owner of an entry's file, for the menus that edit it. Empty for one that is in no file. */
const keeperWords: Readonly<Record<ConfigOrigin["kind"], string>> = {
	"user-settings": " of-user",
	"workspace-settings": " of-workspace",
	"folder-settings": " of-workspace",
	"mcp-json": " of-workspace",
	"dot-mcp-json": " of-workspace",
	followed: " of-other",
	demo: "",
};

const groupViews: Readonly<Record<GroupKind, { readonly label: string; readonly icon: string }>> = {
	tools: { label: "Tools", icon: "tools" },
	resources: { label: "Resources", icon: "files" },
	resourceTemplates: { label: "Resource Templates", icon: "symbol-parameter" },
	prompts: { label: "Prompts", icon: "comment" },
	skills: { label: "Skills", icon: "book" },
	roots: { label: "Roots", icon: "root-folder" },
};

/** The text beside a fault. */
export const errorIcon: NodeIcon = { id: "error", color: "list.errorForeground" };

/** The icons and colours that the editor's test view gives such states; a shield and a key where the user is waited for. */
const stateIcons: Readonly<Record<SessionState["kind"], NodeIcon>> = {
	stopped: { id: "circle-outline", color: "testing.iconUnset" },
	"needs-approval": { id: "shield", color: "list.warningForeground" },
	off: { id: "circle-slash", color: "testing.iconSkipped" },
	"left-to-editor": { id: "circle-slash", color: "testing.iconSkipped" },
	"needs-sign-in": { id: "key", color: "list.warningForeground" },
	starting: { id: "loading~spin" },
	running: { id: "pass-filled", color: "testing.iconPassed" },
	failed: { id: "error", color: "testing.iconFailed" },
};

/** Whether there are rows below a server. */
export function canUnfold({ kind }: SessionState): boolean {
	return kind === "starting" || kind === "running" || kind === "failed";
}

/** The name of a group. */
export function groupLabel(group: GroupKind): string {
	return groupViews[group].label;
}

/**
 * The label, description, icon and command of a node. `countOf` returns the state of its group, and how it is shown;
 * `marksOf` the other facts about a server.
 */
export function viewOf(
	node: CoreNode,
	countOf: (group: GroupNode) => GroupCount & GroupMarks,
	marksOf?: (server: ServerNode) => ServerMarks | undefined,
): NodeView {
	const leaf = { context: node.kind, isCollapsible: false };
	switch (node.kind) {
		case "server":
			return viewOfServer(node, marksOf?.(node));
		case "group":
			return viewOfGroup(node.group, countOf(node));
		case "server-problem":
			return {
				...leaf,
				label: oneLine(node.message),
				description: "",
				icon: errorIcon,
				command: { id: "mcpHost.whyNotStart", title: "Check Server", argument: { server: node.server } },
			};
		case "output-line":
			return { ...leaf, label: oneLine(node.line), description: "", icon: { id: "output" } };
		case "note":
			return { ...leaf, label: oneLine(node.text), description: "", icon: { id: "info" } };
		case "config-problem":
			return {
				...leaf,
				label: oneLine(
					node.problem.server === undefined ? node.problem.message : `${node.problem.server}: ${node.problem.message}`,
				),
				description: oneLine(node.problem.origin.label),
				icon: node.problem.severity === "error" ? errorIcon : { id: "warning", color: "list.warningForeground" },
				command: { id: treeCommands.showProblem, title: "Show in Configuration", argument: node },
			};
	}
}

/** A tool's name for display, in the order of the specification: title, its annotation, name. */
export function toolLabel({ title, annotations, name }: Tool): string {
	return oneLine(title ?? "", 100) || oneLine(annotations?.title ?? "", 100) || oneLine(name, 100);
}

function viewOfServer({ session, account }: ServerNode, { changes, note }: ServerMarks = { changes: [] }): NodeView {
	const { definition, state } = session;
	const label = oneLine(definition.name, 100);
	const word = stateWord(state);
	const says = describeState(state);
	// A server that runs needs no words, and one that is merely stopped needs them least.
	const isQuiet = state.kind === "running" || state.kind === "stopped";
	const remarks = [isQuiet ? undefined : says, ...changes, note].filter((part) => part !== undefined);
	const heard = [
		...remarks,
		state.kind === "running" && account !== undefined ? describeAccount(account) : undefined,
		// Where it is configured matters before it may start.
		state.kind === "needs-approval" ? oneLine(definition.origin.label, 100) : undefined,
	].filter((part) => part !== undefined && part !== word);
	return {
		label,
		// At most one thing, the one to check: the others are in the tooltip, and read by screen readers.
		description: remarks[0] ?? (state.kind === "stopped" ? word : account?.isChosen ? describeAccount(account) : ""),
		icon: isRetrying(state) ? { id: "history", color: "testing.iconQueued" } : stateIcons[state.kind],
		context: `server-${isRetrying(state) ? "failed-retrying" : state.kind}${keeperWords[definition.origin.kind]}${changes.length === 0 ? "" : " changed"}${account === undefined ? "" : " signed-in"}`,
		isCollapsible: canUnfold(state),
		staysOpen: state.kind === "stopped",
		...leads(session),
		spoken: [label, word, ...heard].join(", "),
	};
}

/** Where choosing a server leads that waits for the user. */
function leads({ definition: { id }, state }: Session): Pick<NodeView, "command"> {
	const [command, title] =
		state.kind === "needs-approval" || state.kind === "left-to-editor"
			? ["reviewServer", "Review Server…"]
			: state.kind === "needs-sign-in"
				? ["signIn", "Sign In…"]
				: [];
	if (command === undefined || title === undefined) return {};
	return { command: { id: `mcpHost.${command}`, title, argument: { server: id } } };
}

/** Up to how many items are seen at a glance, without a filter. */
const glance = 10;

/** The orders of a group's items that are not its server's, in words. */
export const sortWords = { name: "by name", priority: "by priority", modified: "newest first" } as const;

function viewOfGroup(group: GroupKind, standing: GroupCount & GroupMarks): NodeView {
	const { items, status, remark, layout, sort, filter, matches, notes = [] } = standing;
	const { label, icon } = groupViews[group];
	const isFailed = status.kind === "failed";
	const isLoading = status.kind === "loading";
	const more = isLoading || (status.kind === "ready" && status.truncated !== undefined) ? "+" : "";
	const total = `${count(items)}${more}`;
	const state = isFailed
		? "could not be read"
		: isLoading && items === 0
			? "loading…"
			: filter === undefined
				? total
				: `${count(matches ?? 0)} of ${total} for “${oneLine(filter, 60)}”`;
	const sorted = sort === undefined ? undefined : sortWords[sort];
	const heard = [state, ...notes, sorted, remark?.text].filter((part) => part !== undefined);
	const words = [
		items > glance && "long",
		filter !== undefined && "filtered",
		layout !== undefined && `as-${layout}`,
	].filter((word) => word !== false);
	return {
		label,
		description: remark?.isWarning === true ? remark.text : state,
		icon: isFailed
			? { id: "warning", color: "list.warningForeground" }
			: { id: filter === undefined ? icon : "filter-filled" },
		spoken: [label, ...heard].join(", "),
		context: [`group-${group}`, ...words].join(" "),
		isCollapsible: items > 0 || isFailed || isLoading,
		staysOpen: true,
	};
}
