import * as vscode from "vscode";
import { showInformation, withCancel } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { McpHost } from "../../servers/host.ts";
import type { AddServersPanel } from "../entries/addServers.vscode.ts";
import type { BundleInstaller } from "../entries/bundles.vscode.ts";
import type { ServerEdits } from "../entries/serverEdits.ts";
import { withRegistry } from "./withRegistry.vscode.ts";
import type { FoundUpdates, Update } from "./updates.ts";

/** The dependencies of updating servers. */
export interface UpdateServices {
	readonly host: Pick<McpHost, "registry">;
	readonly edits: Pick<ServerEdits, "read" | "edit">;
	readonly panel: Pick<AddServersPanel, "open">;
	readonly bundles: Pick<BundleInstaller, "installFrom" | "store">;
	readonly globalStorageUri: vscode.Uri;
}

/** Asks the registry for newer versions of configured servers; the user's choice is shown, and only they apply it. */
export async function findUpdates(services: UpdateServices): Promise<void> {
	const { host, bundles, globalStorageUri } = services;
	const [{ packagedServers, UpdateSearch }, { bundledServers }] = await Promise.all([
		import("./updates.ts"),
		import("../entries/bundleUpdate.ts"),
	]);
	const definitions = host.registry.sessions.map(({ definition }) => definition);
	const packaged = packagedServers(definitions);
	const bundled = await bundledServers(definitions, bundles.store);
	const count = packaged.length + bundled.length;
	if (count === 0) {
		void showInformation("There is nothing to update: no server uses a package with a fixed version or a bundle.");
		return;
	}
	await withRegistry(globalStorageUri, async (client, { url }) => {
		const registry = oneLine(new URL(url).host, 80);
		const many = count === 1 ? "1 server" : `${count} servers`;
		const found = await withCancel(`Asking ${registry} about ${many}`, (signal) =>
			new UpdateSearch(client).run(packaged, bundled, signal),
		);
		if (found === undefined) return;
		const update = await pickUpdate(found, count, registry);
		if (update !== undefined) await openUpdate(update, services, registry);
	});
}

async function pickUpdate(
	{ updates, unlisted }: FoundUpdates,
	count: number,
	registry: string,
): Promise<Update | undefined> {
	const names = unlisted.slice(0, 5).map((name) => `“${oneLine(name, 60)}”`);
	const more = unlisted.length - names.length;
	const rest = unlisted.length === 0 ? "" : ` Not listed: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
	const listed = count - unlisted.length;
	if (updates.length === 0) {
		const which = listed === 0 ? "" : ` for ${listed === 1 ? "1 server" : `${listed} servers`}`;
		void showInformation(`${registry} has no newer version${which}.${rest}`);
		return undefined;
	}
	const { rowOfUpdate } = await import("./updates.ts");
	const items = updates.map((update) => {
		const { label, description, detail } = rowOfUpdate(update, Date.now());
		return { label: withoutIcons(label), description, detail: withoutIcons(detail), update };
	});
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: `Server Updates (${registry})`,
		placeHolder: `Update which server? You see the changes before they are written.${rest}`,
		matchOnDescription: true,
		matchOnDetail: true,
	});
	return picked?.update;
}

/**
 * Shows the changes of a newer version, in the preview by which it replaces the other one.
 * @throws HostError whose message says why it cannot be shown.
 */
export async function openUpdate(
	update: Update,
	{ edits, panel, bundles }: UpdateServices,
	registry: string,
): Promise<void> {
	const [{ isBundleUpdate, sourceOfUpdate }, { knownOf }] = await Promise.all([
		import("./updates.ts"),
		import("./findRows.ts"),
	]);
	const known = knownOf(update.server, update.way, { now: Date.now(), first: undefined }, registry);
	if (isBundleUpdate(update)) {
		await bundles.installFrom(update.way.bundle.url, known);
		return;
	}
	const { definition } = update.installed;
	const written = await edits.read(definition);
	const write = async (server: Parameters<ServerEdits["edit"]>[1]): Promise<void> => {
		await edits.edit(definition, server);
	};
	await panel.open([sourceOfUpdate(update, written, known, write)], "Update Server");
}
