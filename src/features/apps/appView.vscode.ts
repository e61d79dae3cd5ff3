import * as vscode from "vscode";
import type { Disposable } from "../../base/lifecycle.ts";
import { type AppHome, type AppPageServices, fillWithApp, fillWithLost, optionsOf, titleOf } from "./appHome.vscode.ts";
import type { LostAppParts } from "./lostApp.ts";
import type { OpenApp } from "./openApp.ts";

const viewId = "mcpHost.app";

/** The content of the view. */
interface Shown {
	readonly title: string;
	readonly fill: (webview: vscode.Webview) => Disposable | undefined;
	readonly closed: vscode.EventEmitter<void>;
	/** Closes to make room for the next content. */
	readonly isWaiting?: boolean;
}

/** The view of the secondary side bar, which is there while it shows an app. It shows one at a time. */
export class AppView implements vscode.Disposable {
	private readonly services: AppPageServices;
	private readonly registration: vscode.Disposable;
	private readonly visible = new vscode.EventEmitter<boolean>();
	private view: vscode.WebviewView | undefined;
	private shown: Shown | undefined;
	private filled: Disposable | undefined;
	/** The side bar shows the view, or hides it. */
	readonly onDidChangeVisibility: vscode.Event<boolean> = this.visible.event;

	constructor(services: AppPageServices) {
		this.services = services;
		this.registration = vscode.window.registerWebviewViewProvider(
			viewId,
			{ resolveWebviewView: (view) => this.resolve(view) },
			{ webviewOptions: { retainContextWhenHidden: true } },
		);
	}

	/**
	 * Shows an app, without the focus; the side bar opens for it unless that is not wanted. Who showed another one there finds that
	 * it is not shown any more.
	 */
	show(app: OpenApp, isOpening = true): AppHome {
		const fill = (webview: vscode.Webview): Disposable => {
			webview.options = optionsOf(this.services.extensionUri);
			return fillWithApp(webview, app, this.services);
		};
		return this.put({ title: titleOf(app), fill, closed: new vscode.EventEmitter<void>() }, isOpening);
	}

	/** Shows the reason in place of an app that is not shown. */
	say(title: string, state: LostAppParts["state"], isOpening: boolean): AppHome {
		const fill = (webview: vscode.Webview): undefined => {
			fillWithLost(webview, title, state, this.services);
		};
		return this.put({ title, fill, closed: new vscode.EventEmitter<void>(), isWaiting: true }, isOpening);
	}

	/** Shows nothing any more: the view goes, and the next app gets a new one. */
	close(): void {
		this.filled?.dispose();
		this.view = this.filled = undefined;
		const { shown } = this;
		if (shown === undefined) return;
		this.shown = undefined;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasAppInSideBar", false);
		shown.closed.fire();
	}

	dispose(): void {
		this.close();
		this.registration.dispose();
	}

	private put(shown: Shown, isOpening: boolean): AppHome {
		const before = this.shown;
		this.shown = shown;
		if (before?.isWaiting === true) before.closed.fire();
		const reveal = (preserveFocus: boolean): void =>
			void vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus });
		const isThere = vscode.commands.executeCommand("setContext", "mcpHost.hasAppInSideBar", true);
		if (isOpening) void isThere.then(() => reveal(true));
		this.fill();
		return {
			isActive: false,
			onDidClose: shown.closed.event,
			reveal,
			dispose: () => {
				if (this.shown === shown) this.close();
			},
		};
	}

	private resolve(view: vscode.WebviewView): void {
		this.view = view;
		view.onDidDispose(() => {
			if (this.view === view) this.close();
		});
		view.onDidChangeVisibility(() => {
			if (this.view === view) this.visible.fire(view.visible);
		});
		this.visible.fire(view.visible);
		this.fill();
	}

	private fill(): void {
		if (this.view === undefined || this.shown === undefined) return;
		this.filled?.dispose();
		this.view.title = this.shown.title;
		this.filled = this.shown.fill(this.view.webview);
	}
}
