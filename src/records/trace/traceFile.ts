import type { Json } from "../../base/json.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import type { Exchange, ExchangeBodies, TraceReader } from "./exchange.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** The version of the format (docs/trace-format.md). */
export const traceFileVersion = 1;

/** The part of a trace for a file. */
export interface TraceFileOptions {
	/** `metadata` leaves out the contents of messages; `contents` includes them as far as they are kept, redacted. */
	readonly contents: "metadata" | "contents";
	/** Who writes, such as `MCP Host 0.1.0`. */
	readonly host: string;
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** The user's home folder, which is written as `~`. */
	readonly home: string;
	/** Removes the secrets that the host knows. */
	readonly redactor: Redactor;
	/** The id of the one server whose exchanges are wanted; all by default. */
	readonly server?: string;
}

/** The exported data, and how much was removed before. */
export interface WrittenTrace {
	readonly text: string;
	readonly exchanges: number;
	readonly servers: number;
	/** Secrets that were replaced by a mark. */
	readonly hidden: number;
}

/** An exchange with its kept contents, in the form of a file. */
export interface SavedExchange extends Exchange {
	readonly bodies?: ExchangeBodies;
	/** The contents of its children, by their `bodyId`. */
	readonly childBodies?: Readonly<Record<string, ExchangeBodies>>;
}

/** Writes a trace as lines of JSON: a head, and one line for each exchange, oldest first (TRC-07). */
export function writeTrace(reader: TraceReader, options: TraceFileOptions): WrittenTrace {
	const { server: wanted } = options;
	const exchanges = reader.snapshot(0).exchanges.filter(({ server }) => wanted === undefined || server === wanted);
	// The ids of definitions hold the paths of files.
	const servers = new Map<string, { readonly id: string; readonly name: string; readonly transport: string }>();
	for (const { server, serverName: name, transport } of exchanges)
		if (!servers.has(server)) servers.set(server, { id: `s${servers.size + 1}`, name, transport });
	const writer = new SafeWriter(options.redactor);
	let hidden = 0;
	const lines = exchanges.map((exchange) => {
		const saved = options.contents === "contents" ? withBodies(reader, exchange) : withoutBodies(exchange);
		// Bodies are clean already; errors, addresses, ids and methods are not.
		const { bodies, childBodies, ...rest } = saved;
		const named = { ...rest, server: servers.get(exchange.server)?.id ?? exchange.server };
		const clean = jsonObjectOf(writer.json(jsonObjectOf(named)));
		hidden += hiddenIn(saved);
		return Object.assign({}, clean, bodies && { bodies }, childBodies && { childBodies });
	});
	const head = {
		mcpTrace: traceFileVersion,
		host: options.host,
		saved: new Date(options.now).toISOString(),
		contents: options.contents,
		servers: [...servers.values()].map((one) => Object.assign({}, one, { name: writer.text(one.name) })),
		hidden: hidden + writer.hidden,
	};
	const text = [head, ...lines].map((line) => `${JSON.stringify(atHome(jsonObjectOf(line), options.home))}\n`).join("");
	return { text, exchanges: exchanges.length, servers: servers.size, hidden: hidden + writer.hidden };
}

/** An exchange with all that is kept of it, redacted. */
export function withBodies(reader: TraceReader, exchange: Exchange): SavedExchange {
	const bodies = reader.body(exchange.id);
	const childBodies = Object.fromEntries(
		exchange.children.flatMap(({ bodyId }) => {
			const found = bodyId === undefined ? undefined : reader.body(exchange.id, bodyId);
			return found === undefined || bodyId === undefined ? [] : [[bodyId, found]];
		}),
	);
	return {
		...exchange,
		...(bodies === undefined ? {} : { bodies }),
		...(Object.keys(childBodies).length === 0 ? {} : { childBodies }),
	};
}

/** An exchange without the contents of messages: a failure's words may quote them. */
function withoutBodies(exchange: Exchange): SavedExchange {
	const { outcome } = exchange;
	return {
		...exchange,
		hasBodies: false,
		outcome: wordless(outcome),
		children: exchange.children.map((child) => {
			const { bodyId: _bodyId, ...bare } = child;
			return bare.outcome === undefined ? bare : { ...bare, outcome: wordless(bare.outcome) };
		}),
	};
}

function wordless(outcome: Exchange["outcome"]): Exchange["outcome"] {
	return outcome.kind === "rpc-error" || outcome.kind === "failed" ? { ...outcome, message: "" } : outcome;
}

function hiddenIn({ bodies, childBodies = {} }: SavedExchange): number {
	return [bodies, ...Object.values(childBodies)].reduce((sum, one) => sum + (one?.hidden ?? 0), 0);
}

/** The value with the home folder as `~` in all its texts. */
function atHome(value: Json, home: string): Json {
	if (typeof value === "string") return home.length < 2 ? value : value.replaceAll(home, "~");
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((part: Json) => atHome(part, home));
	return Object.fromEntries(
		Object.entries(jsonObjectOf(value)).map(([key, part]) => [key, part === undefined ? part : atHome(part, home)]),
	);
}
