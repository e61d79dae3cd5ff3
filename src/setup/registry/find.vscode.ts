import * as vscode from "vscode";
import { guarded } from "../../base/commands.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { showError } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { readDomain } from "../../servers/formats/targetText.ts";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { askUpdate } from "../entries/askUpdate.vscode.ts";
import type { BundleInstaller } from "../entries/bundles.vscode.ts";
import { openDomain } from "./cards.vscode.ts";
import type { FindRow } from "./findRows.ts";
import { LocalServers } from "./local.vscode.ts";
import type { LocalRow } from "./localRows.ts";
import type { RegistryClient } from "./registryClient.ts";
import type { ServerWay } from "../serverJson/serverJson.ts";
import { findUpdates, openUpdate, type UpdateServices } from "./updates.vscode.ts";
import { type ChosenRegistry, withRegistry } from "./withRegistry.vscode.ts";

/** The dependencies of finding servers. */
export interface FindServices extends UpdateServices {
	readonly bundles: Pick<BundleInstaller, "installFrom" | "open" | "store">;
	/** The cost of a server's tools for models, in words; undefined as long as that is not known. */
	readonly costOf: (definition: ServerDefinition) => string | undefined;
}

interface FindItem extends vscode.QuickPickItem {
	readonly id: string;
	/** The action of choosing it; absent for one that cannot be chosen. */
	readonly open?: () => Promise<unknown>;
	readonly page?: string;
	readonly isMore?: true;
}

/** How long it is waited for when a server was first published, in milliseconds. */
const historyMs = 4000;
/** Rows of one group that are there before anything is typed, and at most. */
const mostRows = { untyped: 5, typed: 50 } as const;
const pageButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("link-external"),
	tooltip: "Open Its Page",
};

/**
 * The commands that search for servers and newer versions. A result is shown completely, and added only by the user.
 */
export function findCommands(services: FindServices) {
	return guarded(
		{
			"mcpHost.findServers": (typed) => findServers(services, typeof typed === "string" ? typed.slice(0, 200) : ""),
			"mcpHost.findUpdates": () => findUpdates(services),
		},
		(error) => {
			// A user who cancelled knows.
			if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
		},
	);
}

async function findServers(services: FindServices, typed: string): Promise<void> {
	await withRegistry(services.globalStorageUri, async (client, choice) => {
		const picked = await pickServer(services, client, choice, typed);
		await picked?.open?.();
	});
}

/** Lets the user choose among local servers and the registry's results for the typed text. */
async function pickServer(
	services: FindServices,
	client: RegistryClient,
	choice: ChosenRegistry,
	first: string,
): Promise<FindItem | undefined> {
	const [{ RegistrySearch }, { findRows }, { narrowed }, { marksOf, packagedServers }, { ago }] = await Promise.all([
		import("./registrySearch.ts"),
		import("./findRows.ts"),
		import("./narrowed.ts"),
		import("./updates.ts"),
		import("./trust.ts"),
	]);
	const { sessions } = services.host.registry;
	const packaged = packagedServers(sessions.map(({ definition }) => definition));
	const existing = sessions.map(({ definition }) => {
		const { name, config } = definition;
		return { name, config, cost: services.costOf(definition) };
	});
	const search = new RegistrySearch(client);
	const local = new LocalServers(services.globalStorageUri, existing);
	const host = oneLine(new URL(choice.url).host, 80);
	try {
		return await pickRefreshing<FindItem>({
			isSearchedByUs: true,
			typed: first,
			content(typed) {
				search.type(typed);
				const { servers, offline, failure, hasMore } = search;
				const isBusy = search.isBusy || local.isBusy;
				// Enter must not choose from the results of an earlier search text.
				const found = search.isBusy ? narrowed(servers, typed) : servers;
				const rows = findRows(found, Date.now(), (server, ways) => marksOf(server, ways, packaged, existing));
				const domain = domainItems(typed, services);
				const own = [
					...localItems("other hosts", local.hosts, typed, (row) => services.panel.open([row], "Import Server")),
					...localItems("bundles", local.bundles, typed, async (path) => services.bundles.open(path)),
				];
				const none = rows.length + own.length + domain.length === 0 && !isBusy && failure === undefined;
				const searched = failure === undefined ? host : `${host}, not searched`;
				const state =
					offline === undefined ? searched : `${host} not reached, saved results from ${ago(offline.at, Date.now())}`;
				return {
					items: [
						...(none ? [textItem("Nothing was found", "try other words")] : []),
						...own,
						...(own.length > 0 && rows.length > 0 ? [separator(host)] : []),
						...rows.map((row) => registryItem(row, () => openFound(row, services, client, host))),
						...(hasMore ? [{ ...textItem("$(ellipsis) More…"), isMore: true } as const] : []),
						// Names in registries look like domains: search results come first.
						...domain,
						// While these are the only rows, the first would be active, and stay so when others are inserted before it.
						...(isBusy ? [] : otherWays),
						// The first row is the next key's choice, so a failure is the last row.
						...(isBusy || failure === undefined
							? []
							: [{ ...textItem("$(info) The registry was not searched"), detail: withoutIcons(failure) }]),
					],
					title: `Find Servers (${state})`,
					placeholder: choice.limit ?? "Type a name, such as github or postgres, or a domain",
					isBusy,
				};
			},
			identityOf: ({ id }) => id,
			watch: (refresh) => [search.onDidChange(refresh), local.onDidChange(refresh)],
			canChoose: ({ open, isMore }) => {
				if (isMore === true) search.more();
				return open !== undefined;
			},
			pressItem: ({ page }) => {
				if (page !== undefined) void vscode.env.openExternal(vscode.Uri.parse(page, true));
			},
		});
	} finally {
		search.dispose();
	}
}

const otherWays: readonly FindItem[] = [
	separator("elsewhere"),
	commandItem("$(add) Add Servers…", "by a command, configuration, link or URL", "mcpHost.addServer"),
	commandItem("$(cloud-download) Import Servers…", "from other hosts on this machine", "mcpHost.importServers"),
	commandItem("$(package) Install Bundle…", "from a .mcpb file or its URL", "mcpHost.installBundle"),
	commandItem("$(sync) Update Servers…", "of your packages and bundles", "mcpHost.findUpdates"),
];

/** The matching rows of one group, after a line with its name. */
function localItems<Opens extends LocalRow["opens"]>(
	group: string,
	rows: readonly LocalRow<Opens>[],
	typed: string,
	open: (opens: Opens) => Promise<unknown>,
): readonly FindItem[] {
	const words = typed.trim().toLowerCase();
	const found = rows.filter(({ label, description, detail }) =>
		`${label} ${description} ${detail}`.toLowerCase().includes(words),
	);
	const shown = found.slice(0, words === "" ? mostRows.untyped : mostRows.typed);
	const more = found.length - shown.length;
	if (shown.length === 0) return [];
	return [
		separator(`${group} on this machine`),
		...shown.map(({ id, label, description, detail, opens }): FindItem => ({
			id,
			label: withoutIcons(label),
			description: withoutIcons(description),
			detail: withoutIcons(detail),
			alwaysShow: true,
			open: () => open(opens),
		})),
		...(more > 0 ? [textItem(`${more} more in ${group}`, "type part of the name")] : []),
	];
}

/** The row of a domain that is typed: it is asked only when it is chosen. */
function domainItems(typed: string, { panel }: FindServices): readonly FindItem[] {
	const address = readDomain(typed);
	if (address === undefined) return [];
	return [
		{
			...textItem(`$(globe) Ask ${withoutIcons(oneLine(address.host, 80))}`, "experimental"),
			detail: "Ask it for its MCP Server Cards. If it publishes none, its address is shown.",
			open: () => openDomain(address, panel),
		},
	];
}

function registryItem(row: FindRow, open: () => Promise<unknown>): FindItem {
	return {
		id: `registry ${row.server.name}`,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
		alwaysShow: true,
		open,
		...(row.page === undefined ? {} : { page: row.page, buttons: [pageButton] }),
	};
}

function textItem(label: string, description?: string): FindItem {
	return { id: label, label, alwaysShow: true, ...(description === undefined ? {} : { description }) };
}

function commandItem(label: string, description: string, command: string): FindItem {
	return { ...textItem(label, description), open: async () => vscode.commands.executeCommand(command) };
}

function separator(label: string): FindItem {
	return { id: `separator ${label}`, label, kind: vscode.QuickPickItemKind.Separator };
}

/** Shows a server of the registry, in the way that the user chooses, in the place of an older version or as another one. */
async function openFound(
	row: FindRow,
	services: FindServices,
	client: RegistryClient,
	registry: string,
): Promise<void> {
	const { host, panel, bundles } = services;
	const [{ knownOf, refusedSource, sourceOfWay }, { packagedServers, updatesBy }] = await Promise.all([
		import("./findRows.ts"),
		import("./updates.ts"),
	]);
	const definitions = host.registry.sessions.map(({ definition }) => definition);
	const [update] = updatesBy(row.server, packagedServers(definitions));
	if (update !== undefined) {
		const { definition, launched } = update.installed;
		const there = `Version ${oneLine(launched.version, 40)} of “${oneLine(launched.name, 80)}” is configured as “${oneLine(definition.name, 60)}”.`;
		const isUpdate = await askUpdate(there, update.version);
		if (isUpdate === undefined) return;
		if (isUpdate) return openUpdate(update, services, registry);
	}
	const way = row.ways.length > 1 ? await pickWay(row) : row.ways[0];
	if (way === undefined && row.ways.length > 0) return;
	if (way === undefined) {
		await panel.open([refusedSource(row)], "Add Server");
		return;
	}
	const first = await client.firstPublished(row.server, AbortSignal.timeout(historyMs)).catch(() => undefined);
	const publication = { now: Date.now(), first };
	if ("bundle" in way) await bundles.installFrom(way.bundle.url, knownOf(row.server, way, publication, registry));
	else await panel.open([sourceOfWay(row, way, publication, registry)], "Add Server");
}

async function pickWay({ label, ways }: FindRow): Promise<ServerWay | undefined> {
	const items = ways.map((way) => ({
		label: withoutIcons(oneLine(way.label, 120)),
		detail: withoutIcons(oneLine(way.runs, 200)),
		way,
	}));
	const options = {
		ignoreFocusOut: true,
		title: label,
		placeHolder: "Choose how to run it. You can review everything before it is added",
	};
	return (await vscode.window.showQuickPick(items, options))?.way;
}
