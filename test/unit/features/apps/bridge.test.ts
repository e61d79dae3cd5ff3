import { describe, expect, test } from "vitest";
import { AppBridge, type AppRequests } from "../../../../src/features/apps/bridge.ts";
import type { JsonObject } from "../../../../src/base/json.ts";

interface Scene {
	readonly bridge: AppBridge;
	readonly sent: JsonObject[];
	readonly news: string[];
	/** Sends a request and returns the answer. */
	ask(method: string, params?: unknown, id?: number): Promise<JsonObject | undefined>;
}

function begin(
	requests: Partial<AppRequests> = {},
	isReady = true,
	context = (): JsonObject => ({ theme: "dark" }),
): Scene {
	const sent: JsonObject[] = [];
	const news: string[] = [];
	const never = async (): Promise<never> => Promise.reject(new Error("/home/ann/secret"));
	const bridge = new AppBridge({
		hostInfo: { name: "h", version: "1" },
		capabilities: {},
		context,
		requests: {
			callTool: never,
			readResource: never,
			list: () => Promise.resolve({}),
			changeDisplayMode: () => "inline",
			openLink: never,
			saveFiles: never,
			createMessage: never,
			message: never,
			addContext: () => undefined,
			...requests,
		},
		news: {
			asked: () => news.push("asked"),
			initialized: () => news.push("initialized"),
			closing: () => news.push("closing"),
			resized: (width, height) => news.push(`${width}x${height}`),
			logged: (level, text) => news.push(`${level} ${text}`),
			misbehaved: (what) => news.push(what),
		},
		send: (message) => sent.push(message),
	});
	if (isReady) {
		bridge.receive({ jsonrpc: "2.0", id: 0, method: "ui/initialize", params: {} });
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
	}
	const ask = async (method: string, params: unknown = {}, id = 1): Promise<JsonObject | undefined> => {
		bridge.receive({ jsonrpc: "2.0", id, method, params });
		await new Promise((resolve) => setImmediate(resolve));
		return sent.findLast((message) => message["id"] === id);
	};
	return { bridge, sent, news, ask };
}

describe("the connection with an app", () => {
	test("sends nothing before the app is initialized, and waiting messages then in their order (APP-03)", async () => {
		const { bridge, sent, ask } = begin({}, false);
		bridge.tellCall({ written: undefined, arguments: { a: 1 }, end: { cancelled: "You denied it." } });
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		expect(sent).toEqual([]);
		expect(await ask("tools/call", { name: "x" })).toMatchObject({ error: { code: -32600 } });
		await ask("ui/initialize", {}, 7);
		expect(sent.map(({ id, method }) => id ?? method)).toEqual([1, 7]);
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		expect(sent.slice(2)).toEqual([
			{ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { a: 1 } } },
			{ jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "You denied it." } },
		]);
	});

	test("sends partial arguments before the whole and never after it, only the last of them to an app that was not ready (APP-24)", async () => {
		const { bridge, sent, ask } = begin({}, false);
		const call = { written: {}, arguments: undefined, end: undefined };
		bridge.tellCall({ ...call, written: { a: "b" } });
		bridge.tellCall({ ...call, written: { a: "bc" } });
		await ask("ui/initialize");
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		bridge.tellCall({ ...call, written: { a: "bcd" } });
		bridge.tellCall({ ...call, written: undefined, arguments: { a: "bcd", e: 1 } });
		bridge.tellCall({ ...call, written: { a: "late" } });
		bridge.tellCall({ ...call, written: undefined, arguments: { a: "again" } });
		expect(sent.slice(1).map(({ method, params }) => [method, params])).toEqual([
			["ui/notifications/tool-input-partial", { arguments: { a: "bc" } }],
			["ui/notifications/tool-input-partial", { arguments: { a: "bcd" } }],
			["ui/notifications/tool-input", { arguments: { a: "bcd", e: 1 } }],
		]);
	});

	test("sends the last part to an app that was not ready, despite other waiting messages (APP-24)", async () => {
		let theme = "dark";
		const { bridge, sent, ask } = begin({}, false, () => ({ theme }));
		bridge.tellCall({ written: { a: "b" }, arguments: undefined, end: undefined });
		await ask("ui/initialize");
		theme = "light";
		bridge.contextChanged();
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		expect(sent.slice(1).map(({ method, params }) => [method, params])).toEqual([
			["ui/notifications/tool-input-partial", { arguments: { a: "b" } }],
			["ui/notifications/host-context-changed", { theme: "light" }],
		]);
	});

	test("sends no part to a ready app when the whole is known (APP-24)", async () => {
		const { bridge, sent, ask } = begin({}, false);
		bridge.tellCall({ written: { a: "b" }, arguments: undefined, end: undefined });
		bridge.tellCall({ written: undefined, arguments: { a: "bc" }, end: undefined });
		await ask("ui/initialize");
		bridge.receive({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
		expect(sent.slice(1).map(({ method }) => method)).toEqual(["ui/notifications/tool-input"]);
	});

	test.each([
		["ping", {}, { result: {} }],
		["prompts/list", {}, { error: { code: -32601 } }],
		["sampling/unheardOf", {}, { error: { code: -32601 } }],
		["ui/download-file", {}, { error: { code: -32602 } }],
		["ui/download-file", { contents: [] }, { error: { code: -32602 } }],
		["ui/download-file", { contents: [{ type: "text", text: "x" }] }, { error: { code: -32602 } }],
		["ui/download-file", { contents: [{ type: "resource", resource: { uri: "a" } }] }, { error: { code: -32602 } }],
		[
			"ui/download-file",
			{ contents: Array.from({ length: 11 }, () => ({ type: "resource_link", uri: "a" })) },
			{ error: { code: -32000 } },
		],
		["constructor", {}, { error: { code: -32601 } }],
		["tools/call", { name: 7 }, { error: { code: -32602 } }],
		["tools/call", { name: "x", arguments: [] }, { error: { code: -32602 } }],
		["resources/read", {}, { error: { code: -32602 } }],
		["ui/open-link", { url: {} }, { error: { code: -32602 } }],
		["ui/message", { role: "assistant", content: [{ type: "text", text: "x" }] }, { error: { code: -32602 } }],
		["ui/message", { role: "user", content: [{ type: "image", data: "", mimeType: "" }] }, { error: { code: -32602 } }],
		["ui/message", { role: "user", content: [] }, { error: { code: -32602 } }],
		["ui/update-model-context", { content: [{ type: "image", data: "", mimeType: "" }] }, { error: { code: -32602 } }],
		["ui/update-model-context", { structuredContent: [] }, { error: { code: -32602 } }],
		["ui/update-model-context", {}, { result: {} }],
	])("answers %s %j with %j (APP-04)", async (method, params, expected) => {
		expect(await begin().ask(method, params)).toMatchObject(expected);
	});

	test("reveals nothing of an internal fault to an app (APP-09)", async () => {
		expect(await begin().ask("tools/call", { name: "x" })).toMatchObject({
			error: { code: -32000, message: "The host could not handle this request." },
		});
	});

	test.each([
		undefined,
		null,
		7,
		"text",
		[],
		{ jsonrpc: "1.0", id: 1, method: "ping" },
		{ jsonrpc: "2.0", id: {}, method: "ping" },
		{ jsonrpc: "2.0", id: 1, method: 7 },
		{ jsonrpc: "2.0", id: 1, method: "ping", params: [] },
		{ jsonrpc: "2.0", id: "x".repeat(300), method: "ping" },
	])("ignores and records invalid messages: %j (APP-09)", (value) => {
		const { bridge, sent, news } = begin();
		const before = sent.length;
		bridge.receive(value);
		expect(sent).toHaveLength(before);
		expect(news.at(-1)).toBe("A message was not JSON-RPC.");
	});

	test("has a bounded number of pending requests, and one for each id (APP-09)", async () => {
		const waits = begin({ callTool: () => new Promise(() => undefined) });
		for (let id = 1; id <= 60; id++) void waits.ask("tools/call", { name: "x" }, id);
		expect(waits.sent.filter(({ error }) => error !== undefined)).toHaveLength(10);
		expect(await waits.ask("ping", {}, 3)).toMatchObject({ error: { code: -32600 } });
	});

	test("accepts sensible sizes, and short logs (APP-09)", () => {
		const { bridge, news } = begin();
		const say = (method: string, params: unknown): void => bridge.receive({ jsonrpc: "2.0", method, params });
		say("ui/notifications/size-changed", { width: 1e9, height: -4 });
		say("ui/notifications/size-changed", { width: Number.NaN, height: "1" });
		say("notifications/message", { level: "warning", data: "x".repeat(2000) });
		say("notifications/message", { level: "info", data: { a: "\u202E" } });
		expect(news.slice(2, 4)).toEqual(["4000x0", "0x0"]);
		expect(news[4]?.length).toBeLessThan(600);
		expect(news[5]).toContain("\\u202E");
	});
});
