import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { ToolLimit } from "./toolCosts.ts";
import { defaultToolTokens } from "./toolLimits.ts";

/** The setting `mcpHost.chat.toolTokens`, until it is disposed. */
export function toolLimit(): ToolLimit & Disposable {
	const store = new DisposableStore();
	const changed = store.add(new Emitter<void>());
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration("mcpHost.chat.toolTokens")) changed.fire();
		}),
	);
	return {
		get current() {
			return vscode.workspace.getConfiguration("mcpHost.chat").get("toolTokens", defaultToolTokens);
		},
		onDidChange: changed.event,
		dispose: () => store.dispose(),
	};
}
