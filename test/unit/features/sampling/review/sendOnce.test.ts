/** One approved send over a real endpoint: how often it arrives there, and the counted usage. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ChatModel, ModelMessage, ModelRequestOptions } from "../../../../../src/models/model.ts";
import { respond } from "../../../../../src/models/openai/openai.ts";
import { estimateRequestTokens } from "../../../../../src/models/tokenCount.ts";
import type { ApprovedRequest } from "../../../../../src/features/sampling/fields.ts";
import { Generation } from "../../../../../src/features/sampling/review/generation.ts";
import { type ScriptedStep, startScriptedModel } from "../../../../servers/scriptedModel.ts";
import { hello, targetAt } from "../../../models/asking.ts";

const approved: ApprovedRequest = {
	messages: hello,
	maxTokens: 100,
	temperature: 0.5,
	stopSequences: [],
	tools: [],
	toolChoice: undefined,
	metadata: undefined,
	serverNames: new Map(),
};
/** The estimate of the request in these tests. */
const estimate = 4000;
const booked = { inputTokens: estimate, isEstimated: true };
const nothing = { inputTokens: 0, outputTokens: 0, isEstimated: true };

function modelAt(url: string): ChatModel {
	const info = {
		id: "test/scripted-model",
		name: "scripted-model",
		provider: "Test",
		maxInputTokens: 10_000,
		maxOutputTokens: 1000,
		supportsTools: true,
		supportsImages: false,
	};
	const target = { ...targetAt(url), retries: { attempts: 5, firstPause: 1, budget: 1000 } };
	return { info, respond: (messages, options: ModelRequestOptions) => respond(target, messages, options) };
}

async function sendTo(url: string, messages?: readonly ModelMessage[]): Promise<Generation> {
	const generation =
		messages === undefined
			? new Generation(modelAt(url), approved, estimate, "travel")
			: new Generation(modelAt(url), { ...approved, messages }, estimateRequestTokens(messages), "travel");
	await generation.run(() => undefined);
	return generation;
}

async function send(step: ScriptedStep | readonly ScriptedStep[], messages?: readonly ModelMessage[]) {
	const server = await startScriptedModel();
	server.next(...[step].flat());
	const generation = await sendTo(server.url, messages);
	await server.close();
	return { generation, arrived: server.requests.length };
}

describe.concurrent("one Send to Model (SMP-15)", () => {
	it.each<[string, ScriptedStep]>([
		["fails with 500", { status: 500 }],
		["fails with 502", { status: 502 }],
		["fails with 503 and no word on when", { status: 503 }],
		["fails with 408", { status: 408 }],
		["wants to be asked again after a 500", { status: 500, headers: { "x-should-retry": "true" } }],
		["breaks the connection after it read the request", { reset: true }],
		["breaks off in the stream", { text: "Half", cut: true }],
		["reports an error in the stream", { chunks: [{ error: { code: 429, message: "busy" } }] }],
	])("arrives once, and counts as the estimate, when the endpoint %s", async (_what, step) => {
		const { generation, arrived } = await send(step);
		expect(arrived).toBe(1);
		expect(generation.used).toMatchObject(booked);
	});

	it.each<[string, ScriptedStep, number]>([
		["429", { status: 429 }, 2],
		["503 that asks to wait", { status: 503, headers: { "retry-after-ms": "1" } }, 2],
		[
			"a field that the model does not know",
			{ status: 400, errorCode: "unsupported_parameter", errorParam: "temperature" },
			2,
		],
	])("is sent again after a refusal that used nothing: %s", async (_what, step, times) => {
		const { generation, arrived } = await send([step, { text: "Hello" }]);
		expect([arrived, generation.text]).toEqual([times, "Hello"]);
	});

	it.each<[string, ScriptedStep]>([
		["400", { status: 400 }],
		["401", { status: 401 }],
		["413", { status: 413 }],
	])("counts as nothing when it was refused with %s", async (_what, step) => {
		const { generation, arrived } = await send(step);
		expect([arrived, generation.used]).toEqual([1, nothing]);
	});

	it("counts as nothing when the endpoint does not listen", async () => {
		const server = createServer().listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		expect((await sendTo(`http://127.0.0.1:${port}/v1`)).used).toEqual(nothing);
	});
});

describe.concurrent("the usage reported by an endpoint (SMP-16)", () => {
	it.each([
		[0, 0],
		[-50_000, -50_000],
		[10, -9000],
		[1e300, 1],
		[Number.MAX_SAFE_INTEGER, 5],
		[0.5, 0.5],
		[1, 1],
	])("counts as the estimate when it is absurd: %d in and %d out", async (prompt_tokens, completion_tokens) => {
		const { generation } = await send({ text: "Hello there", usage: { prompt_tokens, completion_tokens } });
		const { inputTokens, outputTokens, isEstimated } = generation.used;
		expect([inputTokens, outputTokens > 0 && outputTokens < 100, isEstimated]).toEqual([estimate, true, true]);
	});

	it.each<[string, string, number, number]>([
		["words", "What is the weather? ".repeat(1500), 400, 3],
		["a short question", "What is the weather in Rome on Monday?", 1, 1],
		["blanks", " ".repeat(30_000), 100, 1],
		["letters of a script without blanks", "查询指定城市的天气预报".repeat(500), 40, 1],
	])("counts as the estimate when no tokenizer makes so few of %s", async (_what, text, prompt_tokens, least) => {
		const messages = [{ role: "user" as const, content: [{ type: "text" as const, text }] }];
		const usage = { prompt_tokens, completion_tokens: least };
		const { generation } = await send({ text: "It is sunny, and stays so. ".repeat(3), usage }, messages);
		const { inputTokens, outputTokens, isEstimated } = generation.used;
		expect([inputTokens, outputTokens > 10, isEstimated]).toEqual([estimateRequestTokens(messages), true, true]);
	});

	it("counts unchanged when it is plausible", async () => {
		const { generation } = await send({ text: "Hi", usage: { prompt_tokens: 2500, completion_tokens: 900 } });
		expect(generation.used).toEqual({ inputTokens: 2500, outputTokens: 900, isEstimated: false });
	});
});
