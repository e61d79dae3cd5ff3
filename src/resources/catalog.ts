import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { Resource, ResourceTemplate, Session, SessionDirectory } from "../servers/session.ts";

/** A resource that a running server lists. */
export interface ListedResource {
	readonly session: Session;
	readonly resource: Resource;
}

/** A template that a running server lists. */
export interface ListedTemplate {
	readonly session: Session;
	readonly template: ResourceTemplate;
}

/** A resource as a command is told of it. */
export interface ResourceReference {
	/** A server's id, or its configured name. */
	readonly server: string;
	readonly uri: string;
}

/** A template as a command is told of it. */
export interface TemplateReference {
	readonly server: string;
	readonly uriTemplate: string;
}

/** All resources of the running servers, in the order of the configuration and of the servers' lists. */
export function listedResources(directory: SessionDirectory): readonly ListedResource[] {
	return running(directory).flatMap((session) => session.resources.items.map((resource) => ({ session, resource })));
}

/** All resource templates of the running servers. */
export function listedTemplates(directory: SessionDirectory): readonly ListedTemplate[] {
	return running(directory).flatMap((session) =>
		session.resourceTemplates.items.map((template) => ({ session, template })),
	);
}

/** The name for display, as the specification orders it: the title, else the name. */
export function displayName({ title, name }: { readonly title?: string | undefined; readonly name: string }): string {
	return oneLine(title ?? "", 100) || oneLine(name, 100);
}

/** The argument of a command as a reference to a resource: a node of the tree, or `{server, uri}` from anywhere. */
export function resourceReference(argument: unknown): ResourceReference | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uri } = argument as Partial<Record<string, unknown>>;
	return typeof server === "string" && typeof uri === "string" ? { server, uri } : undefined;
}

/** The argument of a command as a reference to a template: a node of the tree, or `{server, uriTemplate}`. */
export function templateReference(argument: unknown): TemplateReference | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uriTemplate } = argument as Partial<Record<string, unknown>>;
	return typeof server === "string" && typeof uriTemplate === "string" ? { server, uriTemplate } : undefined;
}

/**
 * The session that a person means by an id or a configured name.
 * @throws HostError `not-connected` when there is none.
 */
export function sessionNamed(directory: SessionDirectory, server: string): Session {
	const session = directory.get(server) ?? directory.sessions.find(({ definition }) => definition.name === server);
	if (session === undefined) throw new HostError("not-connected", `No server named "${oneLine(server)}" is configured.`);
	return session;
}

function running(directory: SessionDirectory): readonly Session[] {
	return directory.sessions.filter(({ state }) => state.kind === "running");
}
