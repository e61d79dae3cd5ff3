import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { exchangeIn, HostError, messageOf } from "../../base/errors.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { askModal, showFailure, showInformation, showSlowWork } from "../../base/notify.vscode.ts";
import { withPatience, type WorkControl } from "../../base/patience.ts";
import type { KeyValue } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import { discreet } from "../../questions/completion/feed.ts";
import { ValueMemory } from "../../questions/completion/recentValues.ts";
import { pickSteps } from "../../questions/completion/stepPick.vscode.ts";
import type { FormPanels } from "../../questions/form/formPanels.vscode.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { argumentForm } from "./argumentForm.ts";
import {
	checkArguments,
	missingArguments,
	type PromptArguments,
	withAll,
	withoutEmpty,
	ArgumentWizard,
	isSecretArgument,
} from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";
import { readPrompt } from "./content.ts";
import { PromptDraft } from "./draft.ts";
import { EditorFills, LastEditor } from "./editorFills.vscode.ts";
import { findPrompt, notRunning } from "./find.ts";
import { type PreparedPrompts, turnTitle } from "./prepared.ts";
import { type FilledPrompt, holdHidden } from "./preview.ts";
import { previewActions, PreviewPanel } from "./previewPanel.vscode.ts";
import { PromptPins, recentPrompts, rememberPrompt } from "./promptMemory.ts";
import { pickPrompt } from "./promptPick.vscode.ts";
import { readPromptAddress, readRunRequest, type RunRequest } from "./request.ts";

/** The dependencies of running prompts on the rest of the host. */
export interface PromptServices {
	readonly directory: SessionDirectory;
	/** Where pins, recently used prompts and values are remembered. */
	readonly state: KeyValue;
	/** Shared with the chat participant, which sends the previewed messages. */
	readonly prepared: PreparedPrompts;
	/** Asks in a form of the user's own. */
	readonly ask: FormPanels["ask"];
	readonly log: Log;
	readonly extensionUri: vscode.Uri;
}

/** The functions of running prompts for the rest of the host. */
export interface WiredPrompts extends Disposable {
	readonly commands: Commands<"mcpHost.runPrompt" | "mcpHost.pinPrompt" | "mcpHost.unpinPrompt">;
	readonly pins: PromptPins;
}

/** Makes `MCP Host: Run Prompt…`: choose, fill in, preview; from there to the chat, a document, the cursor or the clipboard. */
export function wirePrompts(services: PromptServices): WiredPrompts {
	const { directory, state, prepared, ask, log } = services;
	const store = new DisposableStore();
	const editors = store.add(new LastEditor());
	const panel = store.add(new PreviewPanel(services.extensionUri));
	const pins = store.add(new PromptPins(state));
	const asking: ArgumentServices = {
		log,
		ask,
		fills: new EditorFills(editors),
		memory: new ValueMemory(state, "mcpHost.promptValues"),
	};

	/** The prompt that was asked for, or that the user chooses. */
	const choose = async (request: RunRequest | undefined): Promise<PromptEntry | undefined> => {
		const { server, prompt } = request ?? {};
		if (prompt !== undefined) {
			const name = typeof prompt === "string" ? prompt : prompt.prompt;
			return waitFor(`Looking for ${oneLine(name, 60)}`, ({ signal }) => findPrompt(directory, prompt, signal));
		}
		const only = server === undefined ? undefined : findServer(directory, server);
		if (only !== undefined && only.state.kind !== "running" && only.state.kind !== "starting") throw notRunning(only);
		return pickPrompt({ directory, pins, recent: recentPrompts(state) }, only);
	};

	let begun = 0;
	let shown = 0;
	const preview = async (entry: PromptEntry, values: PromptArguments): Promise<void> => {
		const { prompt, session } = entry;
		const turn = ++begun;
		const result = await waitFor(turnTitle(entry), (control) => session.getPrompt(prompt.name, values, control));
		await rememberPrompt(state, entry.key);
		const messages = readPrompt(result);
		const filled: FilledPrompt = {
			run: crypto.randomUUID(),
			entry,
			values,
			description: result.description ?? prompt.description,
			hasHidden: holdHidden(messages),
			draft: new PromptDraft(messages),
		};
		// The answer to an earlier run must not replace the messages that the user now reads and edits.
		const show = "Show Preview";
		if (turn < shown && (await showInformation(`${turnTitle(entry)} is ready.`, show)) !== show) return;
		shown = turn;
		panel.show({
			filled,
			actions: previewActions(filled, prepared, editors),
			changeArguments: () => change(filled),
			openResource: async (uri) => {
				await vscode.commands.executeCommand("mcpHost.openResource", { server: session.definition.id, uri });
			},
		});
	};

	/** Asks for the arguments of a run again. The preview stays until the prompt has been run with the others. */
	const change = async ({ entry, values, draft }: FilledPrompt): Promise<void> => {
		try {
			if (draft.isChanged && !(await isGivenUp())) return;
			const changed = await pickArguments(entry, withAll(entry.prompt, values), asking);
			if (changed !== undefined) await preview(entry, changed);
		} catch (error) {
			await explain(error, entry.session.definition.id);
		}
	};

	const run = async (argument: unknown): Promise<void> => {
		let server: string | undefined;
		try {
			const request = readRunRequest(argument);
			server = request?.server;
			const entry = await choose(request);
			server = entry?.session.definition.id;
			const values = entry === undefined ? undefined : await fill(entry, request?.arguments, asking);
			if (entry !== undefined && values !== undefined) await preview(entry, values);
		} catch (error) {
			await explain(error, server);
		}
	};
	const pin = async (argument: unknown, isPinned: boolean): Promise<void> => {
		try {
			const { server, prompt } = readPromptAddress(argument);
			await pins.set(findServer(directory, server).definition.id, prompt, isPinned);
		} catch (error) {
			await explain(error, undefined);
		}
	};
	return {
		commands: {
			"mcpHost.runPrompt": run,
			"mcpHost.pinPrompt": (argument) => pin(argument, true),
			"mcpHost.unpinPrompt": (argument) => pin(argument, false),
		},
		pins,
		dispose: () => store.dispose(),
	};
}

/** The arguments as given, if they are complete, otherwise as the user enters them; undefined when they leave. */
async function fill(
	entry: PromptEntry,
	given: PromptArguments | undefined,
	asking: ArgumentServices,
): Promise<PromptArguments | undefined> {
	if (given !== undefined) checkArguments(entry.prompt, given);
	if (given !== undefined && missingArguments(entry.prompt, given).length === 0) return withoutEmpty(given);
	return pickArguments(entry, given ?? {}, asking);
}

/** Whether the user discards their changes of the messages, which those of other arguments replace. */
async function isGivenUp(): Promise<boolean> {
	const change = "Change Arguments…";
	const detail = "With other arguments, the server returns new messages. They replace the messages that you changed.";
	return (await askModal("Your changes to the messages will be lost.", detail, change)) === change;
}

/** Waits for a server; after a moment a notification says so, with its progress, and offers to cancel. */
function waitFor<T>(title: string, work: (control: WorkControl) => Promise<T>): Promise<T> {
	return withPatience(work, (slow) => showSlowWork(title, slow));
}

/** Shows a failure once, with the buttons that help. A cancellation by the user needs no message. */
async function explain(error: unknown, server: string | undefined): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	// An invalid request is shown in full; the log of a server contains no more about it.
	const isNoFault = server === undefined || HostError.is(error, "invalid");
	const remedy = isNoFault ? [] : HostError.is(error, "not-connected") ? ["Start Server"] : ["Show Log"];
	const answer = await showFailure(messageOf(error), exchangeIn(error), ...remedy);
	if (answer === "Start Server") await vscode.commands.executeCommand("mcpHost.startServer", { server });
	else if (answer === "Show Log") await vscode.commands.executeCommand("mcpHost.showLog", { server });
}

/** The dependencies of asking for arguments. */
interface ArgumentServices {
	readonly log: Log;
	readonly fills: EditorFills;
	readonly memory: ValueMemory;
	/** Asks in a form of the user's own. */
	readonly ask: FormPanels["ask"];
}

/**
 * Asks for the arguments of a prompt, step by step or, as the user likes, in a form; `given` are values known already.
 * Undefined when the user leaves.
 */
async function pickArguments(
	entry: PromptEntry,
	given: PromptArguments,
	{ log, fills, memory, ask }: ArgumentServices,
): Promise<PromptArguments | undefined> {
	const { prompt, session, key } = entry;
	const wizard = new ArgumentWizard(prompt, given);
	if (wizard.step === undefined) return {};
	const isSecret = (name: string): boolean => isSecretArgument(prompt, name);
	const complete = discreet(
		({ name, value, known }, signal) =>
			session.complete({ type: "ref/prompt", name: prompt.name }, { name, value }, known, { signal }),
		isSecret,
	);
	const recent = memory.of(key, isSecret);
	// Only for the look of one row: it is read again when it is chosen.
	void fills.lookAtClipboard().catch(() => undefined);
	return pickSteps<PromptArguments>(wizard, {
		server: session.definition.name,
		log,
		complete,
		fills,
		recent,
		form: async (entered) => {
			const form = argumentForm(entry, entered, { log, complete, fills, recent });
			const value = await ask(form.question);
			return value === undefined ? undefined : form.read(value);
		},
	});
}
