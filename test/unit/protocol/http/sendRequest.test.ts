import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Agent } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { networkFaultOf } from "../../../../src/protocol/http/networkFault.ts";
import { sendRequest } from "../../../../src/protocol/http/sendRequest.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).toReversed()) await end();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Sends requests to a server with scripted answers, and counts the connections to it. */
async function serve(answer: Answer) {
	const server = createServer((request, response) => void answer(response, request));
	const made = { connections: 0 };
	server.on("connection", () => made.connections++);
	await once(server.listen(0, "127.0.0.1"), "listening");
	const agent = new Agent();
	ends.push(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	ends.push(async () => agent.destroy());
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query#fragment`);
	return { made, send: (init: RequestInit = {}) => sendRequest(agent, url, init) };
}

describe("a request", () => {
	it("is sent as given, and names the accepted types and codings", async () => {
		const { send } = await serve((response, { method, url, headers }) =>
			response.end(JSON.stringify({ method, url, headers })),
		);
		const response = await send({ headers: { accept: "text/event-stream" } });
		expect(await response.json()).toMatchObject({
			method: "GET",
			url: "/path?query",
			headers: { accept: "text/event-stream", "accept-encoding": "gzip, deflate", "user-agent": "undici" },
		});
	});

	it.each([
		["a text", "text", "text/plain;charset=UTF-8"],
		["a form", new URLSearchParams({ a: "b c" }), "application/x-www-form-urlencoded;charset=UTF-8"],
	])("carries %s with its type, unless another one is named", async (_what, body, type) => {
		const { send } = await serve(async (response, request) =>
			response.end(`${request.headers["content-type"]} ${await text(request)}`),
		);
		expect(await (await send({ method: "POST", body })).text()).toBe(`${type} ${body.toString()}`);
		const headers = { "content-type": "x/y" };
		expect(await (await send({ method: "POST", body, headers })).text()).toBe(`x/y ${body.toString()}`);
	});

	it("ends with the reason of its signal, before its answer and amid it", async () => {
		const { send } = await serve((response) => response.writeHead(200).write("begun"));
		const giveUp = new AbortController();
		const { body } = await send({ signal: giveUp.signal });
		const reader = body?.getReader();
		expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("begun");
		const next = reader?.read();
		giveUp.abort(new Error("given up"));
		await expect(next).rejects.toThrow("given up");
		await expect(send({ signal: giveUp.signal })).rejects.toThrow("given up");
	});
});

describe("an answer", () => {
	it("has its status, its words and all its headers", async () => {
		const { send } = await serve((response) =>
			response.writeHead(418, "A Teapot", { "x-one": "1", "x-two": ["2", "3"], "x-latin": "caf\xe9" }).end("short"),
		);
		const response = await send();
		expect([response.status, response.ok, response.statusText]).toEqual([418, false, "A Teapot"]);
		expect(["x-one", "x-two", "x-latin"].map((name) => response.headers.get(name))).toEqual(["1", "2, 3", "caf\xe9"]);
		expect(await response.text()).toBe("short");
	});

	it("without a body has none, and leaves its connection to later requests", async () => {
		const { send, made } = await serve((response) => response.writeHead(204).end());
		for (let time = 0; time < 10; time++) expect((await send()).body).toBeNull();
		expect(made.connections).toBeLessThan(10);
	});

	it("is decoded, a stream piece by piece", async () => {
		const { send } = await serve((response, { method }) => {
			response.writeHead(200, { "content-encoding": method === "GET" ? "GZIP, br" : "gzip" });
			if (method === "GET") return response.end(brotliCompressSync(gzipSync("twice")));
			// Its end never comes.
			return response.write(gzipSync("a piece").subarray(0, -8));
		});
		expect(await (await send()).text()).toBe("twice");
		const reader = (await send({ method: "POST" })).body?.getReader();
		expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("a piece");
	});

	it("in an unknown coding is passed on unchanged, and one in very many fails", async () => {
		let codings = "unheard-of";
		const { send } = await serve((response) => response.writeHead(200, { "content-encoding": codings }).end("bytes"));
		expect(await (await send()).text()).toBe("bytes");
		codings = Array.from({ length: 6 }, () => "gzip").join();
		await expect(send()).rejects.toThrow(TypeError);
	});

	it("that breaks off, or is no HTTP, fails as `fetch` does", async () => {
		let raw = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun";
		const { send } = await serve((response) => response.socket?.end(raw));
		const response = await send();
		await expect(response.text()).rejects.toMatchObject({ name: "TypeError", cause: { code: "UND_ERR_SOCKET" } });
		raw = "SSH-2.0-OpenSSH\r\n";
		const failure = await send().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(TypeError);
		expect(networkFaultOf(failure)).toBe("The program at this address does not use HTTP. Check the URL.");
	});

	it("that is no longer wanted ends its connection, however silent it is", async () => {
		const closed = Promise.withResolvers<void>();
		const { send } = await serve((response) => {
			response.writeHead(200).flushHeaders();
			response.once("close", () => closed.resolve());
		});
		const reader = (await send()).body?.getReader();
		const waiting = reader?.read();
		await reader?.cancel();
		await closed.promise;
		expect(await waiting).toMatchObject({ done: true });
	});

	it("with an invalid status fails and leaves no connection open", async () => {
		const closed = Promise.withResolvers<void>();
		const { send } = await serve((response) => {
			response.writeHead(999).write("begun");
			response.once("close", () => closed.resolve());
		});
		await expect(send()).rejects.toThrow(TypeError);
		await closed.promise;
	});
});
