import { describe, expect, it } from "vitest";
import { cannedAnswers, startHttpServer } from "../../../servers/httpServer.ts";
import { messagesOf } from "../../../servers/received.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";
import { until } from "../stdio/processes.ts";

describe.concurrent("connect over HTTP", () => {
	it.each([
		["both", "http", "modern"],
		["modern", "http", "modern"],
		["legacy", "http", "legacy"],
		["sse", "sse", "legacy"],
	] as const)("finds the era and the transport of a server of %s", async (speaks, transport, era) => {
		await using scene = new Scene();
		const { url } = await scene.serve({ speaks });
		const connection = await scene.connect(http(url));
		expect(connection.facts).toMatchObject({ transport, era, server: { name: "small" }, pid: undefined });
		expect(textOf(await connection.callTool("echo", { text: "x" }, undefined, control()))).toBe("x");
		await connection.close();
		expect(scene.host.ends).toEqual([]);
	});

	it.each([
		["modern", "legacy", "legacy"],
		["legacy", "modern", "modern"],
		["modern", "sse", "legacy"],
	] as const)("with the memory of a %s server finds that it is %s now", async (remembered, speaks, era) => {
		await using scene = new Scene();
		const { url } = await scene.serve({ speaks });
		const verdict = remembered === "legacy" ? { kind: remembered } : { kind: remembered, version: "2026-07-28" };
		const connection = await scene.connect(http(url), { verdict });
		expect(connection.facts.era).toBe(era);
		expect(scene.host.retries.length).toBeGreaterThan(0);
	});

	it.each([
		["unauthorized", "start-failed", "auto", /asks for sign-in \(401\)\. Check the headers/],
		["unauthorized", "start-failed", "legacy", /asks for sign-in \(401\)\. Check the headers/],
		["serverError", "unreachable", "auto", /^The server answered 500/],
		["serverError", "unreachable", "legacy", /^The server answered 500/],
		["html", "start-failed", "auto", /^This address answers, .*not an MCP server: .*text\/html.*Check the URL\.$/],
		["html", "start-failed", "legacy", /^This address answers, .*not an MCP server: .*text\/html.*Check the URL\.$/],
	] as const)("explains %s as %s to %s", async (canned, code, protocol, message) => {
		await using scene = new Scene();
		const server = await scene.serve({ canned: cannedAnswers[canned] });
		await expect(scene.connect(http(server.url), { protocol })).rejects.toMatchObject({
			code,
			message: expect.stringMatching(message),
		});
	});

	it("explains a path that the server does not know, not the attempt that followed", async () => {
		await using scene = new Scene();
		const server = await scene.serve({ canned: { status: 404, headers: {}, body: "" } });
		await expect(scene.connect(http(server.url))).rejects.toMatchObject({
			message: "The server found nothing at this address (404). Check the path of its URL.",
		});
		expect(server.received.map((one) => (one.kind === "http" ? one.method : ""))).toEqual(["POST", "POST", "GET"]);
	});

	it.each(["http", "sse"] as const)("explains a closed port over %s", async (kind) => {
		await using scene = new Scene();
		const server = await startHttpServer();
		await server[Symbol.asyncDispose]();
		await expect(scene.connect(http(server.url, kind))).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringMatching(/^Nothing answers at this address \(connection refused\)/),
		});
	});

	it.each([
		[401, "start-failed"],
		[403, "start-failed"],
		[500, "unreachable"],
	] as const)("explains %i to HTTP+SSE as %s", async (status, code) => {
		await using scene = new Scene();
		const server = await scene.serve({ canned: { status, headers: {}, body: "" } });
		await expect(scene.connect(http(server.url, "sse"))).rejects.toMatchObject({
			code,
			message: expect.stringContaining(String(status)),
		});
	});

	it("opens one new session for all calls that find it lost, with its subscriptions", async () => {
		await using scene = new Scene();
		const server = await scene.serve({ speaks: "legacy" });
		const changed: string[] = [];
		scene.host.onListChanged = (kind) => void changed.push(kind);
		const connection = await scene.connect(http(server.url));
		await connection.watchResources(["small://counter"]);
		server.loseSessions();
		const echo = { name: "echo", inputSchema: { type: "object" as const }, annotations: { readOnlyHint: true } };
		const calls = ["a", "b", "c"].map((text) => connection.callTool("echo", { text }, echo, control()));
		expect((await Promise.all(calls)).map(textOf)).toEqual(["a", "b", "c"]);
		expect(textOf(await connection.callTool("echo", { text: "d" }, undefined, control()))).toBe("d");
		await until(() => messagesOf(server.received, "resources/subscribe").length === 2);
		expect(messagesOf(server.received, "initialize")).toHaveLength(2);
		expect(changed).toEqual(["tools", "prompts", "resources"]);
		expect(scene.host.ends).toEqual([]);
		await connection.close();
		expect(scene.host.ends).toEqual([]);
	});

	it("ends when the session is lost and no new one can be opened", async () => {
		await using scene = new Scene();
		const server = await scene.serve({ speaks: "legacy" });
		const connection = await scene.connect(http(server.url));
		await server[Symbol.asyncDispose]();
		await scene.serve({ port: server.port, canned: { status: 404, headers: {}, body: "" } });
		// The two words of HTTP alone do not show that the call was not carried out.
		await expect(connection.callTool("echo", { text: "x" }, undefined, control())).rejects.toMatchObject({
			code: "outcome-unknown",
		});
		await until(() => scene.host.ends.length > 0);
		expect(scene.host.ends).toEqual(["no longer knows the session and did not open a new one"]);
	});

	describe("to an address that never answers", () => {
		it.each(["http", "sse"] as const)("gives up over %s when the time is over", async (kind) => {
			await using scene = new Scene();
			const { url } = await scene.serveSilence();
			await expect(scene.connect(http(url, kind), { handshakeTimeoutMs: 300 })).rejects.toMatchObject({
				code: "timeout",
			});
		});

		it.each(["http", "sse"] as const)("gives up over %s when it is cancelled", async (kind) => {
			await using scene = new Scene();
			const { url, arrived } = await scene.serveSilence();
			const controller = new AbortController();
			const connecting = scene.connect(http(url, kind), { signal: controller.signal });
			const given = expect(connecting).rejects.toThrow("given up");
			await arrived;
			controller.abort(new Error("given up"));
			await given;
		});
	});
});
