import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { textResult } from "../../../servers/lineServer.ts";
import { startScriptServer } from "../../../servers/scriptServer.ts";
import { initialized, startSessionServer, type Mishap } from "../../../servers/sessionServer.ts";
import { content, megabyte, onCall, sse, wire } from "../http/httpScene.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";
import { until } from "../stdio/processes.ts";

const legacy = { verdict: { kind: "legacy" } } as const;
const book: Tool = { name: "book", inputSchema: { type: "object" } };
const noRequest = { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "Session not found" } };
const unknown = {
	code: "outcome-unknown",
	message: expect.stringContaining("The tool may have run. Check before you repeat the call"),
};

/** A server whose tool books first, and whose first answer fails. */
async function bookings(wrong: (message: JsonObject) => Mishap) {
	let booked = 0;
	const server = await startSessionServer({
		methods: { initialize: () => initialized({ tools: {} }), "tools/call": () => textResult(`booking ${booked}`) },
		mishap: (message) => (message["method"] === "tools/call" && ++booked === 1 ? wrong(message) : undefined),
	});
	return { server, booked: () => booked };
}

describe.concurrent("a call that may have an effect (TRN-57)", () => {
	it.each<Mishap>([{ status: 404 }, { status: 400 }, { status: 409 }, { status: 404, body: { detail: "not found" } }])(
		"is sent once, and its outcome unknown, when the server acted and then answered %j",
		async (wrong) => {
			await using scene = new Scene();
			const { server, booked } = await bookings(() => wrong);
			await using _ = server;
			const connection = await scene.connect(http(server.url), legacy);
			await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject(unknown);
			expect([booked(), server.paramsOf("tools/call").length]).toEqual([1, 1]);
			// Later requests find a session.
			expect(textOf(await connection.callTool("book", {}, book, control()))).toBe("booking 2");
		},
	);

	it.each<readonly [string, number, { readonly id: (own: unknown) => unknown; readonly code: number }]>([
		["404 and an error of another request", 404, { id: () => 999, code: -32_001 }],
		["400 and an error whose id is its own as a text", 400, { id: String, code: -32_001 }],
		["400 and another error without a request id", 400, { id: () => null, code: -32_603 }],
		["503, as a gateway whose server broke off", 503, { id: () => null, code: -32_603 }],
	])(
		"is sent once, and its outcome unknown, when the server acted and then answered %s",
		async (_what, status, { id, code }) => {
			await using scene = new Scene();
			const { server, booked } = await bookings((message) => ({
				status,
				body: { jsonrpc: "2.0", id: id(message["id"]) as null, error: { code, message: "Something went wrong" } },
			}));
			await using _ = server;
			const connection = await scene.connect(http(server.url), legacy);
			await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject(unknown);
			expect([booked(), server.paramsOf("tools/call").length]).toEqual([1, 1]);
		},
	);

	it.each<Mishap>([
		{ status: 404, body: noRequest },
		{ status: 400, body: noRequest },
		{ status: 400, body: { jsonrpc: "2.0", error: { code: -32_000, message: "Session not found" } } },
		{
			status: 404,
			body: { jsonrpc: "2.0", id: "server-error", error: { code: -32_600, message: "Session not found" } },
		},
		{ status: 410 },
		{ status: 307 },
		{ status: 500 },
		"cut",
		"reset",
	])("is sent once, for any answer of an acting server about the session (%j)", async (wrong) => {
		await using scene = new Scene();
		const { server, booked } = await bookings(() => wrong);
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject({
			...unknown,
			message: expect.stringContaining("with Run Again"),
		});
		expect(booked()).toBe(1);
	});

	it("has an unknown outcome, and the words of the server, when a 404 carries an error of its own", async () => {
		await using scene = new Scene();
		const error = { code: -32_001, message: "Session not found" };
		const { server, booked } = await bookings(({ id }) => ({
			status: 404,
			body: { jsonrpc: "2.0", id: id ?? null, error },
		}));
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject({
			code: "outcome-unknown",
			message: expect.stringContaining(
				"404 while the request ran. The tool may have run. Check before you repeat the call with Run Again. It says: Session not found",
			),
		});
		expect(booked()).toBe(1);
	});

	it.each([
		["a text", { status: 404, body: "Invalid session ID" }],
		["nothing", { status: 404 }],
		["an error without an id", { status: 404, body: { error: { code: -32_001, message: "Session not found" } } }],
		["an error with an empty id", { status: 400, body: { ...noRequest, id: "" } }],
	] as const)(
		"is answered when its session was lost during a quiet time, and the server reports %s",
		async (_what, unknownSession) => {
			await using scene = new Scene();
			const server = await startSessionServer({
				methods: { initialize: () => initialized({ tools: {} }), "tools/call": () => textResult("booked") },
				unknownSession,
			});
			await using _ = server;
			const connection = await scene.connect(http(server.url), legacy);
			await connection.callTool("book", {}, book, control());
			server.loseSessions();
			await pause(1200);
			expect(textOf(await connection.callTool("book", {}, book, control()))).toBe("booked");
			expect([server.paramsOf("tools/call").length, server.paramsOf("initialize").length]).toEqual([2, 2]);
		},
	);

	it("is answered when the server refuses pings", async () => {
		await using scene = new Scene();
		const server = await startSessionServer({
			methods: { initialize: () => initialized({ tools: {} }), "tools/call": () => textResult("booked") },
			mishap: ({ method }) => (method === "ping" ? { status: 400 } : undefined),
		});
		await using _ = server;
		const connection = await scene.connect(http(server.url), legacy);
		for (let again = 0; again < 2; again++) {
			await pause(1200);
			expect(textOf(await connection.callTool("book", {}, book, control()))).toBe("booked");
		}
		expect(server.paramsOf("initialize")).toHaveLength(2);
	});

	it("has an unknown outcome when HTTP+SSE answers it with 404", async () => {
		await using scene = new Scene();
		await using server = await startScriptServer();
		let stream: { write(text: string): unknown } | undefined;
		server.onEvery(({ method, message, response }) => {
			if (method === "GET") {
				stream = response.writeHead(200, sse);
				stream.write("event: endpoint\ndata: /messages\n\n");
				return;
			}
			if (message["method"] === "tools/call") return void response.writeHead(404).end();
			response.writeHead(202).end();
			if (message["id"] === undefined) return;
			const result = {
				protocolVersion: "2024-11-05",
				capabilities: { tools: {} },
				serverInfo: { name: "s", version: "1" },
			};
			stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n\n`);
		});
		const connection = await scene.connect(http(server.url, "sse"), legacy);
		await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject(unknown);
	});

	it("reports that it may have taken effect when its time is up, and a read does not", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({
			methods: {
				initialize: () => initialized({ tools: {}, resources: {} }),
				"tools/call": () => "silence",
				"resources/read": () => "silence",
			},
		});
		const connection = await scene.connect(http(server.url), legacy);
		const clock = new AbortController();
		const ends = Promise.allSettled([
			connection.callTool("book", {}, book, clock),
			connection.readResource("x://y", clock),
		]);
		await until(() => server.received.includes("tools/call") && server.received.includes("resources/read"));
		clock.abort(new HostError("timeout", "s: it took too long."));
		expect(await ends).toMatchObject([
			{
				reason: { code: "timeout", message: expect.stringMatching(/long\. It may have taken effect. Check/) },
			},
			{ reason: { code: "timeout", message: "s: it took too long." } },
		]);
	});

	it.each([
		["is too large", { "content-type": "application/json" }, "x".repeat(2 * megabyte)],
		["is a page", { "content-type": "text/html" }, "<h1>Sign in to the Wi-Fi</h1>"],
		["is no message", { "content-type": "application/json" }, '{"ok":true}'],
	])("reports that it may have run when its answer %s", async (_what, headers, body) => {
		await using all = await wire();
		onCall(all.server, ({ response }) => void response.writeHead(200, headers).end(body));
		await expect(all.call()).rejects.toThrow(/may have run. Check before you repeat the call\.$/);
	});
});

describe.concurrent("a server that dies during a call whose stream can be resumed (TRN-58)", () => {
	it.each([
		["listens no more", true],
		["is a gateway without it", false],
	])("leaves the outcome unknown within seconds, and is detected as gone, when it %s", async (_how, isGone) => {
		await using all = await wire();
		let isDead = false;
		all.server.onEvery(({ response, method, message, reply }) => {
			if (isDead) return void response.writeHead(502).end();
			if (message["method"] === "tools/call") {
				response.writeHead(200, sse).write("id: e1\ndata: \n\n", () => {
					isDead = true;
					if (isGone) void all.server[Symbol.asyncDispose]();
					else response.destroy();
				});
				return;
			}
			if (method === "GET") return void response.writeHead(405).end();
			reply({});
		});
		await expect(all.call()).rejects.toMatchObject(unknown);
		await until(() => all.scene.host.ends.length === 1);
		expect(all.scene.host.ends).toEqual(["no longer answers"]);
	});

	it("keeps waiting while the server returns in time", async () => {
		await using all = await wire();
		let id: unknown;
		let attempts = 0;
		all.server.onEvery(({ response, method, message, reply }) => {
			if (message["method"] === "tools/call") {
				id = message["id"];
				response.writeHead(200, sse).write("id: e1\nretry: 100\ndata: \n\n", () => response.destroy());
			} else if (method !== "GET") reply({});
			else if (++attempts < 5) response.destroy();
			else {
				const answer = { jsonrpc: "2.0", id, result: content("back") };
				response.writeHead(200, sse).end(`data: ${JSON.stringify(answer)}\n\n`);
			}
		});
		expect(textOf(await all.call())).toBe("back");
	});
});
