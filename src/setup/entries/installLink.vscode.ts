import type { EditorUris } from "../../base/editorUris.vscode.ts";
import { messageOf } from "../../base/errors.ts";
import { showError, showWarning } from "../../base/notify.vscode.ts";
import type { Panel } from "../../questions/webview/panel.vscode.ts";
import type { AddServersPanel } from "./addServers.vscode.ts";
import { whyNotAdded } from "../../servers/definitions/editorLimits.ts";
import { readEditorSettings } from "../../servers/sources/editorSettings.vscode.ts";

/**
 * Shows the contents of install links, `vscode://mcp-host.mcp-host/install?config=…`, before anything is written or
 * started (REG-01). One is shown at a time: another one never replaces the one that the user is reading.
 */
export function handleInstallLinks(uris: EditorUris, panel: Pick<AddServersPanel, "open">): void {
	let shown: Promise<Panel> | undefined;
	const open = async (query: string): Promise<void> => {
		const why = whyNotAdded(await readEditorSettings(), false);
		if (why !== undefined) {
			void showError(`An install link was opened. ${why}`);
			return;
		}
		if (shown !== undefined) {
			(await shown).reveal();
			const message =
				"Another install link was opened, but ignored. Add or cancel the server that is shown here, then open the link again.";
			void showWarning(message);
			return;
		}
		const { readLinkSource } = await import("./installLink.ts");
		const source = readLinkSource(query);
		if (shown !== undefined) return open(query);
		shown = panel.open([source], "Install Server");
		try {
			(await shown).onDidClose(() => {
				shown = undefined;
			});
		} catch (error) {
			shown = undefined;
			throw error;
		}
	};
	uris.on("/install", (query) => void open(query).catch((error: unknown) => showError(messageOf(error))));
}
