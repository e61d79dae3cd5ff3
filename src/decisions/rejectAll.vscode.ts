import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { PendingDecisions } from "./decision.ts";
import { waitingServers } from "./pendingRows.ts";
import type { Repetition } from "./repetition.ts";

/** What rejecting all of a server needs. */
export interface RejectAllServices {
	readonly pending: PendingDecisions;
	readonly repetition: Repetition;
	/** The configured name of a server, by its id. */
	readonly nameOf: (server: string) => string | undefined;
}

interface Row extends vscode.QuickPickItem {
	run(): unknown;
}

/**
 * Lets the person reject all that a server asks and that waits or that a rule answers, also for a while, and end such a
 * while early. Rejecting is the only thing that can be done to several at once (security.md SMP-13).
 */
export async function rejectAll({ pending, repetition, nameOf }: RejectAllServices): Promise<void> {
	const waiting = waitingServers(pending.stoppable).flatMap(({ id, name, count }): Row[] => {
		const label = withoutIcons(name);
		const description = `${count} ${count === 1 ? "request" : "requests"}`;
		return [
			{ label: `$(close-all) ${label}`, description: `reject ${description}`, run: () => pending.refuseServer(id) },
			{
				label: `$(bell-slash) ${label}`,
				description: `reject ${description}, and all new ones for ten minutes`,
				run: () => {
					pending.refuseServer(id);
					repetition.mute(id);
				},
			},
		];
	});
	const muted = [...repetition.muted].map(([id, until]): Row => {
		const time = new Date(until).toLocaleTimeString(vscode.env.language, { hour: "2-digit", minute: "2-digit" });
		return {
			label: `$(bell) ${withoutIcons(oneLine(nameOf(id) ?? id, 60))}`,
			description: `let it ask again; until ${time} its requests are rejected`,
			run: () => repetition.unmute(id),
		};
	});
	if (waiting.length + muted.length === 0) {
		await showInformation(vscode.l10n.t("No server waits for you."));
		return;
	}
	const picked = await vscode.window.showQuickPick([...waiting, ...muted], {
		placeHolder: vscode.l10n.t("Reject everything that a server asks now"),
	});
	picked?.run();
}
