import * as vscode from "vscode";
import { showError } from "../../base/notify.vscode.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import { namesOf } from "./waiting.ts";

/** Says which of several servers did not start, with a button that leads to their rows. */
export async function reportFailedStarts(failed: readonly ServerDefinition[]): Promise<void> {
	const show = "Show Servers";
	const names = namesOf(failed.map((definition) => ({ definition })));
	const answer = await showError(`${names} did not start. Their rows in the Servers view show the reason.`, show);
	if (answer === show) await vscode.commands.executeCommand("mcpHost.servers.focus");
}
