import { withoutIcons } from "../base/words.ts";
import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import type { Disposable } from "../base/lifecycle.ts";
import { showError } from "../base/notify.vscode.ts";
import type { ListLine } from "./listRow.ts";
import { pickRefreshing } from "./refreshingPick.vscode.ts";

/** A list in which a user manages their decisions. */
export interface ListSource<T> {
	readonly title: string;
	readonly placeholder: string;
	/** Read at each change. */
	lines(): readonly ListLine<T>[];
	/** Called once: calls back when the lines may have changed, until disposed. */
	watch(refresh: () => void): readonly Disposable[];
	/** Revokes the entry of a row with that button. */
	revoke(of: T): Promise<void>;
}

interface Item<T> extends vscode.QuickPickItem {
	readonly of?: T | undefined;
}

const buttons: Readonly<Record<"open" | "revoke", vscode.QuickInputButton>> = {
	open: { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: "Open" },
	revoke: { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Revoke" },
};

/**
 * Shows the list, which stays current while it is open. Entries are revoked in it. Returns the entry of the row that
 * the user chose, undefined when they chose none.
 */
export async function pickFromList<T>(list: ListSource<T>): Promise<T | undefined> {
	const { title, placeholder } = list;
	const picked = await pickRefreshing<Item<T>>({
		content: () => ({ items: list.lines().map(toItem), title, placeholder }),
		identityOf: ({ label, kind }) => `${kind ?? ""} ${label}`,
		watch: (refresh) => list.watch(refresh),
		canChoose: ({ of }) => of !== undefined,
		pressItem({ of }, button, then) {
			if (button === buttons.open) then.choose();
			else if (of !== undefined) void list.revoke(of).catch((error: unknown) => void showError(messageOf(error)));
		},
	});
	return picked?.of;
}

function toItem<T>(line: ListLine<T>): Item<T> {
	if (line.kind === "heading") {
		return { label: withoutIcons(line.label), kind: vscode.QuickPickItemKind.Separator };
	}
	const { icon, label, description, detail = "", of, button } = line;
	return {
		label: `$(${icon}) ${withoutIcons(label)}`,
		...(description === undefined ? {} : { description: withoutIcons(description) }),
		...(detail === "" ? {} : { detail: withoutIcons(detail) }),
		...(button === undefined ? {} : { buttons: [buttons[button]] }),
		of,
	};
}
