/** Agents that reach the servers of a window over HTTP on loopback, with a key each. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
	PromptListChangedNotificationSchema,
	ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { ClientKeys } from "../../src/surfaces/bridge/clientKeys.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { BridgeScene, textIn, toolNames } from "./bridgeScene.ts";
import { freePort, smallConfig } from "./fixtures.ts";

const initialize = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } },
};

/** A window that serves over HTTP, with one key. */
async function served(scene: BridgeScene): Promise<{ readonly port: number; readonly url: URL; readonly key: string }> {
	await scene.host.run("small", smallConfig("both", scene.host.path("small.log")));
	const bridge = await scene.open();
	const port = await freePort();
	await bridge.serveHttp(port);
	expect(bridge.whyNotHttp).toBeUndefined();
	const key = (await scene.keys?.add("cursor")) ?? "";
	return { port, url: new URL(`http://127.0.0.1:${port}/mcp`), key };
}

function withKey(key: string): { readonly requestInit: RequestInit } {
	return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}

/** The status of a request with these headers. */
async function statusOf(port: number, headers: Readonly<Record<string, string>>, path = "/mcp"): Promise<number> {
	const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers });
	sent.end(JSON.stringify(initialize));
	const [response] = (await once(sent, "response")) as [{ readonly statusCode: number; resume(): void }];
	response.resume();
	return response.statusCode;
}

describe("an agent with a key (GST-15)", () => {
	it("of either generation lists, calls, reads, and is recorded with the name of its key", async () => {
		await using scene = new BridgeScene();
		const { url, key } = await served(scene);
		const modern = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
		await modern.connect(new StreamableHTTPClientTransport(url, withKey(key)));
		expect(modern.getNegotiatedProtocolVersion()).toBe("2026-07-28");
		expect(await toolNames(modern)).toContain("small_echo");
		expect(textIn(await modern.callTool({ name: "small_echo", arguments: { text: "one" } }))).toBe("one");
		const { contents } = await modern.readResource({ uri: "small://counter" });
		expect(contents).toMatchObject([{ text: "count 000000" }]);
		const heard: string[] = [];
		modern.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
		modern.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push("prompts"));
		await modern.listen({ promptsListChanged: true, resourceSubscriptions: ["small://counter"] });
		for (const what of ["prompts", "resource"]) await modern.callTool({ name: "small_change", arguments: { what } });
		await expect.poll(() => heard).toContain("prompts");
		await expect
			.poll(async () => {
				await modern.callTool({ name: "small_change", arguments: { what: "resource" } });
				return heard;
			})
			.toContain("small://counter");

		const former = new FormerClient({ name: "former", version: "1" });
		await former.connect(new FormerTransport(url, withKey(key)));
		const steps: number[] = [];
		const onprogress = ({ progress }: { readonly progress: number }): void => void steps.push(progress);
		const slow = { name: "small_slow", arguments: { steps: 3, stepMs: 60 } };
		await former.callTool(slow, undefined, { onprogress });
		expect(steps.length).toBeGreaterThan(0);
		await modern.close();
		await former.close();

		// The key is the consent: nobody is asked about the program, but about each call.
		expect(scene.programs).toEqual([]);
		expect(scene.questions[0]?.question.call.arguments).toEqual({ text: "one" });
		const clients = scene.notes.flatMap((note) => (note.kind === "call" ? [note.client] : []));
		expect(clients[0]).toBe("agent 1.0.0 (over HTTP, with the key “cursor”)");
		expect(clients.at(-1)).toBe("former 1 (over HTTP, with the key “cursor”)");
	});

	it("of an earlier revision is notified of changes in its session, and goes on without it at another window", async () => {
		await using scene = new BridgeScene();
		const { port, url, key } = await served(scene);
		const former = new FormerClient({ name: "former", version: "1" });
		const heard: string[] = [];
		former.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push("prompts"));
		former.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
		await former.connect(new FormerTransport(url, withKey(key)));
		expect(former.getServerCapabilities()?.prompts).toEqual({ listChanged: true });
		const uri = "small://counter";
		await former.readResource({ uri });
		await former.subscribeResource({ uri });
		const change = (what: string): Promise<unknown> => scene.host.session("small").callTool("change", { what });
		await expect.poll(async () => (await change("prompts"), heard)).toContain("prompts");
		await expect.poll(async () => (await change("resource"), heard)).toContain(uri);
		// The key of another client does not open the session.
		const other = (await scene.keys?.add("other")) ?? "";
		const session = (former.transport as FormerTransport).sessionId ?? "";
		expect(session).not.toBe("");
		expect(await statusOf(port, { ...headersOf(other), "Mcp-Session-Id": session })).toBe(200);

		const [bridge] = scene.bridges;
		await bridge?.serveHttp(0);
		await bridge?.serveHttp(port);
		// A request on a connection of the former window fails once.
		const listed = async (): Promise<readonly string[]> => (await former.listTools()).tools.map(({ name }) => name);
		await expect.poll(() => listed().catch(() => [])).toContain("small_echo");
		await former.close();
	});

	it("keeps its session and its running call while a key is added, and whatever another client does", async () => {
		await using scene = new BridgeScene();
		const { port, url, key } = await served(scene);
		const former = new FormerClient({ name: "former", version: "1" });
		await former.connect(new FormerTransport(url, withKey(key)));
		const slow = former.callTool({ name: "small_slow", arguments: { steps: 20, stepMs: 50 } });
		const calls = (): unknown => messagesOf(readReceived(scene.host.path("small.log")), "tools/call").length;
		await expect.poll(calls).toBe(1);
		const other = (await scene.keys?.add("other")) ?? "";
		const [bridge] = scene.bridges;
		await bridge?.turn(true);
		await bridge?.serveHttp(port);
		// One of these headers is refused, and both begin as many sessions as are kept.
		const many = [headersOf(other), { ...headersOf(other), Accept: "application/json" }];
		for (const headers of many) for (let count = 0; count < 70; count++) await statusOf(port, headers);
		expect((await slow).isError).not.toBe(true);
		const session = (former.transport as FormerTransport).sessionId ?? "";
		const inSession = { ...headersOf(key), "Mcp-Session-Id": session };
		expect(await statusOf(port, inSession)).toBe(400);
		await (former.transport as FormerTransport).terminateSession();
		// Its client is asked to begin another.
		expect(await statusOf(port, inSession)).toBe(404);
		await former.close();
	});

	it("is notified once of a change, on streams that begin at once, and may not subscribe without one", async () => {
		await using scene = new BridgeScene();
		const { port, url, key } = await served(scene);
		scene.user.rules.set("resources/read", { decision: "allow", by: { kind: "rule", label: "reads are allowed" } });
		const heard: string[] = [];
		const clients = await Promise.all(
			["one", "two"].map(async (name) => {
				const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: "auto" } });
				await client.connect(new StreamableHTTPClientTransport(url, withKey(key)));
				client.setNotificationHandler("notifications/resources/updated", () => void heard.push(`${name} resource`));
				client.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push(`${name} prompts`));
				await client.listen({ promptsListChanged: true, resourceSubscriptions: ["small://counter"] });
				return client;
			}),
		);
		const change = (what: string): Promise<unknown> => scene.host.session("small").callTool("change", { what });
		const isSubscribed = (): boolean =>
			JSON.stringify(readReceived(scene.host.path("small.log"))).includes("small://counter");
		await expect.poll(isSubscribed).toBe(true);
		await change("resource");
		await expect.poll(() => heard.toSorted()).toEqual(["one resource", "two resource"]);
		await change("prompts");
		await expect.poll(() => heard).toContain("one prompts");
		await expect.poll(() => heard).toContain("two prompts");
		expect(heard.filter((what) => what.endsWith("resource"))).toHaveLength(2);
		for (const client of clients) await client.close();

		const begun = await fetch(url, { method: "POST", headers: headersOf(key), body: JSON.stringify(initialize) });
		const session = begun.headers.get("mcp-session-id") ?? "";
		const headers = { ...headersOf(key), "Mcp-Session-Id": session };
		const stream = await fetch(url, { headers });
		const first = await stream.body?.getReader().read();
		expect(new TextDecoder().decode(first?.value)).toBe(": open\n\n");
		// Without a session there is no stream for a notification.
		const subscribe = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "small://counter" } };
		const alone = await fetch(url, { method: "POST", headers: headersOf(key), body: JSON.stringify(subscribe) });
		expect(await alone.text()).toContain("-32601");
		const large = JSON.stringify({ ...initialize, params: { ...initialize.params, more: "x".repeat(5_000_000) } });
		const status = (await fetch(url, { method: "POST", headers: headersOf(key), body: large })).status;
		expect([status, port]).toEqual([200, Number(url.port)]);
	});

	it("follows a resource that a server lists later", async () => {
		await using scene = new BridgeScene();
		const { url, key } = await served(scene);
		scene.user.rules.set("resources/read", { decision: "allow", by: { kind: "rule", label: "reads are allowed" } });
		const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
		await client.connect(new StreamableHTTPClientTransport(url, withKey(key)));
		await client.listen({ resourceSubscriptions: ["small://added/1"] });
		const isSubscribed = (): boolean =>
			JSON.stringify(readReceived(scene.host.path("small.log"))).includes("small://added/1");
		expect(isSubscribed()).toBe(false);
		await scene.host.session("small").callTool("change", { what: "resources" });
		await expect.poll(isSubscribed).toBe(true);
		await client.close();
	});

	it("is refused once the key is revoked, and of the key only a digest is kept", async () => {
		await using scene = new BridgeScene();
		const { port, url, key } = await served(scene);
		const { secrets } = scene.host.host;
		const kept = await Promise.all((await secrets.keys()).map((name) => secrets.get(name)));
		expect(kept.join()).toContain('"name":"cursor"');
		expect(kept.join()).not.toContain(key);
		expect(JSON.stringify(scene.notes)).not.toContain(key);
		const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
		await client.connect(new StreamableHTTPClientTransport(url, withKey(key)));
		await expect.poll(() => toolNames(client)).toContain("small_echo");
		const heard: string[] = [];
		client.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push("prompts"));
		await client.listen({ promptsListChanged: true });
		const change = (): Promise<unknown> => scene.host.session("small").callTool("change", { what: "prompts" });
		await change();
		await expect.poll(() => heard).toHaveLength(1);
		// In any window: the keys are those of the user.
		const elsewhere = new ClientKeys({ secrets, notes: scene.sink });
		await elsewhere.refresh();
		await elsewhere.revoke(elsewhere.all.map(({ id }) => id));
		const other = new Client({ name: "other", version: "1" }, { versionNegotiation: { mode: "auto" } });
		await other.connect(new StreamableHTTPClientTransport(url, withKey((await scene.keys?.add("other")) ?? "")));
		other.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push("other"));
		await other.listen({ promptsListChanged: true });
		await change();
		await expect.poll(() => heard).toContain("other");
		expect(heard).toEqual(["prompts", "other"]);
		await other.close();
		await expect(client.listTools()).rejects.toThrow();
		expect(await statusOf(port, headersOf(key))).toBe(401);
		await client.close().catch(() => undefined);
	});
});

function headersOf(key: string): Readonly<Record<string, string>> {
	return {
		"Content-Type": "application/json",
		Accept: "application/json, text/event-stream",
		Authorization: `Bearer ${key}`,
	};
}

describe("a program at the port of a window (GST-15)", () => {
	it("without the right key, host or origin, is refused, and nothing is called", async () => {
		await using scene = new BridgeScene();
		const { port, key } = await served(scene);
		const right = headersOf(key);
		expect(await statusOf(port, right)).toBe(200);
		expect(await statusOf(port, { ...right, Origin: `http://127.0.0.1:${port}` })).toBe(200);
		const { Authorization, ...without } = right;
		const refused: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
			[without, 401],
			[{ ...without, Authorization: "Bearer guessed" }, 401],
			[{ ...without, Authorization: Authorization?.replace("Bearer", "Basic") ?? "" }, 401],
			[{ ...right, Host: "evil.example" }, 403],
			[{ ...right, Host: `evil.example:${port}` }, 403],
			[{ ...right, Origin: "https://evil.example" }, 403],
			[{ ...right, Origin: "null" }, 403],
		];
		for (const [headers, status] of refused) expect(await statusOf(port, headers)).toBe(status);
		expect(await statusOf(port, right, "/other")).toBe(404);
		expect([scene.programs, scene.questions]).toEqual([[], []]);
		expect(messagesOf(readReceived(scene.host.path("small.log")), "tools/call")).toEqual([]);
	});

	it("that opens a thousand connections with half requests keeps no agent with a key away", async () => {
		await using scene = new BridgeScene();
		const { port, key } = await served(scene);
		const flood = Array.from({ length: 1000 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
		for (const socket of flood) socket.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
		await expect.poll(() => statusOf(port, headersOf(key)).catch(() => 0)).toBe(200);
		for (const socket of flood) socket.destroy();
		expect(scene.programs).toEqual([]);
	});

	it("is served by the window that has the port, and by the next one when that ends", async () => {
		await using scene = new BridgeScene();
		const { port, key } = await served(scene);
		const [first] = scene.bridges;
		const second = await scene.open("other");
		await second.serveHttp(port);
		expect(second.whyNotHttp).toContain("is in use");
		await first?.turn(false);
		await expect(statusOf(port, headersOf(key))).rejects.toThrow();
		await second.update(true);
		expect(second.whyNotHttp).toBeUndefined();
		expect(await statusOf(port, headersOf(key))).toBe(200);
		await second.serveHttp(0);
		await expect(statusOf(port, headersOf(key))).rejects.toThrow();
	});
});
