/**
 * Our models against an OpenAI-compatible endpoint that we did not write: `@copilotkit/aimock`, which is kept in step with
 * the real services, with the addresses of OpenAI, Azure OpenAI and OpenRouter.
 */
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChatModel, ModelEvent, ModelMessage, ModelRequestOptions } from "../../src/models/model.ts";
import { ApiKeys } from "../../src/models/apiKeys.ts";
import { createEndpointModel } from "../../src/models/directory.ts";
import { failureReason } from "../../src/models/failure.ts";
import { listModels } from "../../src/models/listModels.ts";
import { parseEndpoints } from "../../src/models/parseEndpoints.ts";

const key = "sk-second-0123456789";
let mock: LLMock;
beforeAll(async () => {
	mock = await LLMock.create({ port: 0, chunkSize: 5, auth: { apiKeys: [key] } });
});
afterAll(() => mock.stop());
beforeEach(() => {
	mock.clearFixtures();
	mock.clearRequests();
});

const tools = [
	{
		name: "travel_search",
		description: "Search flights",
		inputSchema: { type: "object", properties: { to: { type: "string" } } },
	},
];

function endpointAt(path: string, more: object = {}) {
	const [endpoint] = parseEndpoints([{ name: "Second", baseURL: `${mock.url}${path}`, ...more }]).endpoints;
	if (endpoint === undefined) throw new Error("bad endpoint");
	return endpoint;
}

function modelAt(path: string, more: object = {}, given: string | undefined = key): ChatModel {
	const keys = new ApiKeys({
		get: () => Promise.resolve(given),
		store: () => Promise.resolve(),
		delete: () => Promise.resolve(),
		keys: () => Promise.resolve([]),
	});
	return createEndpointModel(endpointAt(path, more), { name: "gpt-4o" }, keys);
}

async function ask(
	model: ChatModel,
	messages: readonly ModelMessage[] | string,
	options: Partial<ModelRequestOptions> = {},
): Promise<readonly ModelEvent[]> {
	const said =
		typeof messages === "string"
			? [{ role: "user" as const, content: [{ type: "text" as const, text: messages }] }]
			: messages;
	const events: ModelEvent[] = [];
	for await (const event of model.respond(said, { signal: new AbortController().signal, ...options }))
		events.push(event);
	return events;
}

const textOf = (events: readonly ModelEvent[]): string =>
	events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");

describe("a second implementation of the endpoint", () => {
	test("lists its models for the key only", async () => {
		mock.onMessage("x", { content: "x" });
		const listed = await listModels(endpointAt("/v1"), key);
		expect(listed.length).toBeGreaterThan(0);
		const error: unknown = await listModels(endpointAt("/v1"), "sk-wrong").catch((reason: unknown) => reason);
		expect(failureReason(error)).toBe("refused");
	});

	test.each([
		["OpenAI", "/v1", {}],
		["OpenRouter", "/api/v1", { kind: "openrouter" }],
		["Azure OpenAI, by deployment", "/openai", { kind: "azure", apiVersion: "2024-10-21" }],
	])("streams text in pieces at the address of %s", async (_name, path, more) => {
		mock.onMessage("good morning", { content: "Good morning from elsewhere." });
		const events = await ask(modelAt(path, more), "good morning");
		expect(textOf(events)).toBe("Good morning from elsewhere.");
		expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
		expect(events.at(-1)).toMatchObject({ type: "done", stopReason: "endTurn" });
	});

	test("calls tools in parallel, and receives their results", async () => {
		const calls = ["Rome", "Oslo"].map((to, index) => ({
			id: `call_${index}`,
			name: "travel_search",
			arguments: JSON.stringify({ to }),
		}));
		mock.onToolResult("call_1", { content: "Rome is cheaper." });
		mock.onMessage("where to?", { toolCalls: calls });
		const model = modelAt("/v1");
		const question: ModelMessage = { role: "user", content: [{ type: "text", text: "where to?" }] };
		const first = await ask(model, [question], { tools });
		const called = first.filter((event) => event.type === "tool-call");
		expect(called.map(({ callId, arguments: args }) => [callId, args])).toEqual([
			["call_0", { to: "Rome" }],
			["call_1", { to: "Oslo" }],
		]);
		expect(first.at(-1)).toMatchObject({ stopReason: "toolUse" });
		const results = called.map(({ callId }) => ({
			type: "tool-result" as const,
			callId,
			isError: false,
			content: [{ type: "text" as const, text: "100 EUR" }],
		}));
		const second = await ask(
			model,
			[question, { role: "assistant", content: called }, { role: "user", content: results }],
			{
				tools,
			},
		);
		expect(textOf(second)).toBe("Rome is cheaper.");
	});

	test("separates thoughts from its answer", async () => {
		mock.onMessage("think", { content: "Yes.", reasoning: "The user wants to know whether" });
		expect(textOf(await ask(modelAt("/v1"), "think"))).toBe("Yes.");
	});

	test("whose rate limit is respected as it asks", async () => {
		mock.onMessage("hurry", { content: "Done." });
		mock.nextRequestError(429, {
			message: "Rate limit reached",
			type: "rate_limit_error",
			code: "rate_limit_exceeded",
		});
		const events = await ask(modelAt("/v1"), "hurry");
		expect(events[0]).toMatchObject({ type: "waiting", attempt: 2, afterMs: 1000 });
		expect(textOf(events)).toBe("Done.");
	});

	test("whose refusal is explained", async () => {
		mock.onMessage("too much", {
			error: {
				message: "This model's maximum context length is 8192 tokens.",
				type: "invalid_request_error",
				code: "context_length_exceeded",
			},
			status: 400,
		});
		const error: unknown = await ask(modelAt("/v1"), "too much").catch((reason: unknown) => reason);
		expect(failureReason(error)).toBe("too-long");
		const refused: unknown = await ask(modelAt("/v1", {}, "sk-wrong"), "hello").catch((reason: unknown) => reason);
		expect(failureReason(refused)).toBe("refused");
		expect(String(refused)).not.toContain("sk-wrong");
	});
});
