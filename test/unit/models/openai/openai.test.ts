import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../servers/scriptedModel.ts";
import { ask, key, textOf } from "../asking.ts";

const searchTool = { name: "travel_search", description: "Search", inputSchema: { type: "object" } };

let server: ScriptedModel;
beforeEach(async () => {
	server = await startScriptedModel({ apiKey: key });
});
afterEach(() => server.close());

describe("an answer", () => {
	test("streams its text in pieces and ends with the reason, the model and the usage", async () => {
		server.next({ text: "Good morning, traveler.", usage: { prompt_tokens: 7, completion_tokens: 3 } });
		const events = await ask({ url: server.url });
		expect(textOf(events)).toBe("Good morning, traveler.");
		expect(events.length).toBeGreaterThan(3);
		expect(events.at(-1)).toEqual({
			type: "done",
			stopReason: "endTurn",
			model: "scripted-model",
			usage: { inputTokens: 7, outputTokens: 3 },
		});
	});

	test("assembles several tool calls from their pieces", async () => {
		server.next({
			text: "Let me look.",
			toolCalls: [
				{ nameEndsWith: "search", arguments: { to: "Barcelona", when: { month: "June", days: [1, 2] } }, id: "a" },
				{ nameEndsWith: "search", arguments: {}, id: "b" },
			],
		});
		const events = await ask({ url: server.url, options: { tools: [searchTool] } });
		expect(events.filter(({ type }) => type === "tool-call")).toEqual([
			{
				type: "tool-call",
				callId: "a",
				name: "travel_search",
				arguments: { to: "Barcelona", when: { month: "June", days: [1, 2] } },
			},
			{ type: "tool-call", callId: "b", name: "travel_search", arguments: {} },
		]);
		expect(events.at(-1)).toMatchObject({ stopReason: "toolUse" });
	});

	test("passes on arguments that are not JSON, so that the loop can report them to the model", async () => {
		server.next({ toolCalls: [{ name: "travel_search", arguments: '{"to": "Barc', id: "a" }] });
		const events = await ask({ url: server.url, options: { tools: [searchTool] } });
		expect(events[0]).toEqual({
			type: "tool-call",
			callId: "a",
			name: "travel_search",
			arguments: {},
			malformed: '{"to": "Barc',
		});
	});

	test.each([
		["length", "maxTokens"],
		["content_filter", "refusal"],
		["stop", "endTurn"],
	])("that finishes by %s stops for %s", async (finishReason, stopReason) => {
		server.next({ text: "So", finishReason });
		expect((await ask({ url: server.url })).at(-1)).toMatchObject({ stopReason });
	});
});

describe("a request", () => {
	test("carries the messages with roles, calls, results and images", async () => {
		await ask({
			url: server.url,
			more: { images: true },
			messages: [
				{ role: "system", content: [{ type: "text", text: "Be brief." }] },
				{
					role: "user",
					content: [
						{ type: "text", text: "What is this?" },
						{ type: "image", data: "AAAA", mimeType: "image/png" },
					],
				},
				{
					role: "assistant",
					content: [{ type: "tool-call", callId: "a", name: "travel_search", arguments: { to: "Rome" } }],
				},
				{
					role: "user",
					content: [
						{
							type: "tool-result",
							callId: "a",
							isError: true,
							content: [
								{ type: "text", text: "No flights" },
								{ type: "image", data: "BBBB", mimeType: "image/jpeg" },
							],
						},
					],
				},
			],
		});
		expect(server.requests[0]?.body.messages).toEqual([
			{ role: "system", content: "Be brief." },
			{
				role: "user",
				content: [
					{ type: "text", text: "What is this?" },
					{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
				],
			},
			{
				role: "assistant",
				content: null,
				tool_calls: [{ id: "a", type: "function", function: { name: "travel_search", arguments: '{"to":"Rome"}' } }],
			},
			{ role: "tool", tool_call_id: "a", content: "Error:\nNo flights" },
			{
				role: "user",
				content: [
					{ type: "text", text: "Image from the result of the tool call a:" },
					{ type: "image_url", image_url: { url: "data:image/jpeg;base64,BBBB" } },
				],
			},
		]);
	});

	test("has no unpaired surrogate, for which some endpoints refuse the whole conversation", async () => {
		const half = "\uD83D";
		await ask({
			url: server.url,
			messages: [
				{ role: "user", content: [{ type: "text", text: `cut ${half}` }] },
				{ role: "assistant", content: [{ type: "tool-call", callId: "1", name: "t", arguments: { a: half } }] },
				{
					role: "user",
					content: [{ type: "tool-result", callId: "1", isError: false, content: [{ type: "text", text: half }] }],
				},
			],
		});
		const sent = JSON.stringify(server.requests[0]?.body.messages);
		expect(sent).toContain("cut \uFFFD");
		expect(sent).not.toMatch(/(?<!\\)\\ud83d/i);
	});

	test("names content that the model cannot read instead of sending it", async () => {
		await ask({
			url: server.url,
			messages: [{ role: "user", content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }],
		});
		expect(server.requests[0]?.body.messages).toEqual([
			{ role: "user", content: "(image/png left out: it cannot be sent to this model)" },
		]);
	});

	test("carries the options, and the limit under the name that local endpoints accept", async () => {
		await ask({
			url: server.url,
			options: {
				tools: [searchTool],
				toolChoice: "required",
				maxTokens: 50,
				temperature: 0.2,
				stopSequences: ["END"],
			},
		});
		expect(server.requests[0]?.body).toMatchObject({
			model: "scripted-model",
			stream: true,
			stream_options: { include_usage: true },
			max_tokens: 50,
			temperature: 0.2,
			stop: ["END"],
			tool_choice: "required",
			tools: [
				{
					type: "function",
					function: { name: "travel_search", description: "Search", parameters: { type: "object" } },
				},
			],
		});
	});

	test("leaves out options that were not requested, and the tools when none may be called", async () => {
		await ask({ url: server.url, options: { tools: [searchTool], toolChoice: "none" } });
		expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual([
			"messages",
			"model",
			"stream",
			"stream_options",
		]);
	});

	test("sends the key and nothing of the OPENAI_ environment", async () => {
		process.env["OPENAI_CUSTOM_HEADERS"] = "x-spy: 1";
		process.env["OPENAI_ORG_ID"] = "org-elsewhere";
		try {
			await ask({ url: server.url });
		} finally {
			delete process.env["OPENAI_CUSTOM_HEADERS"];
			delete process.env["OPENAI_ORG_ID"];
		}
		const headers = server.requests[0]?.headers ?? {};
		expect(headers.authorization).toBe(`Bearer ${key}`);
		expect(Object.keys(headers).filter((name) => /^(x-|openai-)/.test(name))).toEqual([]);
	});
});
