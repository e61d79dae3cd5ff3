import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { findServer } from "../prompts/find.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";

/** A resource that was named after `@mcp /resource`. */
export interface ResourceQuery {
	readonly session: Session;
	readonly uri: string;
}

/** How `/resource` is written. */
export const resourceUsage = "Write /resource server uri, /resource uri, or /resource alone to choose.";

const isUri = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Reads what was typed after `/resource`: a server and a URI, or a URI that one running server lists. Undefined for an
 * empty text.
 * @throws HostError `invalid` or `not-connected` for one that leads to no running server.
 */
export function parseResourceQuery(directory: SessionDirectory, text: string): ResourceQuery | undefined {
	const typed = text.trim();
	if (typed === "") return undefined;
	const [, quoted, bare, uri] = /^(?:"([^"]+)"|(\S+))\s+(\S[^]*)$/.exec(typed) ?? [];
	const server = quoted ?? bare;
	if (server !== undefined && uri !== undefined) return { session: running(findServer(directory, server)), uri };
	if (!isUri.test(typed)) throw new HostError("invalid", resourceUsage);
	const listing = directory.sessions.filter(
		({ state, resources }) => state.kind === "running" && resources.items.some(({ uri }) => uri === typed),
	);
	const [only, ...others] = listing;
	if (only !== undefined && others.length === 0) return { session: only, uri: typed };
	const why = only === undefined ? "No running server lists" : "Several servers list";
	throw new HostError("invalid", `${why} ${oneLine(typed)}. ${resourceUsage}`);
}

function running(session: Session): Session {
	if (session.state.kind === "running") return session;
	const name = oneLine(session.definition.name);
	throw new HostError("not-connected", `The server "${name}" is not running. Start it to read its resources.`);
}
