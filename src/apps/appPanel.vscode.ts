import * as vscode from "vscode";
import { type AppHome, type AppPageServices, fillWithApp, optionsOf, titleOf } from "./appHome.vscode.ts";
import type { OpenApp } from "./openApp.ts";

/** Shows an app in an editor, without the focus. */
export function openAppPanel(app: OpenApp, column: vscode.ViewColumn, services: AppPageServices): AppHome {
	const { extensionUri } = services;
	const panel = vscode.window.createWebviewPanel(
		"mcpHost.app",
		titleOf(app),
		{ viewColumn: column, preserveFocus: true },
		// What a person did in an app is in its frame alone.
		{ ...optionsOf(extensionUri), retainContextWhenHidden: true },
	);
	panel.iconPath = {
		light: vscode.Uri.joinPath(extensionUri, "media", "panel-light.svg"),
		dark: vscode.Uri.joinPath(extensionUri, "media", "panel-dark.svg"),
	};
	const filled = fillWithApp(panel.webview, app, services);
	panel.onDidDispose(() => filled.dispose());
	return {
		get isActive() {
			return panel.active;
		},
		onDidClose: panel.onDidDispose,
		reveal: (preserveFocus) => panel.reveal(undefined, preserveFocus),
		dispose: () => panel.dispose(),
	};
}
