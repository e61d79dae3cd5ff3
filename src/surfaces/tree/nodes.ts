import type { SignedIn } from "../../protocol/authorization.ts";
import type { ConfigProblem } from "../../servers/definitions/config.ts";
import type { Prompt, Resource, ResourceTemplate, Root, Session, Skill, Tool } from "../../servers/sessions/session.ts";

/** The groups below a running server, in the order in which they are shown. */
export const groupKinds = ["tools", "resources", "resourceTemplates", "prompts", "skills", "roots"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** The members of every node below a server. `server` is the server's id, which commands take as their argument. */
interface NodeOf<K extends string> {
	readonly kind: K;
	/** Unique in the tree and the same after every refresh, so that expansion and selection survive. */
	readonly id: string;
	readonly server: string;
	readonly session: Session;
}
/** The members of every node below a group. */
interface NodeBelow<K extends string> extends NodeOf<K> {
	readonly group: GroupKind;
}

export type ServerNode = NodeOf<"server"> & {
	/** Who is signed in at it now. */
	readonly account?: SignedIn | undefined;
};
export interface GroupNode extends NodeOf<"group"> {
	readonly group: GroupKind;
}

/** A node down to the groups: servers, their groups, and what is wrong with either. */
export type CoreNode =
	| ServerNode
	| GroupNode
	/** Why a server failed. */
	| (NodeOf<"server-problem"> & { readonly message: string })
	/** One of the last lines that a failed server wrote. */
	| (NodeOf<"output-line"> & { readonly line: string })
	/** A remark of ours, such as that an answer is pending. */
	| (NodeOf<"note"> & { readonly text: string })
	| ConfigProblemNode;

/** A problem of a configuration. */
export interface ConfigProblemNode {
	readonly kind: "config-problem";
	readonly id: string;
	readonly problem: ConfigProblem;
}

export type ResourceNode = NodeBelow<"resource"> & {
	readonly uri: string;
	readonly resource: Resource;
	/** The beginning of the URI, which the row of the folder above shows; empty when there is none. */
	readonly above: string;
};

export type TemplateNode = NodeBelow<"template"> & {
	readonly uriTemplate: string;
	readonly template: ResourceTemplate;
};

export type SkillNode = NodeBelow<"skill"> & {
	/** That of its `SKILL.md`. */
	readonly uri: string;
	readonly skill: Skill;
};

/** Something that a server offers, or that became of it. Nodes are the arguments of their commands as well. */
export type ItemNode =
	| (NodeBelow<"tool"> & { readonly tool: Tool })
	| ResourceNode
	/** One of the several contents that reading a resource gave. */
	| (NodeBelow<"part"> & {
			readonly uri: string;
			readonly part: number;
			readonly partUri: string;
			readonly mimeType: string | undefined;
			readonly size: number;
	  })
	| TemplateNode
	/** A resource that was opened from a template before. */
	| (NodeBelow<"template-result"> & {
			readonly uriTemplate: string;
			readonly uri: string;
			readonly mimeType: string | undefined;
	  })
	| (NodeBelow<"prompt"> & { readonly prompt: string; readonly item: Prompt })
	| SkillNode
	| (NodeBelow<"root"> & { readonly root: Root });

/** A folder of resources, made of the paths of their URIs. */
export interface FolderNode extends NodeBelow<"folder"> {
	/** The common beginning of all URIs in it. */
	readonly folder: string;
	/** The same of the folder above, as far as its row says it. */
	readonly above: string;
	/** How many resources are in it, those of its folders among them. */
	readonly total: number;
	/** Whether its row is open before anybody opened or closed it. */
	readonly startsOpen: boolean;
}
/** "Load More…": represents the rows of a group or folder that are not shown. */
export interface MoreNode extends NodeBelow<"more"> {
	/** The id of the node whose children these are. */
	readonly container: string;
	readonly shown: number;
	readonly total: number;
}

/** *Running Tasks*. Like the rows below groups, it is known once their module is loaded. */
export type TasksNode = NodeBelow<"running-tasks">;
/** A task, by its key. */
export type TaskNode = NodeBelow<"task"> & { readonly task: string };

/** A node below a group, or of the tasks. */
export type BelowNode =
	| ItemNode
	| TasksNode
	| TaskNode
	| FolderNode
	| MoreNode
	/** Why a list could not be read; choosing it tries again. */
	| (NodeBelow<"list-problem"> & { readonly message: string })
	/** That the group's filter leaves nothing; choosing it clears the filter. */
	| (NodeBelow<"no-match"> & { readonly filter: string })
	/** A remark of ours about a list. */
	| (NodeBelow<"list-note"> & { readonly text: string });

/** A node of the servers tree. */
export type TreeNode = CoreNode | BelowNode;

/** Whether a node is below a group. */
export function isBelowGroup(node: TreeNode): node is BelowNode {
	return "group" in node && node.kind !== "group";
}

/** An id that no text of a server can make equal to another's. */
export function nodeId(...parts: readonly (string | number)[]): string {
	return JSON.stringify(parts);
}

/** The groups of a running server: its offers, and its view of the workspace. */
export function visibleGroups(session: Session): readonly GroupKind[] {
	return groupKinds.filter((group) => {
		if (group === "roots") return session.state.kind === "running";
		return session[group].status.kind !== "unsupported" || session[group].items.length > 0;
	});
}

/** Whether a server runs of which a list has shown nothing yet. */
export function expectsLists(session: Session): boolean {
	return groupKinds.some(
		(group) => group !== "roots" && session[group].status.kind === "loading" && session[group].items.length === 0,
	);
}
