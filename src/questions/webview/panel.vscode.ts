import * as vscode from "vscode";
import { isInputOpen } from "../../base/openInputs.ts";
import type { MessagePort } from "../../base/rpc.ts";
import { type WebviewPage, webviewHtml } from "./html.ts";

/** The content of a webview. */
export interface PageOptions {
	/** The folder of the extension, from which the scripts and styles are loaded. */
	readonly extensionUri: vscode.Uri;
	/** The view to show: the folder under `media/` whose `main.ts` is its script. */
	readonly view: string;
	/** The title of the editor tab, in our words; a server's text in it must have passed `oneLine`. */
	readonly title: string;
	/** The view's own style sheet in `media/`, beside those of every panel. */
	readonly style?: string;
	/** Whether the view shows images, which reach it as `data:` URLs only. */
	readonly showsImages?: boolean;
	/** Whether the view plays recordings, which reach it as `data:` URLs only. */
	readonly playsAudio?: boolean;
	/** The page around the view's script, where that of every view does not do. */
	readonly page?: (parts: WebviewPage) => string;
}

/** How a panel opens. */
export interface PanelOptions extends PageOptions {
	/** The active one by default. */
	readonly column?: vscode.ViewColumn;
	/** True unless the user asked for the panel: nothing takes the focus on its own (UI-11). */
	readonly preserveFocus?: boolean;
}

/** An open webview editor. Its state lives in the host: the view asks for it whenever it is loaded or shown again. */
export interface Panel extends vscode.Disposable {
	readonly port: MessagePort;
	/** Whether it is the active editor, so that the user may be typing in it. */
	readonly isActive: boolean;
	/** Fires once when the panel closes, whether by the user or by `dispose`. */
	readonly onDidClose: vscode.Event<void>;
	/** Whether it has ever been the active editor. */
	readonly wasActive: boolean;
	/**
	 * Brings the panel to the front, under another title or in another column if one is given, with the focus unless an input
	 * box is open.
	 */
	reveal(to?: { readonly title?: string; readonly column?: vscode.ViewColumn }): void;
}

/** Opens a webview editor on a view of `media/`. Nothing but our own script and styles can run or load in it (UI-05). */
export function openPanel(options: PanelOptions): Panel {
	const { view, title, column = vscode.ViewColumn.Active, preserveFocus = false } = options;
	const { scripts, styles } = foldersOf(options);
	const panel = vscode.window.createWebviewPanel(
		`mcpHost.${view}`,
		title,
		// A user who types into an input box is not interrupted, even if they requested this panel before.
		{ viewColumn: column, preserveFocus: preserveFocus || isInputOpen() },
		{
			enableScripts: true,
			enableForms: false,
			enableCommandUris: false,
			enableFindWidget: true,
			localResourceRoots: [scripts, styles],
		},
	);
	panel.iconPath = panelIcon(options.extensionUri);
	const { webview } = panel;
	webview.html = pageOf(webview, options);
	let wasActive = panel.active;
	panel.onDidChangeViewState(() => (wasActive ||= panel.active));
	return {
		get isActive() {
			return panel.active;
		},
		port: portOf(webview),
		onDidClose: panel.onDidDispose,
		get wasActive() {
			return wasActive;
		},
		reveal: ({ title: renamed, column: other } = {}) => {
			if (renamed !== undefined) panel.title = renamed;
			panel.reveal(other, isInputOpen());
		},
		dispose: () => panel.dispose(),
	};
}

/** The icon of our tabs: it is drawn unchanged; only the activity bar's takes the theme's colour. */
export function panelIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
	return {
		light: vscode.Uri.joinPath(extensionUri, "media", "panel-light.svg"),
		dark: vscode.Uri.joinPath(extensionUri, "media", "panel-dark.svg"),
	};
}

/**
 * Makes a webview of VS Code's side bars or panels show a view of `media/`, under the same bounds, and communicates
 * with it.
 */
export function fillView({ webview }: vscode.WebviewView, options: PageOptions): MessagePort {
	const { scripts, styles } = foldersOf(options);
	webview.options = {
		enableScripts: true,
		enableForms: false,
		enableCommandUris: false,
		localResourceRoots: [scripts, styles],
	};
	webview.html = pageOf(webview, options);
	return portOf(webview);
}

function foldersOf({ extensionUri }: PageOptions): { readonly scripts: vscode.Uri; readonly styles: vscode.Uri } {
	return {
		scripts: vscode.Uri.joinPath(extensionUri, "dist", "media"),
		styles: vscode.Uri.joinPath(extensionUri, "media"),
	};
}

function pageOf(webview: vscode.Webview, options: PageOptions): string {
	const { view, style, title, showsImages = false, playsAudio = false, page = webviewHtml } = options;
	const { scripts, styles } = foldersOf(options);
	return page({
		cspSource: webview.cspSource,
		script: webview.asWebviewUri(vscode.Uri.joinPath(scripts, `${view}.js`)).toString(),
		styles: ["base.css", "controls.css", ...(style === undefined ? [] : [style])].map((name) =>
			webview.asWebviewUri(vscode.Uri.joinPath(styles, name)).toString(),
		),
		title,
		language: vscode.env.language,
		showsImages,
		playsAudio,
	});
}

function portOf(webview: vscode.Webview): MessagePort {
	return {
		send: (message) => void webview.postMessage(message),
		listen: (listener) => webview.onDidReceiveMessage(listener),
	};
}
