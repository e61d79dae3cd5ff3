import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { notices } from "../../base/notices.vscode.ts";
import { commandsOf, askModal, showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { BundleStore, InstalledBundle } from "../bundles/bundleStore.ts";
import type { McpHost } from "../../servers/host.ts";

/** How long an entry may be away, as while it is moved, before the files of its bundle are spoken of, in milliseconds. */
const awayMs = 3000;

/**
 * The files of bundles whose servers are no longer configured: offered for removal when an entry was deleted by hand,
 * and by a command. Never removed automatically, because another profile may have a server that runs them.
 */
export class UnusedBundles implements Disposable {
	readonly commands = commandsOf({ "mcpHost.removeUnusedBundles": () => this.choose() });
	private readonly host: Pick<McpHost, "registry">;
	private readonly store: BundleStore;
	/** The bundles that a server of this window ran from. */
	private readonly seen = new Set<string>();
	private timer: NodeJS.Timeout | undefined;
	private readonly subscription: Disposable;

	constructor(host: Pick<McpHost, "registry">, store: BundleStore) {
		this.host = host;
		this.store = store;
		this.note();
		this.subscription = host.registry.onDidChange(() => {
			this.note();
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.look().catch(() => undefined), awayMs);
		});
	}

	dispose(): void {
		this.subscription.dispose();
		clearTimeout(this.timer);
	}

	private used(): ReadonlySet<string> {
		const { sessions } = this.host.registry;
		return new Set(
			sessions.flatMap(({ definition: { config } }) =>
				config.kind === "stdio" ? (this.store.idIn(config) ?? []) : [],
			),
		);
	}

	private note(): void {
		for (const id of this.used()) this.seen.add(id);
	}

	/** Several windows see the same: the one that the user is at speaks. */
	private async look(): Promise<void> {
		const used = this.used();
		for (const id of this.seen) {
			if (used.has(id)) continue;
			this.seen.delete(id);
			const bundle = await this.store.read(id);
			if (bundle === undefined || !vscode.window.state.focused) continue;
			void this.offer(bundle);
		}
	}

	private async offer(bundle: InstalledBundle): Promise<void> {
		const remove = "Remove Files";
		const over = (): string | undefined =>
			this.used().has(bundle.id) ? "A server runs this bundle again." : undefined;
		const answer = await notices.ask(`bundle/${bundle.id}`, over, () =>
			showInformation(
				`No server runs the bundle ${nameOf(bundle)} any more. Its files are still on this machine.`,
				remove,
			),
		);
		if (answer === remove) await this.remove([bundle]).catch((error: unknown) => showError(messageOf(error)));
	}

	private async choose(): Promise<void> {
		const used = this.used();
		const unused = (await this.store.all()).filter(({ id }) => !used.has(id));
		if (unused.length === 0) {
			void showInformation("All bundles on this machine are in use. There is nothing to delete.");
			return;
		}
		const items = unused.map((bundle) => ({
			label: withoutIcons(nameOf(bundle)),
			description: withoutIcons(oneLine(bundle.manifest.author, 80)),
			detail: withoutIcons(oneLine(bundle.label, 200)),
			bundle,
		}));
		const picked = await vscode.window.showQuickPick(items, {
			ignoreFocusOut: true,
			title: "Remove Unused Bundles",
			placeHolder: "Files that no server of this window uses; another profile may use them",
			canPickMany: true,
		});
		if (picked === undefined || picked.length === 0) return;
		const many = picked.length === 1 ? "the bundle" : `${picked.length} bundles`;
		const answer = await askModal(
			`Delete the files of ${many}?`,
			`${picked.map(({ bundle }) => nameOf(bundle)).join(", ")}. This cannot be undone; the bundle can be installed again.`,
			"Delete",
		);
		if (answer === "Delete") await this.remove(picked.map(({ bundle }) => bundle));
	}

	/** Files that a server uses again by now stay. */
	private async remove(bundles: readonly InstalledBundle[]): Promise<void> {
		const used = this.used();
		const [kept, unused] = [bundles.filter(({ id }) => used.has(id)), bundles.filter(({ id }) => !used.has(id))];
		for (const { id } of unused) await this.store.remove(id);
		const names = (list: readonly InstalledBundle[]): string => list.map(nameOf).join(", ");
		if (unused.length > 0) void showInformation(`The files of ${names(unused)} were deleted.`);
		if (kept.length > 0) void showInformation(`Not deleted, because a server runs it again: ${names(kept)}.`);
	}
}

function nameOf({ manifest: { displayName, version } }: InstalledBundle): string {
	return `“${oneLine(displayName, 60)}” ${oneLine(version, 30)}`;
}
