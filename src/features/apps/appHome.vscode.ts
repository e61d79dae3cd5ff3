import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { aroundPage } from "./appDocument.ts";
import { connectApp } from "./appPort.ts";
import { lostAppPage, type LostAppParts } from "./lostApp.ts";
import type { OpenApp } from "./openApp.ts";

/** Where an app is shown. Its name and its server are in the title, where no page of a server can write. */
export interface AppHome extends vscode.Disposable {
	/** Whether it is the active editor. */
	readonly isActive: boolean;
	/** The app is not shown there any more: the user closed it, or it was disposed. */
	readonly onDidClose: vscode.Event<void>;
	/** Brings it to the front. */
	reveal(preserveFocus: boolean): void;
}

/** The parts of an app's webview. */
export interface AppPageServices {
	readonly extensionUri: vscode.Uri;
	/** The display language, such as `en`. */
	readonly language: string;
}

/** How an app is called in a title. */
export function titleOf({ name, server }: OpenApp): string {
	return `${name} · ${server}`;
}

/** The permissions of an app's webview. */
export function optionsOf(extensionUri: vscode.Uri): vscode.WebviewOptions {
	return {
		enableScripts: true,
		// The app's own forms, in whose events it may see what was typed; where a form leads is stopped by the policy.
		enableForms: true,
		enableCommandUris: false,
		localResourceRoots: [
			vscode.Uri.joinPath(extensionUri, "dist", "media"),
			vscode.Uri.joinPath(extensionUri, "media"),
		],
	};
}

/** Shows an app in a webview that has the options for it, until it is disposed. */
export function fillWithApp(
	webview: vscode.Webview,
	app: OpenApp,
	{ extensionUri, language }: AppPageServices,
): Disposable {
	const store = new DisposableStore();
	const address = (...path: readonly string[]): string =>
		webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
	const draw = (): void => {
		webview.html = aroundPage({
			domains: app.domains,
			cspSource: webview.cspSource,
			script: address("dist", "media", "app.js"),
			styles: ["base.css", "controls.css", "app.css"].map((name) => address("media", name)),
			title: titleOf(app),
			language,
		});
	};
	store.add(
		connectApp(
			{
				send: (message) => void webview.postMessage(message),
				listen: (listener) => webview.onDidReceiveMessage(listener),
			},
			app,
			draw,
		),
	);
	draw();
	return store;
}

/** Shows in a webview why an app is not there: not yet, or not any more. */
export function fillWithLost(
	webview: vscode.Webview,
	title: string,
	state: LostAppParts["state"],
	{ language }: Pick<AppPageServices, "language">,
): void {
	// Only our own text is shown there.
	webview.options = { enableCommandUris: ["mcpHost.runTool"], localResourceRoots: [] };
	webview.html = lostAppPage({ title, language, state });
}
