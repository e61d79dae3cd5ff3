import { fileURLToPath } from "node:url";
import { describeAccount } from "../authorization/accounts.ts";
import { oneLine } from "../base/text.ts";
import { iconOf } from "../resources/mediaTypes.ts";
import { toolBadges } from "../tools/annotations.ts";
import type { ListStatus } from "../servers/managedList.ts";
import type { ServerFacts, SessionState, Tool } from "../servers/session.ts";
import type { GroupKind, ServerNode, TreeNode } from "./nodes.ts";

/** An icon of the editor's own set, with the name of a theme colour. Never from a server. */
export interface NodeIcon {
	readonly id: string;
	readonly color?: string;
}

/** A node as the tree shows it. Every text is fit for one line, with hidden characters shown. */
export interface NodeView {
	readonly label: string;
	readonly description: string;
	readonly icon: NodeIcon | undefined;
	/** What the menus of package.json ask for. */
	readonly context: string;
	readonly isCollapsible: boolean;
	/** What screen readers say, where label and description do not tell all that the icon does. */
	readonly spoken?: string;
	/** What choosing the node does. */
	readonly command?: { readonly id: string; readonly title: string; readonly argument: unknown };
}

/** How a group stands, from `ServersTree.count`. */
export interface GroupCount {
	readonly items: number;
	readonly status: ListStatus;
}

/** The tree's own commands, which only its nodes run. */
export const treeCommands = {
	showMore: "_mcpHost.showMore",
	showProblem: "_mcpHost.showConfigurationProblem",
} as const;

const groupViews: Readonly<Record<GroupKind, { readonly label: string; readonly icon: string }>> = {
	tools: { label: "Tools", icon: "tools" },
	resources: { label: "Resources", icon: "files" },
	resourceTemplates: { label: "Resource Templates", icon: "symbol-parameter" },
	prompts: { label: "Prompts", icon: "comment" },
	roots: { label: "Roots", icon: "root-folder" },
};

const stateIcons: Readonly<Record<SessionState["kind"], NodeIcon>> = {
	stopped: { id: "circle-outline" },
	"needs-approval": { id: "shield", color: "list.warningForeground" },
	"needs-sign-in": { id: "key", color: "list.warningForeground" },
	starting: { id: "loading~spin" },
	running: { id: "pass-filled", color: "testing.iconPassed" },
	failed: { id: "error", color: "list.errorForeground" },
};

const stateWords: Readonly<Record<SessionState["kind"], string>> = {
	stopped: "stopped",
	"needs-approval": "waits for approval",
	"needs-sign-in": "waits for sign-in",
	starting: "starting",
	running: "running",
	failed: "failed",
};

/** The label, description, icon and command of a node. `countOf` tells how its group stands. */
export function viewOf(node: TreeNode, countOf: (group: TreeNode & { kind: "group" }) => GroupCount): NodeView {
	const leaf = { context: node.kind, isCollapsible: false };
	switch (node.kind) {
		case "server":
			return viewOfServer(node);
		case "group":
			return viewOfGroup(node.group, countOf(node));
		case "tool": {
			const label = toolLabel(node.tool);
			const name = oneLine(node.tool.name, 100);
			const description = [
				...(label === name ? [] : [name]),
				// What the server states; the defaults of the rest would stand on every row.
				...toolBadges(node.tool.annotations).flatMap(({ label, isStated }) => (isStated ? [label] : [])),
			].join(" · ");
			return { ...leaf, label, description, icon: { id: "symbol-method" } };
		}
		case "resource": {
			const { server, uri, resource } = node;
			return {
				...leaf,
				label: named(resource),
				description: oneLine(uri, 200),
				icon: { id: iconOf(resource.mimeType) },
				command: { id: "mcpHost.openResource", title: "Open Resource", argument: { server, uri } },
			};
		}
		case "template": {
			const { server, uriTemplate, template } = node;
			return {
				...leaf,
				label: named(template),
				description: oneLine(uriTemplate, 200),
				icon: { id: "symbol-parameter" },
				command: {
					id: "mcpHost.openResourceFromTemplate",
					title: "Open Resource from Template…",
					argument: { server, uriTemplate },
				},
			};
		}
		case "prompt": {
			const { server, prompt, item } = node;
			const label = named(item);
			const name = oneLine(prompt, 100);
			return {
				...leaf,
				label,
				description: label === name ? "" : name,
				icon: { id: "comment" },
				command: { id: "mcpHost.runPrompt", title: "Run Prompt…", argument: { server, prompt } },
			};
		}
		case "root":
			return {
				...leaf,
				label: oneLine(node.root.name ?? node.root.uri),
				description: oneLine(pathOf(node.root.uri)),
				icon: { id: "folder" },
			};
		case "more":
			return {
				...leaf,
				label: `Show More (${number(node.shown)} of ${number(node.total)})`,
				description: "",
				icon: { id: "ellipsis" },
				command: { id: treeCommands.showMore, title: "Show More", argument: node },
			};
		case "list-problem":
			return {
				...leaf,
				label: oneLine(node.message),
				description: "Retry",
				icon: { id: "error", color: "list.errorForeground" },
				spoken: `The list could not be read: ${oneLine(node.message)}. Retry`,
				command: { id: "mcpHost.refresh", title: "Retry", argument: { server: node.server } },
			};
		case "server-problem":
			return {
				...leaf,
				label: oneLine(node.message),
				description: "",
				icon: { id: "error", color: "list.errorForeground" },
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
				icon:
					node.problem.severity === "error"
						? { id: "error", color: "list.errorForeground" }
						: { id: "warning", color: "list.warningForeground" },
				command: { id: treeCommands.showProblem, title: "Show in Configuration", argument: node },
			};
	}
}

/** What carries the messages, in the words of the specification. */
export function transportName(facts: ServerFacts): string {
	return { stdio: "stdio", http: "HTTP", sse: "HTTP+SSE" }[facts.transport];
}

/** The state in a word. */
export function stateWord(state: SessionState): string {
	return stateWords[state.kind];
}

/** A tool's name for display, in the order of the specification: title, its annotation, name. */
export function toolLabel({ title, annotations, name }: Tool): string {
	return oneLine(title ?? "", 100) || oneLine(annotations?.title ?? "", 100) || oneLine(name, 100);
}

function viewOfServer({ session, account }: ServerNode): NodeView {
	const { definition, state } = session;
	const label = oneLine(definition.name, 100);
	const who = account === undefined || state.kind !== "running" ? undefined : describeAccount(account);
	// The account comes first: a narrow side bar cuts the rest.
	const parts = [who, definition.origin.kind === "demo" ? "demo" : undefined, describeState(state)];
	const description = parts.filter((part) => part !== undefined).join(" · ");
	const word = stateWord(state);
	return {
		label,
		description,
		icon: isRetrying(state) ? { id: "history", color: "list.warningForeground" } : stateIcons[state.kind],
		context: `server-${isRetrying(state) ? "failed-retrying" : state.kind}${account === undefined ? "" : " signed-in"}`,
		isCollapsible: state.kind === "starting" || state.kind === "running" || state.kind === "failed",
		spoken: [label, word, ...(description === word ? [] : [description])].join(", "),
	};
}

/** The state in words: how a running server is spoken to, or why it does not run. */
export function describeState(state: SessionState): string {
	switch (state.kind) {
		case "running":
			return `${transportName(state.facts)} · ${oneLine(state.facts.protocolVersion, 40)} · ${state.facts.era}`;
		case "needs-approval":
			return oneLine(state.reason);
		case "needs-sign-in":
			return oneLine(state.message);
		case "failed":
			return isRetrying(state) ? `starts again soon · ${oneLine(state.message)}` : oneLine(state.message);
		case "stopped":
		case "starting":
			return stateWord(state);
	}
}

/** Whether a server that failed is about to be started again by itself. */
function isRetrying(state: SessionState): boolean {
	return state.kind === "failed" && state.retryAt !== undefined;
}

function viewOfGroup(group: GroupKind, { items, status }: GroupCount): NodeView {
	const { label, icon } = groupViews[group];
	const isFailed = status.kind === "failed";
	const isLoading = status.kind === "loading";
	const more = isLoading || (status.kind === "ready" && status.truncated !== undefined) ? "+" : "";
	const description = isFailed
		? "could not be read"
		: isLoading && items === 0
			? "loading…"
			: `${number(items)}${more}`;
	return {
		label,
		description,
		icon: isFailed ? { id: "warning", color: "list.warningForeground" } : { id: icon },
		context: `group-${group}`,
		isCollapsible: items > 0 || isFailed || isLoading,
	};
}

function named({ title, name }: { readonly title?: string | undefined; readonly name: string }): string {
	return oneLine(title ?? "", 100) || oneLine(name, 100);
}

function pathOf(uri: string): string {
	try {
		return fileURLToPath(uri);
	} catch {
		return uri;
	}
}

function number(value: number): string {
	return value.toLocaleString("en-US");
}
