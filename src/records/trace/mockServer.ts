import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { cap } from "../../base/text.ts";
import type { ExchangeBodies, KeptBody } from "./exchange.ts";
import type { SavedExchange } from "./traceFile.ts";

/** Requests that are equal regardless of their params: a client's description of itself differs. */
const alike: ReadonlySet<string> = new Set(["initialize", "server/discover", "ping", "logging/setLevel"]);
const [invalidParams, methodNotFound] = [-32602, -32601];
const longestQuote = 200;

/** The recording of one request: the server's messages meanwhile, then its answer. */
interface RecordedAnswer {
	/** Notifications of the server and requests of its own, in their order. */
	readonly meanwhile: readonly JsonObject[];
	readonly answer: JsonObject;
}

/** The contents of a recording: the answers to each request, in the order of their arrival. */
class Recording {
	/** Whether anything can be answered from it. */
	readonly size: number;
	readonly methods: ReadonlySet<string>;
	private readonly answers = new Map<string, { readonly recorded: RecordedAnswer[]; next: number }>();

	constructor(exchanges: readonly SavedExchange[]) {
		const found = exchanges.filter(({ direction, kind }) => direction === "out" && kind === "request").flatMap(pairsOf);
		for (const { method, params, recorded } of found) {
			const key = keyOf(method, params);
			const list = this.answers.get(key) ?? { recorded: [], next: 0 };
			list.recorded.push(recorded);
			this.answers.set(key, list);
		}
		this.size = found.length;
		this.methods = new Set(found.map(({ method }) => method));
	}

	/** The answer to a request: the next one that was recorded for an equal one, and the last one from then on. */
	take(method: string, params: JsonObject): RecordedAnswer | undefined {
		const list = this.answers.get(keyOf(method, params));
		return list?.recorded[Math.min(list.next++, list.recorded.length - 1)];
	}
}

/** The dependencies of a mock server. */
export interface MockOptions {
	/** The exchanges of one server, with their contents. */
	readonly exchanges: readonly SavedExchange[];
	/** Its name if the recording does not have the handshake. */
	readonly name: string;
	/** Sends one message to the client. */
	readonly send: (message: JsonObject) => void;
}

/**
 * Replaces a recorded server: a request that equals a recorded one, by method and params without `_meta`, gets the
 * recorded answer under its own id; any other gets an error that says so (TRC-09). It runs nothing and connects to
 * nothing.
 */
export class MockServer {
	private readonly recording: Recording;
	private readonly options: MockOptions;
	/** The server's own requests that wait for the client. */
	private readonly asked = new Map<string, () => void>();

	/** @throws Error in words for users when the recording has no contents. */
	constructor(options: MockOptions) {
		this.options = options;
		this.recording = new Recording(options.exchanges);
		if (this.recording.size === 0) {
			throw new Error(
				"The recording contains no messages. Set mcpHost.trace to bodies, or open MCP Trace, before you record.",
			);
		}
	}

	/** Takes a message of the client. */
	async receive(message: unknown): Promise<void> {
		if (!isJsonObject(message)) return;
		const { id, method, params } = message;
		if (typeof method !== "string") return typeof id === "string" ? this.asked.get(id)?.() : undefined;
		if (id === undefined) return;
		const { send } = this.options;
		const given = isJsonObject(params) ? params : {};
		const found = this.recording.take(method, given);
		if (found === undefined) return send({ jsonrpc: "2.0", id, ...this.unrecorded(method, given) });
		const meta = isJsonObject(given["_meta"]) ? given["_meta"] : {};
		for (const said of found.meanwhile) await this.say(said, meta["progressToken"]);
		send({ ...found.answer, jsonrpc: "2.0", id });
	}

	private async say(said: JsonObject, token: Json | undefined): Promise<void> {
		const { send } = this.options;
		if ("id" in said) {
			const id = `mock-${crypto.randomUUID()}`;
			const { promise, resolve } = Promise.withResolvers<void>();
			this.asked.set(id, resolve);
			send({ ...said, id });
			await promise;
			this.asked.delete(id);
		} else if (said["method"] !== "notifications/progress") send(said);
		else if (token !== undefined && isJsonObject(said["params"]))
			send({ ...said, params: { ...said["params"], progressToken: token } });
	}

	/** The answer if nothing was recorded: for the handshake an invented one, otherwise an error. */
	private unrecorded(method: string, params: JsonObject): JsonObject {
		const serverInfo = { name: this.options.name, version: "recorded" };
		const { capabilities } = this;
		if (method === "ping") return { result: {} };
		if (method === "initialize") {
			const { protocolVersion = "2025-11-25" } = params;
			return { result: { protocolVersion, capabilities, serverInfo } };
		}
		const isKnown = this.recording.methods.has(method);
		const quoted = cap(canonicalJson(withoutMeta(params)), longestQuote);
		return {
			error: {
				code: isKnown ? invalidParams : methodNotFound,
				message: isKnown
					? `The recording contains no ${method} with these params: ${quoted}`
					: `The recording contains no ${method}.`,
			},
		};
	}

	private get capabilities(): JsonObject {
		const offered = ["tools", "prompts", "resources"].filter((kind) =>
			[...this.recording.methods].some((method) => method.startsWith(`${kind}/`)),
		);
		return Object.fromEntries(offered.map((kind) => [kind, {}]));
	}
}

/** A request on the wire with what was recorded of its answer. */
export interface Pair {
	readonly method: string;
	readonly params: JsonObject;
	readonly recorded: RecordedAnswer;
}

/** The requests on the wire that an exchange consists of, each with its answer. */
export function pairsOf(exchange: SavedExchange): readonly Pair[] {
	const { children, bodies, childBodies = {} } = exchange;
	const pairs: Pair[] = [];
	let meanwhile: JsonObject[] = [];
	const add = (held: ExchangeBodies | undefined): void => {
		const request = messageIn(held?.request);
		const answer = messageIn(held?.response);
		const method = request?.["method"];
		if (request === undefined || answer === undefined || typeof method !== "string") return;
		const params = isJsonObject(request["params"]) ? request["params"] : {};
		const { id: _, ...rest } = answer;
		pairs.push({ method, params, recorded: { meanwhile, answer: rest } });
		meanwhile = [];
	};
	const isSeveral = children.some(({ kind }) => kind === "request" || kind === "round" || kind === "retry");
	// Messages before the answer follow the request in the order of time.
	let open: ExchangeBodies | undefined;
	for (const { kind, bodyId } of children) {
		const held = bodyId === undefined || !Object.hasOwn(childBodies, bodyId) ? undefined : childBodies[bodyId];
		if (kind === "request" || kind === "round" || kind === "retry") {
			add(open);
			open = held;
		} else if (kind === "progress" || kind === "log" || kind === "serverRequest") {
			const said = messageIn(held?.request);
			if (said !== undefined) meanwhile.push(said);
		}
	}
	add(isSeveral ? open : bodies);
	return pairs;
}

function messageIn(body: KeptBody | undefined): JsonObject | undefined {
	return body?.kind === "whole" && isJsonObject(body.value) ? body.value : undefined;
}

function keyOf(method: string, params: JsonObject): string {
	return alike.has(method) ? method : `${method} ${canonicalJson(withoutMeta(params))}`;
}

function withoutMeta({ _meta, ...params }: JsonObject): JsonObject {
	return params;
}
