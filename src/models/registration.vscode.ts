import * as vscode from "vscode";
import type { Lazy } from "../base/lazy.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { vendor } from "./model.ts";

/** Registers our models for VS Code, which has them as soon as they are loaded. */
export function registerModels(wired: Lazy<{ readonly models: vscode.LanguageModelChatProvider }>): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<void>());
	store.add(
		wired.onDidMake(({ models }) => {
			const subscription = models.onDidChangeLanguageModelChatInformation?.(() => changed.fire());
			if (subscription !== undefined) store.add(subscription);
		}),
	);
	const models = async (): Promise<vscode.LanguageModelChatProvider> => (await wired.get()).models;
	const provider: vscode.LanguageModelChatProvider = {
		onDidChangeLanguageModelChatInformation: changed.event,
		provideLanguageModelChatInformation: async (...request) =>
			(await models()).provideLanguageModelChatInformation(...request),
		provideLanguageModelChatResponse: async (...request) =>
			(await models()).provideLanguageModelChatResponse(...request),
		provideTokenCount: async (...request) => (await models()).provideTokenCount(...request),
	};
	store.add(vscode.lm.registerLanguageModelChatProvider(vendor, provider));
	return store;
}
