import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { oneLine } from "../base/text.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { RunPort, type RunPortServices } from "./runPort.ts";
import type { ToolRun } from "./toolRun.ts";

/** The one panel that shows a run; the next one takes the place of the one before, which stays in the history. */
export class RunPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: Omit<RunPortServices, "close">;
	private open: { readonly panel: Panel; readonly port: RunPort } | undefined;

	constructor(extensionUri: vscode.Uri, services: Omit<RunPortServices, "close">) {
		this.extensionUri = extensionUri;
		this.services = services;
	}

	/** Shows a run and gives the panel the focus: the person asked for it. */
	show(run: ToolRun): void {
		if (this.open !== undefined) {
			this.open.panel.reveal(titleOf(run));
			this.open.port.show(run);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "toolRun",
			style: "toolRun.css",
			title: titleOf(run),
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
			showsImages: true,
			playsAudio: true,
		});
		const port = new RunPort(panel.port, run, { ...this.services, close: () => panel.dispose() });
		panel.onDidClose(() => {
			port.dispose();
			this.open = undefined;
		});
		this.open = { panel, port };
	}

	dispose(): void {
		this.open?.panel.dispose();
	}
}

/** The editor tab's name. */
function titleOf({ entry }: ToolRun): string {
	return `Tool: ${oneLine(entry.tool.name, 50)}`;
}
