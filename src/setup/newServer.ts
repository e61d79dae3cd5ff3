import type { JsonObject } from "../base/json.ts";

/** A server that a user decided to add: what is written, and what goes to the secret store instead. */
export interface NewServer {
	/** Not yet in use at the place. */
	readonly name: string;
	/** The entry as in an `mcp.json`; holds no secret. */
	readonly entry: JsonObject;
	/** The inputs that the entry refers to; where their ids are taken by others, they and the entry are renamed. */
	readonly inputs: readonly JsonObject[];
	/** Values of inputs by their ids, for the secret store. */
	readonly values: ReadonlyMap<string, string>;
	/** The entry as it was written elsewhere, with comments that are to be kept. */
	readonly source?: string;
}

/** Where servers of one's own are written. */
export type ConfigurationPlace =
	| { readonly kind: "user" }
	/** The path of the folder whose `.vscode/mcp.json` it is. */
	| { readonly kind: "folder"; readonly folder: string };

/** Writes servers, with comments and order of the file kept. Starts nothing. */
export interface ConfigurationWriter {
	/**
	 * Adds servers at a place in one edit; their values are in the secret store before it returns, bound to the definitions that
	 * the servers became. What was written can be taken back by one call of `undo`, as long as nobody changed it meanwhile.
	 * @throws HostError `invalid` where the file is no valid JSON, since an edit might lose something: nothing was written.
	 */
	add(
		place: ConfigurationPlace,
		servers: readonly NewServer[],
	): Promise<{ readonly ids: readonly string[]; readonly undo: () => Promise<void> }>;
}
