import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestRefusal, rejectedByPerson } from "../../../src/decisions/refusal.ts";
import { connect } from "../../../src/servers/connect.ts";
import type { Connection, ConnectionHandlers, ConnectRequest } from "../../../src/servers/connection.ts";
import type { Launch } from "../../../src/servers/variables.ts";
import type { FaultyMode } from "../../servers/faulty.ts";
import { cannedAnswers, startHttpServer } from "../../servers/httpServer.ts";
import { messagesOf, processesOf, readReceived, type Received } from "../../servers/received.ts";
import { launchOf, nodeLaunch } from "./processes.ts";

let folder = "";
let log = "";
let toEnd: (() => Promise<unknown>)[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-host-"));
	log = join(folder, "received.log");
});
afterEach(async () => {
	await Promise.all(toEnd.splice(0).map((end) => end()));
	rmSync(folder, { recursive: true, force: true });
});

const fixtures = resolve(import.meta.dirname, "../../servers");
const small = (era: "both" | "legacy" | "modern"): Launch =>
	launchOf(process.execPath, [join(fixtures, "everythingSmall.ts"), "--era", era, "--log", log]);
const faulty = (mode: FaultyMode): Launch => launchOf(process.execPath, [join(fixtures, "faulty.ts"), mode, "--log", log]);
const http = (url: string, kind: "http" | "sse" = "http"): Launch => ({ kind, url, headers: {} });

/** What a connection told, and who answers what it asks. */
class Host implements ConnectionHandlers {
	readonly troubles: string[] = [];
	readonly retries: string[] = [];
	readonly ends: string[] = [];
	readonly logged: unknown[] = [];
	stderr = "";
	createMessage: ConnectionHandlers["createMessage"] = () => Promise.reject(rejectedByPerson());
	elicit: ConnectionHandlers["elicit"] = () => Promise.resolve({ action: "decline" });
	listRoots = (): ReturnType<ConnectionHandlers["listRoots"]> => [{ uri: "file:///root", name: "root" }];
	onListChanged = (): void => undefined;
	onResourceUpdated = (): void => undefined;
	onLog = (...message: unknown[]): void => void this.logged.push(message);
	onStderr = (text: string): void => void (this.stderr += text);
	onRetry = (why: string): void => void this.retries.push(why);
	onTrouble = (message: string): void => void this.troubles.push(message);
	onClosed = (reason: string): void => void this.ends.push(reason);
}

async function connectTo(
	launch: Launch,
	changes: Partial<ConnectRequest> = {},
	host = new Host(),
): Promise<{ readonly connection: Connection; readonly host: Host }> {
	const connection = await connect({
		launch,
		protocol: "auto",
		verdict: undefined,
		client: { name: "test", title: "Test", version: "0" },
		handshakeTimeoutMs: 15_000,
		signal: new AbortController().signal,
		handlers: host,
		...changes,
	});
	toEnd.push(() => connection.close());
	return { connection, host };
}

const control = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });
const received = (): readonly Received[] => readReceived(log);
const starts = (): number => received().filter(({ kind }) => kind === "start").length;
const textOf = ({ content }: Awaited<ReturnType<Connection["callTool"]>>): string =>
	content.map((block) => (block.type === "text" ? block.text : "")).join("");

describe("connect over stdio", () => {
	it.each([
		["both", "modern", "2026-07-28"],
		["modern", "modern", "2026-07-28"],
		["legacy", "legacy", "2025-11-25"],
	] as const)("finds the era of a server of %s with one process", async (speaks, era, version) => {
		const { connection, host } = await connectTo(small(speaks));
		expect(connection.facts).toMatchObject({ era, protocolVersion: version, transport: "stdio", server: { name: "small" } });
		expect(connection.verdict.kind).toBe(era);
		expect(textOf(await connection.callTool("echo", { text: "hello" }, undefined, control()))).toBe("hello");
		expect((await connection.listTools(undefined, control())).items.length).toBeGreaterThan(5);
		const [pid] = processesOf(received());
		expect([starts(), connection.facts.pid]).toEqual([1, pid]);
		await connection.close();
		expect([host.ends, host.retries, host.troubles]).toEqual([[], [], []]);
		expect(() => process.kill(pid ?? -1, 0)).toThrow();
	});

	it.each([
		["modern", "legacy", () => small("legacy"), 2],
		["legacy", "modern", () => small("modern"), 2],
		["legacy", "legacy", () => small("both"), 1],
		["modern", "legacy", () => faulty("exitOnDiscover"), 2],
	] as const)("with the memory of a %s server finds that it is %s now", async (remembered, era, launch, count) => {
		const verdict = remembered === "legacy" ? { kind: remembered } : { kind: remembered, version: "2026-07-28" };
		const { connection, host } = await connectTo(launch(), { verdict });
		expect(connection.facts.era).toBe(era);
		expect([starts(), host.retries.length]).toEqual([count, count - 1]);
	});

	it("starts a server that dies of the question once more, without it", async () => {
		const { connection, host } = await connectTo(faulty("exitOnDiscover"));
		expect(connection.facts).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
		expect(starts()).toBe(2);
		expect(host.retries).toEqual([
			"The server exited with code 1 during the handshake. It is started again without the question for its revision.",
		]);
	});

	it("takes a server that ignores the question for legacy in time", async () => {
		const { connection } = await connectTo(faulty("hangDiscover"));
		expect(connection.facts.era).toBe("legacy");
		expect([starts(), messagesOf(received(), "server/discover").length]).toEqual([1, 1]);
	});

	it("connects to a modern server that is too slow for the question", async () => {
		// As a package that is downloaded first: the second start is quick.
		const server = JSON.stringify(join(fixtures, "everythingSmall.ts"));
		const script = `setTimeout(() => import(${server}), require("fs").existsSync(${JSON.stringify(log)}) ? 0 : 3200)`;
		const args = ["-e", script, "--", "--era", "modern", "--log", log];
		const { connection, host } = await connectTo(launchOf(process.execPath, args));
		expect([connection.facts.era, host.retries.length]).toEqual(["modern", 1]);
	});

	it("says that a server exited, and keeps what it wrote last", async () => {
		const host = new Host();
		await expect(connectTo(faulty("exitAtOnce"), { protocol: "legacy" }, host)).rejects.toMatchObject({
			code: "start-failed",
			message: "The server exited with code 3 during the handshake.",
		});
		expect(host.stderr).toContain("the API key is missing");
		expect(starts()).toBe(1);
	});

	it("says that a command was not found, and tries nothing else", async () => {
		const host = new Host();
		await expect(connectTo(launchOf("no-such-command"), { verdict: { kind: "legacy" } }, host)).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringMatching(/^The command no-such-command was not found\./),
		});
		expect(host.retries).toEqual([]);
	});

	it("ends a server that hangs when the time of the handshake is over", async () => {
		await expect(connectTo(faulty("hang"), { handshakeTimeoutMs: 700 })).rejects.toMatchObject({
			code: "timeout",
			message: "The server did not answer the handshake within 1 s. Its log may say why.",
		});
		for (const pid of processesOf(received())) expect(() => process.kill(pid, 0)).toThrow();
	});

	it.each([0, 1, 20, 400])("leaves nothing when it is given up after %i ms", async (ms) => {
		const controller = new AbortController();
		const reason = new Error("given up");
		setTimeout(() => controller.abort(reason), ms);
		await expect(connectTo(faulty("hang"), { signal: controller.signal })).rejects.toBe(reason);
		for (const pid of processesOf(received())) expect(() => process.kill(pid, 0)).toThrow();
	});

	it("tells of a crash, and fails the calls that are under way", async () => {
		const { connection, host } = await connectTo(faulty("crashLater"));
		await expect(connection.callTool("crash", {}, undefined, control())).rejects.toMatchObject({
			code: "not-connected",
			message: "The server exited with code 7.",
		});
		expect(host.ends).toEqual(["exited with code 7"]);
		await expect(connection.callTool("echo", {}, undefined, control())).rejects.toMatchObject({ code: "not-connected" });
		await connection.close();
		expect(host.ends).toHaveLength(1);
	});
});

describe("what a server asks", () => {
	const ask = async (host: Host, era: "legacy" | "modern"): Promise<unknown> => {
		const { connection } = await connectTo(small(era), {}, host);
		return connection.callTool("ask", { question: "Why?" }, undefined, control()).then(textOf, (error: unknown) => error);
	};

	it("is answered with -1 when the person rejects it (specification, Sampling)", async () => {
		const host = new Host();
		// By hand, since a server's SDK hides the answer that it got.
		const script = `
			const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
			const sampling = { id: "s", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
			let call;
			require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method, error } = JSON.parse(line);
				if (method === "initialize")
					write({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
				else if (method === "tools/call") { call = id; write(sampling); }
				else if (id === "s") write({ id: call, result: { content: [{ type: "text", text: JSON.stringify(error) }] } });
				else if (id !== undefined) write({ id, error: { code: -32601, message: "Method not found" } });
			});`;
		const { connection } = await connectTo(nodeLaunch(script), {}, host);
		const call = async (): Promise<unknown> => JSON.parse(textOf(await connection.callTool("x", {}, undefined, control())));
		expect(await call()).toEqual({ code: -1, message: "User rejected sampling request" });
		host.createMessage = () => Promise.reject(new RequestRefusal(-32_602, "invalid", "Tool result missing in request"));
		expect(await call()).toEqual({ code: -32_602, message: "Tool result missing in request" });
		// What went wrong here is none of the server's business.
		host.createMessage = () => Promise.reject(new Error("http://10.0.0.1/v1 says: bad key sk-secret"));
		expect(await call()).toEqual({ code: -32_603, message: "The host could not answer this request." });
		expect(host.troubles).toEqual(["A request of the server was not answered: http://10.0.0.1/v1 says: bad key sk-secret"]);
	});

	it.each(["legacy", "modern"] as const)("is answered on a %s connection", async (era) => {
		const host = new Host();
		host.createMessage = ({ systemPrompt }) =>
			Promise.resolve({ role: "assistant", model: "m", content: { type: "text", text: `because (${systemPrompt})` } });
		expect(await ask(host, era)).toContain("because (Answer in one sentence.)");
	});

	it("fails the call on a modern connection when the person rejects it", async () => {
		expect(await ask(new Host(), "modern")).toMatchObject({
			code: "protocol",
			message: expect.stringContaining("User rejected sampling request"),
		});
	});
});

describe("connect over HTTP", () => {
	async function serve(options: Parameters<typeof startHttpServer>[0]): ReturnType<typeof startHttpServer> {
		const server = await startHttpServer(options);
		toEnd.push(() => server[Symbol.asyncDispose]());
		return server;
	}

	it.each([
		["both", "http", "modern"],
		["modern", "http", "modern"],
		["legacy", "http", "legacy"],
		["sse", "sse", "legacy"],
	] as const)("finds the era and the transport of a server of %s", async (speaks, transport, era) => {
		const { url } = await serve({ speaks });
		const { connection, host } = await connectTo(http(url));
		expect(connection.facts).toMatchObject({ transport, era, server: { name: "small" }, pid: undefined });
		expect(textOf(await connection.callTool("echo", { text: "x" }, undefined, control()))).toBe("x");
		await connection.close();
		expect(host.ends).toEqual([]);
	});

	it.each([
		["modern", "legacy", "legacy"],
		["legacy", "modern", "modern"],
		["modern", "sse", "legacy"],
	] as const)("with the memory of a %s server finds that it is %s now", async (remembered, speaks, era) => {
		const { url } = await serve({ speaks });
		const verdict = remembered === "legacy" ? { kind: remembered } : { kind: remembered, version: "2026-07-28" };
		const { connection, host } = await connectTo(http(url), { verdict });
		expect(connection.facts.era).toBe(era);
		expect(host.retries.length).toBeGreaterThan(0);
	});

	it.each([
		["unauthorized", "auto", /asks for sign-in \(401\)\. Check the headers/],
		["unauthorized", "legacy", /asks for sign-in \(401\)\. Check the headers/],
		["serverError", "auto", /^The server answered 500/],
		["serverError", "legacy", /^The server answered 500/],
		["html", "auto", /^Something answers at this address, but it is no MCP server: .*text\/html.*Check the URL\.$/],
		["html", "legacy", /^Something answers at this address, but it is no MCP server: .*text\/html.*Check the URL\.$/],
	] as const)("explains %s to %s", async (canned, protocol, message) => {
		const server = await serve({ canned: cannedAnswers[canned] });
		await expect(connectTo(http(server.url), { protocol })).rejects.toMatchObject({ code: "start-failed", message: expect.stringMatching(message) });
	});

	it("explains a path that the server does not know by that, not by the guess that followed", async () => {
		const server = await serve({ canned: { status: 404, headers: {}, body: "" } });
		await expect(connectTo(http(server.url))).rejects.toMatchObject({
			message: "The server knows nothing at this address (404). Check the path of its URL.",
		});
		expect(server.received.map((one) => (one.kind === "http" ? one.method : ""))).toEqual(["POST", "POST", "GET"]);
	});

	it.each(["http", "sse"] as const)("explains a closed port over %s", async (kind) => {
		const server = await startHttpServer();
		await server[Symbol.asyncDispose]();
		await expect(connectTo(http(server.url, kind))).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringMatching(/^Nothing answers at this address \(connection refused\)/),
		});
	});

	it.each([401, 403, 500])("explains %i to HTTP+SSE", async (status) => {
		const server = await serve({ canned: { status, headers: {}, body: "" } });
		await expect(connectTo(http(server.url, "sse"))).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringContaining(String(status)),
		});
	});

	describe("to an address that never answers", () => {
		let silent: Server;
		let url = "";
		let arrived: Promise<unknown>;
		beforeEach(async () => {
			silent = createServer((request, response) => {
				// The stream opens, but the event that tells where to write never comes.
				if (request.method === "GET") response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
			});
			arrived = new Promise((called) => silent.once("request", called));
			await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
			url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
			toEnd.push(() => {
				silent.closeAllConnections();
				return new Promise((closed) => silent.close(closed));
			});
		});

		it.each(["http", "sse"] as const)("gives up over %s when the time is over", async (kind) => {
			await expect(connectTo(http(url, kind), { handshakeTimeoutMs: 300 })).rejects.toMatchObject({ code: "timeout" });
		});

		it.each(["http", "sse"] as const)("gives up over %s when it is told to", async (kind) => {
			const controller = new AbortController();
			const connecting = connectTo(http(url, kind), { signal: controller.signal });
			const given = expect(connecting).rejects.toThrow("given up");
			await arrived;
			controller.abort(new Error("given up"));
			await given;
		});
	});
});
