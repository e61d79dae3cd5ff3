import * as vscode from "vscode";
import { showError } from "../base/notify.vscode.ts";
import { HostError, messageOf } from "../base/errors.ts";
import type { ResourceAddress } from "./uri.ts";

/** How long a tab may take to appear after its contents were asked for, in milliseconds. */
const tabMs = 500;

/** Tells a failure once, with the button that helps. What the person cancelled needs no message. */
export async function explain(error: unknown, server: string | undefined): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	const remedy = server === undefined ? undefined : remedyFor(error);
	const answer = await showError(messageOf(error), ...(remedy === undefined ? [] : [remedy.title]));
	if (answer !== undefined && remedy !== undefined) await vscode.commands.executeCommand(remedy.command, { server });
}

/**
 * Says why an editor that the person looks at stays empty: VS Code shows a text of its own there and keeps the server's
 * words to itself. Each reason is told once, until the resource could be read again.
 */
export class EditorFailures {
	private readonly told = new Map<string, string>();

	/** Takes note of a failed read of one of our URIs. */
	async report(uri: vscode.Uri, { server }: ResourceAddress, error: unknown): Promise<void> {
		const key = uri.toString();
		const message = messageOf(error);
		if (this.told.get(key) === message) return;
		this.told.set(key, message);
		await new Promise((resolve) => setTimeout(resolve, tabMs));
		if (this.told.get(key) === message && isShown(uri)) await explain(error, server);
	}

	/** Takes note of a successful read. */
	clear(uri: vscode.Uri): void {
		this.told.delete(uri.toString());
	}
}

function remedyFor(error: unknown): { readonly title: string; readonly command: string } {
	if (HostError.is(error, "not-connected")) return { title: "Start Server", command: "mcpHost.startServer" };
	if (HostError.is(error, "not-approved")) return { title: "Review Server…", command: "mcpHost.reviewServer" };
	return { title: "Show Log", command: "mcpHost.showLog" };
}

/** Whether a URI is what an editor group shows now. */
function isShown(uri: vscode.Uri): boolean {
	return vscode.window.tabGroups.all.some(({ activeTab }) => {
		const input: unknown = activeTab?.input;
		const isOfFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
		return isOfFile && input.uri.toString() === uri.toString();
	});
}
