import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { logLevels } from "../messages/gatedTransport.ts";
import { isWithin } from "../messages/uriWithin.ts";
import type { WireForm } from "../wireTap.ts";

/** The callbacks of one client of a hub. */
export interface HubListener {
	/** A message of the server, for this client; it must not be changed. */
	deliver(message: JSONRPCMessage, form: WireForm): void;
	/** Nothing more comes. `why` goes on from "The server …". */
	end(why: string): void;
}

/** The state of one client of a hub. */
export class HubClient {
	readonly listener: HubListener;
	/** The requests of the client that are open: their ids as the client chose them, and as the server knows them. */
	readonly sent = new Map<RequestId, RequestId>();
	/** The resources that it subscribed to (up to revision 2025-11-25). */
	readonly subscribed = new Set<string>();
	/** The requests of the server that it was given and has not answered. */
	readonly asked = new Set<RequestId>();
	/** The least severe level of log message that it asked for; undefined if it did not. */
	level: string | undefined;

	constructor(listener: HubListener) {
		this.listener = listener;
	}

	/** Whether it subscribed to a resource, or to one that this is a part of. */
	follows(uri: unknown): boolean {
		if (typeof uri !== "string") return false;
		return this.subscribed.has(uri) || [...this.subscribed].some((whole) => isWithin(uri, whole));
	}

	/** Hands on a result that the hub gives in place of the server. */
	answer(id: RequestId, result: JSONRPCResult): undefined {
		this.listener.deliver({ jsonrpc: "2.0", id, result }, { bytes: 0 });
	}

	/** Refuses a request in place of the server. */
	refuse(id: RequestId, code: number, message: string): undefined {
		const error: JSONRPCErrorResponse["error"] = { code, message };
		this.listener.deliver({ jsonrpc: "2.0", id, error }, { bytes: 0 });
	}
}

type JSONRPCResult = Extract<JSONRPCMessage, { readonly result: unknown }>["result"];

/** Whether a message of one level is as severe as the other level; one of no level is. */
export function isAsSevere(level: unknown, least: string | undefined): boolean {
	return least === undefined || typeof level !== "string" || logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** The least severe of some levels; undefined without any. */
export function leastSevere(levels: readonly (string | undefined)[]): string | undefined {
	const known = levels.filter((level) => level !== undefined);
	return known.toSorted((a, b) => logLevels.indexOf(a) - logLevels.indexOf(b))[0];
}
