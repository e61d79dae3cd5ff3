import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { explainAbsence, isSettling } from "./absence.ts";
import { withoutIcons } from "../completion/rows.ts";
import { groupPrompts, listPrompts, watchPrompts, type PromptEntry } from "./catalog.ts";

interface PromptItem extends vscode.QuickPickItem {
	readonly entry?: PromptEntry;
}

/** Lets the person choose a prompt of the running servers, `recent` ones first. Undefined when there is none or none is chosen. */
export async function pickPrompt(
	directory: SessionDirectory,
	recent: readonly string[],
): Promise<PromptEntry | undefined> {
	if (listPrompts(directory).length === 0 && !isSettling(directory)) {
		await offerHelp(directory);
		return undefined;
	}
	const pick = vscode.window.createQuickPick<PromptItem>();
	pick.title = "Run Prompt";
	pick.placeholder = "Choose a prompt by its title, server or description";
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	const render = (): void => {
		const chosen = pick.activeItems[0]?.entry?.key;
		pick.items = toItems(directory, recent);
		const again = pick.items.find(({ entry }) => entry !== undefined && entry.key === chosen);
		if (again !== undefined) pick.activeItems = [again];
		pick.busy = isSettling(directory);
		// A server that had been starting came up without prompts.
		if (pick.items.length === 0 && !pick.busy) {
			pick.hide();
			void offerHelp(directory);
		}
	};
	const { promise, resolve } = Promise.withResolvers<PromptEntry | undefined>();
	const subscriptions = [
		pick,
		watchPrompts(directory, render),
		pick.onDidAccept(() => {
			const entry = pick.selectedItems[0]?.entry;
			if (entry === undefined) return;
			resolve(entry);
			pick.hide();
		}),
		pick.onDidHide(() => {
			resolve(undefined);
			for (const subscription of subscriptions) subscription.dispose();
		}),
	];
	render();
	pick.show();
	return promise;
}

function toItems(directory: SessionDirectory, recent: readonly string[]): readonly PromptItem[] {
	const items: PromptItem[] = [];
	for (const { heading, rows } of groupPrompts(directory, listPrompts(directory), recent)) {
		items.push({ label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator });
		for (const { entry, label, description, detail } of rows) {
			items.push({
				entry,
				label: withoutIcons(label),
				description: withoutIcons(description),
				detail: withoutIcons(detail),
			});
		}
	}
	return items;
}

async function offerHelp(directory: SessionDirectory): Promise<void> {
	const { message, remedies } = explainAbsence(directory);
	const title = await showInformation(message, ...remedies.map((remedy) => remedy.title));
	const remedy = remedies.find((candidate) => candidate.title === title);
	switch (remedy?.kind) {
		case "demo":
			await vscode.commands.executeCommand("mcpHost.tryDemo");
			break;
		case "start":
			await vscode.commands.executeCommand("mcpHost.startServer");
			break;
		case "log":
			await vscode.commands.executeCommand("mcpHost.showLog", { server: remedy.server });
			break;
		case undefined:
	}
}
