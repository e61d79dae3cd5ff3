import { HostError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseObject } from "../../base/schema/schema.ts";
import { oneLine } from "../../base/text.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";

/** The text that was typed after `@mcp /call`. */
export interface CallQuery {
	/** `server/tool`, or the tool alone. */
	readonly tool: string;
	/** Undefined when there were none. */
	readonly arguments: JsonObject | undefined;
	/** Why the typed arguments are invalid; the form helps then. */
	readonly problem?: string;
}

/** How `/call` is written. */
export const callUsage = 'Write /call server/tool {"argument": "value"}, or /call alone to choose.';

/**
 * Reads the text after `/call`: the tool, up to the first brace or white space, and its arguments as JSON. A name that
 * contains white space is in double quotes. Undefined for an empty text.
 * @throws HostError `invalid` for one that names no tool.
 */
export function parseCallQuery(text: string): CallQuery | undefined {
	const typed = text.trim();
	if (typed === "") return undefined;
	const [, quoted, bare, rest = ""] = /^(?:"([^"]+)"|([^\s"{]+))\s*([^]*)$/.exec(typed) ?? [];
	const tool = quoted ?? bare;
	if (tool === undefined) throw new HostError("invalid", callUsage);
	if (rest === "") return { tool, arguments: undefined };
	const parsed = parseObject(rest);
	return "problem" in parsed
		? { tool, arguments: undefined, problem: parsed.problem }
		: { tool, arguments: parsed.value };
}

/** A resource that was named after `@mcp /resource`. */
export interface ResourceQuery {
	readonly session: Session;
	readonly uri: string;
}

/** How `/resource` is written. */
export const resourceUsage = "Write /resource server uri, /resource uri, or /resource alone to choose.";

const isUri = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Reads the text after `/resource`: a server and a URI, or a URI that one running server lists. Undefined for an empty
 * text.
 * @throws HostError `invalid` or `not-connected` for a text without a running server.
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
