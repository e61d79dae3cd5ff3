import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { throttle } from "../base/throttle.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { SessionDirectory } from "../servers/session.ts";
import type { ListedTemplate } from "./catalog.ts";
import { iconOf } from "./mediaTypes.ts";
import { ResourceSearch, type FoundResource } from "./search.ts";

/** How often the rows follow lists that are still arriving, at most, in milliseconds. */
const listingMs = 300;

interface ResourceItem extends vscode.QuickPickItem {
	readonly value?: FoundResource;
}

/**
 * Lets the person choose a resource of the running servers, or a URI to read from one of them. The rows are found by us:
 * the editor would filter all of tens of thousands at each key. Undefined when they choose none.
 */
export async function pickResource(
	directory: SessionDirectory,
	templatesFor: (uri: string) => readonly ListedTemplate[],
	title: string,
): Promise<FoundResource | undefined> {
	const pick = vscode.window.createQuickPick<ResourceItem>();
	pick.title = title;
	pick.placeholder = "Search by name, server or description, or type a URI";
	let search = new ResourceSearch(directory, templatesFor);
	const render = (): void => {
		const active = pick.activeItems[0]?.value;
		pick.items = itemsFor(search, pick.value);
		const again = pick.items.find(({ value }) => value?.session === active?.session && value?.uri === active?.uri);
		if (active !== undefined && again !== undefined) pick.activeItems = [again];
		pick.busy = isListing(directory);
	};
	const lists = throttle(() => {
		search = new ResourceSearch(directory, templatesFor);
		render();
	}, listingMs);
	const { promise, resolve } = Promise.withResolvers<FoundResource | undefined>();
	const subscriptions: Disposable[] = [
		pick,
		lists,
		directory.onDidChange(() => lists.run()),
		...directory.sessions.map(({ resources }) => resources.onDidChange(() => lists.run())),
		pick.onDidChangeValue(() => {
			pick.items = itemsFor(search, pick.value);
		}),
		pick.onDidAccept(() => {
			const value = pick.selectedItems[0]?.value;
			if (value === undefined) return;
			resolve(value);
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

function itemsFor(search: ResourceSearch, typed: string): readonly ResourceItem[] {
	const { groups, more } = search.find(typed);
	const items = groups.flatMap(({ heading, rows }) => {
		const separator: ResourceItem = { label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator };
		return [separator].concat(
			rows.map(({ label, description, detail, mimeType, value }) => ({
				label: withoutIcons(label),
				description: withoutIcons(description),
				detail: withoutIcons(detail),
				iconPath: new vscode.ThemeIcon(value.isListed ? iconOf(mimeType) : "link"),
				// What is shown was found already.
				alwaysShow: true,
				value,
			})),
		);
	});
	if (more > 0) {
		items.push({ label: `${more.toLocaleString("en-US")} more`, description: "Type to find them", alwaysShow: true });
	}
	if (items.length === 0) items.push({ label: noneText(typed), alwaysShow: true });
	return items;
}

function noneText(typed: string): string {
	return typed.trim() === "" ? "No running server offers resources" : "No resource matches";
}

function isListing({ sessions }: SessionDirectory): boolean {
	return sessions.some(({ state, resources }) => state.kind === "running" && resources.status.kind === "loading");
}
