import * as vscode from "vscode";
import type { AddedContext } from "./addedContext.ts";
import { aroundPage } from "./appDocument.ts";
import { connectApp } from "./appPort.ts";
import { type AppServices, type AppSource, OpenApp } from "./openApp.ts";

/** Where the panel of an app opens. */
export interface AppPlace {
	readonly extensionUri: vscode.Uri;
	readonly column: vscode.ViewColumn;
}

/** An app in an editor. Its name and its server stand in the title of the tab, where no page of a server can write. */
export class AppPanel implements vscode.Disposable {
	readonly onDidClose: vscode.Event<void>;
	private readonly panel: vscode.WebviewPanel;
	private readonly app: OpenApp;

	constructor(source: AppSource, services: AppServices, { extensionUri, column }: AppPlace) {
		const scripts = vscode.Uri.joinPath(extensionUri, "dist", "media");
		const styles = vscode.Uri.joinPath(extensionUri, "media");
		this.app = new OpenApp(source, services, () => this.panel.reveal(undefined, false));
		this.panel = vscode.window.createWebviewPanel(
			"mcpHost.app",
			`${this.app.name} · ${this.app.server}`,
			{ viewColumn: column, preserveFocus: true },
			{
				enableScripts: true,
				// The app's own forms, in whose events it may see what was typed; where a form leads is stopped by the policy.
				enableForms: true,
				enableCommandUris: false,
				localResourceRoots: [scripts, styles],
				// What a person did in an app is in its frame alone.
				retainContextWhenHidden: true,
			},
		);
		const { panel, app } = this;
		const { webview } = panel;
		panel.iconPath = {
			light: vscode.Uri.joinPath(styles, "panel-light.svg"),
			dark: vscode.Uri.joinPath(styles, "panel-dark.svg"),
		};
		const draw = (): void => {
			webview.html = aroundPage({
				domains: app.domains,
				cspSource: webview.cspSource,
				script: webview.asWebviewUri(vscode.Uri.joinPath(scripts, "app.js")).toString(),
				styles: ["base.css", "controls.css", "app.css"].map((name) =>
					webview.asWebviewUri(vscode.Uri.joinPath(styles, name)).toString(),
				),
				title: `${app.name} · ${app.server}`,
				language: services.language,
			});
		};
		const connection = connectApp(
			{
				send: (message) => void webview.postMessage(message),
				listen: (listener) => webview.onDidReceiveMessage(listener),
			},
			app,
		);
		app.onDidChangeDomains(draw);
		this.onDidClose = panel.onDidDispose;
		panel.onDidDispose(() => {
			connection.dispose();
			app.dispose();
		});
		draw();
		void app.open();
	}

	get isActive(): boolean {
		return this.panel.active;
	}

	/** Brings it to the front, without the focus. */
	reveal(): void {
		this.panel.reveal(undefined, true);
	}

	/** Gives what the app adds to the next message of the person, once. */
	takeAdded(): AddedContext | undefined {
		return this.app.takeAdded();
	}

	/** Loads the app anew, after it has let go. */
	reload(): Promise<void> {
		return this.app.open();
	}

	/** Shows or hides what is known of it. */
	toggleDetails(): void {
		this.app.toggleDetails();
	}

	/** Closes it after the app was told, which the cross of its tab cannot wait for. */
	async close(): Promise<void> {
		await this.app.close();
		this.panel.dispose();
	}

	dispose(): void {
		this.panel.dispose();
	}
}
