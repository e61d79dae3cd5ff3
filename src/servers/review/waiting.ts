import { canonicalJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { Session } from "../sessions/session.ts";

/**
 * The servers whose definitions wait for the user's approval, in the order of the configuration. Those of an untrusted
 * workspace are not included: no review can start them.
 */
export function waitingServers<S extends Session>(
	{ sessions }: { readonly sessions: readonly S[] },
	isTrusted: boolean,
): readonly S[] {
	return sessions.filter(
		({ definition, state }) => state.kind === "needs-approval" && (isTrusted || !needsTrust(definition)),
	);
}

/** Whether a definition starts in a trusted workspace only (CFG-01, CFG-26). */
export function needsTrust({ origin, place }: Pick<ServerDefinition, "origin" | "place">): boolean {
	return origin.isWorkspace || place !== undefined;
}

/** Servers by where they are configured: the name of the place first, as it is shown. */
export function byOrigin<S extends Session>(sessions: readonly S[]): ReadonlyMap<string, readonly S[]> {
	return Map.groupBy(sessions, ({ definition }) => oneLine(definition.origin.label));
}

/**
 * The identity that an approval is bound to, as one text: another command, address, environment or root gives another
 * key.
 */
export function definitionKey({ hash, roots }: Pick<ServerDefinition, "hash" | "roots">): string {
	return canonicalJson([hash, roots ?? null]);
}

/** The names of servers for a sentence, not all of many. */
export function namesOf(sessions: readonly Pick<Session, "definition">[], most = 3): string {
	const names = sessions.map(({ definition }) => `“${oneLine(definition.name, 60)}”`);
	const more = names.length - most;
	if (more > 1) return `${names.slice(0, most).join(", ")} and ${more} more`;
	return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
