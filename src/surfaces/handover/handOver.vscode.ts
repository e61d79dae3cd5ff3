import { homedir, hostname } from "node:os";
import { basename } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { KeptDocuments } from "../../base/keptDocuments.vscode.ts";
import { notices } from "../../base/notices.vscode.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { followedPaths } from "../../servers/definitions/followedFile.ts";
import type { McpHost } from "../../servers/host.ts";
import { hasRootFile, moveRootFile } from "../../servers/otherHosts/remarks.ts";
import { shortened, thisMachine } from "../../setup/entries/import.vscode.ts";
import { openConfiguration } from "../../setup/entries/texts.vscode.ts";
import type { ServersWriter } from "../../setup/entries/writeServers.ts";
import { agentFiles, agents } from "./agents.ts";
import {
	installCommand,
	installedCommand,
	installedText,
	pathLine,
	removedText,
	uninstallCommand,
} from "./commandInPath.ts";
import type { FilePlan } from "./filePlan.ts";
import { handOverDone, handOverQuestion, handOverRows, planFiles, undoRow } from "./handOverRows.ts";
import { HandOvers, type HandOver } from "./handOvers.ts";
import {
	bridgeCommand,
	launcherFile,
	launcherFolder,
	removeLauncher,
	writeLauncher,
	type BridgeCommand,
	type CommandRuntime,
} from "./launcher.ts";

/** The dependencies of handing servers over to other agents. */
export interface HandOverWiring {
	readonly host: McpHost;
	readonly writer: Pick<ServersWriter, "inTurn">;
	readonly notes: ActivityNotes;
	readonly extensionUri: vscode.Uri;
	readonly globalStorageUri: vscode.Uri;
	/** The bridge's folder. */
	readonly folder: string;
	/** Makes that folder. Rejects if others than the user can use it. */
	readonly openFolder: () => Promise<unknown>;
	readonly isSharing: () => boolean;
	/** Shares the servers of this window. */
	readonly share: () => Promise<void>;
}

const scheme = "mcphost-handover";
const home = homedir();
/** How the titles of differences begin. */
const differences = "Hand Over to Other Agents";

/** The hand-over to other agents, and the command `mcp-host`. */
export class HandOverCommands {
	private readonly services: HandOverWiring;
	private readonly handOvers: HandOvers;
	private readonly launcher: string;
	private readonly runtime: CommandRuntime;
	private documents: KeptDocuments<string> | undefined;

	constructor(services: HandOverWiring) {
		this.services = services;
		const { host, writer, notes, extensionUri, folder } = services;
		this.launcher = launcherFolder(folder);
		this.runtime = { program: process.execPath, script: vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath };
		this.handOvers = new HandOvers({
			open: (file) => this.open(file),
			inTurn: (edit) => writer.inTurn(edit),
			secrets: host.secrets,
			machine: hostname(),
			notes,
			now: Date.now,
			shorten: shortened,
		});
	}

	/** How an agent starts the bridge, by a launcher that is written first. */
	async command(): Promise<BridgeCommand> {
		await this.writeLauncher();
		return bridgeCommand(this.launcher, this.runtime);
	}

	/** The number of files that can be restored. */
	async count(): Promise<number> {
		return (await this.handOvers.all()).length;
	}

	/** Lets the user choose agents, shows the differences of their files, and writes them after a yes. */
	async handOver(): Promise<void> {
		const { isSharing, share } = this.services;
		const plans = await this.choose();
		if (plans.length === 0) return;
		await this.show(plans);
		const question = handOverQuestion(plans, shortened, isSharing());
		const change = "Change Files";
		const answer = await notices.ask(
			"hand over",
			() => undefined,
			() => showInformation(question, change, "Cancel"),
		);
		await closeDifferences();
		if (answer !== change) return;
		await this.writeLauncher();
		const written: FilePlan[] = [];
		for (const plan of plans) {
			try {
				await this.handOvers.write(plan);
				written.push(plan);
			} catch (error) {
				void showError(messageOf(error));
			}
		}
		if (written.length === 0) return;
		if (!isSharing()) await share();
		await this.report(written);
	}

	/** Lets the user choose what is undone. */
	async undo(): Promise<void> {
		const all = await this.handOvers.all();
		const label = (id: string): string => agents.find((agent) => agent.id === id)?.label ?? id;
		const items = all.map((record) => Object.assign(undoRow(record, label, shortened), { picked: true, record }));
		const picked = await vscode.window.showQuickPick(items, {
			title: "Undo Hand-Over",
			placeHolder: "Choose the files to restore, to the byte",
			canPickMany: true,
			ignoreFocusOut: true,
		});
		if (picked !== undefined && picked.length > 0) await this.restore(picked.map(({ record }) => record));
	}

	/** Restores all files, and removes the command and the launcher; rejects with the reasons of those that stay. */
	async clear(): Promise<void> {
		const failures = await this.undoAll(await this.handOvers.all());
		await uninstallCommand(launcherFile(this.launcher), machine());
		await removeLauncher(this.launcher);
		if (failures.length > 0) throw new Error(failures.join(" "));
	}

	/** Installs the command `mcp-host`, and says where. */
	async install(): Promise<void> {
		await this.writeLauncher();
		const place = await installCommand(launcherFile(this.launcher), machine());
		const line = place.isInPath ? undefined : pathLine(place, home);
		const text = installedText(place, home);
		if (line === undefined) return void showInformation(text);
		const copy = "Copy Line";
		if ((await showInformation(text, copy)) === copy) await vscode.env.clipboard.writeText(line);
	}

	/** Removes the command `mcp-host`. */
	async uninstall(): Promise<void> {
		const removed = await uninstallCommand(launcherFile(this.launcher), machine());
		if (removed.length > 0) await this.leave();
		void showInformation(removedText(removed.map(shortened)));
	}

	dispose(): void {
		this.documents?.dispose();
	}

	private async choose(): Promise<readonly FilePlan[]> {
		const { host, globalStorageUri } = this.services;
		const here = thisMachine(globalStorageUri);
		const followed = vscode.workspace.getConfiguration("mcpHost").inspect<unknown>("followedFiles")?.globalValue;
		const runs = host.registry.sessions.filter(
			({ definition, state }) =>
				definition.origin.kind !== "demo" && state.kind !== "off" && state.kind !== "left-to-editor",
		);
		// That of a remote window is on the user's own computer.
		const isElsewhere = vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
		const files = (await agentFiles(here)).filter(({ agent }) => !isElsewhere || agent.id !== "vscode");
		const planned = await planFiles(files, {
			open: (file) => this.open(file),
			command: bridgeCommand(this.launcher, this.runtime),
			servers: runs.map(({ definition }) => definition),
			folders: here.folders,
			followed: followedPaths(followed),
		});
		const items = handOverRows(planned, shortened).map(({ label, description, detail, isPicked, plan }) => ({
			label,
			description: withoutIcons(description),
			detail: withoutIcons(detail),
			picked: isPicked,
			plan,
		}));
		const picked = await vscode.window.showQuickPick(items, {
			title: "Hand Over Servers to Other Agents",
			placeHolder: "Choose agents. You see each difference before it is written",
			canPickMany: true,
			ignoreFocusOut: true,
		});
		return (picked ?? []).flatMap(({ plan }) => plan ?? []);
	}

	/** Opens the difference of each file. */
	private async show(plans: readonly FilePlan[]): Promise<void> {
		const documents = (this.documents ??= new KeptDocuments(
			scheme,
			2 * agents.length * 4,
			"This difference is no longer kept.",
			(text) => text,
		));
		documents.clear();
		const shown = plans.map(({ file, before, after }, index) => {
			const uriOf = (key: string, text: string): vscode.Uri => {
				documents.keep(`${key}${index}`, text);
				return documents.uri(basename(file), `${key}${index}&${Date.now()}`);
			};
			return [vscode.Uri.file(file), uriOf("before", before), uriOf("after", after)] as const;
		});
		const [only] = shown;
		if (shown.length > 1 || only === undefined) {
			await vscode.commands.executeCommand("vscode.changes", differences, shown);
			return;
		}
		const [file, before, after] = only;
		const title = `${differences}: ${basename(file.fsPath)}`;
		await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true });
	}

	private async report(written: readonly FilePlan[]): Promise<void> {
		const origins = this.services.host.registry.sessions.map(({ definition }) => definition.origin);
		const [undo, move] = ["Undo", moveRootFile.button] as const;
		const buttons = hasRootFile(origins) ? [undo, move] : [undo];
		const answer = await showInformation(handOverDone(written), ...buttons);
		if (answer === move) await vscode.commands.executeCommand(moveRootFile.id);
		if (answer !== undo) return;
		const files = new Set(written.map(({ file }) => file));
		await this.restore((await this.handOvers.all()).filter(({ file }) => files.has(file)));
	}

	private async restore(records: readonly HandOver[]): Promise<void> {
		const failures = await this.undoAll(records);
		await this.leave();
		for (const failure of failures) void showError(failure);
		const done = records.length - failures.length;
		if (done > 0) void showInformation(done === 1 ? "The file was restored." : `${done} files were restored.`);
	}

	private async undoAll(records: readonly HandOver[]): Promise<readonly string[]> {
		const failures: string[] = [];
		for (const record of records) {
			await this.handOvers.undo(record).catch((error: unknown) => failures.push(messageOf(error)));
		}
		return failures;
	}

	private async writeLauncher(): Promise<void> {
		await this.services.openFolder();
		await writeLauncher(this.launcher, this.runtime);
	}

	/** Removes the launcher when nothing uses it any more. */
	private async leave(): Promise<void> {
		const installed = await installedCommand(launcherFile(this.launcher), machine());
		if (installed === undefined && (await this.count()) === 0) await removeLauncher(this.launcher);
	}

	private open(file: string) {
		const origin = { kind: "followed", label: shortened(file), file, isWorkspace: false } as const;
		return openConfiguration(origin, this.services.globalStorageUri);
	}
}

/** Closes the differences: they would be empty after a reload. */
async function closeDifferences(): Promise<void> {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith(differences)));
}

function machine(): Parameters<typeof installCommand>[1] {
	return { home, environment: process.env };
}
