/** Classes J and K of the inputs from the field, and the era probe: messages of servers over HTTP. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { startScriptServer, type ScriptRequest } from "../../servers/scriptServer.ts";
import { revisionOf, sloppyText, type Sloppy } from "../../servers/sloppy.ts";
import { factsOf, failureOf } from "../testHost.ts";
import { callOf, FieldScene, ways } from "./scene.ts";

/** A server over HTTP that answers a request as the test wants, if it does, and correctly otherwise. */
async function serve(odd: (request: ScriptRequest, good: string) => boolean, sloppy: Sloppy = {}) {
	const server = await startScriptServer();
	server.onEvery((request) => {
		const { method, message, response } = request;
		if (odd(request, sloppyText(sloppy, message))) return;
		if (method !== "POST") response.writeHead(405).end();
		else if (message["id"] === undefined || message["method"] === undefined) response.writeHead(202).end();
		else response.writeHead(200, { "content-type": "application/json" }).end(sloppyText(sloppy, message));
	});
	return server;
}

const isRequest = ({ message }: ScriptRequest): boolean =>
	message["id"] !== undefined && message["method"] !== undefined;

describe("an answer over HTTP", () => {
	it.each<readonly [string, Readonly<Record<string, string>>, (good: string) => string]>([
		["without a type", {}, (good) => good],
		["as plain text", { "content-type": "text/plain" }, (good) => good],
		["as HTML, though it is none", { "content-type": "text/html" }, (good) => `\n  ${good}\n`],
		["as an event stream, though it is JSON", { "content-type": "text/event-stream" }, (good) => good],
		["as JSON, though it is an event stream", { "content-type": "application/json" }, (good) => `data: ${good}\n\n`],
		["without a type, as an event stream", {}, (good) => `: hello\n\nevent: message\ndata: ${good}\n\n`],
		["with a byte order mark", { "content-type": "application/json" }, (good) => `\uFEFF${good}`],
		[
			"with another type of event",
			{ "content-type": "text/event-stream" },
			(good) => `event: response\ndata: ${good}\n\n`,
		],
		["in a list of one", { "content-type": "application/json" }, (good) => `[${good}]`],
	])("is read by its content %s", async (_what, headers, write) => {
		await using server = await serve((request, good) => {
			if (!isRequest(request)) return false;
			request.response.writeHead(200, headers).end(write(good));
			return true;
		});
		await using scene = new FieldScene();
		const session = await scene.begin({ url: server.url });
		expect(session.tools.items.map(({ name }) => name)).toContain("echo");
		expect(await callOf(session)).toBe("row written");
	});

	it("is no message if it is a page", async () => {
		await using server = await serve(({ response }) => {
			response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in to the Wi-Fi</h1>");
			return true;
		});
		await using scene = new FieldScene();
		expect(failureOf(await scene.begin({ url: server.url }))).toContain("it is not an MCP server");
	});

	it("is reported in words if it is other JSON", async () => {
		await using server = await serve(({ response }) => {
			response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');
			return true;
		});
		await using scene = new FieldScene();
		const words = failureOf(await scene.begin({ url: server.url }));
		expect(words).toContain('it is not an MCP server: it is not an MCP message: {"status":"ok"}');
	});
});

/** The answers to the era probe. */
interface EraAnswer {
	readonly what: string;
	readonly status: number;
	readonly body: (message: JsonObject) => string;
	readonly type: string | undefined;
}

const refusedText = (id: Json | undefined, code: number): string =>
	JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message: "No" } });

const eraAnswers: readonly EraAnswer[] = (
	[
		["200 with an id that is null", 200, () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}'],
		["200 without anything", 200, () => ""],
		["200 with JSON of its own", 200, () => '{"detail":"unknown"}'],
		["200 with a stream without anything", 200, () => "", "text/event-stream"],
		["202", 202, () => ""],
		["204", 204, () => ""],
		["400", 400, () => "no session"],
		["404 without anything", 404, () => ""],
		...[400, 404, 405, 422].flatMap((status): readonly (readonly [string, number, EraAnswer["body"]])[] => [
			[`${status} with the error of an unknown method`, status, ({ id }) => refusedText(id, -32601)],
			[`${status} with an error of no session`, status, ({ id }) => refusedText(id, -32000)],
			[`${status} with an error of no request`, status, () => refusedText(null, -32000)],
		]),
		[
			"500 with an error of the protocol",
			500,
			({ id }) => JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code: -32603, message: "?" } }),
		],
		["500 with an error of no request", 500, () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"?"}}'],
	] as readonly (readonly [string, number, EraAnswer["body"], string?])[]
).map(([what, status, body, type]) => ({ what, status, body, type }));

describe("TRN-65: a server that does not know the era probe", () => {
	it.each(eraAnswers)(
		"receives the legacy handshake after $what",
		async ({ status, body, type = "application/json" }) => {
			await using server = await serve(({ message, response }) => {
				if (message["method"] !== "server/discover") return false;
				response.writeHead(status, { "content-type": type }).end(body(message));
				return true;
			});
			await using scene = new FieldScene();
			const session = await scene.begin({ url: server.url });
			expect(factsOf(session).era).toBe("legacy");
			expect(await callOf(session)).toBe("row written");
		},
	);

	it("is not guessed at after a fault of its own without a message", async () => {
		await using server = await serve(({ message, response }) => {
			if (message["method"] !== "server/discover") return false;
			response.writeHead(500).end("oops");
			return true;
		});
		await using scene = new FieldScene();
		expect(failureOf(await scene.begin({ url: server.url }))).toContain("500");
		expect(server.received.some(({ message }) => message["method"] === "initialize")).toBe(false);
	});
});

const refusals: readonly (readonly [string, JsonObject])[] = [
	[
		"in the data",
		{ code: -32602, message: "Unsupported protocol version", data: { supported: ["2024-11-05", "2025-06-18"] } },
	],
	["by another name", { code: -32000, message: "Bad Request", data: { supportedVersions: ["2025-06-18"] } }],
	[
		"in words",
		{ code: -32602, message: "Unsupported version 2025-11-25, supported: 2024-11-05, 2025-06-18, 2030-01-01" },
	],
];

describe.each(ways)("a server over %s that refuses a revision", (way) => {
	it.each(refusals)("and names its own %s gets the newest common revision", async (_how, error) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { initialize: { onlyAbove: "2025-06-18", error } } });
		expect(factsOf(session).protocolVersion).toBe("2025-06-18");
		expect(await callOf(session)).toBe("row written");
	});

	it("and names only revisions that this host does not support is reported, and not asked again", async () => {
		await using scene = new FieldScene();
		const error = { code: -32602, message: "Unsupported protocol version", data: { supported: ["2030-01-01"] } };
		const session = await scene.start(way, { answers: { initialize: { error } } });
		expect(session.state).toMatchObject({ kind: "failed" });
		expect(scene.log).not.toContain("Trying again with revision");
	});

	it("repeatedly is asked for each once", async () => {
		await using scene = new FieldScene();
		const error = { code: -32602, message: "Supported versions: 2025-06-18, 2025-03-26, 2024-11-05" };
		const session = await scene.start(way, { answers: { initialize: { error } } });
		expect(session.state).toMatchObject({ kind: "failed", message: expect.stringContaining("2024-11-05") });
		const asked = server(scene, "initialize");
		if (asked !== undefined) expect(asked).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
	});
});

describe("a server over HTTP that refuses a revision", () => {
	it("with 400 and words gets the newest common revision; 401 and 500 allow no conclusion", async () => {
		const outcomes: (string | undefined)[] = [];
		for (const status of [400, 401, 500]) {
			await using server = await serve(({ message, response }) => {
				if (message["method"] !== "initialize" || revisionOf(message) <= "2025-03-26") return false;
				response.writeHead(status).end("Bad Request: Unsupported protocol version (supported: 2025-03-26, 2024-11-05)");
				return true;
			});
			await using scene = new FieldScene();
			const session = await scene.begin({ url: server.url });
			outcomes.push(session.state.kind === "running" ? session.state.facts.protocolVersion : undefined);
		}
		expect(outcomes).toEqual(["2025-03-26", undefined, undefined]);
	});
});

/** The revisions that were requested, where the server runs in this process. */
function server(scene: FieldScene, method: string): readonly unknown[] | undefined {
	return scene.server?.received
		.filter(({ message }) => message["method"] === method)
		.map(({ message }) => (message["params"] as JsonObject)["protocolVersion"]);
}

describe("a stream of the server's own messages that ends at once", () => {
	it("is reopened less and less often, and calls continue to work", async () => {
		const openedAt: number[] = [];
		await using server = await serve(({ method, response }) => {
			if (method !== "GET") return false;
			openedAt.push(performance.now());
			response.writeHead(200, { "content-type": "text/event-stream" }).end(": hi\n\n");
			return true;
		});
		await using scene = new FieldScene();
		const session = await scene.begin({ url: server.url });
		await expect.poll(() => openedAt.length, { timeout: 20_000 }).toBe(4);
		const pauses = openedAt.slice(1).map((at, index) => at - (openedAt[index] ?? 0));
		expect(pauses.every((ms, index) => ms > 900 * 2 ** index)).toBe(true);
		expect(await callOf(session)).toBe("row written");
	});
});

describe("a session that the server forgets", () => {
	it.each<readonly [string, Readonly<Record<string, string>>, string]>([
		["a text", { "content-type": "text/plain" }, "Invalid session ID"],
		["nothing", {}, ""],
		[
			"an error without an id",
			{ "content-type": "application/json" },
			'{"error":{"code":-32001,"message":"Session not found"}}',
		],
		[
			"an error with an empty id",
			{ "content-type": "application/json" },
			'{"jsonrpc":"2.0","id":"","error":{"code":-32001,"message":"Session not found"}}',
		],
	])(
		"is reopened before the next call after a quiet time, where the server reports %s",
		async (_what, headers, body) => {
			let known = "first";
			let ran = 0;
			let initializes = 0;
			await using server = await serve((request, good) => {
				const { method, message, response } = request;
				if (method !== "POST" || message["method"] === "server/discover") return false;
				if (message["method"] === "initialize") {
					initializes++;
					known = `session-${initializes}`;
					response.writeHead(200, { "content-type": "application/json", "mcp-session-id": known }).end(good);
					return true;
				}
				if (request.headers["mcp-session-id"] !== known) {
					response.writeHead(404, headers).end(body);
					return true;
				}
				if (message["method"] === "tools/call") ran++;
				return false;
			});
			await using scene = new FieldScene();
			const session = await scene.begin({ url: server.url });
			expect(await callOf(session)).toBe("row written");
			known = "forgotten";
			await pause(1100);
			for (let call = 0; call < 3; call++) expect(await callOf(session)).toBe("row written");
			expect([ran, initializes]).toEqual([4, 2]);
		},
	);
});
