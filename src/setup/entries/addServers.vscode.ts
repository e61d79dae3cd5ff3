import * as vscode from "vscode";
import { HostError, messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { notices } from "../../base/notices.vscode.ts";
import { leftState } from "../../servers/sessions/stateNotice.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import type { ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import type { McpHost } from "../../servers/host.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import type { ServerSession } from "../../servers/sessions/serverSession.ts";
import type { AddingServers, Addition, PlaceChoice } from "./candidates.ts";
import type { CandidateSource } from "./candidateSource.ts";
import { whyNotAdded, whyServerNotAdded } from "../../servers/definitions/editorLimits.ts";
import { editorSettings, readEditorSettings } from "../../servers/sources/editorSettings.vscode.ts";
import type { ConfigurationWriter } from "../newServer.ts";

/** The dependencies of adding servers. */
export interface AddServersServices {
	readonly host: McpHost;
	readonly writer: ConfigurationWriter;
	readonly extensionUri: vscode.Uri;
	/** Shows a server that runs in the tree, with its tools. */
	readonly showTools: (session: ServerSession) => Promise<void>;
	/** The cost of a server's tools for models, in words; undefined as long as that is not known. */
	readonly costOf: (definition: ServerDefinition) => string | undefined;
	/** Opens a bundle, by its URL or the path of its file, and shows its server. */
	readonly openBundle: (address: string, sha256?: string) => void;
	/** Asks a domain which servers it offers, and shows them. */
	readonly openDomain: (address: string) => void;
}

/** The panel in which servers are added: from pasted text, or from files of other hosts. */
export class AddServersPanel implements Disposable {
	private readonly services: AddServersServices;
	private readonly store = new DisposableStore();
	/** The panel for pasted text: a second request moves it to the front. */
	private pasting: Panel | undefined;
	/** Servers that were added here and did not run yet. */
	private readonly fresh = new Set<ServerId>();

	constructor(services: AddServersServices) {
		this.services = services;
		const { registry } = services.host;
		this.store.add(
			registry.onDidChange(() => {
				for (const id of this.fresh) {
					const session = registry.get(id);
					if (session?.state.kind !== "running") continue;
					this.fresh.delete(id);
					void services.showTools(session).catch(() => undefined);
				}
			}),
		);
	}

	/**
	 * Opens the panel; with sources, for these only, under their own heading. Closing it adds nothing. Resolves with the
	 * panel when it is there.
	 * @throws HostError `denied` if an organization allows no such servers.
	 */
	async open(sources?: readonly CandidateSource[], heading?: string): Promise<Panel> {
		const why = whyNotAdded(await readEditorSettings(), sources?.every(({ isListed }) => isListed === true) === true);
		if (why !== undefined) throw new HostError("denied", why);
		if (sources === undefined && this.pasting !== undefined) {
			this.pasting.reveal();
			return this.pasting;
		}
		const [
			candidates,
			{ connectAddServers },
			{ readPasted },
			{ readServerJson },
			{ importReport },
			{ preferOpenFolder },
		] = await Promise.all([
			import("./candidates.ts"),
			import("./addServersPort.ts"),
			import("../../servers/formats/readPasted.ts"),
			import("../serverJson/pastedServerJson.ts"),
			import("./importReport.ts"),
			import("./preferFolder.ts"),
		]);
		const { host, extensionUri, costOf } = this.services;
		const panel = openPanel({
			extensionUri,
			view: "addServers",
			style: "addServers.css",
			title: heading ?? (sources === undefined ? "Add Servers" : "Import Servers"),
		});
		if (sources === undefined) this.pasting = panel;
		const replaced = sources?.flatMap(({ replaces }) => replaces?.definition ?? []) ?? [];
		const adding: AddingServers = new candidates.AddingServers(
			{
				existing: () =>
					host.registry.sessions
						.filter(({ definition }) => replaced.every(({ id }) => id !== definition.id))
						.flatMap(({ definition }) => {
							const cost = costOf(definition);
							return namesOf(definition).names.map((name) => ({ name, config: definition.config, cost }));
						}),
				costOf,
				// A local file is useless to others who share a folder.
				places: placeChoices().filter(
					({ place }) =>
						place.kind === "user" ||
						(sources?.some(({ prepare }) => prepare !== undefined) !== true &&
							editorSettings.machine?.isWorkspaceAllowed !== false),
				),
				whyNot: (server, isOfWorkspace) => whyServerNotAdded(editorSettings, server, isOfWorkspace),
				hasVariable: (name) => process.env[name] !== undefined,
				readPasted: (text) => readServerJson(text) ?? readPasted(text),
				openBundle: (...bundle) => this.services.openBundle(...bundle),
				openDomain: (address) => this.services.openDomain(address),
				openListed: (name) => void vscode.commands.executeCommand("mcpHost.findServers", name),
				add: (addition) =>
					this.add(
						addition,
						panel,
						sources === undefined || heading !== undefined
							? undefined
							: (where) => importReport(adding, addition, where),
					),
			},
			sources,
			heading,
		);
		const preferring = preferOpenFolder(adding, {
			folders: localFolders().map(({ name, uri }) => ({ name, path: uri.fsPath })),
			taken: () => host.registry.sessions.flatMap(({ definition }) => namesOf(definition).names),
		});
		const connection = connectAddServers(panel.port, adding, {
			close: () => panel.dispose(),
			added: () => panel.dispose(),
		});
		panel.onDidClose(() => {
			connection.dispose();
			preferring.dispose();
			if (this.pasting === panel) this.pasting = undefined;
		});
		return panel;
	}

	dispose(): void {
		this.store.dispose();
	}

	private async add(
		{ place, servers, followed, preparations, replaces, andReview }: Addition,
		panel: Panel,
		reportOf?: (where: string) => string,
	): Promise<void> {
		const undos: (() => Promise<void>)[] = [];
		let ids: readonly string[] = [];
		try {
			for (const prepare of preparations) undos.unshift(await prepare());
			const [only] = servers;
			if (replaces !== undefined && only !== undefined) {
				await replaces.write(only);
				ids = [replaces.definition.id];
			} else if (servers.length > 0) {
				const written = await this.services.writer.add(place, servers);
				undos.unshift(written.undo);
				({ ids } = written);
			}
			for (const { follow } of followed) if (follow !== undefined) undos.unshift(await follow());
		} catch (error) {
			// All of it or nothing: the user is informed that nothing was added.
			for (const undo of undos) await undo();
			throw error;
		}
		// With several servers, the tools of one would push the rows of the others out of sight.
		if (ids.length === 1) for (const id of ids) this.fresh.add(id);
		const names = servers.map(({ name }) => `“${oneLine(name, 60)}”`);
		const where = placeChoices().find((choice) => JSON.stringify(choice.place) === JSON.stringify(place))?.label ?? "";
		panel.dispose();
		const what = names.length <= 3 ? names.join(", ") : `${names.length} servers`;
		if (replaces !== undefined) void showInformation(`Updated ${what}. It asks for your approval before it starts.`);
		else {
			const undo = async (): Promise<void> => {
				for (const one of undos) await one();
			};
			const message = reportOf?.(where) ?? `Added ${what} to ${where}.`;
			void this.tell(message, andReview ? [] : ids, undo).catch((error: unknown) => showError(messageOf(error)));
		}
		const [id] = ids;
		if (andReview && id !== undefined) void vscode.commands.executeCommand("mcpHost.startServer", { server: id });
	}

	/** Shows which servers were added, with actions to review these, or to revert it. */
	private async tell(message: string, ids: readonly string[], undo: () => Promise<void>): Promise<void> {
		const [only, ...others] = ids;
		const { registry } = this.services.host;
		const reviewed = leftState("needs-approval", () => ids.map((id) => registry.get(id)));
		// Undo itself says where there is nothing left of what was added.
		const over = (answer: string): string | undefined => (answer === "Undo" ? undefined : reviewed(answer));
		// Each addition keeps its own Undo.
		const answer = await notices.ask(`added/${crypto.randomUUID()}`, over, () =>
			showInformation(message, ...(only === undefined ? [] : ["Review…"]), "Undo"),
		);
		if (answer === "Undo") await undo();
		else if (answer !== undefined && others.length > 0) await vscode.commands.executeCommand("mcpHost.reviewWaiting");
		else if (answer !== undefined) await vscode.commands.executeCommand("mcpHost.reviewServer", { server: only });
	}
}

/** Where the user may keep servers: for themselves, or in a folder that is open. */
function placeChoices(): readonly PlaceChoice[] {
	return [
		{ label: "User Settings", description: "For you, in all your workspaces.", place: { kind: "user" } },
		...localFolders().map(({ name, uri }): PlaceChoice => ({
			label: `.vscode/mcp.json in ${oneLine(name, 80)}`,
			description:
				"Shared with everyone who uses this folder. VS Code's own host also reads it. Secrets are stored only on your machine.",
			place: { kind: "folder", folder: uri.fsPath },
		})),
	];
}

function localFolders(): readonly vscode.WorkspaceFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}
