import { type Redactor, SafeWriter } from "../../../base/secrets/writer.ts";
import { sha256 } from "../../../base/hash.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import type { Exchange, ExchangeChild, ExchangeOutcome, TraceReader } from "../exchange.ts";
import { jsonObjectOf } from "../../../base/guards.ts";

/** The host's names in the sent data: the attributes `service.name` and `service.version`. */
export interface SpanSource {
	/** Who writes, such as `MCP Host 0.1.0`. */
	readonly host: string;
	/** The user's home folder, which is written as `~`. */
	readonly home: string;
}

/** The kinds of a span (OTLP, `Span.SpanKind`). */
const kinds = { server: 2, client: 3 } as const;
/** The status of one that failed (OTLP, `Status.StatusCode`). */
const failed = 2;

/**
 * The ids of an exchange's span, by the name of the exchange: every caller gets the same, so that the spans of a server
 * join those that are sent later.
 */
function idsOf(name: string): { readonly traceId: string; readonly spanId: string } {
	const digest = sha256(name);
	return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/**
 * The trace context of a request, by which the spans of its server join: W3C Trace Context, section 3.2, `traceparent`.
 */
export function traceparentOf(name: string): string {
	const { traceId, spanId } = idsOf(name);
	return `00-${traceId}-${spanId}-01`;
}

/** Writes a trace as OTLP in JSON, as far as spans can represent it; `spans` is their number. */
export function writeSpans(
	reader: TraceReader,
	source: SpanSource & { readonly redactor: Redactor },
): { readonly text: string; readonly spans: number } {
	const spans = reader.snapshot(0).exchanges.flatMap((exchange) => spansOf(exchange, reader.nameOf(exchange.id)));
	return {
		text: `${JSON.stringify(new SafeWriter(source.redactor).json(exportRequest(spans, source)), undefined, "\t")}\n`,
		spans: spans.length,
	};
}

/** A request to a collector (OTLP, `ExportTraceServiceRequest`) with these spans. */
export function exportRequest(spans: readonly JsonObject[], { host, home }: SpanSource): JsonObject {
	const [, version = "unknown"] = host.split(/ (?=\S+$)/);
	const scope = { name: "mcp-host", version };
	const resource = { attributes: attributesOf({ "service.name": "mcp-host", "service.version": version }) };
	const request = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [...spans] }] }] };
	if (home.length < 2) return request;
	return jsonObjectOf(JSON.parse(JSON.stringify(request).replaceAll(JSON.stringify(home).slice(1, -1), "~")));
}

/**
 * The spans of an exchange, by OpenTelemetry's semantic conventions for generative AI ("Model Context Protocol",
 * "Client"): one for the request, and below it those of its HTTP requests and of the server's requests meanwhile. None
 * for an exchange that has not ended, was never sent, or is not a request. They contain nothing of the messages'
 * contents.
 */
export function spansOf(exchange: Exchange, name: string): readonly JsonObject[] {
	const { kind, generation, outcome, children, startedAt, durations, method } = exchange;
	if (kind !== "request" || generation === 0 || outcome.kind === "waiting") return [];
	const { traceId, spanId } = idsOf(name);
	// A request of HTTP alone, such as one of a sign-in, is its own child.
	const isHttpAlone = /^[A-Z]+$/.test(method);
	const spans = children.flatMap((child, index): JsonObject[] => {
		const told = childSpan(exchange, child);
		if (told === undefined) return [];
		const own = idsOf(`${name}/${index}`).spanId;
		return [{ traceId, spanId: own, ...(isHttpAlone ? {} : { parentSpanId: spanId }), ...told }];
	});
	if (isHttpAlone) return spans;
	const target = nameIn(exchange);
	const events = children
		.filter((child) => child.kind === "retry" || child.kind === "round")
		.map((child) => ({ timeUnixNano: nanoseconds(startedAt, child.at), name: `mcp_host.${child.kind}` }));
	const span = {
		traceId,
		spanId,
		name: target === undefined ? method : `${method} ${target}`,
		kind: exchange.direction === "out" ? kinds.client : kinds.server,
		startTimeUnixNano: nanoseconds(startedAt, 0),
		endTimeUnixNano: nanoseconds(startedAt, durations.total),
		attributes: attributesOf(facts(exchange)),
		...(events.length === 0 ? {} : { events }),
		...statusOf(outcome),
	};
	return [span, ...spans];
}

/** The tool or the prompt that a request is about; a URI makes no name of a span, for there are too many of them. */
function nameIn({ method, target }: Exchange): string | undefined {
	return method === "tools/call" || method === "prompts/get" ? target : undefined;
}

/** Attributes by their names: texts, integers, truths. */
type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

function facts(exchange: Exchange): Facts {
	const { method, target, rpcId, protocolVersion, transport, outcome, durations, children } = exchange;
	const isCall = method === "tools/call";
	const url = children.find(({ kind, isSignIn = false }) => kind === "httpAttempt" && !isSignIn)?.label.split(" ")[1];
	return {
		"mcp.method.name": method,
		"gen_ai.operation.name": isCall ? "execute_tool" : undefined,
		"gen_ai.tool.name": isCall ? target : undefined,
		"gen_ai.prompt.name": method === "prompts/get" ? target : undefined,
		// Behind these may be a key.
		"mcp.resource.uri": method.startsWith("resources/") ? target?.split(/[?#]/, 1)[0] : undefined,
		"mcp.protocol.version": protocolVersion,
		"jsonrpc.request.id": rpcId === undefined ? undefined : String(rpcId),
		"rpc.response.status_code": outcome.kind === "rpc-error" ? String(outcome.code) : undefined,
		"error.type": errorType(outcome),
		"network.transport": transport === "stdio" ? "pipe" : "tcp",
		"network.protocol.name": transport === "stdio" ? undefined : "http",
		...addressOf(url),
		"mcp_host.server.name": exchange.serverName,
		"mcp_host.connection": exchange.generation,
		"mcp_host.asker": exchange.origin,
		"mcp_host.user.milliseconds": durations.user > 0 ? Math.round(durations.user) : undefined,
	};
}

/** Where a server over HTTP is. Paths are left out: those of some servers hold a key. */
function addressOf(url: string | undefined): Facts {
	const parsed = url === undefined ? null : URL.parse(url);
	if (parsed === null) return {};
	const port = parsed.port === "" ? (parsed.protocol === "https:" ? 443 : 80) : Number(parsed.port);
	return { "server.address": parsed.hostname, "server.port": port };
}

function childSpan({ startedAt }: Exchange, child: ExchangeChild): JsonObject | undefined {
	const { kind, label, at, ms, status, outcome, isSignIn = false } = child;
	if (ms === undefined) return undefined;
	const times = { startTimeUnixNano: nanoseconds(startedAt, at), endTimeUnixNano: nanoseconds(startedAt, at + ms) };
	const state = outcome === undefined ? {} : statusOf(outcome);
	const type = outcome === undefined ? undefined : errorType(outcome);
	if (kind === "serverRequest") {
		const attributes = attributesOf({ "mcp.method.name": label, "error.type": type });
		return { name: label, kind: kinds.server, ...times, attributes, ...state };
	}
	if (kind !== "httpAttempt") return undefined;
	const [method = "", url] = label.split(" ");
	const attributes = attributesOf({
		"http.request.method": method,
		"http.response.status_code": status,
		"error.type": type,
		...addressOf(url),
		"mcp_host.sign_in": isSignIn ? true : undefined,
	});
	return { name: method, kind: kinds.client, ...times, attributes, ...state };
}

function errorType(outcome: ExchangeOutcome): string | undefined {
	switch (outcome.kind) {
		case "ok":
		case "waiting":
			return undefined;
		case "tool-error":
			return "tool_error";
		case "rpc-error":
			return String(outcome.code);
		case "http-error":
			return String(outcome.status);
		case "timed-out":
			return "timeout";
		case "cancelled":
		case "refused":
		case "unanswered":
			return outcome.kind;
		case "failed":
			return "_OTHER";
	}
}

/** Without a description: the words of an error are the server's, and may quote sent data. */
function statusOf(outcome: ExchangeOutcome): { readonly status?: { readonly code: number } } {
	return errorType(outcome) === undefined ? {} : { status: { code: failed } };
}

function attributesOf(known: Facts): Json[] {
	return Object.entries(known).flatMap(([key, value]): Json[] => {
		if (value === undefined) return [];
		if (typeof value === "string") return [{ key, value: { stringValue: value } }];
		if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
		// Integers of 64 bits are texts in JSON (OTLP, "JSON Protobuf Encoding").
		return [{ key, value: { intValue: String(value) } }];
	});
}

/** Nanoseconds since the epoch, which are more than a number can hold. */
function nanoseconds(milliseconds: number, more: number): string {
	return String(BigInt(Math.round(milliseconds)) * 1_000_000n + BigInt(Math.max(0, Math.round(more * 1e6))));
}
