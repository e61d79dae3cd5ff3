import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { LogPort, type LogPortServices } from "./logPort.ts";
import { everything } from "./logQuery.ts";
import type { LogRequest } from "./logRequest.ts";

/** The one panel that shows the record. */
export class LogPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: LogPortServices;
	private readonly closed: () => void;
	private open: { readonly panel: Panel; readonly port: LogPort } | undefined;

	constructor(extensionUri: vscode.Uri, services: LogPortServices, closed: () => void) {
		this.extensionUri = extensionUri;
		this.services = services;
		this.closed = closed;
	}

	/** Shows the record and gives the panel the focus: the person asked for it. */
	show({ server, entry }: LogRequest): void {
		const query = { ...everything, server };
		if (this.open !== undefined) {
			this.open.panel.reveal();
			this.open.port.ask(query, entry);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "samplingLog",
			style: "samplingLog.css",
			title: vscode.l10n.t("Sampling Log"),
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
		});
		const port = new LogPort(panel.port, this.services);
		port.ask(query, entry);
		panel.onDidClose(() => {
			port.dispose();
			this.open = undefined;
			this.closed();
		});
		this.open = { panel, port };
	}

	dispose(): void {
		this.open?.panel.dispose();
	}
}
