import * as vscode from "vscode";
import { guarded, type Commands } from "./commands.ts";
import { messageOf } from "./errors.ts";
import { withoutLinks } from "./text.ts";
import type { SlowWork } from "./patience.ts";

/**
 * Shows an error with its remedies as buttons; resolves with the chosen one, or undefined. The only way to notify: texts
 * that hold words of servers, models or workspaces cannot become links in it.
 */
export async function showError<T extends string>(message: string, ...remedies: T[]): Promise<T | undefined> {
	return vscode.window.showErrorMessage(withoutLinks(message), ...remedies);
}

const inTrace = "Show in Trace";

/**
 * Shows a failure as `showError` does; where its `exchange` is in the trace, a button leads there (TRC-40). Resolves with
 * the chosen remedy, undefined for that button.
 */
export async function showFailure<T extends string>(
	message: string,
	exchange: string | undefined,
	...remedies: T[]
): Promise<T | undefined> {
	if (exchange === undefined) return showError(message, ...remedies);
	const answer = await showError<T | typeof inTrace>(message, ...remedies, inTrace);
	if (answer !== inTrace) return answer;
	await vscode.commands.executeCommand("mcpHost.showInTrace", exchange);
	return undefined;
}

/** Shows a warning; see `showError`. */
export async function showWarning<T extends string>(message: string, ...remedies: T[]): Promise<T | undefined> {
	return vscode.window.showWarningMessage(withoutLinks(message), ...remedies);
}

/** Shows a note; see `showError`. */
export async function showInformation<T extends string>(message: string, ...actions: T[]): Promise<T | undefined> {
	return vscode.window.showInformationMessage(withoutLinks(message), ...actions);
}

/**
 * Asks in a dialog that must be answered first; resolves with the chosen action. Undefined, the answer of Escape and of
 * closing it, is never consent.
 */
export async function askModal<T extends string>(
	message: string,
	detail: string,
	...actions: T[]
): Promise<T | undefined> {
	return vscode.window.showInformationMessage(withoutLinks(message), { modal: true, detail }, ...actions);
}

/** Shows the running work, with its latest message and a Cancel button, until it is over. */
export async function showSlowWork(title: string, work: SlowWork): Promise<void> {
	const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
	await vscode.window.withProgress(options, async (progress, token) => {
		const report = (message: string): void => progress.report({ message: withoutLinks(message) });
		if (work.latest !== "") report(work.latest);
		work.onDidProgress(report);
		token.onCancellationRequested(() => work.cancel());
		await work.ended;
	});
}

/** Runs work while a notification with a Cancel button is shown; undefined when it was cancelled. */
export async function withCancel<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
	const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
	return vscode.window.withProgress(options, async (_progress, token) => {
		const cancelled = new AbortController();
		token.onCancellationRequested(() => cancelled.abort());
		return work(cancelled.signal).catch((error: unknown): undefined => {
			if (!cancelled.signal.aborted) throw error;
		});
	});
}

/** Commands whose failures are shown, and which then end without one. */
export function commandsOf<Id extends string>(commands: Parameters<typeof guarded<Id>>[0]): Commands<Id> {
	return guarded(commands, (error) => void showError(messageOf(error)));
}
