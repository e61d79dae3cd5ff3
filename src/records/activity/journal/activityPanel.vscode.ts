import * as vscode from "vscode";
import type { Disposable } from "../../../base/lifecycle.ts";
import { openPanel, type Panel } from "../../../questions/webview/panel.vscode.ts";
import { ActivityPort, type ActivityPortServices } from "./activityPort.ts";
import type { ActivityQuery } from "./activityProtocol.ts";
import type { Wanted } from "./activityRequest.ts";

/** The one panel that shows the activity. */
export class ActivityPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: ActivityPortServices;
	private readonly closed: () => void;
	private open: { readonly panel: Panel; readonly port: ActivityPort } | undefined;

	/** `closed` is told when the person closes it. */
	constructor(extensionUri: vscode.Uri, services: ActivityPortServices, closed: () => void) {
		this.extensionUri = extensionUri;
		this.services = services;
		this.closed = closed;
	}

	/** Shows what fits a query and gives the panel the focus: the person asked for it, and is led to `wanted`, if given. */
	show(query: ActivityQuery, wanted?: Wanted): void {
		if (this.open !== undefined) {
			this.open.panel.reveal();
			this.open.port.ask(query, wanted);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "activity",
			style: "activity.css",
			title: "Activity",
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
		});
		const port = new ActivityPort(panel.port, this.services);
		port.ask(query, wanted);
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
