/**
 * Classes F, G, L2 and M of the inputs from the field: an input with one reading is read so, one with none is shown as
 * received.
 */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { callOf, FieldScene, ways } from "./scene.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const asItCame = "(This does not follow the protocol. It is shown as the server sent it.)";

describe.each(ways)("a result over %s", (way) => {
	it.each<readonly [string, Json, readonly string[]]>([
		["content is a text", { content: "plain words" }, ["plain words"]],
		["content is one block", { content: text("one block") }, ["one block"]],
		["content is null beside data", { content: null, structuredContent: { rows: 7 } }, ['{"rows":7}']],
		["content holds texts", { content: ["one", null, text("two")] }, ["one", "two"]],
		["a text has no type", { content: [{ text: "untyped" }] }, ["untyped"]],
		["it is a text", "only words", ["only words"]],
		["it is a list of blocks", [text("a"), text("b")], ["a", "b"]],
		["content is an object", { content: { rows: 3 } }, [asItCame, '"rows": 3']],
		["content is a number", { content: 5 }, [asItCame, "5"]],
		["it is as in 2024-10-07", { toolResult: { rows: 3 } }, [asItCame, '"rows": 3']],
		["it has a member of its own", { output: "found" }, [asItCame, '"output": "found"']],
		["it is empty", {}, ["(The result is empty.)"]],
		["content is null alone", { content: null }, ["(The result is empty.)"]],
	])("is read where %s", async (_what, result, words) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": { result } } });
		const told = await callOf(session);
		for (const one of words) expect(told).toContain(one);
		expect(told).not.toMatch(/^failed/);
	});

	it.each<Json>([true, "true", 1, "yes"])("is still an error if it declares one by %j", async (isError) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, { answers: { "tools/call": { result: { content: "it broke", isError } } } });
		expect(await callOf(session)).toBe("isError: it broke");
	});

	it.each<readonly [string, JsonObject]>([
		["is empty", { inputSchema: {} }],
		["is missing", {}],
		["has no type", { inputSchema: { properties: { a: { type: "string" } } } }],
		["is an empty list, as PHP writes it", { inputSchema: [] }],
		["has properties as an empty list", { inputSchema: { type: "object", properties: [] } }],
		["has several types", { inputSchema: { type: ["object", "null"] } }],
	])("comes from a tool whose inputSchema %s", async (_what, schema) => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: { "tools/list": { result: { tools: [{ name: "echo", ...schema }] } } },
		});
		expect(session.tools.items).toMatchObject([{ name: "echo", inputSchema: { type: "object" } }]);
		expect(await callOf(session)).toBe("row written");
	});

	it.each<Json>([{ type: "string" }, false, "{}"])(
		"does not come from a tool that no arguments match (%j)",
		async (inputSchema) => {
			await using scene = new FieldScene();
			const session = await scene.start(way, {
				answers: { "tools/list": { result: { tools: [{ name: "echo", inputSchema }] } } },
			});
			expect(session.tools.items).toEqual([]);
			expect(scene.log).toContain("1 of 1 tools do not follow the protocol");
		},
	);

	it("of a prompt keeps its good messages, and shows a bad one as received", async () => {
		await using scene = new FieldScene();
		const messages = [
			{ role: "user", content: text("good") },
			{ role: "user", content: "plain" },
			{ role: "assistant", content: [text("one"), text("two")] },
			{ role: "user", content: { type: "image", data: 5 } },
			{ role: "system", content: text("rules") },
		];
		const session = await scene.start(way, {
			answers: {
				initialize: { change: { capabilities: { prompts: {} } } },
				"prompts/list": { result: { prompts: [{ name: "p", arguments: null }] } },
				"prompts/get": { result: { description: null, messages } },
			},
		});
		const prompt = await session.getPrompt("p", {});
		const words = prompt.messages.map(({ content }) => (content.type === "text" ? content.text : ""));
		expect(words.slice(0, 4)).toEqual(["good", "plain", "one", "two"]);
		expect(words[4]).toMatch(/^\(This does not follow the protocol\.[^]*"data": 5/);
		expect(words[5]).toMatch(/^\(This does not follow the protocol\.[^]*rules/);
		expect(scene.log).toContain("A message of the prompt does not follow the protocol");
	});

	it("of a resource keeps its good contents, and fails only without any", async () => {
		const good = { uri: "a:b", mimeType: null, text: "good" };
		async function resource(contents: Json): Promise<string> {
			await using scene = new FieldScene();
			const session = await scene.start(way, {
				answers: {
					initialize: { change: { capabilities: { resources: {} } } },
					"resources/list": { result: { resources: [] } },
					"resources/templates/list": { result: { resourceTemplates: [] } },
					"resources/read": { result: { contents } },
				},
			});
			return await session.readResource("a:b").then(
				(read) => read.contents.map((one) => ("text" in one ? one.text : "blob")).join(),
				(error: Error) => error.message,
			);
		}
		expect(await resource([good, { uri: null, text: "no address" }, { uri: "a:c" }])).toBe("good");
		expect(await resource(good)).toBe("good");
		expect(await resource([{ uri: "a:b", text: { v: 1 } }])).toContain('"v": 1');
		expect(await resource([{ uri: "a:c" }])).toMatch(
			/no contents that can be shown: of its 1 contents, 1 do not follow the protocol/,
		);
	});

	it("has base64 of any spelling normalized, in resources and prompts", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: {
				initialize: { change: { capabilities: { resources: {}, prompts: {} } } },
				"resources/list": { result: { resources: [] } },
				"resources/templates/list": { result: { resourceTemplates: [] } },
				"resources/read": { result: { contents: [{ uri: "a:b", mimeType: "image/png", blob: "-_-_-w" }] } },
				"prompts/list": { result: { prompts: [{ name: "p" }] } },
				"prompts/get": {
					result: {
						messages: [{ role: "user", content: { type: "image", mimeType: "image/png", data: "-_-_-w" } }],
					},
				},
			},
		});
		expect((await session.readResource("a:b")).contents).toMatchObject([{ blob: "+/+/+w==" }]);
		expect((await session.getPrompt("p", {})).messages).toMatchObject([{ content: { data: "+/+/+w==" } }]);
		expect(scene.log).toMatch(/Tolerated in the answer to resources\/read: contents\[\]\.blob/);
	});

	it("of lists that the server declares but does not support is an empty list with a note", async () => {
		await using scene = new FieldScene();
		const error = { code: -32601, message: "Method not found" };
		const session = await scene.start(way, {
			answers: {
				initialize: {
					change: { capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} } },
				},
				"tools/list": { error },
			},
		});
		for (const list of [session.tools, session.resources, session.resourceTemplates, session.prompts]) {
			expect(list.status).toEqual({ kind: "ready", note: expect.stringMatching(/declares this capability.*-32601/) });
		}
		const completed = await session.complete({ type: "ref/prompt", name: "p" }, { name: "a", value: "" }, {});
		expect(completed.values).toEqual([]);
	});

	it("of a list that fails in another way is still a fault", async () => {
		await using scene = new FieldScene();
		const session = await scene.start(way, {
			answers: { "tools/list": { error: { code: -32603, message: "Broken" } } },
		});
		expect(session.tools.status).toEqual({ kind: "failed", message: expect.stringContaining("Broken") });
	});

	it("of a list with an empty cursor at its end is complete", async () => {
		await using scene = new FieldScene();
		const tools = [{ name: "echo", inputSchema: { type: "object" } }];
		const session = await scene.start(way, { answers: { "tools/list": { result: { tools, nextCursor: "" } } } });
		expect([session.tools.status, session.tools.items.length]).toEqual([{ kind: "ready" }, 1]);
	});

	it("names the capability that the server needs", async () => {
		await using scene = new FieldScene();
		const error = {
			code: -32021,
			message: "Missing capability",
			data: { requiredCapabilities: { sampling: {}, "example.com/x": {} } },
		};
		const session = await scene.start(way, { answers: { "tools/call": { error } } });
		expect(await callOf(session)).toMatch(/does not offer to it: sampling, example\.com\/x\. To offer sampling/);
	});
});

it("base64 of any spelling is normalized for the model of a completion", async () => {
	await using scene = new FieldScene();
	const content = { type: "image", mimeType: "image/png", data: "-_-_-w" };
	const params = { messages: [{ role: "user", content }], maxTokens: 10 };
	const session = await scene.start("stdio", {
		asks: { jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params },
	});
	expect(await callOf(session, "ask")).toContain("assistant");
	expect(scene.host.user.asked).toMatchObject([
		{ params: { messages: [{ content: { ...content, data: "+/+/+w==" } }] } },
	]);
});
