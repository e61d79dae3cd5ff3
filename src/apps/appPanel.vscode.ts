import * as vscode from "vscode";
import { panelIcon } from "../questions/webview/panel.vscode.ts";
import { type AppHome, type AppPageServices, fillWithApp, optionsOf, titleOf } from "./appHome.vscode.ts";
import { lostAppPage } from "./lostApp.ts";
import type { OpenApp } from "./openApp.ts";

const viewType = "mcpHost.app";

/** Has the editor keep the editors of apps over a reload of the window, each with a page that says why the app is gone. */
export function keepAppPanels({ extensionUri, language }: AppPageServices): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(viewType, {
		async deserializeWebviewPanel({ webview, title }) {
			const media = vscode.Uri.joinPath(extensionUri, "media");
			// Only our own text stands there.
			webview.options = { enableCommandUris: ["mcpHost.runTool"], localResourceRoots: [media] };
			webview.html = lostAppPage({
				title,
				language,
				styles: ["base.css", "controls.css", "app.css"].map((name) =>
					webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString(),
				),
				cspSource: webview.cspSource,
			});
		},
	});
}

/** Shows an app in an editor, without the focus. */
export function openAppPanel(app: OpenApp, column: vscode.ViewColumn, services: AppPageServices): AppHome {
	const { extensionUri } = services;
	const panel = vscode.window.createWebviewPanel(
		viewType,
		titleOf(app),
		{ viewColumn: column, preserveFocus: true },
		// What a person did in an app is in its frame alone.
		{ ...optionsOf(extensionUri), retainContextWhenHidden: true },
	);
	panel.iconPath = panelIcon(extensionUri);
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
