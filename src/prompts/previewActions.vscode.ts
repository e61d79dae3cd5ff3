import * as vscode from "vscode";
import type { LastEditor } from "./lastEditor.vscode.ts";
import { turnTitle, type PreparedPrompts } from "./prepared.ts";
import type { FilledPrompt } from "./preview.ts";
import type { PreviewRun } from "./previewPanel.vscode.ts";
import { toDocument, toModelMessages, toText } from "./render.ts";

/** What the preview's buttons do with a prompt. Nothing is sent: the chat's input waits for the person's Enter. */
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
			return "The prompt is in the chat's input. Press Enter there to send it.";
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
