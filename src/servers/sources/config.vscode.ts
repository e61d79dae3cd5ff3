import * as vscode from "vscode";
import { isJsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { watchFiles, type WatchedFiles } from "../../base/watchedFiles.vscode.ts";
import type { McpHost } from "../host.ts";
import type { ConfigOrigin, ConfigProblem, ConfigSource } from "../definitions/config.ts";
import type { LateSources } from "./lateSources.vscode.ts";
import { readSourceSettings, type SaidSetting } from "../definitions/sourceSettings.ts";

/** The files that hold servers, relative to a workspace folder. */
const files = { "mcp-json": ".vscode/mcp.json", "dot-mcp-json": ".mcp.json" } as const;
/** How long changes are gathered, in milliseconds (CFG-20). */
const settleMs = 200;

/** The user's own settings as an origin of servers. */
export const userOrigin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

/** Reads the configuration from settings and files, and keeps it current. */
export class Configuration implements vscode.Disposable {
	private readonly host: McpHost;
	private readonly watched: WatchedFiles;
	private readonly trust: vscode.Disposable;
	private late: LateSources | undefined;
	private currentProblems: readonly ConfigProblem[] = [];
	private readonly problemsChanged = new vscode.EventEmitter<void>();
	/** The problems in the configuration, as last read. */
	readonly problems = watchable(() => this.currentProblems, this.problemsChanged.event);

	private readonly reading = Promise.withResolvers<void>();
	/** Resolves once the configuration was read for the first time, with or without problems. */
	readonly firstRead = this.reading.promise;

	private readonly settling = Promise.withResolvers<void>();
	/** Resolves once the servers that start with the window have been started. */
	readonly settled = this.settling.promise;

	constructor(host: McpHost, log: Log) {
		this.host = host;
		this.watched = watchFiles({
			setting: "mcpHost",
			folders: localFolders,
			pattern: `{.vscode,${Object.values(files).join(",")}}`,
			settleMs,
			read: () => this.read(),
			log,
		});
		this.trust = vscode.workspace.onDidGrantWorkspaceTrust(() => host.registry.reconsider());
	}

	/** Reads the configuration for the first time; then the tree knows its rows. */
	async readFirst(): Promise<void> {
		await this.refresh();
		this.reading.resolve();
		await vscode.commands.executeCommand("setContext", "mcpHost.ready", true);
	}

	/** Starts the servers that the user approved before and wants started. */
	async startApproved(): Promise<void> {
		try {
			if (vscode.workspace.getConfiguration("mcpHost").get<boolean>("startApprovedServers") === true) {
				await this.host.startApproved();
			}
		} finally {
			this.settling.resolve();
		}
	}

	/** Reads everything again; resolves when the host has taken it. Two reads never overlap. */
	refresh(): Promise<void> {
		return this.watched.refresh();
	}

	dispose(): void {
		for (const disposable of [this.watched, this.trust, this.problemsChanged, this.late]) disposable?.dispose();
	}

	private async read(): Promise<void> {
		const settings = vscode.workspace.getConfiguration("mcpHost");
		const { isRead, ignoredOf } = readSourceSettings(said("configurationSources"), said("ignoredServers"));
		const sources = settingsSources().filter(({ origin }) => isRead("settings", origin.isWorkspace));
		const folders = localFolders();
		const written = folders.flatMap((folder) =>
			(["mcp-json", "dot-mcp-json"] as const).flatMap((kind) =>
				isRead(files[kind], true) ? [fileOrigin(folder, kind)] : [],
			),
		);
		const { LateSources } = await import("./lateSources.vscode.ts");
		this.late ??= new LateSources(() => this.watched.schedule());
		const { found, isLeftOut, problems: leftOut } = await this.late.read(ignoredOf, written, folders);
		sources.push(...found);
		const isDemoOffered = settings.get<boolean>("demoServer") === true;
		const problems = await this.host.configure(sources, isDemoOffered, isLeftOut, settings.get<unknown>("roots"));
		this.currentProblems = [...problems, ...leftOut];
		this.problemsChanged.fire();
	}
}

/** A setting that a workspace may have as well. */
function said(key: string): SaidSetting {
	const { globalValue, defaultValue, workspaceValue } =
		vscode.workspace.getConfiguration("mcpHost").inspect<unknown>(key) ?? {};
	return { own: globalValue ?? defaultValue, workspace: workspaceValue };
}

/** A value that is read at each use, with the event for its changes. */
function watchable<T>(read: () => readonly T[], onDidChange: vscode.Event<void>) {
	return {
		get current(): readonly T[] {
			return read();
		},
		onDidChange: (listener: (value: unknown) => unknown) => onDidChange(listener),
	};
}

function localFolders(): readonly vscode.WorkspaceFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}

/** The servers of each settings scope separately, because the effective value would hide where an entry comes from. */
function settingsSources(): ConfigSource[] {
	const sources: ConfigSource[] = [];
	const add = (value: unknown, inputs: unknown, origin: ConfigOrigin): void => {
		if (isJsonObject(value) && Object.keys(value).length > 0) sources.push({ origin, content: { value, inputs } });
	};
	const all = inspect();
	add(all.servers?.globalValue, all.inputs?.globalValue, userOrigin);
	const { workspaceFile } = vscode.workspace;
	const folders = localFolders();
	if (workspaceFile?.scheme === "file") {
		const file = workspaceFile.fsPath;
		add(all.servers?.workspaceValue, all.inputs?.workspaceValue, {
			kind: "workspace-settings",
			label: "Workspace Settings",
			file,
			isWorkspace: true,
		});
	}
	for (const folder of folders) {
		const own = inspect(folder.uri);
		// In a window of one folder its settings are the workspace's.
		const scope = workspaceFile === undefined ? "workspaceValue" : "workspaceFolderValue";
		add(own.servers?.[scope], own.inputs?.[scope], folderSettingsOrigin(folder));
	}
	return sources;
}

/** The settings that hold servers and their inputs, in each scope. */
function inspect(folder?: vscode.Uri) {
	const settings = vscode.workspace.getConfiguration("mcpHost", folder);
	return { servers: settings.inspect<unknown>("servers"), inputs: settings.inspect<unknown>("inputs") };
}

/** The settings of a folder as an origin of servers. */
export function folderSettingsOrigin({ name, uri }: vscode.WorkspaceFolder): ConfigOrigin {
	return {
		kind: "folder-settings",
		label: `.vscode/settings.json in ${name}`,
		file: vscode.Uri.joinPath(uri, ".vscode/settings.json").fsPath,
		folder: uri.fsPath,
		isWorkspace: true,
	};
}

/** The file of a folder as an origin of servers. */
export function fileOrigin(folder: vscode.WorkspaceFolder, kind: keyof typeof files): ConfigOrigin {
	const path = files[kind];
	return {
		kind,
		label: `${path} in ${folder.name}`,
		file: vscode.Uri.joinPath(folder.uri, path).fsPath,
		folder: folder.uri.fsPath,
		isWorkspace: true,
	};
}
