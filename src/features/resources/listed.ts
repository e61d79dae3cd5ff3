import { once } from "../../base/once.ts";
import { runningSessions } from "../../servers/sessions/findServer.ts";
import { freshen } from "../../servers/sessions/freshness.ts";
import type { Resource, ResourceTemplate, Session, SessionDirectory } from "../../servers/sessions/session.ts";

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

/** All resources of the running servers, in the order of the configuration and of the servers' lists. */
export function listedResources(directory: SessionDirectory): readonly ListedResource[] {
	return runningSessions(directory).flatMap((session) =>
		session.resources.items.map((resource) => ({ session, resource })),
	);
}

/** All resource templates of the running servers. */
export function listedTemplates(directory: SessionDirectory): readonly ListedTemplate[] {
	return runningSessions(directory).flatMap((session) =>
		session.resourceTemplates.items.map((template) => ({ session, template })),
	);
}

/**
 * Reads again what is no longer fresh, and resolves when no running server is still sending the first page of these lists,
 * or when `signal` is aborted.
 */
export async function whenListed(
	directory: SessionDirectory,
	kind: "prompts" | "resources" | "resourceTemplates",
	signal: AbortSignal,
): Promise<void> {
	const running = runningSessions(directory);
	await freshen(running, () => signal);
	for (const session of running) {
		const list = session[kind];
		while (list.status.kind === "loading" && list.items.length === 0 && !signal.aborted) {
			await once(list.onDidChange, signal).catch(() => undefined);
		}
	}
}
