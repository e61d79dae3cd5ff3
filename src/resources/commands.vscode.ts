import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { HostError } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { showSlowWork } from "../base/notify.vscode.ts";
import type { KeyValue } from "../base/storage.ts";
import { oneLine } from "../base/text.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { resourceReference, sessionNamed, templateReference } from "./catalog.ts";
import { compareResource } from "./compare.vscode.ts";
import { explain } from "./failure.vscode.ts";
import { ResourceFiles } from "./fileSystem.vscode.ts";
import { registerHints } from "./hints.vscode.ts";
import { LiveResources } from "./live.ts";
import { ResourceOpener, type Openable } from "./open.vscode.ts";
import { openResourceWith } from "./openWith.vscode.ts";
import { ResourceReader } from "./reader.ts";
import { pickResource } from "./resourcePick.vscode.ts";
import { saveResource } from "./save.vscode.ts";
import { SizeGuard } from "./sizeGuard.ts";
import { Snapshots } from "./snapshots.ts";
import { ResourceTabs } from "./tabs.vscode.ts";
import { templatesMatching } from "./templateSearch.ts";
import { WatchList } from "./watchList.ts";

/** What resources need of the rest of the host. */
export interface ResourceServices {
	readonly directory: SessionDirectory;
	/** Where it is kept what the person watches in this workspace. */
	readonly state: KeyValue;
	/** Told of a URI that no server lists, which the person typed, once it was opened. */
	readonly openedTyped: (opened: Pick<Openable, "session" | "uri">) => void;
}

/** How long a window that opens may take until its servers start, and a server's handshake, in milliseconds. */
const settlingMs = 8000;
const startingMs = 60_000;

const megabyte = 1024 * 1024;

/** What the door of the resources opens (doors.vscode.ts). */
export interface ResourceRoom extends Disposable {
	readonly files: ResourceFiles;
	readonly commands: Commands<ResourceCommand>;
	/** What is known of resources without asking their servers. */
	readonly live: LiveResources;
	/** Lets the person choose a resource of the running servers; undefined when they choose none. */
	readonly pick: (title: string) => ReturnType<typeof pickResource>;
	/** Opens a resource, and tells of a failure. Resolves with whether it was opened. */
	readonly open: (openable: Openable) => Promise<boolean>;
}

type ResourceCommand =
	| "mcpHost.openResource"
	| "mcpHost.openResourceToSide"
	| "mcpHost.openResourceWith"
	| "mcpHost.saveResourceAs"
	| "mcpHost.compareResource"
	| "mcpHost.watchResource"
	| "mcpHost.unwatchResource"
	| "mcpHost.refreshResource"
	| "mcpHost.copyResourceUri"
	| "mcpHost.attachResource";

/** Makes the files of resources, what follows them, and the commands for them. Each takes `{server, uri, part?}`. */
export function resourceRoom({ directory, state, openedTyped }: ResourceServices): ResourceRoom {
	const store = new DisposableStore();
	const patience = { startingMs, settledAt: Date.now() + settlingMs };
	const reader = store.add(
		new ResourceReader(directory, patience, ({ definition }, uri, slow) =>
			showSlowWork(`Reading ${oneLine(uri, 60)} of ${definition.name}`, slow),
		),
	);
	const snapshots = new Snapshots();
	const live = store.add(new LiveResources({ directory, reader, snapshots, watchList: new WatchList(state) }));
	const guard = new SizeGuard(
		() => vscode.workspace.getConfiguration("mcpHost").get("limits.resourceSize", 10) * megabyte,
		(server) => directory.get(server)?.definition.name,
	);
	const tabs = store.add(new ResourceTabs(live, guard));
	const opener = new ResourceOpener({ reader, live, guard, tabs });
	store.add(registerHints(directory, live, tabs));
	const files = store.add(
		new ResourceFiles({
			reader,
			snapshots,
			live,
			guard,
			tabs,
			reopen: async (uri, address) => {
				const session = directory.get(address.server);
				if (session !== undefined) await opener.reopen(session, uri, address);
			},
		}),
	);
	const pick: ResourceRoom["pick"] = (title) =>
		pickResource(directory, (uri) => templatesMatching(directory, uri), title);
	const commands = commandsOf({ directory, reader, live, opener, tabs, openedTyped, pick });
	return { files, live, commands, pick, open: (openable) => opener.open(openable), dispose: () => store.dispose() };
}

/** What the commands work with. */
interface Workers extends Pick<ResourceServices, "directory" | "openedTyped"> {
	readonly reader: ResourceReader;
	readonly live: LiveResources;
	readonly opener: ResourceOpener;
	readonly tabs: ResourceTabs;
	readonly pick: ResourceRoom["pick"];
}

function commandsOf(workers: Workers): Commands<ResourceCommand> {
	const { directory, reader, live, opener, tabs, openedTyped, pick } = workers;
	/** The resource that a command was given; undefined for none. */
	const given = (argument: unknown): Openable | undefined => {
		const reference = resourceReference(argument);
		if (reference === undefined) return undefined;
		const session = sessionNamed(directory, reference.server);
		const listed = session.resources.items.find(({ uri }) => uri === reference.uri);
		return { session, uri: reference.uri, mimeType: listed?.mimeType, part: reference.part, size: listed?.size };
	};
	/** Runs with the resource that the command was given, else with that of the active editor, else with one that is picked. */
	const about =
		(title: string, run: (openable: Openable) => Promise<unknown>) =>
		async (argument: unknown): Promise<unknown> => {
			const openable = given(argument) ?? given(tabs.active) ?? (await pick(title));
			return openable && run(openable);
		};
	const open = async (argument: unknown, options?: vscode.TextDocumentShowOptions): Promise<void> => {
		const openable = given(argument);
		if (openable !== undefined) {
			await opener.open(openable, options);
			return;
		}
		const found = await pick("Open Resource");
		if (found !== undefined && (await opener.open(found, options)) && !found.isListed) openedTyped(found);
	};
	const addressOf = ({ session, uri }: Openable): { readonly server: string; readonly uri: string } => ({
		server: session.definition.id,
		uri,
	});

	const commands: Record<ResourceCommand, (argument: unknown) => Promise<unknown>> = {
		"mcpHost.openResource": (argument) => open(argument),
		"mcpHost.openResourceToSide": (argument) => open(argument, { viewColumn: vscode.ViewColumn.Beside }),
		"mcpHost.openResourceWith": about("Open Resource With", (openable) => openResourceWith(opener, openable)),
		"mcpHost.saveResourceAs": about("Save Resource As", (openable) => saveResource(opener, openable)),
		"mcpHost.compareResource": about("Compare Resource with Previous", (openable) =>
			compareResource(reader, live, openable),
		),
		"mcpHost.watchResource": about("Watch Resource", async (openable) => {
			const { state, definition } = openable.session;
			if (state.kind === "running" && state.facts.capabilities.resources?.subscribe !== true) {
				throw new HostError(
					"invalid",
					`${definition.name} does not tell when its resources change, so that there is nothing to watch.`,
				);
			}
			await live.watch(addressOf(openable));
		}),
		"mcpHost.unwatchResource": about("Stop Watching Resource", (openable) => live.unwatch(addressOf(openable))),
		"mcpHost.refreshResource": about("Refresh Resource", async (openable) => live.refresh(addressOf(openable))),
		"mcpHost.copyResourceUri": async (argument) => {
			const reference = resourceReference(argument);
			// Part of a resource has a URI of its own.
			const part = reference?.part === undefined ? undefined : live.partsOf(reference)[reference.part]?.uri;
			const named = part ?? reference?.uri ?? templateReference(argument)?.uriTemplate;
			const text = named ?? tabs.active?.uri ?? (await pick("Copy Resource URI"))?.uri;
			if (text !== undefined) await vscode.env.clipboard.writeText(text);
		},
		"mcpHost.attachResource": about("Attach Resource to Chat", async (openable) => {
			const uri = await opener.uriFor(openable);
			if (uri !== undefined) {
				await vscode.commands.executeCommand("workbench.action.chat.open", { attachFiles: [uri] });
			}
		}),
	};
	return guarded(commands, (error, argument) =>
		explain(error, resourceReference(argument)?.server ?? templateReference(argument)?.server),
	);
}
