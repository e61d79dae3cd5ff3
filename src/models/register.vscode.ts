import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import type { Secrets } from "../base/storage.ts";
import { ApiKeys } from "./apiKeys.ts";
import { ConfiguredModels, type Observed } from "./directory.ts";
import { AllModels } from "./editorModels.vscode.ts";
import { listModels } from "./listModels.ts";
import { readModelsSetting, registerManageModels } from "./manage.vscode.ts";
import type { ModelDirectory } from "./model.ts";
import { registerProvider } from "./provider.vscode.ts";

/** What the models need of the rest of the extension. */
export interface ModelServices {
	readonly secrets: Secrets;
	readonly log: Log;
	/** Whether the demo server runs, so that its scripted model is offered. */
	readonly demoOffered: Observed<boolean>;
}

/** The models of this window, until disposed. */
export interface RegisteredModels extends Disposable {
	/** Our own models, then those of the editor. */
	readonly directory: ModelDirectory;
}

/** Offers the configured models to the host and to the editor, and registers Manage Models. Loads no model library. */
export function registerModels({ secrets, log, demoOffered }: ModelServices): RegisteredModels {
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
	const directory = store.add(new ConfiguredModels({ setting, keys, demoOffered, list: listModels, log }));
	const all = store.add(new AllModels(directory, log));
	store.add(registerManageModels(directory, keys));
	// Before `start`, so that the editor hears of the models as they come.
	store.add(registerProvider(directory));
	void directory.start();
	return { directory: all, dispose: () => store.dispose() };
}
