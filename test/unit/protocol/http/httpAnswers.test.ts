import { authorizing } from "../../../../src/protocol/authorization/authorizing.ts";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { HttpTransport } from "../../../../src/protocol/http/httpTransport.ts";
import { startScriptServer } from "../../../servers/scriptServer.ts";
import { control, Scene, textOf } from "../connection/connectScene.ts";
import { content, megabyte, onCall, sse, wire } from "./httpScene.ts";
import { until } from "../stdio/processes.ts";

describe.concurrent("an answer over HTTP", () => {
	const bomb = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { x: "0".repeat(100 * megabyte) } });
	it.each([
		["gzip", gzipSync(bomb)],
		["br", brotliCompressSync(bomb)],
		["deflate", deflateSync(bomb)],
		["identity", Buffer.from(bomb)],
	])("that unfolds from %s beyond the cap fails its request only", async (encoding, body) => {
		await using all = await wire();
		onCall(all.server, ({ response }) => {
			response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
		});
		await expect(all.call()).rejects.toMatchObject({ code: "limit", message: expect.stringContaining("1 MB") });
		onCall(all.server, (request) => request.reply(content("well")));
		expect(textOf(await all.call())).toBe("well");
		expect(all.scene.host.ends).toEqual([]);
	});

	it.each([
		["JSON", "application/json", (json: string) => json],
		["an event", "text/event-stream", (json: string) => `data: ${json}\n\n`],
	])("that is nested too deep as %s fails its request only", async (_form, type, write) => {
		await using all = await wire();
		onCall(all.server, ({ response, message }) => {
			const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
			const json = `{"jsonrpc":"2.0","id":${JSON.stringify(message["id"])},"result":{"content":[],"x":${deep}}}`;
			response.writeHead(200, { "content-type": type }).end(write(json));
		});
		await expect(all.call()).rejects.toMatchObject({ code: "limit", message: expect.stringContaining("256 levels") });
		onCall(all.server, (request) => request.reply(content("well")));
		expect(textOf(await all.call())).toBe("well");
	});

	it.each([
		["ends", true],
		["never ends", false],
	])("with an event beyond the cap that %s fails its request only", async (_how, isWhole) => {
		await using all = await wire();
		const closed = Promise.withResolvers<void>();
		onCall(all.server, ({ response }) => {
			response.writeHead(200, sse).write(`id: 1\ndata: \n\nid: 2\ndata: {"x":"${"0".repeat(2 * megabyte)}`);
			if (isWhole) response.write('"}\n\n');
			response.once("close", () => closed.resolve());
		});
		await expect(all.call()).rejects.toMatchObject({ code: "limit", message: expect.stringContaining("1 MB") });
		await closed.promise;
		onCall(all.server, (request) => request.reply(content("well")));
		expect(textOf(await all.call())).toBe("well");
		// It had an id to resume from, but a refused answer is not requested again.
		expect(all.server.received.filter(({ headers }) => headers["last-event-id"] !== undefined)).toEqual([]);
	});

	it.each([
		["of HTML", { "content-type": "text/html" }, "<h1>Sign in to the Wi-Fi</h1>", /not an MCP server: .*text\/html/],
		["without a type", {}, "{}", /not an MCP server: .*\(none\)/],
		["that is empty", { "content-type": "application/json" }, "", /./],
		["that is no JSON", { "content-type": "application/json" }, "{nonsense", /./],
		["to another request", { "content-type": "application/json" }, '{"jsonrpc":"2.0","id":999,"result":{}}', /./],
		["that is no answer", { "content-type": "application/json" }, '{"jsonrpc":"2.0","method":"x"}', /./],
		["with an empty batch", { "content-type": "application/json" }, "[]", /./],
	])("%s fails at once", async (_what, headers, body, message) => {
		await using all = await wire();
		onCall(all.server, ({ response }) => void response.writeHead(200, headers).end(body));
		await expect(all.call()).rejects.toThrow(message);
		expect(all.scene.host.ends).toEqual([]);
	});

	it.each([
		"",
		"da",
		"data: ",
		'data: {"jsonrpc":"2.0",',
		'data: {"jsonrpc":"2.0","id":1}\n',
		": comment\n\n",
		"event: x",
	])("that is cut after %j fails at once, and whether the tool ran is unknown", async (sent) => {
		await using all = await wire();
		onCall(all.server, ({ response }) => {
			response.writeHead(200, sse).write(sent, () => response.destroy());
			response.flushHeaders();
		});
		await expect(all.call()).rejects.toMatchObject({ code: "outcome-unknown" });
		onCall(all.server, (request) => request.reply(content("well")));
		expect(textOf(await all.call())).toBe("well");
	});

	it("that is cut is resumed if the server offers it", async () => {
		await using all = await wire();
		let id: unknown;
		onCall(all.server, ({ response, message }) => {
			id = message["id"];
			response.writeHead(200, sse).write("id: e1\nretry: 1\ndata: \n\n", () => response.destroy());
		});
		const calling = all.call();
		await until(() => id !== undefined);
		all.server.onRequest(({ response }) => {
			const answer = { jsonrpc: "2.0", id, result: content("resumed") };
			response.writeHead(200, sse).end(`data: ${JSON.stringify(answer)}\n\n`);
		});
		expect(textOf(await calling)).toBe("resumed");
		expect(all.server.received.at(-1)).toMatchObject({ method: "GET", headers: { "last-event-id": "e1" } });
	});

	it.each([400, 404, 405, 410])("that cannot be resumed (%i) fails at once", async (status) => {
		await using all = await wire();
		all.server.onRequest(({ response, method }) => {
			if (method === "GET") response.writeHead(status).end();
			else response.writeHead(200, sse).write("id: e1\nretry: 100\ndata: \n\n", () => response.destroy());
		});
		await expect(all.call()).rejects.toMatchObject({ code: "outcome-unknown" });
		expect(all.server.received.filter(({ headers }) => headers["last-event-id"] !== undefined)).toHaveLength(1);
	});

	it("that only confirms that a modern server accepted the request fails at once: there is no other stream", async () => {
		await using server = await startScriptServer();
		await using scene = new Scene();
		server.onEvery((request) => {
			if (request.message["method"] !== "server/discover") return void request.response.writeHead(202).end();
			const capabilities = { tools: {} };
			return request.reply({
				resultType: "complete",
				supportedVersions: ["2026-07-28"],
				capabilities,
				ttlMs: 0,
				cacheScope: "private",
			});
		});
		const connection = await scene.connect({ kind: "http", url: server.url, headers: {} }, { protocol: "modern" });
		const calling = connection.callTool("echo", {}, undefined, control());
		await expect(calling).rejects.toMatchObject({ code: "outcome-unknown" });
	});

	it("is read without the unwanted messages in its stream", async () => {
		await using scene = new Scene();
		await using server = await startScriptServer();
		const answer = { jsonrpc: "2.0", id: 1, result: {} };
		server.onEvery(({ response }) => {
			// Reading the first would fail.
			response.writeHead(200, sse).end(`data: not wanted\n\ndata: ${JSON.stringify(answer)}\n\n`);
		});
		const launch = { kind: "http" as const, url: server.url, headers: {} };
		const transport = new HttpTransport(launch, "http", scene.request(launch), { authorizing });
		const heard: unknown[] = [];
		transport.onmessage = (message) => heard.push(message);
		transport.onerror = (error) => heard.push(error);
		transport.isUnwanted = (head) => head.startsWith("not wanted");
		await transport.start();
		await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/call" });
		expect(heard).toEqual([answer]);
		await transport.close();
	});

	it("of a cancelled request is not awaited", async () => {
		await using all = await wire();
		const [opened, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		onCall(all.server, ({ response }) => {
			response.writeHead(200, sse).write(": working\n\n");
			response.once("close", () => closed.resolve());
			opened.resolve();
		});
		const cancelling = new AbortController();
		const calling = expect(all.call(cancelling.signal)).rejects.toThrow("enough");
		await opened.promise;
		cancelling.abort(new Error("enough"));
		await calling;
		await closed.promise;
		expect(all.server.received.some(({ message }) => message["method"] === "notifications/cancelled")).toBe(true);
	});
});
