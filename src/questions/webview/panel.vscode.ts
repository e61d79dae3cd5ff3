import * as vscode from "vscode";
import { isInputOpen } from "../../base/openInputs.ts";
import type { MessagePort } from "../../base/rpc.ts";
import { webviewHtml } from "./html.ts";

/** How a panel opens. */
export interface PanelOptions {
	/** The folder of the extension, from which the scripts and styles are loaded. */
	readonly extensionUri: vscode.Uri;
	/** The view to show: the folder under `media/` whose `main.ts` is its script. */
	readonly view: string;
	/** The title of the editor tab, in our words; a server's text in it must have passed `oneLine`. */
	readonly title: string;
	readonly column: vscode.ViewColumn;
	/** True unless the person asked for the panel: nothing takes the focus on its own (UI-11). */
	readonly preserveFocus: boolean;
	/** The view's own style sheet in `media/`, beside those of every panel. */
	readonly style?: string;
	/** Whether the view shows images, which reach it as `data:` URLs only. */
	readonly showsImages?: boolean;
	/** Whether the view plays recordings, which reach it as `data:` URLs only. */
	readonly playsAudio?: boolean;
}

/** An open webview editor. Its state lives in the host: the view asks for it whenever it is loaded or shown again. */
export interface Panel extends vscode.Disposable {
	readonly port: MessagePort;
	/** Whether it is the active editor, so that the person may be typing in it. */
	readonly isActive: boolean;
	/** Fires once when the panel closes, whether by the person or by `dispose`. */
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
	const { extensionUri, view, style, title, column, preserveFocus } = options;
	const scripts = vscode.Uri.joinPath(extensionUri, "dist", "media");
	const styles = vscode.Uri.joinPath(extensionUri, "media");
	const panel = vscode.window.createWebviewPanel(
		`mcpHost.${view}`,
		title,
		// Who types into an input box goes on there, though they asked for this panel before.
		{ viewColumn: column, preserveFocus: preserveFocus || isInputOpen() },
		{
			enableScripts: true,
			enableForms: false,
			enableCommandUris: false,
			enableFindWidget: true,
			localResourceRoots: [scripts, styles],
		},
	);
	// A tab's icon is drawn as it is; only the activity bar's takes the theme's colour.
	panel.iconPath = {
		light: vscode.Uri.joinPath(styles, "panel-light.svg"),
		dark: vscode.Uri.joinPath(styles, "panel-dark.svg"),
	};
	const { webview } = panel;
	webview.html = webviewHtml({
		cspSource: webview.cspSource,
		script: webview.asWebviewUri(vscode.Uri.joinPath(scripts, `${view}.js`)).toString(),
		styles: ["base.css", "controls.css", ...(style === undefined ? [] : [style])].map((name) =>
			webview.asWebviewUri(vscode.Uri.joinPath(styles, name)).toString(),
		),
		title,
		language: vscode.env.language,
		showsImages: options.showsImages ?? false,
		playsAudio: options.playsAudio ?? false,
	});
	let wasActive = panel.active;
	panel.onDidChangeViewState(() => (wasActive ||= panel.active));
	return {
		get isActive() {
			return panel.active;
		},
		port: {
			send: (message) => void webview.postMessage(message),
			listen: (listener) => webview.onDidReceiveMessage(listener),
		},
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
