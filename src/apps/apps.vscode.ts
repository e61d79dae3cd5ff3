import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { showError } from "../base/notify.vscode.ts";
import type { KeyValue } from "../base/storage.ts";
import { freeColumn } from "../questions/webview/column.ts";
import { editorGroups } from "../questions/webview/questions.vscode.ts";
import { appUriOf } from "../tools/appTools.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import type { FinishedCall } from "../tools/results/finishedCalls.ts";
import { KnownApps } from "./knownApps.ts";
import type { AppServices } from "./openApp.ts";
import type { AddedContext } from "./addedContext.ts";
import { AppPanel } from "./appPanel.vscode.ts";
import { isOffered, readAppsSetting } from "./appsSetting.ts";

/** What apps need of the rest of the host. */
export interface WireAppsServices extends Omit<AppServices, "known" | "preamble" | "language" | "isWeb" | "draft"> {
	/** Where it is remembered which pages were shown, and what they may reach. */
	readonly state: KeyValue;
	readonly extensionUri: vscode.Uri;
}

/** The apps of servers: pages by which they want results shown (MCP Apps extension). */
export interface WiredApps extends Disposable {
	/** Whether the results of a tool can be shown by an app. */
	has(entry: ToolEntry): boolean;
	/** Shows the result of a call by its app, without the focus. */
	open(call: FinishedCall): void;
	/** A call of the chat came back: its app opens by itself if the person wants that. */
	offer(call: FinishedCall): void;
	/** Gives what open apps add to the next message of the person, once. */
	takeAdded(): readonly AddedContext[];
	readonly commands: Commands<"mcpHost.reloadApp" | "mcpHost.showAppDetails" | "mcpHost.closeApp">;
}

/** Makes what opens apps, until it is disposed. */
export function wireApps({ extensionUri, state, ...services }: WireAppsServices): WiredApps {
	const store = new DisposableStore();
	const panels = new Map<FinishedCall["outcome"], AppPanel>();
	const offered = new Set<string>();
	let preamble: Promise<string> | undefined;
	const appServices: AppServices = {
		...services,
		known: new KnownApps(state),
		preamble: () => (preamble ??= readText(vscode.Uri.joinPath(extensionUri, "dist", "media", "appFrame.js"))),
		language: vscode.env.language,
		isWeb: vscode.env.uiKind === vscode.UIKind.Web,
		draft: async (text) => {
			await vscode.commands.executeCommand("workbench.action.chat.open", {
				query: `@mcp ${text}`,
				isPartialQuery: true,
			});
		},
	};
	const setting = (): ReturnType<typeof readAppsSetting> =>
		readAppsSetting(vscode.workspace.getConfiguration("mcpHost").get("apps"));
	const has = ({ tool, perform }: ToolEntry): boolean =>
		perform === undefined && setting() !== "off" && appUriOf(tool) !== undefined;
	const open = (call: FinishedCall): void => {
		const { entry, outcome } = call;
		const shown = panels.get(outcome);
		if (shown !== undefined) return shown.reveal();
		const column = freeColumn(editorGroups(), false) ?? vscode.ViewColumn.Beside;
		const source = { entry, arguments: outcome.sent, result: outcome.result.raw };
		const panel = new AppPanel(source, appServices, { extensionUri, column });
		panels.set(outcome, panel);
		panel.onDidClose(() => panels.delete(outcome));
	};
	store.add({
		dispose: () => {
			for (const panel of panels.values()) panel.dispose();
		},
	});
	const active = (): AppPanel | undefined => [...panels.values()].find((panel) => panel.isActive);
	return {
		has,
		open,
		offer: (call) => {
			const key = JSON.stringify([call.entry.session.definition.id, appUriOf(call.entry.tool)]);
			const isFirst = !offered.has(key);
			if (!has(call.entry)) return;
			offered.add(key);
			if (isOffered(setting(), isFirst)) open(call);
		},
		takeAdded: () => [...panels.values()].flatMap((panel) => panel.takeAdded() ?? []),
		commands: guarded(
			{
				"mcpHost.reloadApp": async () => active()?.reload(),
				"mcpHost.showAppDetails": async () => active()?.toggleDetails(),
				"mcpHost.closeApp": async () => active()?.close(),
			},
			(error) => void showError(messageOf(error)),
		),
		dispose: () => store.dispose(),
	};
}

async function readText(uri: vscode.Uri): Promise<string> {
	return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
