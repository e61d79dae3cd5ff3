import { isJsonObject } from "../base/json.ts";

/** What the command that shows the log was asked for. */
export interface LogRequest {
	/** The id of a server, to which the list is filtered; empty for all. */
	readonly server: string;
	/** An entry to show. */
	readonly entry: string | undefined;
	/** What names an exchange in the trace, whose entry is to be shown. */
	readonly exchange?: string;
}

/** The configured servers, as far as the log knows them: by their ids, with their names. */
export interface NamedServers {
	get(id: string): unknown;
	readonly sessions: readonly { readonly definition: { readonly id: string; readonly name: string } }[];
}

/**
 * Reads the argument of the command: `{server}` with an id or a configured name, `{entry}` with the id of a review,
 * `{exchange}` with the name of one, or a node of the tree. Anything else asks for everything.
 */
export function readLogRequest(argument: unknown, directory: NamedServers): LogRequest {
	if (!isJsonObject(argument)) return { server: "", entry: undefined };
	const { server, entry, exchange } = argument;
	return {
		server: typeof server === "string" ? idOf(server, directory) : "",
		entry: typeof entry === "string" ? entry : undefined,
		...(typeof exchange === "string" ? { exchange } : {}),
	};
}

/** A server that is no longer configured is in the record all the same. */
function idOf(server: string, directory: NamedServers): string {
	if (directory.get(server) !== undefined) return server;
	return directory.sessions.find(({ definition }) => definition.name === server)?.definition.id ?? server;
}
