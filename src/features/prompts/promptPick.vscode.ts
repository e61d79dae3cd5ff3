import * as vscode from "vscode";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { freshen } from "../../servers/sessions/freshness.ts";
import { explainAbsence, isSettling, type Remedy } from "../../servers/sessions/absence.ts";
import { itemsUnder, pickRow, remedyItem } from "../../servers/rowPick.vscode.ts";
import { listPrompts, type PromptEntry, watchPrompts } from "./catalog.ts";
import { type PromptRow, PromptSearch } from "./choices.ts";
import type { PromptPins } from "./promptMemory.ts";

/** The dependencies of choosing a prompt. */
export interface PromptPickServices {
	readonly directory: SessionDirectory;
	readonly pins: PromptPins;
	/** The keys of the prompts that were used last. */
	readonly recent: readonly string[];
}

const pinButton = { iconPath: new vscode.ThemeIcon("pin"), tooltip: "Pin Prompt" };
const unpinButton = { iconPath: new vscode.ThemeIcon("pinned"), tooltip: "Unpin Prompt" };

/**
 * Lets the user choose a prompt of the running servers, or of `only` one of them. If there is none, the rows say what
 * to do. Undefined when none is chosen.
 */
export async function pickPrompt(services: PromptPickServices, only?: Session): Promise<PromptEntry | undefined> {
	const { directory, pins, recent } = services;
	let search = new PromptSearch(directory, []);
	/** The rows that are shown while there are no prompts. */
	let lack: { readonly placeholder: string; readonly isBusy: boolean; readonly remedies: readonly Remedy[] } = {
		placeholder: "",
		isBusy: false,
		remedies: [],
	};
	const picked = await pickRow<PromptRow>({
		isSearchedByUs: true,
		renew() {
			const entries = listPrompts(directory).filter(({ session }) => only === undefined || session === only);
			search = new PromptSearch(directory, entries);
			const asked = only === undefined ? directory.sessions : [only];
			const isBusy = isSettling(asked, "prompts");
			const absence = entries.length === 0 && !isBusy ? explainAbsence(asked, "prompts") : undefined;
			const placeholder = absence?.message ?? "Search by title, name, description or server";
			lack = { placeholder, isBusy, remedies: absence?.remedies ?? [] };
		},
		content(typed) {
			const { groups, more } = search.choices(typed, { pinned: pins.keys, recent });
			const items = groups.flatMap(({ heading, rows }) =>
				// Our search is done already, by words in any order, which VS Code does not support.
				itemsUnder(heading, rows, ({ isPinned }) => ({
					buttons: [isPinned ? unpinButton : pinButton],
					alwaysShow: true,
				})),
			);
			return {
				items: [...items, ...lack.remedies.map(remedyItem)],
				// Not a heading below them: VS Code shows none while the user types.
				title: more === 0 ? "Run Prompt" : `Run Prompt (${more.toLocaleString("en-US")} more: type to find them)`,
				placeholder: lack.placeholder,
				isBusy: lack.isBusy,
			};
		},
		identityOf: ({ row }) => row?.entry.key,
		watch(refresh) {
			void freshen(directory.sessions);
			return [watchPrompts(directory, refresh)];
		},
		pressItem({ row }, button, then) {
			if (row === undefined) return;
			const { session, prompt } = row.entry;
			void pins.set(session.definition.id, prompt.name, button === pinButton).then(() => then.refresh());
		},
	});
	return picked?.entry;
}
