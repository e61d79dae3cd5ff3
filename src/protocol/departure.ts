/** The kinds of violations of the protocol that the host tolerates, repairs, drops or skips. */
export type DepartureRule =
	/** Standard output holds text that is no message. */
	| "stdout"
	/** A tool, prompt, resource or part of an answer breaks the protocol and is left out, or shown as received. */
	| "left-out"
	/** A name or URI is in a list twice. */
	| "duplicate"
	/** A member was read in another way than it was written. */
	| "tolerated"
	/** A member of JSON-RPC itself is wrong: `jsonrpc`, `id`, `error`. */
	| "json-rpc"
	/** A message that cannot be read, or that answers nothing, was dropped. */
	| "dropped"
	/** A message was larger or nested deeper than the host takes. */
	| "limit"
	/** A declared capability is not implemented. */
	| "capability"
	/** Any other failure that did not end the connection. */
	| "trouble";

/** One violation of the protocol by a server. All texts may hold words of the server: untrusted. */
export interface Departure {
	readonly rule: DepartureRule;
	/** The fact, in one sentence. */
	readonly what: string;
	/** The message, such as `tools/list` for an answer to it. */
	readonly message?: string;
	/** Where in the message, such as `result.tools[1].inputSchema.type`. */
	readonly path?: string;
	/** The name or URI of the tool, prompt, resource or template that it is about, as the server sent it. */
	readonly item?: string;
}

/** Receives a failure that did not end the connection: a sentence for the log, and the violations that it is about. */
export type OnTrouble = (message: string, departures?: readonly Departure[]) => void;

/** How many departures of one server are kept. */
const most = 200;

/** Adds violations to the list of a session, each once, without the secrets that `redact` knows. */
export function noteDepartures(
	list: Departure[],
	departures: readonly Departure[],
	redact: (text: string) => string,
): void {
	for (const found of departures) {
		const one = { ...found, what: redact(found.what) };
		const isKnown = list.some(
			({ rule, what, message: of, path }) =>
				rule === one.rule && what === one.what && of === one.message && path === one.path,
		);
		if (!isKnown && list.length < most) list.push(one);
	}
}
