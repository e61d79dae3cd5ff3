/** What the stories of chat, sampling and elicitation share: an editor with a scripted model and a small server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { messagesOf, readReceived } from "../servers/received.ts";
import { type RecordedRequest, type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { patience, waitForCondition, waitForValue } from "./pages/conditions.ts";
import type { Settings } from "../editor/profile.ts";
import { type RunningEditor, type StartOptions, startEditorWithVsix } from "./pages/startEditor.ts";
import { repositoryRoot, type Workbench } from "./pages/workbench.ts";
import type { JsonObject } from "../../src/base/json.ts";

/** A server to configure: a script of test/servers with its arguments. */
export interface ServerScript {
	readonly script: "everythingSmall.ts" | "faulty.ts";
	readonly args: readonly string[];
}

/** An editor whose only model is scripted and whose servers write down what they receive. */
export class ChatStory implements AsyncDisposable {
	readonly editor: RunningEditor;
	readonly model: ScriptedModel;
	readonly #folder: string;
	readonly #settings: Settings;

	constructor(editor: RunningEditor, model: ScriptedModel, folder: string, settings: Settings) {
		this.editor = editor;
		this.model = model;
		this.#folder = folder;
		this.#settings = settings;
	}

	/** Changes settings of the story, or takes back those of its start. */
	async changeSettings(extra: Settings = {}): Promise<void> {
		await this.editor.writeSettings({ ...this.#settings, ...extra });
	}

	/** The messages of one method that a server received so far, oldest first. */
	received(server: string, method: string): readonly JsonObject[] {
		return messagesOf(readReceived(logFile(this.#folder, server)), method);
	}

	/** The process ids under which a server ran, oldest first. */
	processes(server: string): readonly number[] {
		return readReceived(logFile(this.#folder, server))
			.filter(({ kind }) => kind === "start")
			.map(({ pid }) => pid);
	}

	/** Ends a server's process, as a crash would. */
	kill(server: string): void {
		const pid = this.processes(server).at(-1);
		if (pid === undefined) throw new Error(`${server} never started`);
		process.kill(pid, "SIGKILL");
	}

	async stop(): Promise<void> {
		await this.editor.stop();
		await this.model.close();
		await rm(this.#folder, { recursive: true, force: true });
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.stop();
	}
}

/** Starts an editor with these servers, approves and starts them, and shows the chat with the scripted model selected. */
export async function startChatStory(
	servers: Readonly<Record<string, ServerScript>>,
	options: StartOptions = {},
): Promise<ChatStory> {
	const model = await startScriptedModel();
	const folder = await mkdtemp(path.join(tmpdir(), "mcp-host-story-"));
	const settings = {
		...scriptedSettings(model.url),
		"mcpHost.servers": Object.fromEntries(
			Object.entries(servers).map(([name, { script, args }]) => {
				const file = path.join(repositoryRoot, "test", "servers", script);
				return [name, { command: process.execPath, args: [file, ...args, "--log", logFile(folder, name)] }];
			}),
		),
		...options.settings,
	};
	try {
		const editor = await startEditorWithVsix({ size: { width: 1440, height: 900 }, ...options, settings });
		const story = new ChatStory(editor, model, folder, settings);
		try {
			await editor.tree.open("MCP Host");
			for (const name of Object.keys(servers)) await approveServer(editor, name);
			await editor.chat.open();
			await editor.chat.waitForModel("scripted-model");
			return story;
		} catch (error) {
			await story.stop();
			throw error;
		}
	} catch (error) {
		await model.close();
		throw error;
	}
}

/** Settings with one endpoint that offers the scripted model. */
export function scriptedSettings(url: string): Settings {
	return { "mcpHost.models": [{ name: "Scripted", baseURL: url, models: ["scripted-model"] }] };
}

/** Approves and starts a configured server and waits until it runs. */
export async function approveServer({ tree, webview }: Workbench, name: string): Promise<void> {
	await tree.inlineAction([name], "Review Server…");
	const review = await webview.document("Start this server?");
	await review.getByRole("button", { name: "Approve and Start" }).click();
	await tree.waitForDescription([name], /\d{4}-\d{2}-\d{2}/);
}

/** The answers to a question about a call. */
export type CallAnswer = "Allow Once" | "Edit…" | "Deny";

/**
 * The link of the n-th question (counted from 1) of the last answer, once it is there. Links of settled questions stay in
 * the transcript, so the last link may be an old one.
 */
export async function questionLink({ chat }: Workbench, number: number, answer: CallAnswer): Promise<Locator> {
	const links = chat.lastResponse().locator("a").filter({ hasText: answer, visible: true });
	await waitForCondition(`Question ${number} of the answer`, async () => (await links.count()) >= number);
	return links.nth(number - 1);
}

/** Answers the n-th question of the last answer. */
export async function answerCall(workbench: Workbench, number: number, answer: CallAnswer): Promise<void> {
	const link = await questionLink(workbench, number, answer);
	await link.click({ timeout: patience });
}

/** How many questions the last answer holds, settled ones included. */
export function questionCount({ chat }: Workbench): Promise<number> {
	return chat.lastResponse().locator("a").filter({ hasText: "Allow Once", visible: true }).count();
}

/** The text of the last answer with the blanks of its layout folded. */
export async function lastAnswer({ chat }: Workbench): Promise<string> {
	return (await chat.lastText()).replaceAll("\u00a0", " ");
}

/** The panel with a sampling request. */
export function reviewPanel({ webview }: Workbench): Promise<FrameLocator> {
	return webview.document(/asks for a completion/);
}

/** What a model was told in a request about the calls that it made last. */
export function toolResults({ body }: RecordedRequest): readonly string[] {
	const lastAnswer = body.messages.findLastIndex(({ role }) => role === "assistant");
	return body.messages
		.slice(lastAnswer + 1)
		.filter(({ role }) => role === "tool")
		.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

/** Waits until a server has received a message of this method for the n-th time (counted from 0), and returns it. */
export function receivedMessage(story: ChatStory, server: string, method: string, index = 0): Promise<JsonObject> {
	return waitForValue(`${method} number ${index} at ${server}`, () =>
		Promise.resolve(story.received(server, method)[index]),
	);
}

function logFile(folder: string, server: string): string {
	return path.join(folder, `${server}.log`);
}
