import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { type Commands, guarded } from "../../base/commands.ts";
import { HostError } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showSlowWork, showWarning } from "../../base/notify.vscode.ts";
import type { KeyValue } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { resourceReference, sessionNamed, templateReference } from "./catalog.ts";
import { explain } from "./failure.vscode.ts";
import { compareResource, openResourceWith, saveResource } from "./fileActions.vscode.ts";
import { ResourceFiles } from "./fileSystem.vscode.ts";
import { answerOf } from "./lastReads.ts";
import { LiveResources } from "./live.ts";
import { type Openable, ResourceOpener } from "./open.vscode.ts";
import { ResourceReader } from "./reader.ts";
import { previewResource } from "./preview.vscode.ts";
import { pickResource } from "./resourcePick.vscode.ts";
import { SizeGuard } from "./sizeGuard.ts";
import { Snapshots } from "./snapshots.ts";
import { ResourceTabs } from "./tabs.vscode.ts";
import { templatesMatching } from "./templates/templateSearch.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";
import { WatchList } from "./watchList.ts";

/** The dependencies of resources on the rest of the host. */
export interface ResourceServices {
	readonly directory: SessionDirectory;
	readonly notes: ActivityNotes;
	/** The storage of the user's watched resources in this workspace. */
	readonly state: KeyValue;
	readonly extensionUri: vscode.Uri;
	/** Resolves once the servers that start with the window have been started. */
	readonly settled: Promise<unknown>;
}

/** How long an editor waits for its server to start, in milliseconds. */
const startingMs = 60_000;

const megabyte = 1024 * 1024;

/** Resources as files, the facts about them, and their commands. */
export interface WiredResources extends Disposable {
	readonly files: ResourceFiles;
	readonly commands: Commands<ResourceCommand>;
	/** The facts about resources that need no request to their servers. */
	readonly live: LiveResources;
	/** A URI that no server lists, which the user typed, was opened. */
	readonly onDidOpenTyped: Event<Pick<Openable, "session" | "uri">>;
	/** Lets the user choose a resource of the running servers; undefined when they choose none. */
	readonly pick: (title: string) => ReturnType<typeof pickResource>;
	/** Opens a resource, and shows a failure. Resolves with whether it was opened. */
	readonly open: (openable: Openable) => Promise<boolean>;
}

type ResourceCommand =
	| "mcpHost.openResource"
	| "mcpHost.openResourceToSide"
	| "mcpHost.openResourceWith"
	| "mcpHost.previewResource"
	| "mcpHost.saveResourceAs"
	| "mcpHost.compareResource"
	| "mcpHost.watchResource"
	| "mcpHost.unwatchResource"
	| "mcpHost.refreshResource"
	| "mcpHost.copyResourceUri"
	| "mcpHost.attachResource";

/** Creates the files of resources, their followers, and the commands for them. Each takes `{server, uri, part?}`. */
export function wireResources({ directory, state, notes, extensionUri, settled }: ResourceServices): WiredResources {
	const store = new DisposableStore();
	const reader = store.add(
		new ResourceReader(
			directory,
			{ startingMs, settled },
			({ definition }, uri, slow) => showSlowWork(`Reading ${oneLine(uri, 60)} of ${definition.name}`, slow),
			notes,
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
	const pick: WiredResources["pick"] = (title) =>
		pickResource(directory, (uri) => templatesMatching(directory, uri), title);
	const typed = store.add(new Emitter<Pick<Openable, "session" | "uri">>());
	const openedTyped: Workers["openedTyped"] = (opened) => typed.fire(opened);
	return {
		files,
		live,
		commands: commandsOf({ directory, reader, live, opener, tabs, openedTyped, pick, extensionUri }),
		onDidOpenTyped: typed.event,
		pick,
		open: (openable) => opener.open(openable),
		dispose: () => store.dispose(),
	};
}

/** The services that the commands use. */
interface Workers extends Pick<ResourceServices, "directory" | "extensionUri"> {
	readonly openedTyped: (opened: Pick<Openable, "session" | "uri">) => void;
	readonly reader: ResourceReader;
	readonly live: LiveResources;
	readonly opener: ResourceOpener;
	readonly tabs: ResourceTabs;
	readonly pick: WiredResources["pick"];
}

function commandsOf(workers: Workers): Commands<ResourceCommand> {
	const { directory, reader, live, opener, tabs, openedTyped, pick, extensionUri } = workers;
	/** The resource that a command was given; undefined for none. */
	const given = (argument: unknown): Openable | undefined => {
		const reference = resourceReference(argument);
		if (reference === undefined) return undefined;
		const session = sessionNamed(directory, reference.server);
		const listed = session.resources.items.find(({ uri }) => uri === reference.uri);
		return { session, uri: reference.uri, mimeType: listed?.mimeType, part: reference.part, size: listed?.size };
	};
	/**
	 * Runs with the resource in the command's argument, otherwise with that of the active editor, otherwise with one that
	 * the user picks.
	 */
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
		"mcpHost.openResourceWith": about("Open Resource With", (openable) =>
			openResourceWith(opener, openable, { reader, live }, extensionUri),
		),
		"mcpHost.previewResource": about("Open Resource Preview", (openable) =>
			previewResource(opener, openable, { reader, live }, extensionUri),
		),
		"mcpHost.saveResourceAs": about("Save Resource As", (openable) => saveResource(opener, openable)),
		"mcpHost.compareResource": about("Compare Resource with Previous", (openable) =>
			compareResource(reader, live, openable),
		),
		"mcpHost.watchResource": about("Watch Resource", async (openable) => {
			const { state, definition } = openable.session;
			if (state.kind === "running" && state.facts.capabilities.resources?.subscribe !== true) {
				throw new HostError(
					"invalid",
					`${definition.name} does not support resource subscriptions, so its resources cannot be watched.`,
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

/**
 * Keeps the lists of URIs for the menus of editors (package.json, `resource in …`). Reports once for each resource in a
 * tab that its server answered with contents under another URI (RES-04).
 */
function registerHints(directory: SessionDirectory, live: LiveResources, tabs: ResourceTabs): Disposable {
	const store = new DisposableStore();
	const reported = new Set<string>();
	const report = ({ server, uri }: ResourceAddress): void => {
		const answered = live.answeredAs({ server, uri });
		if (answered === undefined || answerOf(uri, [{ uri: answered }]).kind !== "other") return;
		const key = keyOf({ server, uri });
		// A server may call the contents by a new URI with each read.
		if (reported.has(key)) return;
		reported.add(key);
		const name = directory.get(server)?.definition.name ?? "The server";
		void showWarning(
			`${name} returned "${oneLine(answered)}" instead of "${oneLine(uri)}". The editor shows what was returned.`,
		);
	};
	let former = "";
	const update = (): void => {
		const shown = tabs.all;
		for (const { address } of shown) report(address);
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
