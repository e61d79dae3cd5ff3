import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import type { Disposable } from "../base/lifecycle.ts";
import type { PromptArguments } from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";
import type { PromptMessage } from "./content.ts";
import { turnTitle, type PreparedPrompts } from "./prepared.ts";
import type { PreviewRun } from "./previewPanel.vscode.ts";
import { formatPromptQuery } from "./query.ts";
import { toDocument, toModelMessages, toText } from "./render.ts";

/** A prompt that the server has answered. */
export interface FilledPrompt {
	readonly entry: PromptEntry;
	readonly values: PromptArguments;
	readonly messages: readonly PromptMessage[];
}

/** What the preview's buttons do with a prompt. Nothing is sent: the chat's input waits for the person's Enter. */
export function previewActions(
	{ entry, values, messages }: FilledPrompt,
	prepared: PreparedPrompts,
	editors: LastEditor,
): PreviewRun["actions"] {
	return {
		chat: async () => {
			const query = formatPromptQuery({ id: entry.id, arguments: values });
			prepared.add(query, { title: turnTitle(entry), messages: toModelMessages(messages) });
			await vscode.commands.executeCommand("workbench.action.chat.open", {
				query: `@mcp /prompt ${query}`,
				isPartialQuery: true,
			});
			return "The prompt is in the chat's input. Press Enter there to send it.";
		},
		document: async () => {
			const content = toDocument(turnTitle(entry), messages);
			await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
			return "Opened as a new document.";
		},
		insert: async () => {
			const name = await editors.insert(toText(messages));
			return `Inserted into ${name}.`;
		},
		copy: async () => {
			await vscode.env.clipboard.writeText(toText(messages));
			return "Copied.";
		},
	};
}

/** Remembers the text editor that the person used last, because none is active while a preview has the focus. */
export class LastEditor implements Disposable {
	private last: vscode.TextEditor | undefined;
	private readonly subscription: vscode.Disposable;

	constructor() {
		this.note(vscode.window.activeTextEditor);
		this.subscription = vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor));
	}

	/** Puts a text where the cursor was, shows it, and tells the file's name. Rejects with a HostError when it cannot. */
	async insert(text: string): Promise<string> {
		const { last } = this;
		if (last === undefined || last.document.isClosed) {
			throw new HostError("invalid", "Open a file and place the cursor first.");
		}
		const editor = await vscode.window.showTextDocument(last.document, {
			...(last.viewColumn === undefined ? {} : { viewColumn: last.viewColumn }),
			selection: last.selection,
		});
		const name = vscode.workspace.asRelativePath(editor.document.uri);
		if (await editor.edit((edit) => edit.insert(editor.selection.active, text))) return name;
		throw new HostError("invalid", `${name} cannot be changed.`);
	}

	dispose(): void {
		this.subscription.dispose();
	}

	private note(editor: vscode.TextEditor | undefined): void {
		// Output views are text editors to the API as well, but in no column; nothing can be inserted there.
		if (editor?.viewColumn !== undefined) this.last = editor;
	}
}
