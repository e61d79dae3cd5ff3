import { homedir } from "node:os";
import * as vscode from "vscode";
import { guarded } from "../../base/commands.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { whileInputIsOpen } from "../../base/openInputs.ts";
import { oneLine } from "../../base/text.ts";
import type { Bundle } from "../bundles/bundle.ts";
import type { BundleMachine } from "../bundles/bundleEntry.ts";
import { BundleStore } from "../bundles/bundleStore.ts";
import { findCommand, searchPath } from "../../protocol/stdio/findCommand.ts";
import type { FormQuestion } from "../../questions/form/formQuestion.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { McpHost } from "../../servers/host.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import type { AddServersPanel } from "./addServers.vscode.ts";
import { askUpdate } from "./askUpdate.vscode.ts";
import type { BundledServer } from "./bundleUpdate.ts";
import type { CandidateSource } from "./candidateSource.ts";
import { whyNotAdded } from "../../servers/definitions/editorLimits.ts";
import { readEditorSettings } from "../../servers/sources/editorSettings.vscode.ts";
import type { ServerEdits } from "./serverEdits.ts";

/** The dependencies of installing bundles. */
export interface BundleInstallerServices {
	readonly host: McpHost;
	readonly edits: Pick<ServerEdits, "edit">;
	readonly panel: Pick<AddServersPanel, "open">;
	/** Asks by a form; undefined when the user closed it. */
	readonly ask: (question: FormQuestion) => Promise<JsonObject | undefined>;
	/** A folder of the extension's own on this machine. */
	readonly globalStorageUri: vscode.Uri;
}

/** The facts about a bundle before it is opened. */
export interface KnownBeforehand extends Pick<CandidateSource, "about" | "cautions"> {
	/** The SHA-256 that its file must have. */
	readonly sha256?: string;
	/** The name under which a registry lists it. */
	readonly listedAs?: string;
}

/** Installs servers from bundles: through the preview in which every server is added. Starts nothing. */
export class BundleInstaller {
	private readonly services: BundleInstallerServices;
	readonly store: BundleStore;
	readonly commands = guarded({ "mcpHost.installBundle": (argument) => this.choose(argument) }, tell);

	constructor(services: BundleInstallerServices) {
		this.services = services;
		this.store = new BundleStore(vscode.Uri.joinPath(services.globalStorageUri, "bundles").fsPath);
	}

	/** Opens a bundle by its URL or by the path of its file; shows failures to the user. */
	open(address: string, sha256?: string): void {
		const isUrl = /^https?:/i.test(address);
		const uri = (): vscode.Uri =>
			/^file:/i.test(address)
				? vscode.Uri.parse(address, true)
				: vscode.Uri.file(address.replace(/^~(?=[\\/])/, homedir()));
		(isUrl ? this.installFrom(address, sha256 === undefined ? {} : { sha256 }) : this.installFile(uri())).catch(tell);
	}

	/**
	 * Fetches a bundle and shows its server, with the facts known beforehand, as from a registry.
	 * @throws HostError whose message says why it cannot be installed.
	 */
	async installFrom(address: string, known: KnownBeforehand = {}): Promise<void> {
		const { sha256, listedAs } = known;
		const { fetchBundle } = await import("../bundles/fetchBundle.ts");
		const bundle = await vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title: "Fetching the bundle", cancellable: true },
			(progress, token) => {
				const cancelled = new AbortController();
				token.onCancellationRequested(() => cancelled.abort());
				return fetchBundle(address, {
					network: networkSettings(),
					signal: cancelled.signal,
					...(sha256 === undefined ? {} : { expectedSha256: sha256 }),
					onProgress: (bytes) => progress.report({ message: `${Math.ceil(bytes / 1024).toLocaleString("en-US")} KB` }),
				});
			},
		);
		const origin = listedAs === undefined ? bundle.origin : { ...bundle.origin, listedAs };
		await this.preview({ ...bundle, origin }, known);
	}

	/** Deletes the files of a removed server's bundle, unless another server runs from the same. */
	async removeFilesOf(definition: ServerDefinition): Promise<void> {
		const bundle = this.bundleOf(definition);
		if (bundle === undefined || this.isUsed(bundle, definition.id)) return;
		await this.store.remove(bundle);
	}

	/** The text of a server's review about its bundle. */
	async remarksOn(definition: ServerDefinition): Promise<readonly string[]> {
		const bundle = this.bundleOf(definition);
		return bundle === undefined ? [] : this.store.remarksOn(bundle);
	}

	/** Why a server of a bundle cannot run on another machine unchanged; undefined for any other. */
	async whyHereOnly(definition: ServerDefinition): Promise<string | undefined> {
		const bundle = this.bundleOf(definition);
		return bundle === undefined ? undefined : this.store.whyHereOnly(bundle);
	}

	/** Whether removing a server removes files as well. */
	hasFiles(definition: ServerDefinition): boolean {
		return this.bundleOf(definition) !== undefined;
	}

	/** The bundle of a user's own server: a workspace's entry may name the files of another one. */
	private bundleOf({ config, origin }: ServerDefinition): string | undefined {
		return origin.kind === "user-settings" && config.kind === "stdio" ? this.store.idIn(config) : undefined;
	}

	private isUsed(bundle: string, except: ServerDefinition["id"]): boolean {
		return this.services.host.registry.sessions.some(
			({ definition: { id, config } }) =>
				id !== except && config.kind === "stdio" && this.store.idIn(config) === bundle,
		);
	}

	private async choose(argument: unknown): Promise<void> {
		if (argument instanceof vscode.Uri) return this.installFile(argument);
		if (typeof argument === "string") return this.installDropped(argument);
		const file = { label: "$(file) From a File…", detail: "A .mcpb or .dxt file on this machine" };
		const url = { label: "$(link) From a URL…", detail: "An https URL of such a file" };
		const picked = await vscode.window.showQuickPick([file, url], { ignoreFocusOut: true, title: "Install Bundle" });
		if (picked === file) {
			const [chosen] =
				(await vscode.window.showOpenDialog({
					title: "Install Bundle",
					openLabel: "Inspect",
					filters: { "MCP bundles": ["mcpb", "dxt"] },
				})) ?? [];
			if (chosen !== undefined) await this.installFile(chosen);
		} else if (picked === url) {
			const address = await whileInputIsOpen(() =>
				vscode.window.showInputBox({
					title: "Install Bundle",
					prompt: "The URL of a .mcpb file. MCP Host downloads and shows it; nothing is installed before you agree.",
					placeHolder: "https://example.com/server.mcpb",
					ignoreFocusOut: true,
				}),
			);
			if (address !== undefined && address.trim() !== "") await this.installFrom(address.trim());
		}
	}

	/** Opens the dropped items, one after the other. */
	private async installDropped(list: string): Promise<void> {
		const { droppedBundles } = await import("../bundles/bundleAddress.ts");
		const addresses = droppedBundles(list);
		for (const address of addresses) {
			if (/^https?:/i.test(address)) await this.installFrom(address);
			else await this.installFile(vscode.Uri.parse(address, true));
		}
		// Rows of our own that a user dragged a little are not a mistake.
		if (addresses.length === 0 && /^(?:https?|file|vscode-[a-z]+):/im.test(list))
			void showInformation(
				"Nothing was added. Drop a bundle (.mcpb or .dxt) that is on the machine where servers run, or its https URL.",
			);
	}

	private async installFile(uri: vscode.Uri): Promise<void> {
		const [{ readBundle }, { archiveLimits }] = await Promise.all([
			import("../bundles/bundle.ts"),
			import("../bundles/archive.ts"),
		]);
		const label = uri.scheme === "file" ? uri.fsPath : uri.toString(true);
		const shown = oneLine(label, 300);
		const { size } = await vscode.workspace.fs.stat(uri).then(undefined, (cause: unknown) => {
			throw new HostError("invalid", `${shown} was not installed: the file does not exist or cannot be read.`, {
				cause,
			});
		});
		if (size > archiveLimits.archive) {
			throw new HostError(
				"limit",
				`${shown} was not installed: it has more than ${archiveLimits.archive / 1024 / 1024} MB.`,
			);
		}
		await this.preview(await readBundle(Buffer.from(await vscode.workspace.fs.readFile(uri)), { label }));
	}

	private async preview(bundle: Bundle, known: KnownBeforehand = {}): Promise<void> {
		const why = whyNotAdded(await readEditorSettings(), known.listedAs !== undefined);
		if (why !== undefined)
			throw new HostError("denied", `${oneLine(bundle.origin.label, 300)} was not installed. ${why}`);
		const { panel, ask, host } = this.services;
		const [{ bundleSource }, { earlierServers }] = await Promise.all([
			import("./bundleSource.ts"),
			import("./bundleUpdate.ts"),
		]);
		const definitions = host.registry.sessions.map(({ definition }) => definition);
		const [earlier] = await earlierServers(bundle, definitions, this.store);
		const isUpdate = earlier === undefined ? false : await askBundleUpdate(bundle, earlier);
		if (isUpdate === undefined) return;
		const replaced = isUpdate ? earlier : undefined;
		const services = { store: this.store, machine: thisMachine(), ask, browse };
		const own = await bundleSource(bundle, services, replaced);
		if (own === undefined) return;
		const source: CandidateSource = {
			...own,
			...(known.listedAs === undefined ? {} : { isListed: true }),
			about: [...(known.about ?? []), ...(own.about ?? [])],
			cautions: [...(known.cautions ?? []), ...(own.cautions ?? [])],
		};
		if (replaced === undefined) {
			await panel.open([source], "Install Bundle");
			return;
		}
		const { definition } = replaced;
		const write = async (server: Parameters<ServerEdits["edit"]>[1]): Promise<void> => {
			await this.services.edits.edit(definition, server);
			// The former definition: nothing refers to its files any more.
			await this.removeFilesOf(definition);
		};
		await panel.open([{ ...source, replaces: { definition, write } }], "Update Bundle");
	}
}

/** Shows a failure to the user. A user who cancelled knows. */
function tell(error: unknown): void {
	if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
}

/** Whether a bundle takes the place of one that is there; undefined when the user wants neither. */
function askBundleUpdate(
	{ manifest, sha256 }: Bundle,
	{ definition, installed }: BundledServer,
): Promise<boolean | undefined> {
	const [name, server] = [manifest.displayName, definition.name].map((text) => oneLine(text, 60));
	const what = installed.sha256 === sha256 ? "This file" : `Version ${oneLine(installed.manifest.version, 40)}`;
	return askUpdate(`${what} of “${name}” is installed as “${server}”.`, manifest.version);
}

function thisMachine(): BundleMachine {
	const path = searchPath(process.env);
	return {
		platform: process.platform,
		home: homedir(),
		hasCommand: async (command) => (await findCommand(command, homedir(), path)) !== undefined,
	};
}

async function browse(kind: "file" | "directory"): Promise<string | undefined> {
	const isFolder = kind === "directory";
	const [chosen] =
		(await vscode.window.showOpenDialog({
			canSelectFiles: !isFolder,
			canSelectFolders: isFolder,
			openLabel: "Choose",
		})) ?? [];
	return chosen?.fsPath;
}
