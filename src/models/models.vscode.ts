import * as vscode from "vscode";
import { setTimeout as wait } from "node:timers/promises";
import type { ActivityNotes } from "../records/activity/journal/entry.ts";
import type { Commands } from "../base/commands.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { warnOfSetting } from "../base/notices.vscode.ts";
import { parseEndpoints } from "./parseEndpoints.ts";
import { commandsOf, askModal, showInformation } from "../base/notify.vscode.ts";
import type { KeyValue, Secrets } from "../base/storage.ts";
import { addEndpoint } from "./addEndpoint.vscode.ts";
import { ApiKeys } from "./apiKeys.ts";
import { detectModels } from "./detect.vscode.ts";
import { ConfiguredModels, type Observed } from "./directory.ts";
import { resolveEditorModel, AllModels } from "./editor.vscode.ts";
import { noteEndpoints } from "./endpointNotes.ts";
import { listModels } from "./listModels.ts";
import { giveContextCommand, createWithContext, lengthsFor, nameWithContext } from "./longerContext.ts";
import { manageModels } from "./manage.vscode.ts";
import type { ChatModel, ModelDirectory } from "./model.ts";
import { explainNoModel, type NoModel } from "./noModel.ts";
import { machineNote } from "./remoteMachine.ts";
import { PickerChoice } from "./pickerChoice.vscode.ts";
import { ModelProvider } from "./provider.vscode.ts";
import type { SchemaRefusals } from "./schemaRefusals.ts";
import { modelsSetting, openModelsSetting, readModelsSetting } from "./settings.vscode.ts";
import { oneLine } from "../base/text.ts";
import { endpointLabel } from "./endpoints.ts";

/** The dependencies of the models on the rest of the extension. */
export interface ModelServices {
	readonly secrets: Secrets;
	/** The memory for the user. */
	readonly state: KeyValue;
	/** The memory for the workspace. */
	readonly workspaceState: KeyValue;
	readonly notes: ActivityNotes;
	readonly log: Log;
	/** The scripted model of the demo server. */
	readonly demoModel: ChatModel;
	/** Whether the demo server runs, so that its model is offered. */
	readonly demoOffered: Observed<boolean>;
	/** See `ManageModels`. */
	readonly settingProblems: () => readonly string[];
}

/**
 * Finds the model behind one of VS Code's picker, or why there is none, once the endpoints have answered. Never
 * rejects.
 */
export type ResolveModel = (chat: vscode.LanguageModelChat) => Promise<ChatModel | NoModel>;

/** The models of this window, until disposed. */
export interface WiredModels extends Disposable {
	/** Our own models, then those of VS Code. */
	readonly directory: ModelDirectory;
	/** Answers VS Code for our own models. */
	readonly provider: ModelProvider;
	/** The model for a message of `@mcp`, or why there is none. */
	readonly resolve: ResolveModel;
	/** The keywords in tools' definitions that models refused. */
	readonly refusals: SchemaRefusals;
	/** Makes VS Code's picker use our current models; ends after some seconds in any case. Never rejects. */
	readonly refreshPicker: () => Promise<void>;
	readonly commands: Commands<
		"mcpHost.manageModels" | "mcpHost.addModelEndpoint" | "mcpHost.detectModels" | typeof giveContextCommand
	>;
}

/** How long VS Code waits for the first answers of the endpoints before it gets an empty list. */
const firstAnswersMs = 2000;

/** How long the picker is waited for, in milliseconds; longer than any working editor takes. */
const longestRefreshMs = 5000;

/** Creates the configured models, for the host and for VS Code, and Manage Models. Loads no model library. */
export function wireModels({
	secrets,
	state,
	workspaceState,
	notes,
	log,
	demoModel,
	demoOffered,
	settingProblems,
}: ModelServices): WiredModels {
	const store = new DisposableStore();
	const keys = new ApiKeys(secrets);
	const setting: Observed<unknown> = {
		get value() {
			return readModelsSetting();
		},
		onDidChange: (listener) =>
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration(modelsSetting)) listener(undefined);
			}),
	};
	store.add(noteEndpoints(setting, notes));
	const problemsNow = (): readonly string[] => parseEndpoints(readModelsSetting()).problems;
	// A fault in the setting keeps a model away that the user has asked for, and nothing else would show it.
	const report = (problems: readonly string[]): void =>
		void warnOfSetting(modelsSetting, problems, problemsNow, () => openModelsSetting());
	const note = (address: string): string => machineNote(address, vscode.env.remoteName);
	const services = { setting, keys, demoModel, demoOffered, list: listModels, log, report, note };
	const own = store.add(new ConfiguredModels(services));
	const directory = store.add(new AllModels(own, log));
	// A step of the walkthrough is done when an endpoint of the user's offers a model, not when a list of endpoints was opened.
	const noteOwn = (): void => {
		const hasOwn = own.statuses.some(({ modelCount }) => modelCount > 0);
		void vscode.commands.executeCommand("setContext", "mcpHost.hasOwnModel", hasOwn);
	};
	store.add(own.onDidChange(noteOwn));
	noteOwn();
	void own.start();
	const settled = async (): Promise<void> => {
		await Promise.race([own.settled(), wait(firstAnswersMs, undefined, { ref: false })]);
	};
	let isStarting = true;
	void settled().then(() => (isStarting = false));
	const picker = new PickerChoice(state, workspaceState, settled, log);
	const provider = new ModelProvider({
		own,
		all: directory,
		get isStarting() {
			return isStarting;
		},
		settled,
		get kept() {
			return picker.kept;
		},
		noteOffer: (ids) => picker.noteOffer(ids),
	});
	store.add(directory.onDidChange(() => void picker.update()));
	void picker.update();
	const add = async (): Promise<void> => addEndpoint(own, keys);
	const detect = async (): Promise<void> => detectModels(own, add);
	return {
		directory,
		provider,
		refusals: own.refusals,
		resolve: async (chat) => {
			picker.noteUse(chat);
			await settled();
			const model = resolveEditorModel(chat, directory);
			if (model !== undefined) return model;
			// A chat that was opened since may show a removed one.
			await picker.update();
			return explainNoModel(own, directory);
		},
		refreshPicker: async () => Promise.race([picker.update(), wait(longestRefreshMs, undefined, { ref: false })]),
		commands: commandsOf({
			"mcpHost.manageModels": async () => manageModels({ directory: own, keys, add, detect, settingProblems }),
			"mcpHost.addModelEndpoint": add,
			"mcpHost.detectModels": detect,
			[giveContextCommand]: async (id) => giveContext(id, own, keys),
		}),
		dispose: () => store.dispose(),
	};
}

/**
 * Makes Ollama create a copy of a model with a context of the length that the user chooses, after they saw exactly what
 * is made. `id` may be any value. May throw.
 */
export async function giveContext(id: unknown, directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const info = directory.models.find((model) => model.info.id === id)?.info;
	const status = directory.statuses.find(({ endpoint }) => info?.id === `${endpoint.id}/${info?.name}`);
	if (info?.longerContext?.by !== "ollama" || status === undefined) {
		void showInformation("This model no longer exists, or already uses its full context.");
		return;
	}
	const { endpoint } = status;
	const { name, longerContext } = info;
	const picked = await vscode.window.showQuickPick(
		lengthsFor(info.maxInputTokens, longerContext.tokens).map((length) => ({
			label: `${length.toLocaleString("en-US")} tokens`,
			description: length === 32_768 ? "enough for the tools of some servers" : "",
			length,
		})),
		{
			ignoreFocusOut: true,
			title: "Longer Context",
			placeHolder: `Choose the context length of ${oneLine(name, 60)}. A longer context needs more memory`,
		},
	);
	if (picked === undefined) return;
	const { length } = picked;
	const question = `Create the model ${oneLine(nameWithContext(name, length), 80)}?`;
	const detail = `${endpointLabel(endpoint)} creates it from ${oneLine(name, 80)} with num_ctx ${length}. It shares the weights, but uses more memory while it runs. ${oneLine(name, 80)} is not changed.`;
	if ((await askModal(question, detail, "Create")) !== "Create") return;
	const made = await createWithContext(await keys.filled(endpoint), await keys.get(endpoint), name, length);
	await directory.refresh();
	void showInformation(`${oneLine(made, 80)} was created. Choose it in the model picker of the chat.`);
}
