import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import { RpcEndpoint } from "../base/rpc.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { readPreviewAction } from "./preview.ts";
import type { PreviewAction, PreviewHostApi, PreviewViewApi, PromptPreview } from "./previewProtocol.ts";

/** A preview with what its buttons do. Each action resolves with a sentence that tells the outcome. */
export interface PreviewRun {
	readonly preview: PromptPreview;
	readonly actions: Readonly<Record<PreviewAction, () => Promise<string>>>;
}

interface OpenPreview {
	readonly panel: Panel;
	readonly endpoint: RpcEndpoint<PreviewViewApi, PreviewHostApi>;
}

/** The one panel that shows the messages of a prompt; the next run takes the place of the one before. */
export class PreviewPanel implements vscode.Disposable {
	private readonly extensionUri: vscode.Uri;
	private open: OpenPreview | undefined;
	private current: PreviewRun | undefined;

	constructor(extensionUri: vscode.Uri) {
		this.extensionUri = extensionUri;
	}

	/** Shows a run's messages and gives the panel the focus: the person asked for them. */
	show(run: PreviewRun): void {
		this.current = run;
		if (this.open === undefined) {
			this.open = this.create();
		} else {
			this.open.endpoint.notify("show", run.preview);
			this.open.panel.reveal();
		}
	}

	dispose(): void {
		this.open?.panel.dispose();
	}

	private create(): OpenPreview {
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "promptPreview",
			title: "Prompt Preview",
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
			showsImages: true,
		});
		const endpoint = new RpcEndpoint<PreviewViewApi, PreviewHostApi>(panel.port, {
			ready: () => this.run.preview,
			choose: (action) => {
				const chosen = readPreviewAction(action);
				if (chosen === undefined) throw new HostError("invalid", "The preview knows no such action.");
				return this.run.actions[chosen]();
			},
			close: () => panel.dispose(),
		});
		panel.onDidClose(() => {
			endpoint.dispose();
			this.open = undefined;
			this.current = undefined;
		});
		return { panel, endpoint };
	}

	private get run(): PreviewRun {
		if (this.current === undefined) throw new HostError("cancelled", "The preview is closed.");
		return this.current;
	}
}
