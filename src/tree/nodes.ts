import type { SignedIn } from "../authorization/authorization.ts";
import type { ConfigProblem } from "../servers/config.ts";
import type { Prompt, Resource, ResourceTemplate, Root, Session, Tool } from "../servers/session.ts";

/** The groups below a running server, in the order in which they are shown. */
export const groupKinds = ["tools", "resources", "resourceTemplates", "prompts", "roots"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** What every node below a server has. `server` is the server's id, which commands take as their argument. */
interface NodeOf<K extends string> {
	readonly kind: K;
	/** Unique in the tree and the same after every refresh, so that expansion and selection survive. */
	readonly id: string;
	readonly server: string;
	readonly session: Session;
}

export type ServerNode = NodeOf<"server"> & {
	/** Who is signed in at it now. */
	readonly account?: SignedIn | undefined;
};
export interface GroupNode extends NodeOf<"group"> {
	readonly group: GroupKind;
}
/** "Show More": stands for the items of a group that are not shown. */
export interface MoreNode extends NodeOf<"more"> {
	readonly group: GroupKind;
	readonly shown: number;
	readonly total: number;
}
export type ItemNode =
	| (NodeOf<"tool"> & { readonly tool: Tool })
	| (NodeOf<"resource"> & { readonly uri: string; readonly resource: Resource })
	| (NodeOf<"template"> & { readonly uriTemplate: string; readonly template: ResourceTemplate })
	| (NodeOf<"prompt"> & { readonly prompt: string; readonly item: Prompt })
	| (NodeOf<"root"> & { readonly root: Root });

/** A node of the servers tree. Nodes of resources, templates and prompts are the arguments of their commands as well. */
export type TreeNode =
	| ServerNode
	| GroupNode
	| MoreNode
	| ItemNode
	/** Why a list could not be read; choosing it tries again. */
	| (NodeOf<"list-problem"> & { readonly group: GroupKind; readonly message: string })
	/** Why a server failed. */
	| (NodeOf<"server-problem"> & { readonly message: string })
	/** One of the last lines that a failed server wrote. */
	| (NodeOf<"output-line"> & { readonly line: string })
	/** A remark of ours, such as that an answer is waited for. */
	| (NodeOf<"note"> & { readonly text: string })
	| { readonly kind: "config-problem"; readonly id: string; readonly problem: ConfigProblem };

/** The items of a group as nodes, in the server's order. */
export function itemsOf(
	session: Session,
	group: GroupKind,
	roots: readonly Root[],
	limit: number,
): readonly ItemNode[] {
	const server = session.definition.id;
	const base = (key: string): { id: string; server: string; session: Session } => ({
		id: nodeId(server, group, key),
		server,
		session,
	});
	switch (group) {
		case "tools":
			return session.tools.items
				.slice(0, limit)
				.map((tool) => Object.assign(base(tool.name), { kind: "tool" as const, tool }));
		case "resources":
			return session.resources.items
				.slice(0, limit)
				.map((resource) =>
					Object.assign(base(resource.uri), { kind: "resource" as const, uri: resource.uri, resource }),
				);
		case "resourceTemplates":
			return session.resourceTemplates.items.slice(0, limit).map((template) =>
				Object.assign(base(template.uriTemplate), {
					kind: "template" as const,
					uriTemplate: template.uriTemplate,
					template,
				}),
			);
		case "prompts":
			return session.prompts.items
				.slice(0, limit)
				.map((item) => Object.assign(base(item.name), { kind: "prompt" as const, prompt: item.name, item }));
		case "roots":
			return roots.slice(0, limit).map((root) => Object.assign(base(root.uri), { kind: "root" as const, root }));
	}
}

/** An id that no text of a server can make equal to another's. */
export function nodeId(...parts: readonly (string | number)[]): string {
	return JSON.stringify(parts);
}
