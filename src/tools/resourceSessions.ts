import type { Resource, ResourceTemplate, Session, SessionDirectory } from "../servers/session.ts";

/** Whether a server has resources or templates to read. */
export function offersResources({ state, resources, resourceTemplates }: Session): boolean {
	return state.kind === "running" && (resources.items.length > 0 || resourceTemplates.items.length > 0);
}

/** What a model calls a server: its name, or its id where several have the same name. */
export function uniqueName({ definition }: Session, among: readonly Session[]): string {
	const named = among.filter((other) => other.definition.name === definition.name);
	return named.length > 1 ? definition.id : definition.name;
}

/** The server that a model means. */
export function sessionOf(name: string, among: readonly Session[]): Session | undefined {
	return among.find((session) => uniqueName(session, among) === name);
}

/** Whether a server means a resource or a template for models, too; without an audience it does (spec.md T8). */
export function isForModels({ annotations }: Pick<Resource | ResourceTemplate, "annotations">): boolean {
	const audience = annotations?.audience;
	return audience === undefined || audience.length === 0 || audience.includes("assistant");
}

/** These sessions alone, for what looks through a directory. */
export function sessionsAsDirectory(sessions: readonly Session[]): SessionDirectory {
	return {
		sessions,
		onDidChange: () => ({ dispose: () => undefined }),
		get: (id) => sessions.find(({ definition }) => definition.id === id),
	};
}
