import * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { RpcEndpoint } from "../../base/rpc.ts";
import { cap } from "../../base/text.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import { promptTitle } from "./catalog.ts";
import type { LastEditor } from "./editorFills.vscode.ts";
import { type PreparedPrompts, turnTitle } from "./prepared.ts";
import { type FilledPrompt, readPreviewAction, readPreviewChange, toPreview } from "./preview.ts";
import type { PreviewAction, PreviewHostApi, PreviewViewApi } from "./previewProtocol.ts";
import { toDocument, toModelMessages, toText } from "./render.ts";

/** A prompt to preview, with the actions of its buttons. */
export interface PreviewRun {
	readonly filled: FilledPrompt;
	/** Each resolves with a sentence about the outcome. */
	readonly actions: Readonly<Record<PreviewAction, () => Promise<string>>>;
	/** Asks for the arguments again, with those of this run. */
	readonly changeArguments: () => Promise<void>;
	/** Opens a resource of the prompt's server. */
	readonly openResource: (uri: string) => Promise<void>;
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

	/** Shows a run's messages and gives the panel the focus: the user asked for them. */
	show(run: PreviewRun): void {
		this.current = run;
		if (this.open === undefined) {
			this.open = this.create(titleOf(run));
		} else {
			this.open.endpoint.notify("show", toPreview(run.filled));
			this.open.panel.reveal({ title: titleOf(run) });
		}
	}

	dispose(): void {
		this.open?.panel.dispose();
	}

	private create(title: string): OpenPreview {
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "promptPreview",
			title,
			showsImages: true,
			playsAudio: true,
		});
		const endpoint = new RpcEndpoint<PreviewViewApi, PreviewHostApi>(panel.port, {
			ready: () => {
				if (this.current === undefined) throw new HostError("cancelled", "The preview is closed.");
				return toPreview(this.current.filled);
			},
			change: (run, change) => {
				const read = readPreviewChange(change);
				if (read === undefined) throw unknown();
				this.run(run).filled.draft.apply(read);
			},
			open: (run, message, part) => {
				const { filled, openResource } = this.run(run);
				const uri = filled.draft.linkAt(message, part);
				if (uri === undefined) throw unknown();
				return openResource(uri);
			},
			changeArguments: (run) => this.run(run).changeArguments(),
			choose: (run, action) => {
				const chosen = readPreviewAction(action);
				if (chosen === undefined) throw unknown();
				return this.run(run).actions[chosen]();
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

	/** The run that the view refers to. Requests for a run that was replaced meanwhile are ignored. */
	private run(id: unknown): PreviewRun {
		if (this.current?.filled.run !== id || this.current === undefined) {
			throw new HostError("cancelled", "Another prompt was run in the meantime.");
		}
		return this.current;
	}
}

/** The title of the tab. */
function titleOf({ filled }: PreviewRun): string {
	return `Prompt: ${cap(promptTitle(filled.entry.prompt), 50)}`;
}

function unknown(): HostError {
	return new HostError("invalid", "The preview does not support this action.");
}

/** The actions of the preview's buttons on a prompt. Nothing is sent: the chat's input waits for the user's Enter. */
export function previewActions(
	{ entry, values, draft }: FilledPrompt,
	prepared: PreparedPrompts,
	editors: LastEditor,
): PreviewRun["actions"] {
	return {
		chat: async () => {
			const turn = { title: turnTitle(entry), messages: toModelMessages(draft.messages) };
			const query = prepared.prepare({ id: entry.id, arguments: values }, turn, draft.isChanged);
			await vscode.commands.executeCommand("workbench.action.chat.open", {
				query: `@mcp /prompt ${query}`,
				isPartialQuery: true,
			});
			return "The prompt was inserted into the chat input. Press Enter there to send it.";
		},
		document: async () => {
			const content = toDocument(turnTitle(entry), draft.messages);
			await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
			return "Opened as a new document.";
		},
		insert: async () => {
			const name = await editors.insert(toText(draft.messages));
			return `Inserted into ${name}.`;
		},
		copy: async () => {
			await vscode.env.clipboard.writeText(toText(draft.messages));
			return "Copied.";
		},
	};
}
