import * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { showError, showSlowWork } from "../base/notify.vscode.ts";
import { HostError, messageOf } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { withPatience, type WorkControl } from "../base/patience.ts";
import type { KeyValue } from "../base/storage.ts";
import { oneLine } from "../base/text.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { pickArguments } from "./argumentPick.vscode.ts";
import { checkArguments, missingArguments, withoutEmpty, type PromptArguments } from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";
import { readPrompt } from "./content.ts";
import { findPrompt } from "./find.ts";
import { turnTitle, type PreparedPrompts } from "./prepared.ts";
import { toPreview } from "./preview.ts";
import { LastEditor, previewActions } from "./previewActions.vscode.ts";
import { PreviewPanel } from "./previewPanel.vscode.ts";
import { pickPrompt } from "./promptPick.vscode.ts";
import { recentPrompts, rememberPrompt } from "./recents.ts";
import { readRunRequest, type RunRequest } from "./request.ts";

/** What running prompts needs of the rest of the host. */
export interface PromptServices {
	readonly directory: SessionDirectory;
	/** Where recently used prompts are remembered. */
	readonly state: KeyValue;
	/** Shared with the chat participant, which sends what was previewed. */
	readonly prepared: PreparedPrompts;
	readonly log: Log;
	readonly extensionUri: vscode.Uri;
}

/** What running prompts offers the rest of the host. */
export interface PromptRoom extends Disposable {
	readonly commands: Commands<"mcpHost.runPrompt">;
}

/** Makes `MCP Host: Run Prompt…`: choose, fill in, preview; from there to the chat, a document, the cursor or the clipboard. */
export function promptRoom(services: PromptServices): PromptRoom {
	const { directory, state, prepared, log } = services;
	const store = new DisposableStore();
	const editors = store.add(new LastEditor());
	const panel = store.add(new PreviewPanel(services.extensionUri));

	/** The prompt that was asked for, or that the person chooses. */
	const choose = (request: RunRequest | undefined): Promise<PromptEntry | undefined> =>
		request === undefined
			? pickPrompt(directory, recentPrompts(state))
			: waitFor(`Looking for ${oneLine(request.prompt, 60)}`, ({ signal }) => findPrompt(directory, request, signal));

	const preview = async (entry: PromptEntry, values: PromptArguments): Promise<void> => {
		const { prompt, session } = entry;
		const result = await waitFor(turnTitle(entry), (control) => session.getPrompt(prompt.name, values, control));
		await rememberPrompt(state, entry.key);
		const messages = readPrompt(result);
		panel.show({
			preview: toPreview(entry, values, result.description ?? prompt.description, messages),
			actions: previewActions({ entry, values, messages }, prepared, editors),
		});
	};

	const run = async (argument: unknown): Promise<void> => {
		let server: string | undefined;
		try {
			const request = readRunRequest(argument);
			server = request?.server;
			const entry = await choose(request);
			server = entry?.session.definition.id;
			const values = entry === undefined ? undefined : await fill(entry, request?.arguments, log);
			if (entry !== undefined && values !== undefined) await preview(entry, values);
		} catch (error) {
			await explain(error, server);
		}
	};
	return { commands: { "mcpHost.runPrompt": run }, dispose: () => store.dispose() };
}

/** The arguments as given, if they are complete, otherwise as the person enters them; undefined when they leave. */
async function fill(
	entry: PromptEntry,
	given: PromptArguments | undefined,
	log: Log,
): Promise<PromptArguments | undefined> {
	if (given !== undefined) checkArguments(entry.prompt, given);
	if (given !== undefined && missingArguments(entry.prompt, given).length === 0) return withoutEmpty(given);
	return pickArguments(entry, given ?? {}, log);
}

/** Waits for a server; after a moment a notification says so, with its progress, and offers to cancel. */
function waitFor<T>(title: string, work: (control: WorkControl) => Promise<T>): Promise<T> {
	return withPatience(work, (slow) => showSlowWork(title, slow));
}

/** Tells a failure once, with the button that helps. What the person cancelled needs no message. */
async function explain(error: unknown, server: string | undefined): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	const remedy = server === undefined ? [] : HostError.is(error, "not-connected") ? ["Start Server"] : ["Show Log"];
	const answer = await showError(messageOf(error), ...remedy);
	if (answer === "Start Server") await vscode.commands.executeCommand("mcpHost.startServer", { server });
	else if (answer === "Show Log") await vscode.commands.executeCommand("mcpHost.showLog", { server });
}
