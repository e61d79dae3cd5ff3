import * as vscode from "vscode";
import type { Command, Commands } from "../base/commands.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import type { Secrets } from "../base/storage.ts";
import { ApiKeys } from "./apiKeys.ts";
import { ConfiguredModels, type Observed } from "./directory.ts";
import { AllModels } from "./editorModels.vscode.ts";
import { listModels } from "./listModels.ts";
import { manageModels, readModelsSetting } from "./manage.vscode.ts";
import { vendor, type ModelDirectory } from "./model.ts";
import { ModelProvider } from "./provider.vscode.ts";

/** What the models need of the rest of the extension. */
export interface ModelServices {
	readonly secrets: Secrets;
	readonly log: Log;
	/** Whether the demo server runs, so that its scripted model is offered. */
	readonly demoOffered: Observed<boolean>;
}

/** The models of this window, until disposed. */
export interface ModelRoom extends Disposable {
	/** Our own models, then those of the editor. */
	readonly directory: ModelDirectory;
	/** Answers for our own models, behind the door that the editor knows (doors.vscode.ts). */
	readonly provider: ModelProvider;
	readonly commands: Commands<"mcpHost.manageModels">;
}

/** Makes the configured models, for the host and for the editor, and Manage Models. Loads no model library. */
export function modelRoom({ secrets, log, demoOffered }: ModelServices): ModelRoom {
	const store = new DisposableStore();
	const keys = new ApiKeys(secrets);
	const setting: Observed<unknown> = {
		get value() {
			return readModelsSetting();
		},
		onDidChange: (listener) =>
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration("mcpHost.models")) listener(undefined);
			}),
	};
	const own = store.add(new ConfiguredModels({ setting, keys, demoOffered, list: listModels, log }));
	const directory = store.add(new AllModels(own, log));
	const provider = new ModelProvider(own);
	// The editor selects a contributed model only after somebody has resolved it (editor-harness.md 5).
	const resolve = (): void => void vscode.lm.selectChatModels({ vendor });
	store.add(own.onDidChange(resolve));
	resolve();
	void own.start();
	const manage: Command = () => manageModels(own, keys);
	return { directory, provider, commands: { "mcpHost.manageModels": manage }, dispose: () => store.dispose() };
}
