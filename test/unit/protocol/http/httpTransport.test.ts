import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
	initialized,
	startScriptServer,
	type ScriptRequest,
	type ScriptServer,
} from "../../../servers/scriptServer.ts";
import { control, Scene, textOf } from "../connection/connectScene.ts";
import { content, limits, megabyte, onCall, sse, wire, type Wire } from "./httpScene.ts";
import { until } from "../stdio/processes.ts";

describe.concurrent("a redirect over HTTP", () => {
	const secrets = { Authorization: "Bearer secret", "X-Api-Key": "secret", Cookie: "a=secret" };

	it.each([301, 302, 303, 307, 308])("%i to another origin is not followed", async (status) => {
		const reached: string[] = [];
		const canary = createServer((request, response) => {
			reached.push(JSON.stringify(request.headers));
			response.end();
		});
		await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
		const location = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/mcp`;
		await using all = await wire(secrets);
		onCall(all.server, ({ response }) => void response.writeHead(status, { location }).end());
		await expect(all.call()).rejects.toThrow(`The server redirects to ${location}.`);
		expect(reached).toEqual([]);
		await new Promise((resolve) => canary.close(resolve));
	});

	it.each([
		"file:///etc/passwd",
		"unix:///run/x.sock",
		"pipe://x",
		"ftp://127.0.0.1/",
		"data:text/plain,x",
		"http://[",
	])("to %s is not followed", async (location) => {
		await using all = await wire(secrets);
		onCall(all.server, ({ response }) => void response.writeHead(307, { location }).end());
		await expect(all.call()).rejects.toThrow("The server redirects to ");
	});

	it("at the handshake is reported as such", async () => {
		await using server = await startScriptServer();
		await using scene = new Scene();
		server.onEvery(({ response }) => void response.writeHead(308, { location: "https://elsewhere.example/mcp" }).end());
		for (const kind of ["http", "sse"] as const) {
			const connecting = scene.connect({ kind, url: server.url, headers: {} });
			await expect(connecting).rejects.toThrow("redirects to https://elsewhere.example/mcp");
		}
	});

	it.each([307, 308])(
		"within the origin is followed by the handshake, and calls go there at once (%i)",
		async (status) => {
			await using server = await startScriptServer();
			await using scene = new Scene();
			server.onEvery(({ path, method, message, response, reply }) => {
				if (path === "/mcp") response.writeHead(status, { location: "/mcp/" }).end();
				else if (method === "GET") response.writeHead(405).end();
				else reply(message["method"] === "initialize" ? initialized : content("there"));
			});
			const connection = await scene.connect({ kind: "http", url: server.url, headers: {} }, { protocol: "legacy" });
			expect(textOf(await connection.callTool("echo", {}, undefined, control()))).toBe("there");
			const calls = server.received.filter(({ message }) => message["method"] === "tools/call");
			expect(calls.map(({ path }) => path)).toEqual(["/mcp/"]);
		},
	);

	it.each([301, 302, 303, 307, 308])("of a call is not followed, and its outcome is unknown (%i)", async (status) => {
		await using all = await wire();
		let paths: readonly string[] = [];
		onCall(all.server, (request) => {
			paths = [...paths, request.path];
			if (request.path === "/moved") request.reply(content("receipt 2"));
			else request.response.writeHead(status, { location: "/moved" }).end();
		});
		await expect(all.call()).rejects.toMatchObject({ code: "outcome-unknown" });
		expect(paths).toEqual(["/mcp"]);
	});
});

describe.concurrent("a session over HTTP", () => {
	it.each(["é", "a b", "tab\there", "x".repeat(5000), "x".repeat(1_000_000)])(
		"with an invalid id is refused",
		async (id) => {
			await using server = await startScriptServer();
			await using scene = new Scene();
			server.onEvery((request) => {
				request.response.setHeader("mcp-session-id", Buffer.from(id, "latin1").toString("latin1"));
				request.reply({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } });
			});
			const connecting = scene.connect({ kind: "http", url: server.url, headers: {} }, { protocol: "legacy" });
			await expect(connecting).rejects.toThrow(/sent a session ID|more headers than MCP Host accepts/);
		},
	);

	it("that lacks a scope is reported by its status", async () => {
		await using server = await startScriptServer();
		await using scene = new Scene();
		const challenge = { "www-authenticate": 'Bearer error="insufficient_scope", scope="more"' };
		server.onEvery(({ response }) => void response.writeHead(403, challenge).end());
		const connecting = scene.connect({ kind: "http", url: server.url, headers: {} }, { protocol: "legacy" });
		await expect(connecting).rejects.toThrow(/^The server refused access \(403\)/);
	});

	it("sends the configured headers, but never in place of the protocol's", async () => {
		await using all = await wire({ "X-Team": "red", "Mcp-Protocol-Version": "1999", "Content-Type": "text/plain" });
		onCall(all.server, (request) => request.reply(content("x")));
		await all.call();
		expect(all.server.received.at(-1)?.headers).toMatchObject({
			"x-team": "red",
			"mcp-protocol-version": "2025-11-25",
			"content-type": "application/json",
		});
	});
});

describe.concurrent("a server that asks for time", () => {
	it.each([429, 503])("with %i receives requests without effects again, and the user is informed", async (status) => {
		await using all = await wire();
		let asked = 0;
		all.server.onRequest((request) => {
			if (request.message["method"] !== "resources/read") return void request.response.writeHead(405).end();
			if (++asked === 1) return void request.response.writeHead(status, { "retry-after": "1" }).end();
			return request.reply({ contents: [{ uri: "a:b", text: "read" }] });
		});
		const { contents } = await all.connection.readResource("a:b", control());
		expect(contents).toMatchObject([{ text: "read" }]);
		expect(all.scene.host.troubles).toContain(
			`The server is busy (${status}) and asks to wait 1 s; resources/read will be sent again after that.`,
		);
	});

	it("never receives a tool's call again", async () => {
		await using all = await wire();
		let asked = 0;
		onCall(all.server, ({ response }) => {
			asked++;
			response.writeHead(429, { "retry-after": "0" }).end();
		});
		await expect(all.call()).rejects.toThrow("429");
		expect(asked).toBe(1);
	});

	it.each([undefined, "soon", "61", "99999999999", "Sat, 21 Nov 2099 12:00:00 GMT"])(
		"for %s is not awaited",
		async (retryAfter) => {
			await using all = await wire();
			all.server.onRequest(({ response }) => {
				response.writeHead(503, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
			});
			await expect(all.connection.readResource("a:b", control())).rejects.toThrow("503");
		},
	);

	it("in each answer of the handshake is reported by its status", async () => {
		await using server = await startScriptServer();
		await using scene = new Scene();
		server.onEvery(({ response }) => void response.writeHead(503, { "retry-after": "1" }).end());
		await expect(scene.connect({ kind: "http", url: server.url, headers: {} })).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringContaining("503"),
		});
	});

	it("is not awaited when the request is cancelled", async () => {
		await using all = await wire();
		all.server.onRequest(({ response }) => void response.writeHead(429, { "retry-after": "50" }).end());
		const giving = new AbortController();
		const reading = expect(all.connection.readResource("a:b", { signal: giving.signal })).rejects.toThrow("given up");
		await until(() => all.scene.host.troubles.some((trouble) => trouble.includes("50 s")));
		giving.abort(new Error("given up"));
		await reading;
	});
});

describe.concurrent("the one stream of HTTP+SSE", () => {
	/** A server of HTTP+SSE whose stream the test controls. */
	async function wireStream(): Promise<Wire & { readonly write: (text: string) => void; readonly cut: () => void }> {
		const server = await startScriptServer();
		const scene = new Scene();
		let stream: ScriptRequest["response"] | undefined;
		server.onEvery(({ method, message, response }) => {
			if (method === "GET") {
				stream = response.writeHead(200, sse);
				stream.write("event: endpoint\ndata: /mcp\n\n");
				return;
			}
			response.writeHead(202).end();
			if (message["method"] !== "initialize") return;
			const result = {
				protocolVersion: "2024-11-05",
				capabilities: { tools: {} },
				serverInfo: { name: "s", version: "1" },
			};
			stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n\n`);
		});
		const connection = await scene.connect({ kind: "sse", url: server.url, headers: {} }, { limits });
		return {
			server,
			scene,
			connection,
			call: () => connection.callTool("echo", {}, undefined, control()),
			write: (text) => void stream?.write(text),
			cut: () => stream?.destroy(),
			async [Symbol.asyncDispose]() {
				await scene[Symbol.asyncDispose]();
				await server[Symbol.asyncDispose]();
			},
		};
	}

	const idOfCall = (server: ScriptServer): unknown =>
		server.received.findLast(({ message }) => message["method"] === "tools/call")?.message["id"];

	it("ends the connection when it breaks: another one would be another session", async () => {
		await using all = await wireStream();
		const calling = expect(all.call()).rejects.toMatchObject({ code: "outcome-unknown" });
		await until(() => idOfCall(all.server) !== undefined);
		all.cut();
		await calling;
		expect(all.scene.host.ends).toHaveLength(1);
		expect(all.server.received.filter(({ method }) => method === "GET")).toHaveLength(1);
	});

	it.each([
		["first", (id: unknown, x: string) => `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"x":"${x}"}}`],
		["last", (id: unknown, x: string) => `{"result":{"content":[],"x":"${x}"},"jsonrpc":"2.0","id":${String(id)}}`],
	])("fails only the request whose answer is too large, with the id %s", async (_where, write) => {
		await using all = await wireStream();
		const calling = expect(all.call()).rejects.toMatchObject({ code: "limit" });
		await until(() => idOfCall(all.server) !== undefined);
		const first = idOfCall(all.server);
		all.write(`data: ${write(first, "0".repeat(2 * megabyte))}\n\n`);
		await calling;
		const again = all.call();
		await until(() => idOfCall(all.server) !== first);
		all.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: idOfCall(all.server), result: content("well") })}\n\n`);
		expect(textOf(await again)).toBe("well");
		expect(all.scene.host.ends).toEqual([]);
	});

	it.each([
		["first", (id: unknown, x: string) => `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"x":${x}}}`],
		["last", (id: unknown, x: string) => `{"result":{"content":[],"x":${x}},"jsonrpc":"2.0","id":${String(id)}}`],
	])("fails only the request whose answer is too deep, with the id %s", async (_where, write) => {
		await using all = await wireStream();
		const calling = expect(all.call()).rejects.toMatchObject({ code: "limit" });
		await until(() => idOfCall(all.server) !== undefined);
		all.write(`data: ${write(idOfCall(all.server), `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)}\n\n`);
		await calling;
		expect(all.scene.host.ends).toEqual([]);
	});

	it("answers for requests that the server accepts with words of its own", async () => {
		await using all = await wireStream();
		all.server.onEvery(({ message, response }) => {
			response.writeHead(200, { "content-type": "text/plain" }).end("Accepted");
			all.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result: content("well") })}\n\n`);
		});
		expect(textOf(await all.call())).toBe("well");
	});

	it("fails the call whose answer never ends", async () => {
		await using all = await wireStream();
		const calling = expect(all.call()).rejects.toMatchObject({ code: "limit" });
		await until(() => idOfCall(all.server) !== undefined);
		all.write(`data: {"result":{"content":[],"x":"${"0".repeat(5 * megabyte)}`);
		await calling;
		await until(() => all.scene.host.ends.length === 1);
	});

	it.each([
		["whether a call ran is unknown", "outcome-unknown", (all: Wire) => all.call()],
		["a list did nothing", "not-connected", (all: Wire) => all.connection.listTools(undefined, control())],
	])("that the server forgot ends the connection; %s", async (_what, code, ask) => {
		await using all = await wireStream();
		all.server.onEvery(({ response }) => void response.writeHead(404).end());
		await expect(ask(all)).rejects.toMatchObject({ code });
		await until(() => all.scene.host.ends.length === 1);
	});

	it.each(["http://127.0.0.1:1/messages", "https://elsewhere.example/", "file:///etc/passwd"])(
		"that leads to %s is refused",
		async (endpoint) => {
			await using server = await startScriptServer();
			await using scene = new Scene();
			server.onEvery(
				({ response }) => void response.writeHead(200, sse).write(`event: endpoint\ndata: ${endpoint}\n\n`),
			);
			await expect(scene.connect({ kind: "sse", url: server.url, headers: {} })).rejects.toThrow(/origin/);
		},
	);
});
