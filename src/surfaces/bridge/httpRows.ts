import { oneLine } from "../../base/text.ts";
import type { ShareRow } from "./shareList.ts";

/** Where the server is at its port. */
export const httpPath = "/mcp";
/** The port that is opened for the first key, unless the user has set one. */
export const usualPort = 47_921;

/** The state of sharing over HTTP. */
export interface HttpState {
	/** 0 while it is off. */
	readonly port: number;
	/** Why the port is not served by this window although it is on. */
	readonly whyNot: string | undefined;
}

/** The rows about HTTP in the list of *Share Servers with Other Agents…*. */
export function httpRows({ port, whyNot }: HttpState): readonly ShareRow[] {
	const add: ShareRow = {
		icon: "key",
		label: "Add a Key for HTTP…",
		description: port === 0 ? "for agents that take an address" : addressOf(port),
		action: { kind: "http", what: "add" },
	};
	if (port === 0) return [add];
	const description = whyNot === undefined ? addressOf(port) : oneLine(whyNot, 200);
	return [add, { icon: "debug-stop", label: "Stop HTTP", description, action: { kind: "http", what: "stop" } }];
}

/** The address of the servers at a port. */
export function addressOf(port: number): string {
	return `http://127.0.0.1:${port}${httpPath}`;
}

/** The entry by which an agent reaches the servers over HTTP, in the form that most agents read. */
export function httpEntry(port: number, key: string): string {
	const entry = { type: "http", url: addressOf(port), headers: { Authorization: `Bearer ${key}` } };
	return `${JSON.stringify({ mcpServers: { "mcp-host": entry } }, undefined, 2)}\n`;
}
