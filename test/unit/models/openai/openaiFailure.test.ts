import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../servers/scriptedModel.ts";
import { readFailure } from "../../../../src/models/openai/openaiErrors.ts";
import { respond } from "../../../../src/models/openai/openai.ts";
import { ask, failure, hello, key, targetAt, textOf } from "../asking.ts";

let server: ScriptedModel;
beforeEach(async () => {
	server = await startScriptedModel({ apiKey: key });
});
afterEach(() => server.close());

describe("a failing endpoint", () => {
	test("that is overloaded for a while answers in the end", async () => {
		server.next(
			{ status: 429, headers: { "retry-after": "0" } },
			{ status: 503 },
			{ status: 500 },
			{ text: "Here I am" },
		);
		expect(textOf(await ask({ url: server.url }))).toBe("Here I am");
		expect(server.requests).toHaveLength(4);
	});

	test("that stays overloaded is abandoned after five tries", async () => {
		server.otherwise({ status: 500 });
		expect((await failure({ url: server.url })).message).toContain("failed (status 500), even after several attempts");
		expect(server.requests).toHaveLength(5);
	});

	test("is awaited only within the host's patience", async () => {
		server.next({ status: 429, headers: { "retry-after": "3600" } });
		const { message } = await failure({ url: server.url });
		expect(message).toContain("too many requests. ");
		expect(message).not.toContain("several tries");
		expect(server.requests).toHaveLength(1);
	});

	test("that refuses the key shows where to set it, once, and never shows it", async () => {
		const error = await failure({ url: server.url, apiKey: "sk-wrong-key-12345" });
		expect(error.code).toBe("model");
		expect(error.message).toContain('Set the API key with "MCP Host: Manage Models…"');
		expect(error.message).not.toContain("sk-wrong");
	});

	test("that repeats the key in its words has it removed", async () => {
		server.next({ status: 400, errorMessage: `Bad request for ${key}` });
		const error = await failure({ url: server.url });
		expect(error.message).toContain("Bad request for (API key)");
		expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(key);
	});

	test("that repeats the key in another spelling, or in place of a code, has it removed (SEC-10)", () => {
		const odd = 'k"ey/5f2a+9c77';
		const base64 = Buffer.from(`x:${odd}`).toString("base64");
		for (const text of [odd, JSON.stringify({ h: odd }), encodeURIComponent(odd), base64]) {
			const failed = readFailure(400, { error: { message: text, param: text, code: text } }, [odd]);
			expect(failed.detail).toContain("(API key)");
			expect(JSON.stringify(failed)).not.toMatch(/5f2a|NWYyYS/);
		}
	});

	test("that repeats the key in a stream, or where its words are cut, has it removed", async () => {
		const words = `${"x".repeat(290)} ${key}`;
		server.next(
			{ garbage: `data: {"object":"error","message":"Bad key ${key}","code":400}\n\n` },
			{ status: 400, errorMessage: words },
			{ chunks: [{ choices: [], error: { message: words } }] },
		);
		for (let count = 0; count < 3; count++) {
			const error = await failure({ url: server.url });
			expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(key.slice(0, 8));
		}
	});

	test.each([
		[404, "does not know the model scripted-model"],
		[413, "too long"],
		[400, "refused the request (status 400)"],
		[307, "redirects to another address"],
	])("with status %i is explained and asked once", async (status, text) => {
		server.otherwise({ status, headers: { location: "http://127.0.0.1:9/v1/chat/completions" } });
		expect((await failure({ url: server.url })).message).toContain(text);
		expect(server.requests).toHaveLength(1);
	});

	test("where nothing listens is reported as unreachable, at once", async () => {
		const closed = await startScriptedModel();
		await closed.close();
		const { message } = await failure({ url: closed.url });
		expect(message).toContain("cannot be reached (ECONNREFUSED). Start it, or check its address");
	});

	test.each([
		["noise", "<html>Hello</html>"],
		["nothing", ""],
		["empty events", "data: {}\n\ndata: [DONE]\n\n"],
		["numbers", "data: 42\n\ndata: null\n\ndata: [DONE]\n\n"],
	])("that streams %s ends with one clear message", async (_name, garbage) => {
		server.next({ garbage });
		expect((await failure({ url: server.url })).message).toContain("sent an empty or unreadable answer");
	});

	test("that streams broken JSON ends with one clear message", async () => {
		server.next({ garbage: "data: {oops\n\n" });
		expect((await failure({ url: server.url })).message).toContain("not a chat completion");
	});

	test("that reports an error within the stream is quoted", async () => {
		server.next({ garbage: 'data: {"error":{"message":"CUDA out of memory"}}\n\n' });
		expect((await failure({ url: server.url })).message).toContain("CUDA out of memory");
	});

	test("that breaks off is not asked again, since its answer has begun", async () => {
		server.next({ text: "I was going to say", cut: true });
		expect((await failure({ url: server.url })).message).toContain("was lost before the answer was complete");
		expect(server.requests).toHaveLength(1);
	});

	test("that stops sending is abandoned", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		server.next({ text: "Hm", holdAfterText: promise });
		expect((await failure({ url: server.url, idleMs: 50 })).message).toContain("sent nothing for 0.05 seconds");
		resolve();
	});
});

describe("cancelling", () => {
	test("before the answer ends the request at the endpoint", async () => {
		const controller = new AbortController();
		const { promise, resolve } = Promise.withResolvers<void>();
		server.next({ gate: promise });
		const asked = failure({ url: server.url, options: { signal: controller.signal } });
		const request = await server.request(0);
		controller.abort();
		expect((await asked).code).toBe("cancelled");
		await expect.poll(() => request.aborted).toBe(true);
		resolve();
	});

	test("while it streams ends both sides", async () => {
		const controller = new AbortController();
		const { promise, resolve } = Promise.withResolvers<void>();
		server.next({ text: "Once upon a time", holdAfterText: promise });
		const answer = respond(targetAt(server.url), hello, {
			signal: controller.signal,
		});
		await expect(
			(async () => {
				for await (const event of answer) if (event.type === "text") controller.abort();
			})(),
		).rejects.toMatchObject({ code: "cancelled" });
		await expect.poll(() => server.requests[0]?.aborted).toBe(true);
		resolve();
	});

	test("in a pause between tries ends at once", async () => {
		const controller = new AbortController();
		server.otherwise({ status: 503, headers: { "retry-after": "20" } });
		const answer = respond(targetAt(server.url), hello, {
			signal: controller.signal,
		});
		const first = answer.next();
		await server.request(0);
		controller.abort();
		await expect(first).rejects.toMatchObject({ code: "cancelled" });
	});
});

test("the endpoint's name stays the same in every message about an odd server", async () => {
	const odd = createServer((_request, response) =>
		response.writeHead(200, { "content-type": "application/json" }).end("{}"),
	);
	await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/v1`;
	expect((await failure({ url })).message).toMatch(/^Test \(127\.0\.0\.1:\d+\) sent an empty or unreadable answer/);
	odd.closeAllConnections();
	odd.close();
});
