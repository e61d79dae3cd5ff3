import * as vscode from "vscode";
import { showWarning } from "../base/notify.vscode.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { oneLine } from "../base/text.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { answerOf } from "./answered.ts";
import type { LiveResources } from "./live.ts";
import type { ResourceTabs } from "./tabs.vscode.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/**
 * Keeps the lists of URIs that menus of editors ask for (package.json, `resource in …`), and tells once for each resource
 * that a tab shows when its server answered with contents that it calls by another URI (security.md RES-04).
 */
export function registerHints(directory: SessionDirectory, live: LiveResources, tabs: ResourceTabs): Disposable {
	const store = new DisposableStore();
	const told = new Set<string>();
	const tell = ({ server, uri }: ResourceAddress): void => {
		const answered = live.answeredAs({ server, uri });
		if (answered === undefined || answerOf(uri, [{ uri: answered }]).kind !== "other") return;
		const key = keyOf({ server, uri });
		// A server may call the contents by a new URI with each read.
		if (told.has(key)) return;
		told.add(key);
		const name = directory.get(server)?.definition.name ?? "The server";
		void showWarning(
			`${name} answered with "${oneLine(answered)}" where "${oneLine(uri)}" was asked for. The editor shows that answer.`,
		);
	};
	let former = "";
	const update = (): void => {
		const shown = tabs.all;
		for (const { address } of shown) tell(address);
		const urisWhere = (holds: (address: ResourceAddress) => boolean): readonly string[] =>
			shown.filter(({ address }) => holds(address)).map(({ uri }) => uri.toString());
		const comparable = urisWhere((address) => address.isHex !== true && live.comparableTo(address) !== undefined);
		const watched = urisWhere((address) => live.stateOf(address).isWatched);
		const present = JSON.stringify([comparable, watched]);
		if (present === former) return;
		former = present;
		void vscode.commands.executeCommand("setContext", "mcpHost.comparableResources", comparable);
		void vscode.commands.executeCommand("setContext", "mcpHost.watchedResources", watched);
	};
	store.add(live.onDidChange(update));
	store.add(tabs.onDidChange(update));
	update();
	return store;
}
