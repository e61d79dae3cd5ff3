import { isJsonObject } from "../../../base/json.ts";
import { type ActivityItem, exchangeOf, itemId } from "./items.ts";

/** The request of a command that shows the activity. */
export interface ActivityRequest {
	/** The id of a server, to which the list is filtered; empty for all. */
	readonly server: string;
	readonly wanted?: Wanted;
}

/** The item to reveal: an item, or the decisions about an exchange of the trace, by its name. */
export type Wanted = { readonly item: string } | { readonly exchange: string; readonly group?: string | undefined };

/** The configured servers, as far as the activity knows them: by their ids, with their names. */
export interface NamedServers {
	get(id: string): unknown;
	readonly sessions: readonly { readonly definition: { readonly id: string; readonly name: string } }[];
}

/**
 * Reads the argument of the command: `{server}` with an id or a configured name, `{entry}` with the id of a review,
 * `{exchange}` with the name of one and optionally the `group` of the wanted item, or a node of the tree. Any other
 * value requests everything.
 */
export function readActivityRequest(argument: unknown, directory: NamedServers): ActivityRequest {
	if (!isJsonObject(argument)) return { server: "" };
	const { server, entry, exchange, group } = argument;
	const wanted: Wanted | undefined =
		typeof entry === "string"
			? { item: itemId("sampling", entry) }
			: typeof exchange === "string"
				? { exchange, group: typeof group === "string" ? group : undefined }
				: undefined;
	return {
		server: typeof server === "string" ? idOf(server, directory) : "",
		...(wanted === undefined ? {} : { wanted }),
	};
}

/** The item to reveal; undefined when there is none. The newest is found first. */
export function findWanted(items: readonly ActivityItem[], wanted: Wanted): ActivityItem | undefined {
	return items.find((item) => {
		if ("item" in wanted) return item.id === wanted.item;
		return exchangeOf(item) === wanted.exchange && (wanted.group ?? item.group) === item.group;
	});
}

/** A server that is no longer configured is still in the record. */
function idOf(server: string, directory: NamedServers): string {
	if (directory.get(server) !== undefined) return server;
	return directory.sessions.find(({ definition }) => definition.name === server)?.definition.id ?? server;
}
