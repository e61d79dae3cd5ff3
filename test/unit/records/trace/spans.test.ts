/** Exchanges as spans of OpenTelemetry, read by the public definition of OTLP (TRC-11). */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { spansOf, traceparentOf, writeSpans } from "../../../../src/records/trace/otel/spans.ts";
import { exchangeOf, FakeTrace } from "./fakeTrace.ts";

const require = createRequire(import.meta.url);

/** The part of protobufjs that is used here. */
interface Protobuf {
	readonly Root: new () => {
		resolvePath: (origin: string, target: string) => string;
		loadSync(path: string): { lookupType(name: string): MessageType };
	};
}
interface MessageType {
	fromObject(value: object): object;
	encode(message: object): { finish(): Uint8Array };
	decode(bytes: Uint8Array): object;
	toObject(message: object, options: object): JsonObject;
}

/** The definition of OTLP by its authors: github.com/open-telemetry/opentelemetry-proto, Apache License 2.0 beside it. */
const folder = resolve(import.meta.dirname, "otlp");

/** A collector's view of a request in JSON: everything that the definition has, through its binary form. */
function received(text: string): JsonObject {
	const { Root } = require("protobufjs") as Protobuf;
	const root = new Root();
	root.resolvePath = (_origin, target) => join(folder, target);
	const type = root
		.loadSync("opentelemetry/proto/collector/trace/v1/trace_service.proto")
		.lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest");
	// Ids are hexadecimal in OTLP's JSON, where other bytes would be Base64.
	const idsIn = (value: string, from: BufferEncoding, to: BufferEncoding): string =>
		value.replace(
			/"(traceId|spanId|parentSpanId)":"([^"]+)"/g,
			(_, name: string, id: string) => `"${name}":"${Buffer.from(id, from).toString(to)}"`,
		);
	const message = type.fromObject(JSON.parse(idsIn(JSON.stringify(JSON.parse(text)), "hex", "base64")) as object);
	const decoded = type.decode(type.encode(message).finish());
	const object = type.toObject(decoded, { longs: String, enums: Number, bytes: String });
	return JSON.parse(idsIn(JSON.stringify(object), "base64", "hex")) as JsonObject;
}

const source = { host: "MCP Host 1.2.3", home: "/home/ann", redactor: { redact: (text: string) => text } };

/** The attributes of a span by their names. */
function attributes(span: JsonObject | undefined): Record<string, unknown> {
	const list = (span?.["attributes"] ?? []) as readonly { key: string; value: JsonObject }[];
	return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe("The spans of a trace", () => {
	it("are read whole by the public definition of OTLP (TRC-11)", () => {
		const trace = new FakeTrace();
		trace.put(
			exchangeOf({
				id: 1,
				protocolVersion: "2025-11-25",
				rpcId: 7,
				durations: { total: 42.5, user: 2, server: 40, own: 0.5 },
			}),
			exchangeOf({ id: 2, outcome: { kind: "rpc-error", code: -32_602, message: "no such city: /home/ann" } }),
			exchangeOf({
				id: 3,
				transport: "http",
				children: [
					{
						kind: "httpAttempt",
						at: 1,
						ms: 9,
						label: "POST https://shop.example/k3y/mcp",
						count: 1,
						status: 503,
						outcome: { kind: "http-error", status: 503 },
					},
					{ kind: "retry", at: 10, ms: 5, label: "tools/call", count: 1 },
					{ kind: "serverRequest", at: 12, ms: 3, label: "sampling/createMessage", count: 1, outcome: { kind: "ok" } },
				],
			}),
		);
		const { text, spans } = writeSpans(trace, source);
		expect(spans).toBe(5);
		expect(received(text)).toEqual(JSON.parse(text));
		expect(received(text)).not.toEqual(received(text.replaceAll("endTimeUnixNano", "endTime")));
		expect(text).not.toMatch(/no such city|k3y|home/);
		expect(JSON.parse(text)).toMatchObject({
			resourceSpans: [
				{
					resource: {
						attributes: [
							{ key: "service.name", value: { stringValue: "mcp-host" } },
							{ value: { stringValue: "1.2.3" } },
						],
					},
					scopeSpans: [{ spans: [{ name: "tools/call status" }, {}, {}, {}, {}] }],
				},
			],
		});
	});

	it("have the attributes that the conventions for MCP require of a call, and its outcome", () => {
		const [span] = spansOf(
			exchangeOf({ protocolVersion: "2025-11-25", rpcId: 7, outcome: { kind: "tool-error" } }),
			"w-1",
		);
		expect(span).toMatchObject({
			name: "tools/call status",
			kind: 3,
			status: { code: 2 },
			startTimeUnixNano: `${Date.UTC(2026, 10, 23, 10)}000000`,
			endTimeUnixNano: `${Date.UTC(2026, 10, 23, 10) + 42}000000`,
		});
		expect(attributes(span)).toEqual({
			"mcp.method.name": "tools/call",
			"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": "status",
			"mcp.protocol.version": "2025-11-25",
			"jsonrpc.request.id": "7",
			"error.type": "tool_error",
			"network.transport": "pipe",
			"mcp_host.server.name": "git",
			"mcp_host.connection": "1",
			"mcp_host.asker": "model",
		});
		const of = (told: Parameters<typeof exchangeOf>[0]) => spansOf(exchangeOf(told), "w-1")[0];
		expect(attributes(of({ outcome: { kind: "rpc-error", code: -32_601, message: "x" } }))).toMatchObject({
			"error.type": "-32601",
			"rpc.response.status_code": "-32601",
		});
		expect(attributes(of({ outcome: { kind: "timed-out" } }))["error.type"]).toBe("timeout");
		const read = of({ method: "resources/read", target: "https://a.example/x?key=abc" });
		expect(read?.["name"]).toBe("resources/read");
		expect(attributes(read)["mcp.resource.uri"]).toBe("https://a.example/x");
		expect(of({ method: "prompts/get", target: "plan" })?.["name"]).toBe("prompts/get plan");
		expect(of({ direction: "in", method: "roots/list" })).toMatchObject({ kind: 2 });
		expect(of({})).not.toHaveProperty("status");
	});

	it("have the transport of a call below it, and none for waiting or unsent ones", () => {
		const attempt = {
			kind: "httpAttempt",
			at: 1,
			ms: 9,
			label: "POST https://shop.example:8443/mcp",
			count: 1,
			status: 200,
		} as const;
		const [call, http] = spansOf(exchangeOf({ transport: "http", children: [attempt] }), "w-1");
		expect(attributes(call)).toMatchObject({
			"network.transport": "tcp",
			"server.address": "shop.example",
			"server.port": "8443",
		});
		expect(http).toMatchObject({ traceId: call?.["traceId"], parentSpanId: call?.["spanId"], name: "POST" });
		expect(attributes(http)).toMatchObject({ "http.request.method": "POST", "http.response.status_code": "200" });
		const signIn = exchangeOf({
			method: "GET",
			target: "https://login.example/x",
			children: [{ ...attempt, isSignIn: true }],
		});
		expect(spansOf(signIn, "w-2")).toHaveLength(1);
		expect(spansOf(signIn, "w-2")[0]).not.toHaveProperty("parentSpanId");
		expect(spansOf(exchangeOf({ outcome: { kind: "waiting" } }), "w-3")).toEqual([]);
		expect(spansOf(exchangeOf({ generation: 0, outcome: { kind: "refused", by: "a rule" } }), "w-3")).toEqual([]);
		expect(spansOf(exchangeOf({ kind: "notification" }), "w-3")).toEqual([]);
	});

	it("have ids derived from the name of the exchange, which its requests carry (TRC-13)", () => {
		const [span] = spansOf(exchangeOf(), "w-1");
		const ids = span as { readonly traceId: string; readonly spanId: string } | undefined;
		expect(traceparentOf("w-1")).toBe(`00-${ids?.traceId}-${ids?.spanId}-01`);
		expect(traceparentOf("w-1")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
		expect(traceparentOf("w-2")).not.toBe(traceparentOf("w-1"));
	});
});
