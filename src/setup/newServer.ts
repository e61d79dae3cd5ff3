import type { JsonObject } from "../base/json.ts";

/** A server that a user decided to add: the written entry, and the values for the secret store. */
export interface NewServer {
	/** Not yet in use at the place. */
	readonly name: string;
	/** The entry as in an `mcp.json`; contains no secret. */
	readonly entry: JsonObject;
	/** The inputs that the entry refers to; where their ids are taken by others, they and the entry are renamed. */
	readonly inputs: readonly JsonObject[];
	/** Values of inputs by their ids, for the secret store. */
	readonly values: ReadonlyMap<string, string>;
	/** The entry as it was written elsewhere, with comments to keep. */
	readonly source?: string;
}

/** Where the user's own servers are written. */
export type ConfigurationPlace =
	| { readonly kind: "user" }
	/** The path of the folder whose `.vscode/mcp.json` it is. */
	| { readonly kind: "folder"; readonly folder: string };

/** Writes servers, with comments and order of the file kept. Starts nothing. */
export interface ConfigurationWriter {
	/**
	 * Adds servers at a place in one edit; their values are in the secret store before it returns, bound to the
	 * definitions of the servers. One call of `undo` reverts the edit, as long as nobody changed it meanwhile.
	 * @throws HostError `invalid` if the file is not valid JSON, because an edit might lose something: nothing was
	 * written.
	 */
	add(
		place: ConfigurationPlace,
		servers: readonly NewServer[],
	): Promise<{ readonly ids: readonly string[]; readonly undo: () => Promise<void> }>;
}
