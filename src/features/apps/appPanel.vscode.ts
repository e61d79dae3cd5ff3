import * as vscode from "vscode";
import { panelIcon } from "../../questions/webview/panel.vscode.ts";
import { type AppHome, type AppPageServices, fillWithApp, fillWithLost, optionsOf, titleOf } from "./appHome.vscode.ts";
import type { KeptApp } from "./keptApps.ts";
import type { OpenApp } from "./openApp.ts";

const viewType = "mcpHost.app";

/**
 * Makes VS Code keep the editors of apps over a reload of the window. `take` returns the stored data of an app, by the
 * title of its editor and the state of its page, and `restore` shows it there, once that is possible: until then, or
 * for good, a page shows why it is missing.
 */
export function keepAppPanels(
	services: AppPageServices,
	take: (title: string, id: unknown) => KeptApp | undefined,
	restore: (kept: KeptApp, panel: vscode.WebviewPanel) => Promise<boolean>,
): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(viewType, {
		async deserializeWebviewPanel(panel, id: unknown) {
			const kept = take(panel.title, id);
			if (kept === undefined) return fillWithLost(panel.webview, panel.title, "gone", services);
			fillWithLost(panel.webview, panel.title, "waiting", services);
			// Not awaited: VS Code gives a panel little time to be restored, and a server may take long to start.
			void bringBack(kept, panel);
		},
	});
	async function bringBack(kept: KeptApp, panel: vscode.WebviewPanel): Promise<void> {
		if (!(await restore(kept, panel))) fillWithLost(panel.webview, panel.title, "gone", services);
	}
}

/** Shows an app in an editor, without the focus. */
export function openAppPanel(app: OpenApp, column: vscode.ViewColumn, services: AppPageServices): AppHome {
	const { extensionUri } = services;
	const panel = vscode.window.createWebviewPanel(
		viewType,
		titleOf(app),
		{ viewColumn: column, preserveFocus: true },
		// The user's work in an app is only in its frame.
		{ ...optionsOf(extensionUri), retainContextWhenHidden: true },
	);
	return fillPanel(panel, app, services);
}

/** Shows an app in an editor that the window had before it was reloaded. */
export function showInPanel(panel: vscode.WebviewPanel, app: OpenApp, services: AppPageServices): AppHome {
	panel.webview.options = optionsOf(services.extensionUri);
	return fillPanel(panel, app, services);
}

function fillPanel(panel: vscode.WebviewPanel, app: OpenApp, services: AppPageServices): AppHome {
	panel.iconPath = panelIcon(services.extensionUri);
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
