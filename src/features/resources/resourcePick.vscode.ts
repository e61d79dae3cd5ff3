import { withoutIcons } from "../../base/words.ts";
import * as vscode from "vscode";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import { remedyItem, runRemedy } from "../../servers/rowPick.vscode.ts";
import { explainAbsence, isSettling, type Remedy } from "../../servers/sessions/absence.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { ListedTemplate } from "./listed.ts";
import { iconOf } from "./mediaTypes.ts";
import { ResourceSearch, type FoundResource } from "./search.ts";

interface ResourceItem extends vscode.QuickPickItem {
	readonly value?: FoundResource;
	readonly remedy?: Remedy;
}

/**
 * Lets the user choose a resource of the running servers, or a URI to read from one of them. The search is ours: VS
 * Code would filter tens of thousands of rows at each key. Undefined when they choose none.
 */
export async function pickResource(
	directory: SessionDirectory,
	templatesFor: (uri: string) => readonly ListedTemplate[],
	title: string,
): Promise<FoundResource | undefined> {
	let search = new ResourceSearch(directory, templatesFor);
	const picked = await pickRefreshing<ResourceItem>({
		isSearchedByUs: true,
		matchesLabelsOnly: true,
		renew() {
			search = new ResourceSearch(directory, templatesFor);
		},
		content(typed) {
			const { sessions } = directory;
			const found = itemsFor(search, typed);
			const isBusy = isSettling(sessions, "resources");
			const isNone = found.length === 0 && typed.trim() === "" && !isBusy;
			const absence = isNone ? explainAbsence(sessions, "resources") : undefined;
			const none = isBusy || isNone ? [] : [{ label: "No resource matches", alwaysShow: true }];
			return {
				items: found.length > 0 ? found : (absence?.remedies.map(remedyItem) ?? none),
				title,
				placeholder: absence?.message ?? "Search by name, server or description, or type a URI",
				isBusy,
			};
		},
		identityOf: ({ value, remedy }) => (value ? `${value.session.definition.id}\n${value.uri}` : remedy?.command),
		watch: (refresh) => [
			directory.onDidChange(refresh),
			...directory.sessions.map(({ resources }) => resources.onDidChange(refresh)),
		],
		canChoose: ({ value, remedy }) => value !== undefined || remedy !== undefined,
	});
	runRemedy(picked?.remedy);
	return picked?.value;
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
				// The shown rows are filtered already.
				alwaysShow: true,
				value,
			})),
		);
	});
	if (more > 0) {
		items.push({ label: `${more.toLocaleString("en-US")} more`, description: "Type to find them", alwaysShow: true });
	}
	return items;
}
