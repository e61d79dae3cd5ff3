import * as vscode from "vscode";
import { showFailure, showWarning } from "../../base/notify.vscode.ts";
import { exchangeIn, HostError, messageOf } from "../../base/errors.ts";
import { TooLarge } from "./sizeGuard.ts";
import { frontTabsOf } from "./tabs.vscode.ts";
import type { ResourceAddress } from "./uri.ts";

/** How long a tab may take to appear after its contents were asked for, in milliseconds. */
const tabMs = 500;

/** Shows a failure once, with the buttons that help. A cancellation by the user needs no message. */
export async function explain(error: unknown, server: string | undefined): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	const remedy = server === undefined ? undefined : remedyFor(error);
	const titles = remedy === undefined ? [] : [remedy.title];
	const answer = await showFailure(messageOf(error), exchangeIn(error), ...titles);
	if (answer !== undefined && remedy !== undefined) await vscode.commands.executeCommand(remedy.command, { server });
}

/** Asks whether to open large contents; closing the question opens nothing. */
export async function opensAnyway(refusal: TooLarge): Promise<boolean> {
	return (await showWarning(refusal.message, "Open Anyway")) === "Open Anyway";
}

/** The front tabs of a URI whose contents were just asked for, once they are there. */
export async function whenShown(uri: vscode.Uri): Promise<readonly vscode.Tab[]> {
	await new Promise((resolve) => setTimeout(resolve, tabMs));
	return frontTabsOf(uri);
}

/**
 * Shows why the active editor is empty: VS Code shows its own text there and hides the server's words. Each reason is
 * shown once, until the resource could be read again.
 */
export class EditorFailures {
	private readonly reported = new Map<string, string>();
	private readonly openAnyway: (address: ResourceAddress, uri: vscode.Uri) => Promise<void>;

	/** `openAnyway` runs when the user wants to see contents in spite of their size. */
	constructor(openAnyway: (address: ResourceAddress, uri: vscode.Uri) => Promise<void>) {
		this.openAnyway = openAnyway;
	}

	/** Takes note of a failed read of one of our URIs. */
	async report(uri: vscode.Uri, address: ResourceAddress, error: unknown): Promise<void> {
		const key = uri.toString();
		const message = messageOf(error);
		if (this.reported.get(key) === message) return;
		this.reported.set(key, message);
		const tabs = await whenShown(uri);
		if (this.reported.get(key) !== message || tabs.length === 0) return;
		if (!(error instanceof TooLarge)) return explain(error, address.server);
		const isWanted = await opensAnyway(error);
		// A user who tries again is asked again.
		this.reported.delete(key);
		if (isWanted) await this.openAnyway(address, uri);
	}

	/** Takes note of a successful read. */
	clear(uri: vscode.Uri): void {
		this.reported.delete(uri.toString());
	}
}

function remedyFor(error: unknown): { readonly title: string; readonly command: string } {
	if (HostError.is(error, "not-connected")) return { title: "Start Server", command: "mcpHost.startServer" };
	if (HostError.is(error, "not-approved")) return { title: "Review Server…", command: "mcpHost.reviewServer" };
	return { title: "Show Log", command: "mcpHost.showLog" };
}
