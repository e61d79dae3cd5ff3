import * as vscode from "vscode";
import { withoutIcons } from "../completion/rows.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";
import { explainAbsence, isSettling, type Remedy } from "../servers/absence.ts";
import { listPrompts, watchPrompts, type PromptEntry } from "./catalog.ts";
import { PromptSearch, type PromptRow } from "./choices.ts";
import type { PromptPins } from "./pins.ts";

/** A prompt, what to do when there is none, or, without either, a heading. */
interface PromptItem extends vscode.QuickPickItem {
	readonly row?: PromptRow;
	readonly remedy?: Remedy;
}

/** What choosing a prompt needs. */
export interface PromptPickServices {
	readonly directory: SessionDirectory;
	readonly pins: PromptPins;
	/** The keys of the prompts that were used last. */
	readonly recent: readonly string[];
}

const pinButton = { iconPath: new vscode.ThemeIcon("pin"), tooltip: "Pin Prompt" };
const unpinButton = { iconPath: new vscode.ThemeIcon("pinned"), tooltip: "Unpin Prompt" };

/**
 * Lets the person choose a prompt of the running servers, or of `only` one of them. Where there is none, the rows say what
 * to do. Undefined when none is chosen.
 */
export async function pickPrompt(services: PromptPickServices, only?: Session): Promise<PromptEntry | undefined> {
	const { directory, pins, recent } = services;
	const pick = vscode.window.createQuickPick<PromptItem>();
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	let search = new PromptSearch(directory, []);
	/** Empty while nothing is lacking. */
	let remedies: readonly PromptItem[] = [];

	const render = (): void => {
		const active = pick.activeItems[0]?.row?.entry.key;
		const { groups, more } = search.choices(pick.value, { pinned: pins.keys, recent });
		const items: PromptItem[] = [];
		for (const { heading, rows } of groups) {
			if (heading !== "") items.push(separator(withoutIcons(heading)));
			for (const row of rows) items.push(toItem(row));
		}
		// Not a heading below them: the editor shows none while somebody types.
		pick.title = more === 0 ? "Run Prompt" : `Run Prompt (${more.toLocaleString("en-US")} more: type to find them)`;
		// A pin must not take the person elsewhere in the list; what they typed may.
		pick.keepScrollPosition = pick.value === "" && active !== undefined;
		pick.items = [...items, ...remedies];
		const again = pick.items.find(({ row }) => row !== undefined && row.entry.key === active);
		if (again !== undefined && pick.value === "") pick.activeItems = [again];
	};
	const refresh = (): void => {
		const entries = listPrompts(directory).filter(({ session }) => only === undefined || session === only);
		search = new PromptSearch(directory, entries);
		const asked = only === undefined ? directory.sessions : [only];
		pick.busy = isSettling(asked, "prompts");
		const absence = entries.length === 0 && !pick.busy ? explainAbsence(asked, "prompts") : undefined;
		remedies = (absence?.remedies ?? []).map(toRemedyItem);
		pick.placeholder = absence?.message ?? "Search by title, name, description or server";
		render();
	};
	const { promise, resolve } = Promise.withResolvers<PromptEntry | undefined>();
	const subscriptions = [
		pick,
		watchPrompts(directory, refresh),
		pick.onDidChangeValue(render),
		pick.onDidTriggerItemButton(({ item, button }) => {
			if (item.row === undefined) return;
			const { session, prompt } = item.row.entry;
			void pins.set(session.definition.id, prompt.name, button === pinButton).then(render);
		}),
		pick.onDidAccept(() => {
			const { row, remedy } = pick.selectedItems[0] ?? {};
			resolve(row?.entry);
			if (row !== undefined || remedy !== undefined) pick.hide();
			if (remedy !== undefined) void vscode.commands.executeCommand(remedy.command, remedy.argument);
		}),
		pick.onDidHide(() => {
			resolve(undefined);
			for (const subscription of subscriptions) subscription.dispose();
		}),
	];
	refresh();
	pick.show();
	return promise;
}

function separator(label: string): PromptItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function toItem(row: PromptRow): PromptItem {
	return {
		row,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
		buttons: [row.isPinned ? unpinButton : pinButton],
		// Ours has searched already, by words in any order, which the editor does not.
		alwaysShow: true,
	};
}

function toRemedyItem(remedy: Remedy): PromptItem {
	return { remedy, label: `$(${remedy.icon}) ${remedy.title}`, alwaysShow: true };
}
