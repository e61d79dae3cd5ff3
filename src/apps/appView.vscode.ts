import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { type AppHome, type AppPageServices, fillWithApp, optionsOf, titleOf } from "./appHome.vscode.ts";
import type { OpenApp } from "./openApp.ts";

const viewId = "mcpHost.app";

/** The view of the secondary side bar, which is there while it shows an app. It shows one at a time. */
export class AppView implements vscode.Disposable {
	private readonly services: AppPageServices;
	private readonly registration: vscode.Disposable;
	private view: vscode.WebviewView | undefined;
	private shown: { readonly app: OpenApp; readonly closed: vscode.EventEmitter<void> } | undefined;
	private filled: Disposable | undefined;

	constructor(services: AppPageServices) {
		this.services = services;
		this.registration = vscode.window.registerWebviewViewProvider(
			viewId,
			{ resolveWebviewView: (view) => this.resolve(view) },
			{ webviewOptions: { retainContextWhenHidden: true } },
		);
	}

	/** Shows an app, without the focus. Who showed another one there finds that it is not shown any more. */
	show(app: OpenApp): AppHome {
		const shown = { app, closed: new vscode.EventEmitter<void>() };
		this.shown = shown;
		const reveal = (preserveFocus: boolean): void =>
			void vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus });
		void vscode.commands.executeCommand("setContext", "mcpHost.hasAppInSideBar", true).then(() => reveal(true));
		this.fill();
		return {
			isActive: false,
			onDidClose: shown.closed.event,
			reveal,
			dispose: () => {
				if (this.shown === shown) this.leave();
			},
		};
	}

	dispose(): void {
		this.leave();
		this.registration.dispose();
	}

	private resolve(view: vscode.WebviewView): void {
		this.view = view;
		view.webview.options = optionsOf(this.services.extensionUri);
		view.onDidDispose(() => {
			if (this.view === view) this.leave();
		});
		this.fill();
	}

	private fill(): void {
		if (this.view === undefined || this.shown === undefined) return;
		this.filled?.dispose();
		this.view.title = titleOf(this.shown.app);
		this.filled = fillWithApp(this.view.webview, this.shown.app, this.services);
	}

	/** Shows nothing any more: the view goes, and the next app gets a new one. */
	private leave(): void {
		this.filled?.dispose();
		this.view = this.filled = undefined;
		const { shown } = this;
		if (shown === undefined) return;
		this.shown = undefined;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasAppInSideBar", false);
		shown.closed.fire();
	}
}
