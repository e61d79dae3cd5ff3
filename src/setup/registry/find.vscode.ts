import { join } from "node:path";
import * as vscode from "vscode";
import { guarded } from "../../base/commands.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine, withoutIcons } from "../../base/text.ts";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import { networkSettings } from "../../servers/hostServices.vscode.ts";
import type { AddServersPanel } from "../addServers.vscode.ts";
import type { BundleInstaller } from "../bundles.vscode.ts";
import { chooseRegistry, type RegistryChoice } from "../editorLimits.ts";
import { editorSettings } from "../editorSettings.vscode.ts";
import type { FindRow } from "./findRows.ts";
import type { RegistryClient } from "./registryClient.ts";
import type { ServerWay } from "./serverJson.ts";

/** What finding servers works with. */
export interface FindServices {
	readonly panel: Pick<AddServersPanel, "open">;
	readonly globalStorageUri: vscode.Uri;
	readonly bundles: Pick<BundleInstaller, "installFrom">;
}

interface FindItem extends vscode.QuickPickItem {
	readonly row?: FindRow;
	/** What a row that is no server does instead. */
	readonly command?: "mcpHost.addServer" | "mcpHost.importServers";
	readonly isMore?: true;
}

/** How long it is waited for when a server was first published, in milliseconds. */
const historyMs = 4000;
const pageButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("link-external"),
	tooltip: "Open Its Page",
};

/** The command that searches a registry. What is found is shown whole, and added only by the person. */
export function findCommands(services: FindServices) {
	return guarded({ "mcpHost.findServers": () => findServers(services) }, (error) => {
		// Whoever cancelled knows.
		if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
	});
}

async function findServers({ panel, globalStorageUri, bundles }: FindServices): Promise<void> {
	const choice = chooseRegistry(editorSettings);
	if ("refusal" in choice) {
		const remedy = "Open Settings";
		if ((await showInformation(choice.refusal, remedy)) === remedy)
			await vscode.commands.executeCommand("workbench.action.openSettings", "mcpHost.registry.url");
		return;
	}
	const [{ RegistryClient }, { RegistryCache }, { openNetwork }] = await Promise.all([
		import("./registryClient.ts"),
		import("./registryCache.ts"),
		import("../../protocol/http/network.ts"),
	]);
	const network = openNetwork(networkSettings());
	try {
		const cache = new RegistryCache(join(globalStorageUri.fsPath, "registry"));
		const client = new RegistryClient({ url: choice.url, network, cache, now: Date.now });
		const picked = await pickServerOf(choice, client);
		if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
		if (picked?.row === undefined) return;
		const { row } = picked;
		const way = row.ways.length > 1 ? await pickWay(row) : row.ways[0];
		if (way === undefined && row.ways.length > 0) return;
		const { knownOf, refusedSource, sourceOfWay } = await import("./findRows.ts");
		if (way === undefined) {
			await panel.open([refusedSource(row)], "Add Server");
			return;
		}
		const first = await client.firstPublished(row.server, AbortSignal.timeout(historyMs)).catch(() => undefined);
		const publication = { now: Date.now(), first };
		const { host } = new URL(choice.url);
		if ("bundle" in way)
			await bundles.installFrom(way.bundle.url, way.bundle.sha256, knownOf(row, way, publication, host));
		else await panel.open([sourceOfWay(row, way, publication, host)], "Add Server");
	} finally {
		await network.close();
	}
}

/** Lets the person choose among what the registry finds for what they type. */
async function pickServerOf(
	choice: Extract<RegistryChoice, { readonly url: string }>,
	client: RegistryClient,
): Promise<FindItem | undefined> {
	const [{ RegistrySearch }, { findRows }, { narrowed }, { ago }] = await Promise.all([
		import("./registrySearch.ts"),
		import("./findRows.ts"),
		import("./narrowed.ts"),
		import("./trust.ts"),
	]);
	const search = new RegistrySearch(client);
	const host = oneLine(new URL(choice.url).host, 80);
	try {
		return await pickRefreshing<FindItem>({
			isSearchedByUs: true,
			content(typed) {
				search.type(typed);
				const { servers, offline, failure, isBusy, hasMore } = search;
				// What was found for other words is nothing to choose from by the key that ends these.
				const rows = findRows(isBusy ? narrowed(servers, typed) : servers, Date.now()).map(itemOf);
				const none = rows.length === 0 && !isBusy && failure === undefined;
				const state = offline === undefined ? host : `${host}, not reached: as of ${ago(offline.at, Date.now())}`;
				return {
					items: [
						...(failure === undefined ? [] : [{ label: `$(warning) ${withoutIcons(failure)}`, alwaysShow: true }]),
						...(none ? [{ label: "Nothing was found", description: "try another word", alwaysShow: true }] : []),
						...rows,
						...(hasMore ? [{ label: "$(ellipsis) More…", alwaysShow: true, isMore: true } as const] : []),
						// While these alone were there, the first would be chosen, and stay so when others come before it.
						...(isBusy ? [] : otherWays),
					],
					title: `Find Servers (${state})`,
					placeholder: choice.limit ?? "Type a name, such as github or postgres",
					isBusy,
				};
			},
			identityOf: ({ row, label }) => row?.server.name ?? label,
			watch: (refresh) => [search.onDidChange(refresh)],
			canChoose: ({ row, command, isMore }) => {
				if (isMore === true) search.more();
				return row !== undefined || command !== undefined;
			},
			pressItem: ({ row }) => {
				if (row?.page !== undefined) void vscode.env.openExternal(vscode.Uri.parse(row.page, true));
			},
		});
	} finally {
		search.dispose();
	}
}

const otherWays: readonly FindItem[] = [
	{ label: "elsewhere", kind: vscode.QuickPickItemKind.Separator },
	{
		label: "$(add) Add Servers…",
		description: "paste what a server's page says: a command, a configuration, an install link, a URL",
		alwaysShow: true,
		command: "mcpHost.addServer",
	},
	{
		label: "$(cloud-download) Import Servers…",
		description: "those that other hosts on this machine have",
		alwaysShow: true,
		command: "mcpHost.importServers",
	},
];

function itemOf(row: FindRow): FindItem {
	return {
		row,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
		alwaysShow: true,
		...(row.page === undefined ? {} : { buttons: [pageButton] }),
	};
}

async function pickWay({ label, ways }: FindRow): Promise<ServerWay | undefined> {
	const items = ways.map((way) => ({
		label: withoutIcons(oneLine(way.label, 120)),
		detail: withoutIcons(oneLine(way.runs, 200)),
		way,
	}));
	const options = { title: label, placeHolder: "In which way? You see all of it before it is added" };
	return (await vscode.window.showQuickPick(items, options))?.way;
}
