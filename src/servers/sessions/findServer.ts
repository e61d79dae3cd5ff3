import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Session, SessionDirectory } from "./session.ts";

/**
 * The server of an id or of a configured name, if only one server has it. Throws a HostError `invalid` when there is
 * none.
 */
export function findServer(directory: SessionDirectory, server: string): Session {
	const named = directory.sessions.filter(({ definition }) => definition.name === server);
	const found = directory.get(server) ?? (named.length === 1 ? named[0] : undefined);
	if (found !== undefined) return found;
	const names = (named.length === 0 ? directory.sessions : named).map(({ definition }) =>
		oneLine(named.length === 0 ? definition.name : definition.id),
	);
	throw new HostError(
		"invalid",
		named.length === 0
			? `No server named "${oneLine(server)}" is configured. Configured: ${names.slice(0, 10).join(", ") || "none"}.`
			: `Several servers are named "${oneLine(server)}". Choose one of: ${names.join(", ")}`,
	);
}

/** The sessions that can answer now. */
export function runningSessions(directory: SessionDirectory): readonly Session[] {
	return directory.sessions.filter(({ state }) => state.kind === "running");
}
