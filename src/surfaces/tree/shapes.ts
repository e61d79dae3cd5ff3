import type { Prompt, Resource, ResourceTemplate, Root, Session, Skill, Tool } from "../../servers/sessions/session.ts";
import type { Traits } from "./arrange.ts";
import { nodeId, type GroupKind, type ItemNode } from "./nodes.ts";
import type { ContentSources } from "./sources.ts";

/** One kind of group: where its items are, what they are found by, and what their nodes are. */
export interface Shape<T> {
	readonly group: GroupKind;
	readonly items: (session: Session) => readonly T[];
	readonly traits: Traits<T>;
	/** `above` is the folder whose row is shown above it, empty without one. */
	readonly node: (session: Session, item: T, above: string) => ItemNode;
	/** Whether the item is shown before all others. */
	readonly isFirst?: (session: Session, item: T) => boolean;
}

/** Adapts a shape for callers that treat items of all kinds alike. */
export type ShapeUser<R> = <T>(shape: Shape<T>) => R;

/** Finds the shape of a group. */
export function withShape<R>(group: GroupKind, sources: ContentSources, use: ShapeUser<R>): R {
	switch (group) {
		case "tools":
			return use(toolShape);
		case "resources":
			return use(resourceShape);
		case "resourceTemplates":
			return use(templateShape);
		case "prompts":
			return use({
				...promptShape,
				isFirst: ({ definition }: Session, { name }: Prompt) => sources.pins.has(definition.id, name),
			});
		case "skills":
			return use(skillShape);
		case "roots":
			return use({ ...rootShape, items: ({ definition }: Session) => sources.roots.of(definition) });
	}
}

/** The members of every node of an item. */
function base(
	session: Session,
	group: GroupKind,
	key: string,
): { readonly id: string; readonly server: string; readonly session: Session; readonly group: GroupKind } {
	const server = session.definition.id;
	return { id: nodeId(server, group, key), server, session, group };
}

/** The display name of an item, unlike `labelOf` not yet fit to be shown: it is needed for all of them. */
function nameOf({ title, name }: { readonly title?: string | undefined; readonly name: string }): string {
	return title ?? name;
}

const toolShape: Shape<Tool> = {
	group: "tools",
	items: ({ tools }) => tools.items,
	traits: {
		name: (tool) => tool.title ?? tool.name,
		texts: ({ title, annotations, name }) => [title ?? "", annotations?.title ?? "", name],
	},
	node: (session, tool) => ({ ...base(session, "tools", tool.name), kind: "tool", tool }),
};

const resourceShape: Shape<Resource> = {
	group: "resources",
	items: ({ resources }) => resources.items,
	traits: {
		name: nameOf,
		texts: ({ title, name, uri }) => [title ?? "", name, uri],
		uri: ({ uri }) => uri,
		priority: ({ annotations }) => annotations?.priority,
		lastModified: ({ annotations }) => annotations?.lastModified,
	},
	node: (session, resource, above) => ({
		...base(session, "resources", resource.uri),
		kind: "resource",
		uri: resource.uri,
		resource,
		above,
	}),
};

const templateShape: Shape<ResourceTemplate> = {
	group: "resourceTemplates",
	items: ({ resourceTemplates }) => resourceTemplates.items,
	traits: { name: nameOf, texts: ({ title, name, uriTemplate }) => [title ?? "", name, uriTemplate] },
	node: (session, template) => ({
		...base(session, "resourceTemplates", template.uriTemplate),
		kind: "template",
		uriTemplate: template.uriTemplate,
		template,
	}),
};

const promptShape: Shape<Prompt> = {
	group: "prompts",
	items: ({ prompts }) => prompts.items,
	traits: { name: nameOf, texts: ({ title, name }) => [title ?? "", name] },
	node: (session, item) => ({ ...base(session, "prompts", item.name), kind: "prompt", prompt: item.name, item }),
};

const skillShape: Shape<Skill> = {
	group: "skills",
	items: ({ skills }) => skills.items,
	traits: {
		name: ({ frontmatter }) => frontmatter.name,
		texts: ({ frontmatter, uri }) => [frontmatter.name, frontmatter.description, uri],
	},
	node: (session, skill) => ({ ...base(session, "skills", skill.uri), kind: "skill", uri: skill.uri, skill }),
};

const rootShape: Omit<Shape<Root>, "items"> = {
	group: "roots",
	traits: { name: ({ name, uri }) => name ?? uri, texts: ({ name, uri }) => [name ?? "", uri] },
	node: (session, root) => ({ ...base(session, "roots", root.uri), kind: "root", root }),
};
