import * as vscode from "vscode";
import { showError } from "../../base/notify.vscode.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { Session } from "../sessions/session.ts";
import { leftState } from "../sessions/stateNotice.ts";
import { notices } from "../../base/notices.vscode.ts";
import { namesOf } from "./waiting.ts";

/** Says which of several servers did not start, with a button that leads to their rows. */
export async function reportFailedStarts(
	failed: readonly ServerDefinition[],
	{ get }: { readonly get: (id: string) => Session | undefined },
): Promise<void> {
	const show = "Show Servers";
	const names = namesOf(failed.map((definition) => ({ definition })));
	const now = (): readonly (Session | undefined)[] => failed.map(({ id }) => get(id));
	const answer = await notices.ask("failed-starts", leftState("failed", now), () =>
		showError(`${names} did not start. Their rows in the Servers view show the reason.`, show),
	);
	if (answer === show) await vscode.commands.executeCommand("mcpHost.servers.focus");
}
