import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { McpHost } from "../host.ts";
import type { ConfigOrigin, ConfigProblem, ConfigSource } from "./config.ts";

const settingsKey = "mcpHost.servers";
/** The files that hold servers, relative to a workspace folder. */
const files = { "mcp-json": ".vscode/mcp.json", "dot-mcp-json": ".mcp.json" } as const;
const watched = `{.vscode,${Object.values(files).join(",")}}`;
/** How long changes are gathered, in milliseconds: formatters and version control write in bursts (security.md CFG-20). */
const settleMs = 200;

/** Reads the configuration from settings and files, and keeps it current. */
export class Configuration implements vscode.Disposable {
	private readonly host: McpHost;
	private readonly log: Log;
	private readonly disposables: vscode.Disposable[] = [];
	private watchers: vscode.Disposable[] = [];
	private timer: NodeJS.Timeout | undefined;
	private reading: Promise<void> = Promise.resolve();
	private currentProblems: readonly ConfigProblem[] = [];
	private readonly problemsChanged = new vscode.EventEmitter<void>();
	/** What is wrong in the configuration, as last read. */
	readonly problems = watchable(() => this.currentProblems, this.problemsChanged.event);

	constructor(host: McpHost, log: Log) {
		this.host = host;
		this.log = log;
		this.disposables.push(
			this.problemsChanged,
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration("mcpHost")) this.schedule();
			}),
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				this.watch();
				this.schedule();
			}),
			vscode.workspace.onDidGrantWorkspaceTrust(() => host.registry.reconsider()),
		);
		this.watch();
	}

	/** Reads the configuration for the first time; then the tree knows what there is to paint. */
	async readFirst(): Promise<void> {
		await this.refresh();
		await vscode.commands.executeCommand("setContext", "mcpHost.ready", true);
	}

	/** Starts what the person approved before and wants started. */
	async startApproved(): Promise<void> {
		if (vscode.workspace.getConfiguration("mcpHost").get<boolean>("startApprovedServers") === true) {
			await this.host.startApproved();
		}
	}

	/** Reads everything again; resolves when the host has taken it. Two reads never overlap. */
	refresh(): Promise<void> {
		clearTimeout(this.timer);
		this.reading = this.reading.then(() => this.read()).catch((error: unknown) => this.log.error(messageOf(error)));
		return this.reading;
	}

	dispose(): void {
		clearTimeout(this.timer);
		for (const disposable of [...this.watchers, ...this.disposables]) disposable.dispose();
	}

	private schedule(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.refresh(), settleMs);
	}

	private watch(): void {
		for (const watcher of this.watchers) watcher.dispose();
		this.watchers = localFolders().map((folder) => {
			// The folder of a file as well: of a file that comes with it the editor does not always tell.
			const pattern = new vscode.RelativePattern(folder, watched);
			const watcher = vscode.workspace.createFileSystemWatcher(pattern);
			watcher.onDidCreate(() => this.schedule());
			watcher.onDidChange(() => this.schedule());
			watcher.onDidDelete(() => this.schedule());
			return watcher;
		});
	}

	private async read(): Promise<void> {
		const settings = vscode.workspace.getConfiguration("mcpHost");
		const enabled = new Set(settings.get<string[]>("configurationSources") ?? []);
		const sources: ConfigSource[] = enabled.has("settings") ? settingsSources() : [];
		for (const folder of localFolders()) {
			for (const [kind, path] of Object.entries(files) as [keyof typeof files, string][]) {
				if (enabled.has(path)) sources.push(...(await fileSource(folder, kind, path)));
			}
		}
		const ignored = settings.get<string[]>("ignoredServers") ?? [];
		const isIgnored =
			ignored.length === 0
				? () => false
				: await import("../base/glob.ts").then(
						({ matchesAny }) =>
							(name: string) =>
								matchesAny(name, ignored),
					);
		const isDemoOffered = settings.get<boolean>("demoServer") === true;
		const problems = await this.host.configure(sources, isDemoOffered, isIgnored, settings.get<unknown>("roots"));
		this.currentProblems = problems;
		this.problemsChanged.fire();
	}
}

/** A value that is read at each use, with the event that tells of its change. */
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

/** The servers of each settings scope on its own, since the effective value would hide where an entry comes from. */
function settingsSources(): ConfigSource[] {
	const sources: ConfigSource[] = [];
	const add = (value: unknown, origin: ConfigOrigin): void => {
		if (isJsonObject(value) && Object.keys(value).length > 0) sources.push({ origin, content: { value } });
	};
	const all = vscode.workspace.getConfiguration().inspect<unknown>(settingsKey);
	add(all?.globalValue, { kind: "user-settings", label: "User Settings", isWorkspace: false });
	const { workspaceFile } = vscode.workspace;
	const folders = localFolders();
	if (workspaceFile?.scheme === "file") {
		const file = workspaceFile.fsPath;
		add(all?.workspaceValue, { kind: "workspace-settings", label: "Workspace Settings", file, isWorkspace: true });
	}
	for (const folder of folders) {
		const own = vscode.workspace.getConfiguration(undefined, folder.uri).inspect<unknown>(settingsKey);
		// In a window of one folder its settings are the workspace's.
		const value = workspaceFile === undefined ? own?.workspaceValue : own?.workspaceFolderValue;
		add(value, {
			kind: "folder-settings",
			label: `.vscode/settings.json in ${folder.name}`,
			file: vscode.Uri.joinPath(folder.uri, ".vscode/settings.json").fsPath,
			folder: folder.uri.fsPath,
			isWorkspace: true,
		});
	}
	return sources;
}

async function fileSource(
	folder: vscode.WorkspaceFolder,
	kind: keyof typeof files,
	path: string,
): Promise<ConfigSource[]> {
	const uri = vscode.Uri.joinPath(folder.uri, path);
	const bytes = await vscode.workspace.fs.readFile(uri).then(
		(content) => content,
		() => undefined,
	);
	if (bytes === undefined) return [];
	const origin: ConfigOrigin = {
		kind,
		label: `${path} in ${folder.name}`,
		file: uri.fsPath,
		folder: folder.uri.fsPath,
		isWorkspace: true,
	};
	return [{ origin, content: { text: new TextDecoder().decode(bytes) } }];
}
