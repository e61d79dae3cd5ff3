import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { startScriptedModel, type ScriptedModel } from "../servers/scriptedModel.ts";

const { User, Assistant } = vscode.LanguageModelChatMessage;

/** A picture of one pixel; the editor looks into pictures before it hands them on. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Our models as any other extension finds and uses them. */
suite("Language models", () => {
	let endpoint: ScriptedModel;
	let model: vscode.LanguageModelChat;

	suiteSetup(async () => {
		endpoint = await startScriptedModel({ models: ["scripted-model"] });
		const setting = [{ name: "Host Test", baseURL: endpoint.url, images: true, maxInputTokens: 5000 }];
		await vscode.workspace.getConfiguration().update("mcpHost.models", setting, vscode.ConfigurationTarget.Global);
		model = await find("host-test/scripted-model");
	});

	suiteTeardown(async () => {
		await vscode.workspace.getConfiguration().update("mcpHost.models", undefined, vscode.ConfigurationTarget.Global);
		await endpoint.close();
	});

	test("appear in the editor with what they can do", () => {
		assert.equal(model.vendor, "mcphost");
		assert.equal(model.name, "scripted-model");
		assert.equal(model.maxInputTokens, 5000);
	});

	test("stream text", async () => {
		endpoint.next({ text: "Good morning from the endpoint." });
		const response = await model.sendRequest([User("Hello")]);
		const pieces = await collect(response.text);
		assert.equal(pieces.join(""), "Good morning from the endpoint.");
		assert.ok(pieces.length > 1);
	});

	test("call tools, and take results and images", async () => {
		const tools = [
			{ name: "look", description: "Look", inputSchema: { type: "object", properties: { at: { type: "string" } } } },
		];
		endpoint.next({ toolCalls: [{ name: "look", arguments: { at: "the sea" }, id: "call-1" }] }, { text: "Blue." });
		const first = await model.sendRequest([User("Look")], {
			tools,
			toolMode: vscode.LanguageModelChatToolMode.Required,
		});
		const [call] = await collect(first.stream);
		assert.ok(call instanceof vscode.LanguageModelToolCallPart);
		assert.deepEqual([call.callId, call.name, call.input], ["call-1", "look", { at: "the sea" }]);

		const picture = vscode.LanguageModelDataPart.image(Buffer.from(pixel, "base64"), "image/png");
		const result = new vscode.LanguageModelToolResultPart("call-1", [new vscode.LanguageModelTextPart("waves")]);
		await collect(
			(await model.sendRequest([User("Look"), Assistant([call]), User([result, picture])], { tools })).stream,
		);
		const [, second] = endpoint.requests.slice(-2);
		assert.equal(endpoint.requests.at(-2)?.body["tool_choice"], "required");
		assert.deepEqual(second?.body.messages.slice(1), [
			{
				role: "assistant",
				content: null,
				tool_calls: [{ id: "call-1", type: "function", function: { name: "look", arguments: '{"at":"the sea"}' } }],
			},
			{ role: "tool", tool_call_id: "call-1", content: "waves" },
			{ role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } }] },
		]);
	});

	test("count tokens, roughly", async () => {
		assert.equal(await model.countTokens("x".repeat(400)), 100);
	});

	test("fail with the message that names endpoint and next step", async () => {
		endpoint.next({ status: 401 });
		await assert.rejects(
			async () => collect((await model.sendRequest([User("Hello")])).text),
			/Host Test \(127\.0\.0\.1:\d+\) refused the API key/,
		);
	});
});

/** The model of this id, once the editor knows it. */
async function find(id: string): Promise<vscode.LanguageModelChat> {
	for (;;) {
		const models = await vscode.lm.selectChatModels({ vendor: "mcphost" });
		const model = models.find((one) => one.id === id);
		if (model !== undefined) return model;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const value of values) all.push(value);
	return all;
}
