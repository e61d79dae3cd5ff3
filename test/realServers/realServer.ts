import type { JsonObject } from "../../src/base/json.ts";

/** The inputs of a server for its run. */
export interface Place {
	/** An empty folder, the server's home as well. */
	readonly folder: string;
	/** The address of a small server on this machine. */
	readonly url: string;
	/** A free port of this machine, for one that listens. */
	readonly port: number;
}

/** A server as npm delivers it. */
export interface RealServer {
	/** Name and exact version. */
	readonly name: string;
	readonly version: string;
	/** Its protocol implementation, where no package in its tree shows it: it is bundled, or not from npm. */
	readonly sdk?: string;
	/** Which of the package's commands it is; the first one by default. */
	readonly command?: string;
	readonly args?: (place: Place) => readonly string[];
	/** Variables that it requires before it lists anything. No value opens anything. */
	readonly env?: Readonly<Record<string, string>>;
	/** A server that listens: its address once it does. */
	readonly listens?: {
		readonly type: "http" | "sse";
		readonly path: string;
		/** The variable for its port, where no argument sets it. */
		readonly portIn?: string;
	};
	/** A tool that only reads and needs no network, and its arguments. */
	readonly call?: { readonly tool: string; readonly args?: (place: Place) => JsonObject };
	/** Files in its folder, which it is started in. */
	readonly files?: Readonly<Record<string, string>>;
	/** A need of one of its lists that is missing in this run, so that the list fails. */
	readonly lacks?: string;
	/** It does not start, for a reason of its own: it is here for the message to the user. */
	readonly fails?: true;
}

/** The protocol's own sample server, which gateways are tested with as well. */
export const everything = { name: "@modelcontextprotocol/server-everything", version: "2026.8.31" } as const;

/** The configuration of a cluster that does not exist. */
export const cluster = JSON.stringify({
	apiVersion: "v1",
	kind: "Config",
	clusters: [{ name: "none", cluster: { server: "https://127.0.0.1:9" } }],
	users: [{ name: "none", user: {} }],
	contexts: [{ name: "none", context: { cluster: "none", user: "none" } }],
	"current-context": "none",
});

/** The result of one server. */
export interface Row {
	readonly server: string;
	readonly over: string;
	readonly sdk: string;
	readonly revision: string;
	readonly era: string;
	readonly tools: number;
	readonly resources: number;
	readonly templates: number;
	readonly prompts: number;
	/** The result of the one call. */
	readonly call: string;
	/** From the start until every list is read, in milliseconds. */
	readonly readyMs: number;
	readonly remarks: string;
	readonly processesLeft: number;
	/** Whether it behaved as expected, and left no process behind. */
	readonly isGood: boolean;
}
