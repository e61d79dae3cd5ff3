/** Spans of real calls at a collector, and the trace context by which servers join them (TRC-12, TRC-13). */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { sendSpans } from "../../src/records/trace/otel/collector.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { freePort, smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Receives spans, as a collector does. */
async function startCollector() {
	const spans: JsonObject[] = [];
	const paths: string[] = [];
	const server = createServer((request, response) => {
		let text = "";
		request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
		request.on("end", () => {
			paths.push(`${request.method} ${request.url} ${request.headers["content-type"]}`);
			const { resourceSpans } = JSON.parse(text) as {
				readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly JsonObject[] }[] }[];
			};
			for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
			response.writeHead(200, { "content-type": "application/json" }).end("{}");
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return { spans, paths, endpoint: `http://127.0.0.1:${port}` };
}

function send(host: TestHost, endpoint: string) {
	const troubles: string[] = [];
	const sending = sendSpans({
		recorder: host.trace,
		endpoint,
		network: { environment: {} },
		source: { host: "MCP Host 1.0.0", home: "/home/ann" },
		redactor: host.host.secretsInUse,
		onTrouble: (why) => troubles.push(why),
		everyMs: 20,
	});
	return { sending, troubles };
}

describe("OpenTelemetry", () => {
	it.each(["legacy", "modern"] as const)(
		"gets a span of each call, and the server's own joins it by its traceparent (TRC-12, TRC-13): %s",
		async (era) => {
			const collector = await startCollector();
			await using host = new TestHost();
			const { sending, troubles } = send(host, collector.endpoint);
			const log = host.path("server.log");
			const session = await host.run("small", smallConfig(era, log));
			await session.callTool("echo", { text: "a private text" }, { asker: "model" });
			await session.callTool("fail", {});
			const named = (name: string) => collector.spans.find((span) => span["name"] === name);
			await expect.poll(() => named("tools/call fail")).toMatchObject({ status: { code: 2 } });
			const echo = named("tools/call echo");
			expect(echo).toMatchObject({ kind: 3 });
			expect(JSON.stringify(collector.spans)).not.toContain("private text");
			expect(collector.paths[0]).toBe("POST /v1/traces application/json");
			const of = (tool: string): unknown => {
				const call = messagesOf(readReceived(log), "tools/call").find(
					({ params }) => isJsonObject(params) && params["name"] === tool,
				);
				const params = call?.["params"];
				const meta = isJsonObject(params) ? params["_meta"] : undefined;
				return isJsonObject(meta) ? meta["traceparent"] : undefined;
			};
			const ids = echo as { readonly traceId: string; readonly spanId: string } | undefined;
			expect(of("echo")).toBe(`00-${ids?.traceId}-${ids?.spanId}-01`);
			expect(of("fail")).not.toBe(of("echo"));
			sending.dispose();
			await session.callTool("add", { a: 1, b: 2 }).catch(() => undefined);
			expect(of("add")).toBeUndefined();
			expect(troubles).toEqual([]);
		},
	);

	it("does not affect calls: an unreachable address is reported once, and calls continue (TRC-12)", async () => {
		await using host = new TestHost();
		const { sending, troubles } = send(host, `http://127.0.0.1:${await freePort()}`);
		const session = await host.run("small", smallConfig("both"));
		await expect(session.callTool("echo", { text: "hello" })).resolves.toBeDefined();
		await expect.poll(() => troubles).toHaveLength(1);
		await expect(session.callTool("echo", { text: "hello" })).resolves.toBeDefined();
		expect(troubles).toHaveLength(1);
		sending.dispose();
	});
});
