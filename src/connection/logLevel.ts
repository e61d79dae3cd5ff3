import { LOG_LEVEL_META_KEY, type Client } from "@modelcontextprotocol/client";
import type { ConnectRequest } from "./connection.ts";
import { requestOptions, type Requests } from "./requests.ts";
import type { ServerFacts } from "../servers/session.ts";

/** How long a server may take to note a level, in milliseconds. */
const noteMs = 30_000;

/** Tells a server which of its log messages somebody reads, in the way of its era (specification, "Logging"). */
export class LogLevel {
	private readonly current: ConnectRequest["logLevel"];
	private readonly requests: Requests;
	private readonly closing: AbortSignal;

	/** `current` is read at each use; `closing` is aborted when the connection is closed. */
	constructor(current: ConnectRequest["logLevel"], requests: Requests, closing: AbortSignal) {
		this.current = current;
		this.requests = requests;
		this.closing = closing;
	}

	/** Tells a legacy server that logs; modern requests carry the level themselves. Rejects as requests do. */
	async update({ era, capabilities }: ServerFacts): Promise<void> {
		if (era === "modern" || capabilities.logging === undefined) return;
		// There is no level for silence; the highest comes closest.
		const level = this.current() ?? "emergency";
		const control = { signal: AbortSignal.any([this.closing, AbortSignal.timeout(noteMs)]) };
		const send = (client: Client): Promise<unknown> => client.setLoggingLevel(level, requestOptions(control));
		await this.requests.run(control, send, { isPreparation: true });
	}

	/** What a modern request says about log messages; nothing when nobody reads them. */
	metaFor({ era }: ServerFacts): { readonly _meta?: { readonly [LOG_LEVEL_META_KEY]: string } } {
		const level = era === "modern" ? this.current() : undefined;
		return level === undefined ? {} : { _meta: { [LOG_LEVEL_META_KEY]: level } };
	}
}
