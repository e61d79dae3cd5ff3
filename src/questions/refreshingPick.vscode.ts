import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { throttle } from "../base/throttle.ts";
import { RecentRows } from "./recentRows.ts";

/** How often the rows follow lists that are still arriving, at most, in milliseconds. */
const refreshMs = 300;

/** The content of a quick pick at one moment. Omitted members stay unchanged. */
export interface PickContent<Item extends vscode.QuickPickItem> {
	readonly items: readonly Item[];
	readonly title?: string;
	readonly placeholder?: string;
	/** Whether more rows may arrive. */
	readonly isBusy?: boolean;
}

/** A quick pick whose rows follow their subject while it is open. */
export interface RefreshingPick<Item extends vscode.QuickPickItem> {
	/** The rows; read at each change, and at each key if the search is ours. */
	content(typed: string): PickContent<Item>;
	/** Prepares the common input of `content` for every key; called when something changed, before it. */
	renew?(): void;
	/** The unique key of an item, when items are added and removed around it; undefined for one that is not followed. */
	identityOf(item: Item): unknown;
	/** The initial text when it opens. */
	readonly typed?: string;
	/** Called once: calls back when the rows may have changed, until disposed. */
	watch(refresh: () => void): readonly Disposable[];
	/** Whether `content` searches for the typed text; otherwise VS Code does. */
	readonly isSearchedByUs?: boolean;
	/** Whether VS Code searches the typed text in labels only; otherwise also in descriptions and details. */
	readonly matchesLabelsOnly?: boolean;
	/** Whether choosing this item ends the pick; every one does unless given. */
	canChoose?(item: Item): boolean;
	/** Buttons beside the title, and their actions. */
	readonly buttons?: readonly vscode.QuickInputButton[];
	press?(button: vscode.QuickInputButton): void;
	/** The effect of a row's button. `choose` ends the pick with that row, `refresh` reads the rows again. */
	pressItem?(item: Item, button: vscode.QuickInputButton, then: { choose(): void; refresh(): void }): void;
}

/**
 * Lets the user choose a row of a list that stays current. The active row keeps its place when rows are added and
 * removed. A choice that may refer to another row, which has just moved, is ignored: they choose again. Undefined when
 * they choose none.
 */
export function pickRefreshing<Item extends vscode.QuickPickItem>(
	source: RefreshingPick<Item>,
): Promise<Item | undefined> {
	const { isSearchedByUs = false, matchesLabelsOnly = false } = source;
	const pick = vscode.window.createQuickPick<Item>();
	// A page that opens beside it, such as a walkthrough, takes the focus.
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = !matchesLabelsOnly;
	pick.matchOnDetail = !matchesLabelsOnly;
	pick.buttons = source.buttons ?? [];
	pick.value = source.typed ?? "";
	const shown = new RecentRows();
	const show = (): void => {
		const { items, title, placeholder, isBusy = false } = source.content(pick.value);
		if (title !== undefined) pick.title = title;
		if (placeholder !== undefined) pick.placeholder = placeholder;
		pick.busy = isBusy;
		pick.items = items;
		shown.show(items.map((item) => identityOf(item) ?? item.label));
	};
	const refresh = (): void => {
		const active = identityOf(pick.activeItems[0]);
		pick.keepScrollPosition = active !== undefined;
		source.renew?.();
		show();
		const again = active === undefined ? undefined : pick.items.find((item) => identityOf(item) === active);
		if (again !== undefined) pick.activeItems = [again];
	};
	const identityOf = (item: Item | undefined): unknown => (item === undefined ? undefined : source.identityOf(item));
	const isMeant = (item: Item): boolean => {
		if (shown.isCertain(pick.items.indexOf(item))) return true;
		// VS Code reports a selection only once: a selected row could not be selected again.
		pick.selectedItems = [];
		return false;
	};
	const lists = throttle(refresh, refreshMs);
	const { promise, resolve } = Promise.withResolvers<Item | undefined>();
	const choose = (item: Item): void => {
		resolve(item);
		pick.hide();
	};
	const subscriptions: readonly Disposable[] = [
		pick,
		lists,
		...source.watch(() => lists.run()),
		pick.onDidChangeValue(() => {
			if (!isSearchedByUs) return;
			// Typing moves the user elsewhere in the list.
			pick.keepScrollPosition = false;
			shown.ask();
			show();
		}),
		pick.onDidChangeActive(() => shown.confirm()),
		pick.onDidTriggerButton((button) => source.press?.(button)),
		pick.onDidTriggerItemButton(({ item, button }) => {
			if (isMeant(item)) source.pressItem?.(item, button, { choose: () => choose(item), refresh });
		}),
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item !== undefined && isMeant(item) && source.canChoose?.(item) !== false) choose(item);
		}),
		pick.onDidHide(() => {
			resolve(undefined);
			for (const subscription of subscriptions) subscription.dispose();
		}),
	];
	source.renew?.();
	show();
	pick.show();
	return promise;
}
