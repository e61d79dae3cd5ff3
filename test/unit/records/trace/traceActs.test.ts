/** The actions on an exchange: copies, repeating it, and the links to it (TRC-37 to TRC-40). */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { applySchema } from "../../../../src/base/schema/schema.ts";
import { readShell } from "../../../../src/servers/formats/shellWords.ts";
import type { ServerConfig } from "../../../../src/servers/definitions/config.ts";
import type { Exchange, ExchangeBodies, ExchangeChild } from "../../../../src/records/trace/exchange.ts";
import { readFilter } from "../../../../src/records/trace/filter.ts";
import { copyOf, formsOf } from "../../../../src/surfaces/trace/copies.ts";
import { actionsOf, commandOf, misfitsOf } from "../../../../src/surfaces/trace/traceActions.ts";
import { readTraceRequest } from "../../../../src/surfaces/trace/traceRequest.ts";
import { exchange, SceneTrace } from "./exchangeScene.ts";

const http: ServerConfig = {
	kind: "http",
	url: "https://travel.example/mcp?a=b&c=$x",
	headers: {},
	protocol: "auto",
};
const stdio: ServerConfig = {
	kind: "stdio",
	command: "npx",
	args: ["-y", "it's", "${workspaceFolder}"],
	env: { KEY: "x" },
	protocol: "auto",
};

const args = { query: "it's $HOME `x`", deep: { list: [1, 2] } };
const request = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "status", arguments: args } };
const bodies: ExchangeBodies = {
	request: { kind: "whole", value: request },
	requestHeaders: {
		authorization: "⟦hidden⟧",
		"mcp-protocol-version": "2026-07-28",
		"mcp-session-id": "⟦hidden⟧",
		"x-key": "⟦key⟧",
		host: "travel.example",
	},
	hidden: 3,
};

describe("a copy of an exchange (TRC-37)", () => {
	it("as curl is parsed by a shell to the same request, with the token as a variable and no secret", () => {
		const text = copyOf({ exchange: exchange(1), bodies, config: http }, "curl");
		expect(text).not.toMatch(/⟦|hidden/);
		const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${text}`;
		const { stdout } = spawnSync("/bin/sh", ["-c", script], { env: { TOKEN: "t0k", SESSION: "s1" }, encoding: "utf8" });
		const words = stdout.split("\0").slice(0, -1);
		expect(words.slice(0, 3)).toEqual(["-X", "POST", http.url]);
		expect(words).toContain("Authorization: Bearer t0k");
		expect(words).toContain("mcp-protocol-version: 2026-07-28");
		expect(words).toContain("Mcp-Session-Id: s1");
		expect(words.filter((word) => /^(?:host|x-key):/.test(word))).toEqual([]);
		expect(JSON.parse(words.at(-1) ?? "")).toEqual(request);
	});

	it("as a command of the Inspector names server, method, target and arguments", () => {
		const [line] = readShell(
			copyOf({ exchange: exchange(1), bodies, config: stdio }, "inspector").replace('"$KEY"', "K"),
		);
		const said = JSON.stringify(line);
		for (const word of ["--cli", "it's", "--method", "tools/call", "--tool-name", "status", "query=it's $HOME `x`"]) {
			expect(said).toContain(JSON.stringify(word).slice(1, -1));
		}
		expect(copyOf({ exchange: exchange(1), bodies, config: stdio }, "inspector")).toContain('-e KEY="$KEY" --cli npx');
		expect(copyOf({ exchange: exchange(1), bodies, config: http }, "inspector")).toContain("--transport http");
	});

	it("as JSON-RPC is the message; as a named call it expects the received answer", () => {
		expect(JSON.parse(copyOf({ exchange: exchange(1), bodies, config: undefined }, "json"))).toEqual(request);
		const failed = exchange(1, { outcome: { kind: "tool-error" } });
		expect(JSON.parse(copyOf({ exchange: failed, bodies, config: undefined }, "call"))).toEqual({
			version: 1,
			calls: { "status of git": { server: "git", tool: "status", arguments: args, expect: { isError: true } } },
		});
	});

	it("is offered only if it is possible", () => {
		const forms = (
			one: Partial<Exchange>,
			config: ServerConfig | undefined,
			kept: ExchangeBodies | undefined = bodies,
		) => formsOf({ exchange: exchange(1, one), bodies: kept, config }).map(({ label }) => label);
		expect(forms({}, http)).toEqual(["JSON-RPC", "curl", "Inspector Command", "Named Call"]);
		expect(forms({}, stdio)).toEqual(["JSON-RPC", "Inspector Command", "Named Call"]);
		expect(forms({ method: "ping" }, undefined)).toEqual(["JSON-RPC"]);
		expect(forms({ direction: "in", method: "sampling/createMessage" }, http)).toEqual(["JSON-RPC"]);
		expect(forms({}, http, { hidden: 0 })).toEqual([]);
		expect(() => copyOf({ exchange: exchange(1), bodies: undefined, config: http }, "curl")).toThrow(
			"was not recorded in full",
		);
	});
});

const trace = new SceneTrace();
trace.put(exchange(7));

describe("repeating an exchange (TRC-38)", () => {
	it("opens the form of its kind with the sent arguments, which asks as always", () => {
		expect(commandOf("again", exchange(1), bodies, trace)).toEqual({
			command: "mcpHost.runTool",
			argument: { server: "user-settings:#git", tool: "status", arguments: args },
			note: "",
		});
		const read = exchange(1, { method: "resources/read", target: "a:b" });
		expect(commandOf("again", read, bodies, trace)).toMatchObject({
			command: "mcpHost.openResource",
			argument: { server: "user-settings:#git", uri: "a:b" },
		});
	});

	it("reports when arguments or secrets are missing", () => {
		expect(commandOf("again", exchange(1), undefined, trace).note).toContain("were not recorded");
		const hidden: Json = { params: { arguments: { token: "⟦key⟧" } } };
		const marked: ExchangeBodies = { request: { kind: "whole", value: hidden }, hidden: 1 };
		expect(commandOf("again", exchange(1), marked, trace).note).toContain("Replace the parts marked ⟦…⟧");
	});

	it("for an exchange that waits for a user leads to its question (TRC-40)", () => {
		expect(commandOf("pending", exchange(1, { direction: "in" }), undefined, trace)).toEqual({
			command: "mcpHost.showPending",
			argument: { exchange: trace.nameOf(1) },
			note: "",
		});
	});

	it("opens the app of a call that has a result, with its arguments and result (TRC-47)", () => {
		const tool = { _meta: { ui: { resourceUri: "ui://a" } } };
		const labels = (one: Exchange, of?: object): readonly string[] =>
			actionsOf({ exchange: one, child: undefined }, of).map(({ label }) => label);
		expect(labels(exchange(1), tool)).toContain("Open App");
		for (const [one, of] of [
			[exchange(1), {}],
			[exchange(1), undefined],
			[exchange(1, { outcome: { kind: "waiting" } }), tool],
			[exchange(1, { direction: "in" }), tool],
			[exchange(1, { method: "prompts/get" }), tool],
		] as const)
			expect(labels(one, of)).not.toContain("Open App");
		const result = { content: [] };
		const whole: ExchangeBodies = { ...bodies, response: { kind: "whole", value: { jsonrpc: "2.0", id: 3, result } } };
		expect(commandOf("app", exchange(1), whole, trace).argument).toEqual({
			server: exchange(1).server,
			tool: "status",
			arguments: args,
			result,
			exchange: trace.nameOf(1),
		});
		expect(() => commandOf("app", exchange(1), bodies, trace)).toThrow("were not recorded");
		expect(() => commandOf("app", exchange(1), undefined, trace)).toThrow("were not recorded");
	});

	it("has no other action, and none of its own for a server's request", () => {
		expect(() => commandOf("nonsense", exchange(1), bodies, trace)).toThrow("does not support this action");
		expect(() => commandOf("again", exchange(1, { direction: "in" }), bodies, trace)).toThrow(
			"does not support this action",
		);
		expect(() => commandOf("constructor", exchange(1), bodies, trace)).toThrow("does not support this action");
		const asked = exchange(1, { direction: "in", method: "sampling/createMessage" });
		expect(actionsOf({ exchange: asked, child: undefined }).map(({ label }) => label)).toEqual([
			"Show in Activity",
			"Show Log",
			"Go to Definition",
		]);
	});
});

describe("the check of a call against the schemas of its tool (TRC-39)", () => {
	const schemas = {
		inputSchema: { type: "object", properties: { query: { type: "number" } } },
		outputSchema: { type: "object", required: ["count"], properties: { count: { type: "number" } } },
	};
	const answered = (result: Json): ExchangeBodies => ({
		...bodies,
		response: { kind: "whole", value: { jsonrpc: "2.0", id: 3, result } },
	});

	it("shows violations, and where", async () => {
		const found = await misfitsOf(answered({ structuredContent: { count: "two" } }), schemas, applySchema);
		expect(found).toHaveLength(2);
		expect(found[0]).toContain("Does not match the input schema at /query");
		expect(found[1]).toContain("Does not match the output schema at /count");
		expect(await misfitsOf(answered({ content: [] }), schemas, applySchema)).toContain(
			"The tool has an output schema, but its result has no structured content.",
		);
	});

	it("reports nothing for an error, or if nothing was kept", async () => {
		expect(await misfitsOf(answered({ isError: true }), { ...schemas, inputSchema: {} }, applySchema)).toEqual([]);
		expect(await misfitsOf(undefined, schemas, applySchema)).toEqual([]);
	});
});

describe("the way to an exchange (TRC-40)", () => {
	const names = { get: (id: string) => (id === "user:git" ? { definition: { name: "Git Tools" } } : undefined) };

	it.each([
		[undefined, "", false],
		[{ server: "user:git" }, 'server:"Git Tools"', false],
		[{ server: "user:git", tool: { name: "status" } }, 'server:"Git Tools" target:status', true],
		[{ server: "other", tool: "a b" }, 'server:other target:"a b"', true],
		[{ server: "user:git", uri: "file:///a,b" }, 'server:"Git Tools" target:"file:///a,b"', true],
		[{ filter: "status:error" }, "status:error", true],
		[{ server: 7, prompt: {} }, "", false],
	])("for %j searches for %s", (argument, filter, toNewest) => {
		expect(readTraceRequest(argument, names, trace)).toEqual({ filter, toNewest });
		expect(readFilter(filter)).not.toHaveProperty("problem");
	});

	it("leads from its name to one exchange, and reports when that is gone or another window's (JRN-17)", () => {
		for (const argument of [trace.nameOf(7), { exchange: trace.nameOf(7) }])
			expect(readTraceRequest(argument, names, trace)).toEqual({ filter: "", toNewest: false, exchange: 7 });
		for (const argument of [trace.nameOf(8), { exchange: "other-7" }, "", "nonsense"])
			expect(() => readTraceRequest(argument, names, trace)).toThrow("is no longer in the trace");
	});

	it("leads from a call to its decision", () => {
		const labels = (method: string): readonly string[] =>
			actionsOf({ exchange: exchange(1, { method }), child: undefined }).map(({ label }) => label);
		expect(labels("tools/call")).toContain("Show in Activity");
		expect(labels("tools/list")).not.toContain("Show in Activity");
		const actions = actionsOf({ exchange: exchange(7, { method: "tools/call" }), child: undefined });
		const action = actions.find(({ label }) => label === "Show in Activity");
		const { command, argument } = commandOf(action?.id ?? "", exchange(7), undefined, trace);
		expect([command, argument]).toEqual(["mcpHost.showActivity", { exchange: trace.nameOf(7), group: "call" }]);
	});

	it.each([
		["tools/call", "Show Tool", "tools"],
		["prompts/get", "Show Prompt", "prompts"],
		["resources/read", "Show Resource", "resources"],
	])("leads from %s to its row in the tree", (method, label, group) => {
		const one = exchange(7, { method, target: "the one" });
		const action = actionsOf({ exchange: one, child: undefined }).find((known) => known.label === label);
		const { command, argument } = commandOf(action?.id ?? "", one, undefined, trace);
		expect([command, argument]).toEqual(["_mcpHost.showItem", { server: one.server, group, key: "the one" }]);
		expect(() => commandOf("row", exchange(7, { method: "ping" }), undefined, trace)).toThrow(
			"does not support this action",
		);
	});

	it("leads from a waiting question to its answer", () => {
		const child: ExchangeChild = { kind: "serverRequest", at: 0, label: "sampling/createMessage", count: 1 };
		const waiting = exchange(7, { outcome: { kind: "waiting", on: "user" }, children: [child, { ...child, ms: 3 }] });
		const labels = (at: number | undefined): readonly string[] =>
			actionsOf({ exchange: waiting, child: at }).map(({ label }) => label);
		expect(labels(undefined)[0]).toBe("Review Pending…");
		expect(labels(0)).toEqual(["Review Pending…", "Show in Activity"]);
		expect(labels(1)).toEqual(["Show in Activity"]);
		expect(commandOf("pending", waiting, undefined, trace).command).toBe("mcpHost.showPending");
		expect(actionsOf({ exchange: exchange(7), child: undefined }).map(({ id }) => id)).not.toContain("pending");
	});

	it("leads from a server's request during a call to its decision (JRN-17)", () => {
		const child = (label: string): ExchangeChild => ({ kind: "serverRequest", at: 0, label, count: 1 });
		const children = ["sampling/createMessage", "elicitation/create", "roots/list"].map(child);
		const actions = children.map((_, index) => actionsOf({ exchange: exchange(7, { children }), child: index }));
		expect(actions.map(([action]) => action?.id)).toEqual(["activity:sampling", "activity:question", undefined]);
		expect(actions.flat()).toHaveLength(2);
		const { argument } = commandOf("activity:sampling", exchange(7), undefined, trace);
		expect(argument).toEqual({ exchange: trace.nameOf(7), group: "sampling" });
	});
});
