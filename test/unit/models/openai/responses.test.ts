/**
 * A model with only the Responses API, at an endpoint that refuses like OpenAI: completions of it, and calls without
 * the preceding thoughts. Shapes: platform.openai.com/docs/api-reference/responses-streaming, and "Reasoning models",
 * "Encrypted reasoning items".
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { CallPart, ModelEvent, ModelMessage } from "../../../../src/models/model.ts";
import { ask, textOf } from "../asking.ts";

const only = "This model is only supported in v1/responses and not in v1/chat/completions.";
/** github.com/microsoft/vscode/issues/277663, github.com/langchain-ai/langchain-azure/issues/228. */
const notByAzure =
	"The chatCompletion operation does not work with the specified model, gpt-5.1-codex. Please choose different model and try again.";
/** github.com/laurent22/joplin/pull/16451: although no effort was asked for. */
const notWithTools =
	"Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
const thoughts = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA+/=" };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"at":"sea"}' };
/** The form of the call: platform.openai.com/docs/guides/function-calling, "Streaming". */
const writing = [
	{ type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
	{ type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '{"at":' },
	// Of another item, which was not begun.
	{ type: "response.function_call_arguments.delta", item_id: "fc_2", output_index: 2, delta: "lost" },
	{ type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '"sea"}' },
	{ type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 1, arguments: call.arguments },
];
const usage = { input_tokens: 20, input_tokens_details: { cached_tokens: 16 }, output_tokens: 5, total_tokens: 25 };

interface Asked extends JsonObject {
	readonly input: readonly JsonObject[];
}

const asked: { readonly path: string; readonly body: Asked }[] = [];
const server = createServer((request, response) => {
	const parts: Buffer[] = [];
	request.on("data", (part: Buffer) => parts.push(part));
	request.on("end", () => {
		const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
		asked.push({ path: request.url ?? "", body });
		const fail = (status: number, message: string, code: string | null = null): void => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: "model", code } }));
		};
		const [path = ""] = request.url?.split("?") ?? [];
		if (path.startsWith("/openai/deployments/")) return fail(400, notByAzure, "OperationNotSupported");
		if (body["tools"] !== undefined && body["reasoning_effort"] !== "none" && path.startsWith("/newer/v1/chat"))
			return fail(400, notWithTools);
		if (!path.endsWith("/responses")) return fail(404, only);
		const at = body.input.findIndex(({ type }) => type === "function_call");
		const isWhole = at < 0 || JSON.stringify(body.input[at - 1]) === JSON.stringify(thoughts);
		if (!isWhole)
			return fail(400, "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item.");
		const events: readonly object[] =
			at < 0
				? [
						{ type: "response.created", response: { id: "resp_1" } },
						{ type: "response.reasoning_summary_text.delta", delta: "I should look." },
						{ type: "response.output_item.done", item: thoughts },
						...writing,
						{ type: "response.output_item.done", item: call },
						{ type: "response.completed", response: { model: "gpt-5-pro-2026", usage } },
					]
				: [
						{ type: "response.output_text.delta", delta: "Wa" },
						{ type: "response.output_text.delta", delta: "ves." },
						{ type: "response.output_item.done", item: { type: "message", content: [] } },
						{
							type: "response.incomplete",
							response: { model: "gpt-5-pro-2026", usage, incomplete_details: { reason: "max_output_tokens" } },
						},
					];
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
	});
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

describe("MDL-09: a model with only the Responses API", () => {
	const tools = [{ name: "look", description: "Look", inputSchema: { type: "object" } }];
	const question: ModelMessage = { role: "user", content: [{ type: "text", text: "Look" }] };

	test("is asked there, and gets its encrypted thoughts back with its calls", async () => {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
		const system: ModelMessage = { role: "system", content: [{ type: "text", text: "Be brief." }] };
		const parts: CallPart[] = [];
		const first: readonly ModelEvent[] = await ask({
			url,
			messages: [system, question],
			options: { tools, maxTokens: 9, onCallPart: (part) => void parts.push(part) },
		});
		// While it is written it is announced (APP-24), and it is made once, from its complete form.
		const texts = ["", '{"at":', '{"at":"sea"}', '{"at":"sea"}'];
		expect(parts).toEqual(texts.map((text) => ({ callId: "call_1", name: "look", text })));
		expect(first.filter(({ type }) => type === "tool-call")).toHaveLength(1);
		const done = first.find((event) => event.type === "done");
		expect(first.slice(0, 2)).toMatchObject([
			{ type: "reasoning", text: "I should look." },
			{ type: "tool-call", callId: "call_1", name: "look", arguments: { at: "sea" } },
		]);
		expect(done).toMatchObject({
			stopReason: "toolUse",
			model: "gpt-5-pro-2026",
			usage: { inputTokens: 20, outputTokens: 5, cachedTokens: 16 },
		});
		expect(asked.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/responses"]);
		expect(asked[1]?.body).toMatchObject({
			stream: true,
			store: false,
			max_output_tokens: 9,
			include: ["reasoning.encrypted_content"],
			tools: [{ type: "function", name: "look", parameters: { type: "object" } }],
			input: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "Look" },
			],
		});

		const answer: ModelMessage = {
			role: "assistant",
			content: [{ type: "tool-call", callId: "call_1", name: "look", arguments: { at: "sea" } }],
			...(done?.kept === undefined ? {} : { kept: done.kept }),
		};
		const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
		const result: ModelMessage = {
			role: "user",
			content: [
				{ type: "tool-result", callId: "call_1", isError: false, content: [{ type: "text", text: "blue" }, image] },
			],
		};
		const second = await ask({ url, messages: [question, answer, result], options: { tools }, more: { images: true } });
		expect(textOf(second)).toBe("Waves.");
		expect(second.at(-1)).toMatchObject({ stopReason: "maxTokens" });
		// It is known by now, and not asked in vain.
		expect(asked).toHaveLength(3);
		expect(asked[2]?.body.input.slice(1)).toEqual([
			thoughts,
			{ type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"sea"}' },
			{ type: "function_call_output", call_id: "call_1", output: "blue" },
			{
				role: "user",
				content: [
					{ type: "input_text", text: "Image from the result of the tool call call_1:" },
					{ type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
				],
			},
		]);
	});

	test.each([
		[
			"newer models of OpenAI, where there are tools",
			"/newer/v1",
			{},
			"/newer/v1/chat/completions",
			"/newer/v1/responses",
		],
		[
			"a deployment of Azure, which is then named as the model",
			"/openai",
			{ kind: "azure", apiVersion: "2025-04-01-preview" },
			"/openai/deployments/scripted-model/chat/completions?api-version=2025-04-01-preview",
			"/openai/responses?api-version=2025-04-01-preview",
		],
	])("is recognised by the refusals of %s", async (_who, path, more, ...paths) => {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
		const before = asked.length;
		const events = await ask({ url, messages: [question], options: { tools }, more });
		expect(events.find(({ type }) => type === "tool-call")).toMatchObject({ name: "look" });
		expect(asked.slice(before).map((one) => one.path)).toEqual(paths);
		expect(asked.at(-1)?.body["model"]).toBe("scripted-model");
	});

	test("is asked there at once in a new window, by the stored data of its answers", async () => {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/other/v1`;
		const before = asked.length;
		const kept = {
			by: `${url} scripted-model`,
			message: { response_items: [{ type: "message" }] },
			calls: [],
		};
		const said: ModelMessage = { role: "assistant", content: [{ type: "text", text: "Hi" }], kept };
		await ask({ url, messages: [question, said, question] });
		expect(asked.slice(before).map(({ path, body }) => [path, body.input[1]])).toEqual([
			["/other/v1/responses", { role: "assistant", content: "Hi" }],
		]);
	});

	test("has the same messages for failures", async () => {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
		const bare: ModelMessage = {
			role: "assistant",
			content: [{ type: "tool-call", callId: "call_1", name: "look", arguments: {} }],
		};
		await expect(ask({ url, messages: [question, bare] })).rejects.toThrow(
			"It says: Item 'fc_1' of type 'function_call'",
		);
	});
});
