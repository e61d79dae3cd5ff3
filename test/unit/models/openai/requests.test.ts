/** The form of a request by the setting of its model, and how it is rephrased when a field is refused. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { profileOf } from "../../../../src/models/profile.ts";
import { requestedPause } from "../../../../src/models/openai/openaiErrors.ts";
import { respond } from "../../../../src/models/openai/openai.ts";
import { type ScriptedModel, startScriptedModel } from "../../../servers/scriptedModel.ts";
import { ask, endpointAt, hello, targetAt, textOf } from "../asking.ts";
import { startJsonServer } from "../jsonServer.ts";

const tools = [{ name: "look", description: "Look", inputSchema: { type: "object" } }];

describe("the profile of a model", () => {
	const setting = {
		maxInputTokens: 10_000,
		parameters: { temperature: null, seed: 1 },
		overrides: {
			"qwen*": { tools: false, parameters: { seed: 2 } },
			"*/big:*b": { maxInputTokens: 90_000, images: true, systemRole: "user" },
			"gpt-5": { maxTokensField: "max_completion_tokens" },
		},
	};
	const of = (name: string, listed: object = {}) => profileOf(endpointAt("http://a/v1", setting), { name, ...listed });

	test("is the setting for it, the last matching pattern first", () => {
		expect(of("qwen3:8b")).toMatchObject({
			tools: false,
			maxInputTokens: 10_000,
			parameters: { temperature: null, seed: 2 },
		});
		expect(of("qwen/big:70b")).toMatchObject({
			tools: false,
			maxInputTokens: 90_000,
			images: true,
			systemRole: "user",
		});
		expect(of("gpt-5")).toMatchObject({ tools: true, maxTokensField: "max_completion_tokens" });
		expect(of("gpt-5-mini")).toMatchObject({ maxTokensField: "max_tokens", parameters: { seed: 1 } });
		expect(of("big:7b").images).toBe(false);
	});

	test("is the endpoint's information where the setting has none, with room for the answer", () => {
		const plain = endpointAt("http://a/v1");
		expect(
			profileOf(plain, { name: "m", contextLength: 8000, maxOutputTokens: 1000, tools: false, images: true }),
		).toMatchObject({
			maxInputTokens: 7000,
			maxOutputTokens: 1000,
			tools: false,
			images: true,
		});
		expect(profileOf(plain, { name: "m", contextLength: 8000, maxOutputTokens: 8000 }).maxInputTokens).toBe(6000);
		expect(profileOf(plain, { name: "m" })).toMatchObject({
			maxInputTokens: 32_768,
			maxOutputTokens: 4096,
			tools: true,
		});
	});
});

describe("a request", () => {
	let server: ScriptedModel;
	beforeEach(async () => {
		server = await startScriptedModel();
	});
	afterEach(() => server.close());

	test("has the fields that the setting adds and lacks those that it removes", async () => {
		const parameters = { reasoning_effort: "low", temperature: null, stream_options: null, parallel_tool_calls: false };
		await ask({ url: server.url, more: { parameters }, options: { temperature: 0.3, tools } });
		const { body } = server.requests[0] ?? {};
		expect(body).toMatchObject({ reasoning_effort: "low", parallel_tool_calls: false });
		expect(body).not.toHaveProperty("temperature");
		expect(body).not.toHaveProperty("stream_options");
		// Refused by OpenAI when there are no tools.
		await ask({ url: server.url, more: { parameters } });
		expect(server.requests[1]?.body).not.toHaveProperty("parallel_tool_calls");
	});

	test("sends instructions in the role that the model accepts", async () => {
		const messages = [{ role: "system" as const, content: [{ type: "text" as const, text: "Be brief." }] }, ...hello];
		for (const systemRole of ["developer", "user"]) await ask({ url: server.url, more: { systemRole }, messages });
		expect(server.requests.map(({ body }) => body.messages[0])).toEqual([
			{ role: "developer", content: "Be brief." },
			{ role: "user", content: "Be brief." },
		]);
	});

	test("is rephrased without each field that the model does not support, once", async () => {
		const refuse = (param: string) => ({ status: 400, errorCode: "unsupported_parameter", errorParam: param });
		server.next(
			refuse("temperature"),
			refuse("max_tokens"),
			{ ...refuse("stop"), errorCode: "unsupported_value" },
			{ text: "Fine" },
		);
		const events = await ask({ url: server.url, options: { temperature: 0.3, maxTokens: 7, stopSequences: ["END"] } });
		expect(textOf(events)).toBe("Fine");
		expect(server.requests).toHaveLength(4);
		const { body } = server.requests[3] ?? {};
		expect(body).toMatchObject({ max_completion_tokens: 7 });
		for (const field of ["temperature", "max_tokens", "stop"]) expect(body).not.toHaveProperty(field);
	});

	test("MDL-06: is repeated when the first event of an answer is an overload, and not when one comes later", async () => {
		const overloaded = `event: error\ndata: ${JSON.stringify({ error: { type: "overloaded_error", message: "Overloaded" } })}\n\n`;
		// From OpenRouter, for a provider behind it: github.com/open-webui/computer/issues/293,
		// github.com/dcdpr/jp/pull/978.
		const limit = { code: 429, message: "Provider returned error", metadata: { raw: "rate-limited upstream" } };
		server.next(
			{ garbage: overloaded },
			{ garbage: `data: ${JSON.stringify({ object: "error", code: 503 })}\n\n` },
			{ garbage: `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [], error: limit })}\n\n` },
			{ text: "Fine" },
		);
		const events = await ask({ url: server.url });
		expect(textOf(events)).toBe("Fine");
		expect(events.slice(0, 3)).toMatchObject([
			{ type: "waiting", reason: expect.stringContaining("is overloaded"), attempt: 2 },
			{ type: "waiting", reason: expect.stringContaining("is overloaded"), attempt: 3 },
			{ type: "waiting", reason: expect.stringContaining("too many requests"), attempt: 4 },
		]);
		const begun = `data: ${JSON.stringify({ choices: [{ delta: { content: "I" } }] })}\n\n`;
		server.next({ garbage: begun + overloaded });
		await expect(ask({ url: server.url })).rejects.toThrow("Overloaded");
		expect(server.requests).toHaveLength(5);
		// A request that the user released once is not sent twice: it was begun.
		server.next({ garbage: overloaded });
		await expect(ask({ url: server.url, options: { isApprovedOnce: true } })).rejects.toThrow("Overloaded");
		expect(server.requests).toHaveLength(6);
	});

	test("is not rephrased for any other refusal", async () => {
		server.otherwise({ status: 400, errorCode: "unsupported_parameter", errorParam: "messages" });
		await expect(ask({ url: server.url })).rejects.toThrow("refused the request (status 400)");
		expect(server.requests).toHaveLength(1);
	});

	test("goes to Azure's deployment, with its key in its header and its version", async () => {
		const answer = { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] };
		await using azure = await startJsonServer({
			"POST /openai/deployments/my-gpt/chat/completions?api-version=2024-10-21": answer,
			"POST /openai/v1/chat/completions": answer,
		});
		const kind = { kind: "azure" };
		const dated = { ...targetAt(`${azure.origin}/openai`, { ...kind, apiVersion: "2024-10-21" }), model: "my-gpt" };
		for (const target of [dated, targetAt(`${azure.origin}/openai/v1`, kind)]) {
			const events = [];
			for await (const event of respond(target, hello, { signal: new AbortController().signal })) events.push(event);
			expect(textOf(events)).toBe("Hi");
		}
		expect(azure.asked.map(({ headers }) => [headers["api-key"], headers.authorization])).toEqual([
			[dated.apiKey, undefined],
			[dated.apiKey, undefined],
		]);
	});

	test("that has to wait shows it before each pause, in our own words", async () => {
		server.next(
			{ status: 429, headers: { "retry-after-ms": "3" } },
			{ status: 529 },
			{ reset: true },
			{ text: "Here" },
		);
		const events = await ask({ url: server.url });
		expect(events.filter(({ type }) => type === "waiting")).toEqual([
			{
				type: "waiting",
				reason: expect.stringMatching(/^Test \(.*\) is receiving too many requests$/),
				afterMs: 3,
				attempt: 2,
			},
			{
				type: "waiting",
				reason: expect.stringMatching(/^Test \(.*\) is overloaded$/),
				afterMs: expect.any(Number),
				attempt: 3,
			},
			{
				type: "waiting",
				reason: expect.stringMatching(/^Test \(.*\) closed the connection$/),
				afterMs: expect.any(Number),
				attempt: 4,
			},
		]);
	});
});

describe("the pause that an endpoint requests", () => {
	const now = Date.parse("2026-11-21T12:00:00Z");
	const pause = (headers: Record<string, string>) => requestedPause(new Headers(headers), now);

	test.each([
		[{ "retry-after": "4" }, 4000],
		[{ "retry-after": "1.5" }, 1500],
		[{ "retry-after-ms": "250", "retry-after": "4" }, 250],
		[{ "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" }, 30_000],
		[{ "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, 0],
		[{ "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0" }, 360_000],
		[{ "x-ratelimit-reset-tokens": "850ms" }, 850],
		[
			{ "x-ratelimit-reset-requests": "1h", "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-tokens": "2s" },
			2000,
		],
		[{ "x-ratelimit-reset": String(now + 7000) }, 7000],
		[{ "x-ratelimit-reset": String(now / 1000 + 8) }, 8000],
		[{ "x-ratelimit-reset": "9" }, 9000],
		[{ "retry-after": "soon", "x-ratelimit-reset": "later" }, undefined],
		[{}, undefined],
	])("by %j is %s ms", (headers, expected) => {
		expect(pause(headers as Record<string, string>)).toBe(expected);
	});
});
