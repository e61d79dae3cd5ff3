import { describe, expect, it } from "vitest";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { textResult } from "../../../servers/lineServer.ts";
import {
	initialized,
	noSession,
	startSessionServer,
	type SessionServerOptions,
} from "../../../servers/sessionServer.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";
import { until } from "../stdio/processes.ts";

const legacy = { verdict: { kind: "legacy" } } as const;
const capabilities = { tools: {}, resources: { subscribe: true }, logging: {} };
// It declares a second run as harmless: these tests are about the session, not about how often a call is sent.
const tool: Tool = { name: "book", inputSchema: { type: "object" }, annotations: { idempotentHint: true } };

/** A server that counts the bookings of its tool. */
async function bookings(options: SessionServerOptions = {}) {
	let booked = 0;
	const server = await startSessionServer({
		...options,
		methods: {
			initialize: () => initialized(capabilities),
			"tools/call": () => textResult(`booking ${++booked}`),
			"resources/subscribe": () => ({ result: {} }),
			"logging/setLevel": () => ({ result: {} }),
			...options.methods,
		},
	});
	return { server, booked: () => booked };
}

describe.concurrent("a session that the server forgot", () => {
	it.each([
		["404 about no request", { status: 404, body: noSession }],
		["400 about no request", { status: 400, body: noSession }],
		["400 without an id", { status: 400, body: { jsonrpc: "2.0", error: { code: -32_000, message: "No session" } } }],
	] as const)("is reopened exactly once for all calls that receive a %s", async (_name, unknownSession) => {
		await using scene = new Scene();
		const { server, booked } = await bookings({ unknownSession });
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await connection.watchResources(["small://a", "small://b"]);
		await until(() => server.received.includes("logging/setLevel"));
		server.loseSessions();
		const calls = Array.from({ length: 12 }, () => connection.callTool("book", {}, tool, control()));
		await Promise.all(calls);
		expect(booked()).toBe(12);
		await until(() => server.paramsOf("resources/subscribe").length === 4);
		await until(() => server.paramsOf("logging/setLevel").length === 2);
		expect(server.paramsOf("initialize")).toHaveLength(2);
		expect(scene.host.ends).toEqual([]);
	});

	it.each([404, 400])("is reopened exactly once for all reads that receive a %i without words", async (status) => {
		await using scene = new Scene();
		const { server } = await bookings({
			unknownSession: { status },
			methods: { "resources/read": () => ({ result: { contents: [{ uri: "small://a", text: "read" }] } }) },
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		server.loseSessions();
		const reads = await Promise.all(Array.from({ length: 12 }, () => connection.readResource("small://a", control())));
		expect(reads.map(({ contents }) => contents.length)).toEqual(Array.from({ length: 12 }, () => 1));
		expect(server.paramsOf("initialize")).toHaveLength(2);
	});

	it("reports the new session's changes, otherwise that all lists may have changed", async () => {
		await using scene = new Scene();
		let instructions = "first";
		const { server } = await bookings({
			methods: {
				initialize: () => ({
					result: {
						protocolVersion: "2025-11-25",
						capabilities,
						serverInfo: { name: "x", version: "1" },
						instructions,
					},
				}),
			},
		});
		await using _ = server;
		const changed: string[] = [];
		scene.host.onListChanged = (kind) => void changed.push(kind);
		const connection = await scene.connect(http(server.url), legacy);
		instructions = "second";
		server.loseSessions();
		await connection.callTool("book", {}, tool, control());
		expect([connection.facts.instructions, changed]).toEqual(["second", ["tools", "prompts", "resources"]]);
	});

	it("lets a call end that is still answered", async () => {
		await using scene = new Scene();
		const slow = Promise.withResolvers<void>();
		const { server } = await bookings({
			methods: {
				async "tools/call"({ name }) {
					if (name === "slow") await slow.promise;
					return textResult(name as string);
				},
			},
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		const call = connection.callTool("slow", {}, tool, control());
		await until(() => server.received.includes("tools/call"));
		server.loseSessions();
		expect(textOf(await connection.callTool("book", {}, tool, control()))).toBe("book");
		slow.resolve();
		expect(textOf(await call)).toBe("slow");
		expect(server.paramsOf("tools/call")).toHaveLength(3);
	});

	it("is not requested repeatedly when every session is forgotten at once", async () => {
		await using scene = new Scene();
		const { server } = await bookings({
			mishap: ({ method }) =>
				method === "tools/call" || method === "tools/list" ? { status: 404, body: noSession } : undefined,
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		const call = () => connection.callTool("book", {}, tool, control()).catch((error: unknown) => error);
		expect(await call()).toMatchObject({
			code: "not-connected",
			message: expect.stringMatching(/^The server rejects the session that it has just opened/),
		});
		for (let again = 0; again < 5; again++) expect(await call()).toMatchObject({ code: "not-connected" });
		expect(server.paramsOf("initialize").length).toBeLessThanOrEqual(3);
	});

	it("is opened once more when it is forgotten during the opening", async () => {
		await using scene = new Scene();
		let handshakes = 0;
		const { server } = await bookings({
			mishap: ({ method }) =>
				method === "notifications/initialized" && ++handshakes === 2 ? { status: 404 } : undefined,
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		server.loseSessions();
		expect(textOf(await connection.callTool("book", {}, tool, control()))).toBe("booking 1");
		expect([server.paramsOf("initialize").length, scene.host.ends]).toEqual([3, []]);
	});

	it("fails the refused calls as not carried out, and then the connection", async () => {
		await using scene = new Scene();
		const { server } = await bookings({
			mishap: ({ method }) => (method === "initialize" && isGone ? { status: 500 } : undefined),
		});
		let isGone = false;
		await using _ = server;
		const gone = new AbortController();
		// Like a session, which ends its calls with the connection.
		scene.host.onClosed = () => gone.abort(new Error("The connection ended first."));
		const connection = await scene.connect(http(server.url), legacy);
		server.loseSessions();
		isGone = true;
		const calls = [1, 2, 3].map(() => connection.callTool("book", {}, tool, { signal: gone.signal }));
		for (const call of await Promise.allSettled(calls)) {
			expect(call).toMatchObject({ reason: { code: "not-connected" } });
		}
		await until(() => gone.signal.aborted);
	});

	it("fails the calls as not carried out, and reports why no other session could be opened", async () => {
		await using scene = new Scene();
		let instructions = "";
		const { server } = await bookings({
			methods: {
				initialize: () => ({
					result: {
						protocolVersion: "2025-11-25",
						capabilities,
						serverInfo: { name: "x", version: "1" },
						instructions,
					},
				}),
			},
		});
		await using _ = server;
		const limits = { ...defaultConnectionLimits, maxResponseBytes: 10_000 };
		const connection = await scene.connect(http(server.url), { ...legacy, limits });
		server.loseSessions();
		instructions = "x".repeat(20_000);
		await expect(connection.callTool("book", {}, tool, control())).rejects.toMatchObject({
			code: "not-connected",
			message: expect.stringMatching(
				/^The server no longer knows the session and did not open a new one\. A response .* is larger/,
			),
		});
	});

	it("is not reopened for an error about the call itself, whose outcome is unknown", async () => {
		await using scene = new Scene();
		const { server } = await bookings({
			mishap: ({ method, id }) =>
				method === "tools/call"
					? {
							status: 400,
							body: { jsonrpc: "2.0", id: id ?? null, error: { code: -32_602, message: "No such hotel" } },
						}
					: undefined,
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("book", {}, tool, control())).rejects.toMatchObject({
			code: "outcome-unknown",
			message: expect.stringContaining("It says: No such hotel"),
		});
		expect(server.paramsOf("initialize")).toHaveLength(1);
	});

	it("ends a session by name", async () => {
		await using scene = new Scene();
		const { server } = await bookings();
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await connection.close();
		expect(server.received).toContain("DELETE");
		expect(scene.host.ends).toEqual([]);
	});
});

describe.concurrent("the log level", () => {
	it("is sent after the legacy handshake, and when it changes", async () => {
		await using scene = new Scene();
		const { server } = await bookings();
		await using _ = server;
		let level: "debug" | "error" | undefined = "error";
		const connection = await scene.connect(http(server.url), { ...legacy, logLevel: () => level });
		await until(() => server.paramsOf("logging/setLevel").length === 1);
		level = "debug";
		await connection.updateLogLevel();
		level = undefined;
		await connection.updateLogLevel();
		expect(server.paramsOf("logging/setLevel").map((params) => params["level"])).toEqual([
			"error",
			"debug",
			"emergency",
		]);
	});

	it("is not sent to a server that does not log", async () => {
		await using scene = new Scene();
		const { server } = await bookings({ methods: { initialize: () => initialized({ tools: {} }) } });
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await connection.updateLogLevel();
		await connection.callTool("book", {}, tool, control());
		expect(server.paramsOf("logging/setLevel")).toEqual([]);
	});

	it.each(["warning", undefined] as const)("is part of modern requests as %s", async (level) => {
		await using scene = new Scene();
		const server = await scene.serve({ speaks: "modern" });
		const connection = await scene.connect(http(server.url), { logLevel: () => level });
		await connection.updateLogLevel();
		await connection.callTool("echo", { text: "x" }, undefined, control());
		const call = server.received.flatMap((entry) => (entry.kind === "http" ? [entry.body] : [])).at(-1) as {
			readonly method: string;
			readonly params: { readonly _meta: Record<string, unknown> };
		};
		expect(call.method).toBe("tools/call");
		expect(call.params._meta["io.modelcontextprotocol/logLevel"]).toBe(level);
	});
});
