import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { dial } from "../../../../src/surfaces/doctor/dial.ts";
import type { DialResult } from "../../../../src/surfaces/doctor/probes.ts";
import { startHttpServer } from "../../../servers/httpServer.ts";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { startProxyServer } from "../../../servers/proxyServer.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The finding for a server with this answer, and the requests to it. */
async function told(
	answer: Answer,
	{
		path = "/mcp",
		kind = "http",
		headers = {},
	}: { path?: string; kind?: "http" | "sse"; headers?: Record<string, string> } = {},
): Promise<{ readonly result: DialResult; readonly asked: readonly string[]; readonly host: string }> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}${"x-key" in request.headers ? " with the key" : ""}`);
		request.resume();
		answer(request, response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	try {
		const launch = { kind, url: `http://${host}${path}`, headers };
		const result = await dial(launch, { environment: {} }, new AbortController().signal);
		return { result, asked, host };
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void =>
	void response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

const answered = { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-11-25" } };

describe("The answer at an address", () => {
	it("is an MCP server, whose session is ended", async () => {
		const { result, asked } = await told((request, response) =>
			json(response, request.method === "POST" ? answered : {}, { "mcp-session-id": "s1" }),
		);
		expect(result).toMatchObject({ kind: "mcp" });
		expect(asked).toEqual(["POST /mcp", "DELETE /mcp"]);
	});

	it("is one that answers in a stream, of either era", async () => {
		await using server = await startHttpServer();
		const launch = { kind: "http", url: server.url, headers: {} } as const;
		expect(await dial(launch, { environment: {} }, new AbortController().signal)).toMatchObject({ kind: "mcp" });
	});

	it("is only one of HTTP+SSE", async () => {
		const { result } = await told((request, response) => {
			if (request.method !== "GET") return void response.writeHead(405).end();
			return void response
				.writeHead(200, { "content-type": "text/event-stream" })
				.write("event: endpoint\ndata: /m\n\n");
		});
		expect(result).toEqual({ kind: "sse" });
	});

	it("is a page, with the server at another path", async () => {
		const page: Answer = (request, response) =>
			request.url === "/mcp"
				? json(response, answered)
				: void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<title>Acme</title>");
		const { result, host } = await told(page, { path: "/" });
		expect(result).toEqual({ kind: "page", title: "Acme", better: `http://${host}/mcp` });
	});

	it.each<readonly [string, string, boolean]>([
		["the same host", "/v2/mcp?token=abc", false],
		["another host", "https://other.example/mcp?token=abc", true],
	])(
		"redirects to %s, which is not followed, and the part after the path is left out",
		async (_what, location, isOtherHost) => {
			const { result, asked } = await told((_request, response) => response.writeHead(307, { location }).end(), {
				headers: { "x-key": "abc" },
			});
			expect(result).toMatchObject({ kind: "redirect", status: 307, isOtherHost });
			expect(JSON.stringify(result)).not.toContain("abc");
			expect(asked).toEqual(["POST /mcp with the key"]);
		},
	);

	it("requires a sign-in, and names the authorization server, and whether clients may register", async () => {
		for (const registration of ["open", "absent"] as const) {
			await using server = await startProtectedServer({ authOptions: { registration } });
			const launch = { kind: "http", url: server.url, headers: {} } as const;
			expect(await dial(launch, { environment: {} }, new AbortController().signal)).toEqual({
				kind: "unauthorized",
				signIn: {
					issuer: server.auth.issuer,
					registers: registration === "open",
					hasResourceMetadata: true,
					namesServer: true,
				},
				sentHeader: false,
				words: expect.any(String),
			});
		}
	});

	it("requires a sign-in that is not protected", async () => {
		const metadata = ({ code_challenge_methods_supported: _methods, ...rest }: JsonObject): JsonObject => rest;
		await using server = await startProtectedServer({ authOptions: { alter: { metadata } } });
		const launch = { kind: "http", url: server.url, headers: {} } as const;
		expect(await dial(launch, { environment: {} }, new AbortController().signal)).toMatchObject({
			kind: "unauthorized",
			signIn: { problem: expect.stringContaining("PKCE") },
		});
	});

	it("is asked for its metadata without the configured key", async () => {
		const { result, asked } = await told(
			(request, response) => void response.writeHead(request.url === "/mcp" ? 401 : 404).end(),
			{ headers: { "x-key": "abc" } },
		);
		expect(result).toEqual({ kind: "unauthorized", signIn: undefined, sentHeader: true, words: "" });
		expect(asked).toEqual([
			"POST /mcp with the key",
			"GET /.well-known/oauth-protected-resource/mcp",
			"GET /.well-known/oauth-protected-resource",
			"GET /.well-known/oauth-authorization-server",
		]);
	});

	it("names a place for its sign-in outside of itself, which is not requested", async () => {
		const { result } = await told((_request, response) =>
			response.writeHead(401, { "www-authenticate": 'Bearer resource_metadata="http://169.254.169.254/latest"' }).end(),
		);
		expect(result).toMatchObject({ signIn: { problem: expect.stringContaining("169.254.169.254") } });
	});

	it("is something else, or a refusal", async () => {
		expect((await told((_request, response) => json(response, { hello: "world" }))).result).toEqual({
			kind: "foreign",
			type: "application/json",
			text: '{"hello":"world"}',
		});
		expect((await told((_request, response) => response.writeHead(503).end("Busy <b>"))).result).toEqual({
			kind: "status",
			status: 503,
			text: "Service Unavailable",
			words: " It says: Busy <b>.",
		});
		expect((await told((_request, response) => response.writeHead(404).end())).result).toMatchObject({
			kind: "status",
			status: 404,
		});
	});

	it.each([400, 401, 403, 404, 405, 422, 500])("refuses with %i and its reason, without any key", async (status) => {
		const body = JSON.stringify({
			jsonrpc: "2.0",
			id: null,
			error: { code: -32_000, message: "No tenant for hunter-2" },
		});
		const { result } = await told((_request, response) => response.writeHead(status).end(body), {
			headers: { "x-key": "hunter-2" },
		});
		expect(result).toMatchObject({ words: " It says: No tenant for (secret)." });
	});

	it("is missing", async () => {
		const closed = createServer().listen(0, "127.0.0.1");
		await once(closed, "listening");
		const { port } = closed.address() as AddressInfo;
		await new Promise((done) => closed.close(done));
		const launch = { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
		const result = await dial(launch, { environment: {} }, new AbortController().signal);
		expect(result).toMatchObject({ kind: "fault", message: expect.stringContaining("connection refused") });
	});

	it("is a proxy that refuses, by its name", async () => {
		await using proxy = await startProxyServer({ refuseWith: 403 });
		const launch = { kind: "http", url: "https://acme.example/mcp", headers: {} } as const;
		const result = await dial(launch, { environment: {}, proxy: proxy.url }, new AbortController().signal);
		expect(result).toMatchObject({
			kind: "fault",
			message: expect.stringContaining(`proxy ${new URL(proxy.url).host}`),
		});
	});

	it("is not awaited once the user cancelled", async () => {
		const ending = new AbortController();
		const silent = createServer(() => ending.abort(new Error("cancelled")));
		silent.listen(0, "127.0.0.1");
		await once(silent, "listening");
		const { port } = silent.address() as AddressInfo;
		const launch = { kind: "http", url: `http://127.0.0.1:${port}/`, headers: {} } as const;
		await expect(dial(launch, { environment: {} }, ending.signal)).rejects.toThrow("cancelled");
		silent.closeAllConnections();
		silent.close();
	});
});
