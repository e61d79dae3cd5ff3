import type { JsonPath } from "../../base/configText.ts";
import type { JsonObject } from "../../base/json.ts";

/**
 * A server from a text of another host, in the form of an `mcp.json` of VS Code. Only its shape was checked: it becomes
 * a definition only after a user saw it and it was written to a configuration.
 */
export interface ForeignServer {
	/** As the text names it; absent where it has no name, as a command line has none. */
	readonly name?: string;
	/** The entry under the name in an `mcp.json`: variables are `${env:NAME}`, `${env:NAME:-default}`, `${input:id}`. */
	readonly entry: JsonObject;
	/** The `inputs` of an `mcp.json` that `entry` refers to. */
	readonly inputs: readonly JsonObject[];
	/** Optional values that it may receive. */
	readonly optional?: readonly OptionalValue[];
	/** Whether the other host had it switched off. */
	readonly isOff: boolean;
	/**
	 * Whether it is possibly not a server, or another way to run an existing one: it is offered, but must not be added
	 * unseen.
	 */
	readonly isDoubtful?: true;
	/** The other host's settings for its tools. Never a grant here: a user may take them over, or not. */
	readonly tools: ForeignToolLists;
	/** The keys that lead to it in the text. */
	readonly path?: JsonPath;
	/** The folder in which alone the other host used it. */
	readonly folder?: string;
	/** Parts without a counterpart here, or changed in translation: our sentences. */
	readonly remarks: readonly string[];
}

/** A variable or a header that a server may be given. */
export interface OptionalValue {
	readonly kind: "env" | "header";
	readonly name: string;
	/** Its purpose, in the words of its author; empty if there are none. */
	readonly about: string;
	readonly isSecret: boolean;
}

/** Tools by name, with another host's settings for them. */
export interface ForeignToolLists {
	/** Ran there without a question. */
	readonly allowed?: readonly string[] | "all";
	/** The only ones that were offered to models. */
	readonly only?: readonly string[];
	/** Were not offered to models. */
	readonly hidden?: readonly string[];
}

/** An entry that is not a server here, and why, in our sentence. */
export interface RefusedServer {
	readonly name?: string;
	readonly reason: string;
	/** The keys that lead to it in the text. */
	readonly path?: JsonPath;
	/** Whether nothing is lost by it: it is a part of the other host, or of a folder that is not open. */
	readonly isNoLoss?: true;
}

/** The contents of a text. */
export interface ForeignServers {
	/** The detected format of the text, such as `Codex configuration (TOML)` or `docker command line`. */
	readonly format: string;
	readonly servers: readonly ForeignServer[];
	readonly refused: readonly RefusedServer[];
	/** The URL or the path of a bundle, where the text is one: which server it holds is known only once it was looked into. */
	readonly bundle?: string;
	/** The SHA-256 that its file must have, where the text says it. */
	readonly bundleSha256?: string;
	/** The address of a domain, if the text is one without a path: it may publish its servers. */
	readonly domain?: string;
	/** The name for a search of a registry, if the text contains no more. */
	readonly listed?: string;
	/** Whether only one of the servers is meant to be added: they are ways to have the same one. */
	readonly isChoice?: true;
	/** Whether the text could not be read at all, as while a user edits it; `refused` says why. */
	readonly isBroken?: true;
}
