import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { LiveResources } from "./live.ts";
import type { SizeGuard } from "./sizeGuard.ts";
import { fromEditorUri, keyOf, type ResourceAddress } from "./uri.ts";

/** One of our URIs that a tab shows. */
interface Shown {
	readonly uri: vscode.Uri;
	readonly address: ResourceAddress;
	readonly following: Disposable;
}

/**
 * The resources in tabs, active or not: VS Code itself watches only the visible ones. Each is followed for as long as
 * its tab exists.
 */
export class ResourceTabs implements Disposable {
	private readonly live: LiveResources;
	private readonly guard: SizeGuard;
	private readonly store = new DisposableStore();
	private readonly shown = new Map<string, Shown>();
	private readonly changed = this.store.add(new Emitter<void>());
	/** Tabs of resources were opened, closed or activated. */
	readonly onDidChange = this.changed.event;

	constructor(live: LiveResources, guard: SizeGuard) {
		this.live = live;
		this.guard = guard;
		const { tabGroups } = vscode.window;
		this.store.add(tabGroups.onDidChangeTabs(() => this.sync()));
		this.store.add(tabGroups.onDidChangeTabGroups(() => this.sync()));
		this.store.add(vscode.window.onDidChangeWindowState(() => this.sync()));
		this.sync();
	}

	/** The URIs under which tabs show a resource. */
	urisOf(address: Pick<ResourceAddress, "server" | "uri">): readonly vscode.Uri[] {
		return this.all.filter((shown) => keyOf(shown.address) === keyOf(address)).map(({ uri }) => uri);
	}

	/** All resources that tabs show, each with the URI of its tab. */
	get all(): readonly Pick<Shown, "uri" | "address">[] {
		return [...this.shown.values()];
	}

	/** The resource whose tab has the focus among the editors, if it is one. */
	get active(): ResourceAddress | undefined {
		const [uri] = urisOfTab(vscode.window.tabGroups.activeTabGroup.activeTab).toReversed();
		return uri && fromEditorUri(uri);
	}

	/** Takes the current state of the window. */
	sync(): void {
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		const uris = new Map(tabs.flatMap(urisOfTab).map((uri) => [uri.toString(), uri]));
		for (const [key, uri] of uris) {
			const address = fromEditorUri(uri);
			// Earlier contents do not change.
			if (this.shown.has(key) || address === undefined || address.version !== undefined) continue;
			this.shown.set(key, { uri, address, following: this.live.open(address) });
		}
		for (const [key, { address, following }] of this.shown) {
			if (uris.has(key)) continue;
			this.shown.delete(key);
			following.dispose();
			if (this.urisOf(address).length === 0) this.guard.forget(address);
		}
		this.live.look(vscode.window.state.focused ? this.active : undefined);
		this.changed.fire();
	}

	dispose(): void {
		this.store.dispose();
		for (const { following } of this.shown.values()) following.dispose();
		this.shown.clear();
	}
}

/** The tabs that show exactly this URI, where it is in front of its group. */
export function frontTabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
	return tabsOf(uri).filter(({ isActive }) => isActive);
}

/** All tabs that show exactly this URI. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.filter((tab) => urisOfTab(tab).some((shown) => shown.toString() === uri.toString()));
}

/** The URIs of a tab; for a comparison first the former, then the current one. */
function urisOfTab(tab: vscode.Tab | undefined): readonly vscode.Uri[] {
	const input: unknown = tab?.input;
	if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return [input.uri];
	if (input instanceof vscode.TabInputNotebook) return [input.uri];
	return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
