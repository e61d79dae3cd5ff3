import type { KeptContext } from "../base/store/keptContext.vscode.ts";
import type { ActivityNotes } from "../records/activity/journal/entry.ts";
import type { Commands } from "../base/commands.ts";
import type { EditorUris } from "../base/editorUris.vscode.ts";
import { messageOf } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { commandsOf, showError } from "../base/notify.vscode.ts";
import { type Disposable, DisposableStore } from "../base/lifecycle.ts";
import type { FormQuestion } from "../questions/form/formQuestion.ts";
import type { Configuration } from "../servers/sources/config.vscode.ts";
import type { ServerDefinition } from "../servers/definitions/config.ts";
import type { SharedFiles } from "../servers/otherHosts/sharedFiles.ts";
import { configurationCommands } from "./entries/add.vscode.ts";
import { AddServersPanel, type AddServersServices } from "./entries/addServers.vscode.ts";
import { BundleInstaller } from "./entries/bundles.vscode.ts";
import { reviewNotes } from "./entries/entryFindings.ts";
import { exportServersCommands } from "./entries/export.vscode.ts";
import { showHints } from "./entries/hints.vscode.ts";
import { importCommands } from "./entries/import.vscode.ts";
import { handleInstallLinks } from "./entries/installLink.vscode.ts";
import { UnusedBundles } from "./entries/unusedBundles.vscode.ts";
import type { ServerEdits } from "./entries/serverEdits.ts";
import type { ServersWriter } from "./entries/writeServers.ts";
import { serverPlaces } from "./entries/places.vscode.ts";
import { newServerCommands } from "./templates/newServer.vscode.ts";
import { openDomain } from "./registry/cards.vscode.ts";
import { findCommands } from "./registry/find.vscode.ts";
import { rowCommands } from "./entries/rows.vscode.ts";
import { wireWhoStarts } from "./entries/whoStarts.vscode.ts";

/** The dependencies of setting up servers. */
export interface SetupServices extends Pick<AddServersServices, "host" | "showTools" | "costOf"> {
	readonly configuration: Configuration;
	readonly context: KeptContext;
	readonly notes: ActivityNotes;
	readonly uris: EditorUris;
	/** Asks by a form; undefined when the user closed it. */
	readonly ask: (question: FormQuestion) => Promise<JsonObject | undefined>;
	readonly sharedFiles: SharedFiles;
}

/** Where servers are written, and all ways to add and remove them. */
export interface Setup extends Disposable {
	readonly writer: ServersWriter;
	readonly edits: ServerEdits;
	readonly commands: Commands<string>;
	/** The facts for the review of a server: what its bundle is, and what was found in its entry. */
	readonly remarksOn: (definition: ServerDefinition) => Promise<readonly string[]>;
}

/** Makes the ways in which servers are added, edited and passed on. */
export function wireSetup({
	host,
	configuration,
	context,
	notes,
	uris,
	ask,
	showTools,
	sharedFiles,
	costOf,
}: SetupServices): Setup {
	const { extension, extensionUri, globalStorageUri } = context;
	const store = new DisposableStore();
	const { writer, edits, openPlace, moving } = serverPlaces({ host, configuration, globalStorageUri, notes });
	const hints = store.add(showHints(edits, globalStorageUri));
	const openBundle = (...bundle: Parameters<BundleInstaller["open"]>): void => bundles.open(...bundle);
	const askDomain = (address: string): void =>
		void openDomain(new URL(address), addServers).catch((error: unknown) => showError(messageOf(error)));
	const addServers: AddServersPanel = store.add(
		new AddServersPanel({
			host,
			writer,
			extensionUri,
			showTools,
			costOf,
			openBundle,
			openDomain: askDomain,
		}),
	);
	const bundles: BundleInstaller = new BundleInstaller({ host, edits, panel: addServers, ask, globalStorageUri });
	const unused = store.add(new UnusedBundles(host, bundles.store));
	const whoStarts = store.add(wireWhoStarts({ host, sharedFiles, globalStorageUri, extensionId: extension.id }));
	handleInstallLinks(uris, addServers);
	return {
		writer,
		edits,
		remarksOn: async (definition) => [
			...(await bundles.remarksOn(definition)),
			...reviewNotes(definition, (name) => process.env[name] !== undefined),
		],
		commands: {
			...configurationCommands(addServers),
			...importCommands(addServers, globalStorageUri),
			...exportServersCommands({ host, edits, whyHereOnly: (definition) => bundles.whyHereOnly(definition) }),
			...findCommands({ host, edits, panel: addServers, globalStorageUri, bundles, costOf }),
			...hints.commands,
			...bundles.commands,
			...unused.commands,
			...newServerCommands({ host, writer }),
			...rowCommands({ host, edits, openPlace, ask, bundles }),
			...whoStarts.commands,
			...commandsOf({
				"mcpHost.moveRootFile": async () =>
					(await import("./entries/moveRootFile.vscode.ts")).moveRootFileCommand(moving),
			}),
		},
		dispose: () => store.dispose(),
	};
}
