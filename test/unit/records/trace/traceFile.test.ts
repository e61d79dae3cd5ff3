import { describe, expect, it } from "vitest";
import { MockServer } from "../../../../src/records/trace/mockServer.ts";
import { readTrace } from "../../../../src/records/trace/readTraceFile.ts";
import { writeTrace } from "../../../../src/records/trace/traceFile.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { exchangeOf, FakeTrace } from "./fakeTrace.ts";

const head = JSON.stringify({ mcpTrace: 1, host: "MCP Host 1.0.0", saved: "2026-11-23T10:00:00.000Z" });
const options = {
	contents: "contents",
	host: "MCP Host 1.0.0",
	now: 0,
	home: "/home/ann",
	redactor: { redact: (text: string) => text },
} as const;

describe("A trace as a file", () => {
	it.each(["contents", "metadata"] as const)(
		"with %s holds no known secret in the server's messages (TRC-07)",
		(contents) => {
			const trace = new FakeTrace();
			const outcome = { kind: "failed", message: "no known-Secret-9" } as const;
			trace.put(exchangeOf({ method: "x/known-Secret-9", target: "https://h.example/known-Secret-9", outcome }));
			const redactor = { redact: (text: string) => text.replaceAll("known-Secret-9", "\u27E6API key\u27E7") };
			expect(writeTrace(trace, { ...options, contents, redactor }).text).not.toContain("known-Secret-9");
		},
	);

	it("names no folder of the user, and no more of messages than requested (TRC-07)", () => {
		const trace = new FakeTrace();
		const failed = { kind: "failed", message: "cannot read /home/ann/notes" } as const;
		trace.put(exchangeOf({ server: "/home/ann/work/.vscode/mcp.json:git", target: "/home/ann/x", outcome: failed }));
		const { text } = writeTrace(trace, options);
		expect(text).not.toContain("/home/ann");
		expect(text).toContain("cannot read ~/notes");
		expect(writeTrace(trace, { ...options, contents: "metadata" }).text).not.toContain("notes");
		trace.put(exchangeOf({ id: 2, server: "other", serverName: "other" }));
		expect(writeTrace(trace, { ...options, server: "other" })).toMatchObject({ exchanges: 1, servers: 1 });
	});

	it("is read as far as possible, with any content (TRC-08)", () => {
		const lines = [
			head,
			JSON.stringify({
				server: "s1",
				method: "tools/call",
				outcome: { kind: "exploded" },
				children: [7, { kind: "?" }],
				bodies: { told: { kind: "whole", value: { isError: false } }, response: 7 },
			}),
			"{",
			"7",
			JSON.stringify({ method: "tools/call" }),
			JSON.stringify({ server: "s1", method: "ping", startedAt: "x", outcome: { kind: "waiting" }, __proto__: null }),
		];
		const { trace, skipped, host } = readTrace(lines.join("\n"));
		expect(host).toBe("MCP Host 1.0.0");
		expect(skipped).toBe(3);
		expect(trace.snapshot(0).exchanges).toMatchObject([
			{ id: 1, outcome: { kind: "unanswered" }, children: [] },
			{ id: 2, startedAt: 0, outcome: { kind: "unanswered" } },
		]);
		expect(trace.body(1)).toEqual({ told: { kind: "whole", value: { isError: false } }, hidden: 0 });
		expect(trace.body(1, "toString")).toBeUndefined();
		expect(() => readTrace("{}")).toThrow("not a trace");
		expect(() => readTrace(`{"mcpTrace":2}`)).toThrow("version 2");
	});
});

describe("A mock server", () => {
	const pair = (method: string, params: JsonObject, result: JsonObject) =>
		({
			...exchangeOf({ method }),
			bodies: {
				request: { kind: "whole", value: { jsonrpc: "2.0", id: 9, method, params } },
				response: { kind: "whole", value: { jsonrpc: "2.0", id: 9, result } },
				hidden: 0,
			},
		}) as const;

	it("answers equal requests in the order in which they were recorded, under their own ids (TRC-09)", async () => {
		const said: JsonObject[] = [];
		const exchanges = [
			pair("tools/call", { name: "roll", arguments: { a: 1, b: 2 } }, { content: [1] }),
			pair("tools/call", { arguments: { b: 2, a: 1 }, name: "roll", _meta: { progressToken: 4 } }, { content: [2] }),
		];
		const mock = new MockServer({ exchanges, name: "git", send: (message) => said.push(message) });
		const call = {
			jsonrpc: "2.0",
			method: "tools/call",
			params: { name: "roll", arguments: { b: 2, a: 1 }, _meta: { x: 1 } },
		};
		for (const id of ["a", "b", "c"]) await mock.receive({ ...call, id });
		await mock.receive({ ...call, id: 4, params: { name: "roll", arguments: {} } });
		await mock.receive({ jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: "2025-06-18" } });
		await mock.receive({ jsonrpc: "2.0", id: 6, method: "prompts/list" });
		await mock.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
		expect(said).toMatchObject([
			{ id: "a", result: { content: [1] } },
			{ id: "b", result: { content: [2] } },
			{ id: "c", result: { content: [2] } },
			{ id: 4, error: { code: -32602 } },
			{ id: 5, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "git" } } },
			{ id: 6, error: { code: -32601 } },
		]);
	});

	it("is not made from a recording without contents (TRC-09)", () => {
		expect(() => new MockServer({ exchanges: [exchangeOf()], name: "git", send: () => undefined })).toThrow(
			"no messages",
		);
	});
});
