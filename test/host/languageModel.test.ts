import * as assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { estimateTokens } from "../../src/models/tokens.ts";
import { startScriptedModel, type ScriptedModel } from "../servers/scriptedModel.ts";

const { User, Assistant } = vscode.LanguageModelChatMessage;

/** A picture of one pixel; the editor inspects pictures before it passes them on. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * Whether the editor notifies the provider of a model that a caller cancelled. VS Code 1.106 does so only until the
 * provider was called, so that an answer can only end normally there.
 */
const tellsProviders = Number(vscode.version.split(".")[1]) > 106;

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

	test("appear in the editor with their capabilities", () => {
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

	test("MDL-02: get their own data back, from callers who repeat all parts, and from those who repeat only calls", async () => {
		const tools = [{ name: "look", description: "Look", inputSchema: { type: "object" } }];
		const extra_content = { google: { thought_signature: "signed+/=" } };
		const call = { index: 0, id: "signed-1", type: "function", extra_content };
		const piece = { ...call, function: { name: "look", arguments: '{"at":"the sky"}' } };
		const chunks = [{ delta: { tool_calls: [piece] } }, { delta: {}, finish_reason: "tool_calls" }];
		endpoint.next({ chunks: chunks.map((choice) => ({ model: "m", choices: [choice] })) });
		const answer = await collect((await model.sendRequest([User("Look")], { tools })).stream);
		const parts = answer.filter(
			(part) => part instanceof vscode.LanguageModelToolCallPart || part instanceof vscode.LanguageModelDataPart,
		);
		assert.equal(parts.length, 2);
		const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
		const result = new vscode.LanguageModelToolResultPart("signed-1", [new vscode.LanguageModelTextPart("clouds")]);
		for (const repeated of [parts, calls]) {
			endpoint.next({ text: "Clouds." });
			const messages = [User("Look"), Assistant(repeated), User([result])];
			await collect((await model.sendRequest(messages, { tools })).stream);
			const [sent] = endpoint.requests.at(-1)?.body.messages[1]?.tool_calls ?? [];
			assert.deepEqual(sent, { id: "signed-1", type: "function", function: piece.function, extra_content });
		}
	});

	test("count tokens with the estimator of the whole host", async () => {
		const text = "Plan a vacation in Barcelona for two people, four nights.";
		assert.equal(await model.countTokens(text), estimateTokens(text));
		const counted = await model.countTokens(User(text));
		assert.ok(counted > estimateTokens(text) && counted < estimateTokens(text) + 10);
	});

	for (const [status, errorCode, kind, text] of [
		[401, undefined, "NoPermissions", /Host Test \(127\.0\.0\.1:\d+\) refused the API key/],
		[404, undefined, "NotFound", /does not know the model/],
		[429, "insufficient_quota", "Blocked", /the quota of this key is used up/],
	] as const) {
		test(`fail by ${kind} on status ${status}, with the message that names endpoint and next step`, async () => {
			endpoint.next({ status, ...(errorCode === undefined ? {} : { errorCode }) });
			await assert.rejects(
				async () => collect((await model.sendRequest([User("Hello")])).text),
				(error: unknown) => {
					assert.ok(error instanceof vscode.LanguageModelError, String(error));
					assert.equal(error.code, kind);
					assert.match(error.message, text);
					return true;
				},
			);
		});
	}

	test("call two tools at once, and receive both results", async () => {
		const tool = { name: "look", description: "Look", inputSchema: { type: "object" } };
		const wanted = ["a", "b"].map((id) => ({ name: "look", arguments: { id }, id }));
		endpoint.next({ toolCalls: wanted }, { text: "Both." });
		const calls = await collect((await model.sendRequest([User("Look")], { tools: [tool] })).stream);
		assert.ok(calls.every((call) => call instanceof vscode.LanguageModelToolCallPart));
		const results = calls.map(
			({ callId }) =>
				new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(`saw ${callId}`)]),
		);
		await collect((await model.sendRequest([User("Look"), Assistant(calls), User(results)], { tools: [tool] })).stream);
		assert.deepEqual(
			endpoint.requests
				.at(-1)
				?.body.messages.slice(2)
				.map(({ tool_call_id: id, content }) => [id, content]),
			[
				["a", "saw a"],
				["b", "saw b"],
			],
		);
	});

	test("are not redirected by a workspace, with their key (SEC-06)", async () => {
		let askedCount = 0;
		const elsewhere = createServer((_request, response) => {
			askedCount++;
			response.end("{}");
		});
		await new Promise<void>((resolve) => void elsewhere.listen(0, "127.0.0.1", resolve));
		const baseURL = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1`;
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder !== undefined);
		const file = vscode.Uri.joinPath(folder.uri, ".vscode", "settings.json");
		const before = await vscode.workspace.fs.readFile(file);
		// The other setting shows when the file has been read.
		const settings = { "mcpHost.models": [{ name: "Host Test", baseURL }], "editor.tabSize": 7 };
		await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(settings)));
		while (vscode.workspace.getConfiguration("editor").get("tabSize") !== 7) {
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		const again = await find("host-test/scripted-model");
		endpoint.next({ text: "Still here." });
		assert.equal((await collect((await again.sendRequest([User("Hello")])).text)).join(""), "Still here.");
		assert.equal(askedCount, 0);
		await vscode.workspace.fs.writeFile(file, before);
		elsewhere.close();
	});

	test("stop when their caller cancels", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		endpoint.next({ text: "Said to the end.", gate: promise });
		const source = new vscode.CancellationTokenSource();
		const count = endpoint.requests.length;
		const answer = (async () => collect((await model.sendRequest([User("Hello")], {}, source.token)).text))();
		const request = await endpoint.request(count);
		source.cancel();
		if (!tellsProviders) {
			resolve();
			assert.equal((await answer).join(""), "Said to the end.");
			assert.equal(request.aborted, false);
			return;
		}
		await assert.rejects(answer);
		while (!request.aborted) await new Promise((settle) => setTimeout(settle, 20));
		resolve();
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
