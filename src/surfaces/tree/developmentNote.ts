import { oneLine } from "../../base/text.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { ContentSources } from "./sources.ts";

/** The note on the row of a server in development: its changed file, the changes by its restart, and whether its changes are trusted. */
export function developmentNote(
	session: Session,
	{ sources, restarts, ownChanges }: Pick<ContentSources, "sources" | "restarts" | "ownChanges">,
): string | undefined {
	const file = sources?.changedFile(session);
	const change = restarts?.of(session);
	const parts = [
		...(file === undefined ? [] : [`${oneLine(file, 60)} changed · Restart`]),
		...(change === undefined ? [] : [`since restart: ${change.words}`]),
		...(ownChanges?.has(session) === true ? ["your changes are trusted"] : []),
	];
	return parts.length === 0 ? undefined : parts.join(" · ");
}
