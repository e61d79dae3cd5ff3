import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { HostError } from "../../src/base/errors.ts";
import { createEditorModel } from "../../src/models/editor.vscode.ts";
import { failureReason } from "../../src/models/failure.ts";
import type { ChatModel, ModelEvent, ModelMessage, ModelRequestOptions } from "../../src/models/model.ts";

/** The requests to the foreign model (foreignModels/extension.cjs). */
interface Asked {
	readonly messages: readonly { readonly role: string; readonly content: readonly unknown[] }[];
	readonly tools?: readonly { readonly name: string }[];
	readonly toolMode?: vscode.LanguageModelChatToolMode;
	readonly more?: object;
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const tools = [{ name: "travel_search", description: "Search", inputSchema: { type: "object" } }];

/** A model that another extension brings into the editor, as the chat and sampling use it: for real, through the editor. */
suite("A model of another extension", () => {
	let model: ChatModel;

	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host-tests.foreign-models")?.activate();
		const [chat] = await vscode.lm.selectChatModels({ vendor: "foreign" });
		assert.ok(chat !== undefined, "the foreign model is not in the editor");
		model = createEditorModel(chat);
	});

	test("is listed as a model of the editor", () => {
		assert.deepEqual(
			[model.info.id, model.info.name, model.info.provider, model.info.maxInputTokens],
			["editor/foreign/foreign-1", "Foreign One", "Editor (foreign)", 8000],
		);
	});

	test("streams its answer, and receives our instructions as the user's, because there is no system role", async () => {
		await next({ texts: ["Good ", "day"] });
		const events = await ask([
			{ role: "system", content: [{ type: "text", text: "Be brief." }] },
			{ role: "user", content: [{ type: "text", text: "Hello" }] },
		]);
		assert.deepEqual(
			events.map((event) => (event.type === "text" ? event.text : event.type)),
			["Good ", "day", "done"],
		);
		assert.deepEqual((await lastAsked()).messages, [
			{ role: "user", content: ["Be brief."] },
			{ role: "user", content: ["Hello"] },
		]);
	});

	test("calls tools, and takes results with pictures", async () => {
		await next({ call: { id: "c1", name: "travel_search", input: { to: "Rome" } } });
		const [call, done] = await ask([user("Where to?")], {
			tools,
			toolChoice: "required",
			temperature: 0.5,
			maxTokens: 9,
		});
		assert.deepEqual(call, { type: "tool-call", callId: "c1", name: "travel_search", arguments: { to: "Rome" } });
		assert.equal(done?.type === "done" ? done.stopReason : "", "toolUse");
		const { toolMode, tools: offered, more } = await lastAsked();
		assert.equal(toolMode, vscode.LanguageModelChatToolMode.Required);
		assert.deepEqual(
			offered?.map(({ name }) => name),
			["travel_search"],
		);
		assert.deepEqual(more, { max_tokens: 9, temperature: 0.5 });

		await next({ texts: ["Nice."] });
		await ask(
			[
				user("Where to?"),
				{
					role: "assistant",
					content: [{ type: "tool-call", callId: "c1", name: "travel_search", arguments: { to: "Rome" } }],
				},
				{
					role: "user",
					content: [
						{
							type: "tool-result",
							callId: "c1",
							isError: true,
							content: [
								{ type: "text", text: "No flights" },
								{ type: "image", data: pixel, mimeType: "image/png" },
							],
						},
					],
				},
			],
			{ tools },
		);
		assert.deepEqual((await lastAsked()).messages.slice(1), [
			{ role: "assistant", content: [{ call: "travel_search", input: { to: "Rome" } }] },
			{ role: "user", content: [{ result: "c1", content: ["Error:", "No flights", { mimeType: "image/png" }] }] },
		]);
	});

	test("receives a server's request, and its answer is limited to the tokens (SMP-07, BLT-09)", async () => {
		await next({ texts: ["word ".repeat(50)] });
		const events = await ask([user("Go on")], {
			maxTokens: 10,
			temperature: 0.5,
			stopSequences: ["END"],
			metadata: { user_id: "u1" },
		});
		const asked = { max_tokens: 10, temperature: 0.5, stop: ["END"], metadata: { user_id: "u1" } };
		assert.deepEqual((await lastAsked()).more, asked);
		const [said, done] = events;
		// A character is a token to the foreign model.
		assert.equal(said?.type === "text" ? said.text : "", "word word ");
		assert.equal(done?.type === "done" ? done.stopReason : "", "maxTokens");
	});

	for (const [code, reason, text] of [
		["NoPermissions", "refused", "may not be used by MCP Host"],
		["Blocked", "blocked", "rejects requests at the moment"],
		["NotFound", "not-found", "is no longer available"],
		["plain", "other", "The foreign service is down."],
	] as const) {
		test(`that fails by ${code} is explained with the next step`, async () => {
			await next({ error: code });
			const error: unknown = await ask([user("Hello")]).catch((thrown: unknown) => thrown);
			assert.ok(HostError.is(error, "model"), String(error));
			assert.equal(failureReason(error), reason);
			assert.ok(error.message.includes(text), error.message);
		});
	}

	test("is stopped in the middle of its answer", async () => {
		await next({ texts: ["Once"], isHeld: true });
		const controller = new AbortController();
		const events = model.respond([user("Tell")], { signal: controller.signal });
		const read = async (): Promise<void> => {
			for await (const event of events) if (event.type === "text") controller.abort();
		};
		await assert.rejects(read, (error: unknown) => HostError.is(error, "cancelled"));
	});

	async function ask(
		messages: readonly ModelMessage[],
		options: Partial<ModelRequestOptions> = {},
	): Promise<readonly ModelEvent[]> {
		const events: ModelEvent[] = [];
		const request = { signal: new AbortController().signal, ...options };
		for await (const event of model.respond(messages, request)) events.push(event);
		return events;
	}
});

function user(text: string): ModelMessage {
	return { role: "user", content: [{ type: "text", text }] };
}

function next(answer: object): Thenable<unknown> {
	return vscode.commands.executeCommand("foreignModels.next", answer);
}

async function lastAsked(): Promise<Asked> {
	const asked = await vscode.commands.executeCommand<readonly Asked[]>("foreignModels.asked");
	const last = asked.at(-1);
	assert.ok(last !== undefined);
	return last;
}
