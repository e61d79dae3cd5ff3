import { jsonObjectOf } from "../../base/guards.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { SafeWriter } from "../../base/secrets/writer.ts";
import { oneLine } from "../../base/text.ts";
import type { Era, ServerFacts } from "../../protocol/connection.ts";
import type { Exchange } from "./exchange.ts";
import { pairsOf, type Pair } from "./mockServer.ts";
import type { SavedExchange } from "./traceFile.ts";

/** The lists of a server, by the request that reads them, with the member of the result and the capability that offers them. */
const lists = {
	"tools/list": { member: "tools", capability: "tools" },
	"prompts/list": { member: "prompts", capability: "prompts" },
	"resources/list": { member: "resources", capability: "resources" },
	"resources/templates/list": { member: "resourceTemplates", capability: "resources" },
} as const;
type ListMethod = keyof typeof lists;
const listMethods = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;

/** Requests of which a mock server needs the answer, beside the handshake and the lists. */
const answered: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** The state of a running server, whether or not its start was recorded. */
export interface KnownServer extends Pick<ServerFacts, "server" | "capabilities" | "protocolVersion" | "instructions"> {
	readonly era: Era;
	/** The lists that are whole. */
	readonly lists: Readonly<Partial<Record<ListMethod, readonly object[]>>>;
}

/** The exchanges for a mock server, or the reason why it would not be complete. */
export type MockRecording =
	| {
			readonly kind: "complete";
			readonly exchanges: readonly SavedExchange[];
			/** Requests that cannot be recorded any more: of an earlier start, or too large to be kept whole. In words. */
			readonly leftOut: readonly string[];
	  }
	| { readonly kind: "incomplete"; /** In words, untrusted names among them. */ readonly missing: readonly string[] };

/**
 * The exchanges of one server, complete enough for an MCP client to connect and list everything (TRC-48): the handshake and
 * the lists that were not recorded come from the state of the server. `writer` removes secrets from that.
 */
export function mockRecording(
	recorded: readonly SavedExchange[],
	known: KnownServer | undefined,
	writer: SafeWriter,
): MockRecording {
	const sample = recorded.find(({ direction, kind }) => direction === "out" && kind === "request");
	if (sample === undefined) return { kind: "incomplete", missing: ["all messages"] };
	const pairs = recorded.filter(isAsked).flatMap(pairsOf);
	const missing: string[] = [];
	const added: SavedExchange[] = [];
	const replaced = new Set<string>();
	const add = (method: string, result: JsonObject): void => {
		replaced.add(method);
		added.push(madeUp(sample, method, result, writer, known));
	};

	const handshake = pairs.findLast(isHandshake);
	if (handshake === undefined && known !== undefined) add(...handshakeOf(known));
	else if (handshake === undefined) missing.push("the handshake");
	const capabilities =
		known?.capabilities ?? jsonObjectOf(jsonObjectOf(handshake?.recorded.answer["result"])["capabilities"]);
	for (const method of listMethods) {
		const { member, capability } = lists[method];
		if (capabilities[capability] === undefined || isWhole(pairs, method)) continue;
		const items = known?.lists[method];
		if (items === undefined) missing.push(method);
		else add(method, { ...about(known), [member]: items.map((item) => jsonObjectOf(item)) });
	}
	const bare = recorded.filter(
		(one) => isAsked(one) && answered.has(one.method) && isAnswered(one) && pairsOf(one).length === 0,
	);
	const latest = Math.max(...recorded.map(({ generation }) => generation));
	for (const one of bare) if (one.generation === latest && !isCut(one)) missing.push(wordsOf(one));
	if (missing.length > 0) return { kind: "incomplete", missing: [...new Set(missing)] };
	const kept = recorded.filter(({ method, direction }) => direction !== "out" || !replaced.has(method));
	const exchanges = [...added, ...kept].map((one, index) => Object.assign({}, one, { id: index + 1 }));
	return { kind: "complete", exchanges, leftOut: [...new Set(bare.map(wordsOf))] };
}

function isAsked({ direction, kind, generation }: Exchange): boolean {
	return direction === "out" && kind === "request" && generation > 0;
}

function isHandshake({ method, recorded: { answer } }: Pair): boolean {
	return (method === "initialize" || method === "server/discover") && answer["result"] !== undefined;
}

/** Whether the pages of a list were recorded, from the first one to the last. */
function isWhole(pairs: readonly Pair[], method: string): boolean {
	const seen = new Set<Json | undefined>();
	let cursor: Json | undefined;
	do {
		seen.add(cursor);
		const at = cursor;
		const page = pairs.findLast((one) => one.method === method && one.params["cursor"] === at);
		if (page === undefined) return false;
		cursor = jsonObjectOf(page.recorded.answer["result"])["nextCursor"] ?? undefined;
	} while (cursor !== undefined && !seen.has(cursor));
	return true;
}

function isAnswered({ outcome }: Exchange): boolean {
	return outcome.kind === "ok" || outcome.kind === "tool-error" || outcome.kind === "rpc-error";
}

/** Whether it was kept, and a message of it was too large to be kept whole: recording it again would not help. */
function isCut({ hasBodies, bodies, childBodies = {} }: SavedExchange): boolean {
	const held = [bodies, ...Object.values(childBodies)];
	return hasBodies && held.some((one) => one?.request?.kind === "head" || one?.response?.kind === "head");
}

function wordsOf({ method, target }: Exchange): string {
	return oneLine(target === undefined ? method : `${method} ${target}`, 80);
}

function handshakeOf(known: KnownServer): [string, JsonObject] {
	const { server, protocolVersion, instructions, era } = known;
	const said = {
		capabilities: jsonObjectOf(known.capabilities),
		...(instructions === undefined ? {} : { instructions }),
	};
	const named = server === undefined ? {} : { serverInfo: jsonObjectOf(server) };
	return era === "legacy"
		? ["initialize", { protocolVersion, ...said, ...named }]
		: ["server/discover", { ...about(known), supportedVersions: [protocolVersion], ...said }];
}

/** The members of each result about itself and its server (specification 2026-07-28, "Results", "Caching" and "_meta"). */
function about(known: KnownServer | undefined): JsonObject {
	if (known?.era !== "modern") return {};
	const { server } = known;
	const meta = server === undefined ? {} : { _meta: { "io.modelcontextprotocol/serverInfo": jsonObjectOf(server) } };
	return { resultType: "complete", ttlMs: 0, cacheScope: "private", ...meta };
}

/** An exchange that has not taken place, like one that has. */
function madeUp(
	{ server, serverName, transport, generation, startedAt }: Exchange,
	method: string,
	result: JsonObject,
	writer: SafeWriter,
	known: KnownServer | undefined,
): SavedExchange {
	const before = writer.hidden;
	const response = { kind: "whole", value: writer.json({ jsonrpc: "2.0", id: 0, result }) } as const;
	return {
		id: 0,
		server,
		serverName,
		transport,
		generation,
		startedAt,
		...(known === undefined ? {} : { era: known.era, protocolVersion: known.protocolVersion }),
		kind: "request",
		direction: "out",
		method,
		origin: "host",
		durations: { total: 0, user: 0, server: 0, own: 0 },
		bytesOut: 0,
		bytesIn: 0,
		outcome: { kind: "ok" },
		children: [],
		childrenDropped: 0,
		count: 1,
		hasBodies: true,
		bodies: {
			request: { kind: "whole", value: { jsonrpc: "2.0", id: 0, method, params: {} } },
			response,
			hidden: writer.hidden - before,
		},
	};
}
