import type { JsonObject } from "../../base/json.ts";
import type { ForeignServers } from "./foreignServer.ts";
import { readConfiguration } from "./readConfiguration.ts";

/** A server as a command or a link carries it: its name apart from its entry. */
export interface NamedEntry {
	readonly name?: string;
	readonly entry: JsonObject;
	readonly inputs: readonly JsonObject[];
}

/** The placeholder for a missing name. */
const unnamed = "server";

/** Reads an entry as one of a configuration of its host. `format` is its source, `host` the id of its host. */
export function readNamed(format: string, { name, entry, inputs }: NamedEntry, host?: string): ForeignServers {
	const text = JSON.stringify({ servers: { [name ?? unnamed]: entry }, inputs });
	const read = readConfiguration(text, host);
	if (read === undefined)
		return {
			format,
			servers: [],
			refused: [{ reason: "It has neither a command nor a URL.", ...(name && { name }) }],
		};
	if (name !== undefined) return { ...read, format };
	return {
		format,
		servers: read.servers.map(({ name: _name, ...server }) => server),
		refused: read.refused.map(({ reason }) => ({ reason })),
	};
}
