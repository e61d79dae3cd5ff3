import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { McpHost } from "../host.ts";
import type { ConfigOrigin, ConfigProblem, ConfigSource } from "./config.ts";
import { locate } from "./locate.ts";

const settingsKey = "mcpHost.servers";
/** The files that hold servers, relative to a workspace folder. */
const files = { "mcp-json": ".vscode/mcp.json", "dot-mcp-json": ".mcp.json" } as const;
/** How long changes are gathered, in milliseconds: formatters and version control write in bursts (security.md CFG-20). */
const settleMs = 200;

/** Reads the configuration from settings and files, keeps it current, and shows what is wrong with it. */
export class Configuration implements vscode.Disposable {
	private readonly host: McpHost;
	private readonly log: Log;
	private readonly disposables: vscode.Disposable[] = [];
	private readonly diagnostics = vscode.languages.createDiagnosticCollection("mcpHost");
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
			this.diagnostics,
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

	/** Reads the configuration for the first time, then starts what the person approved before and wants started. */
	async start(): Promise<void> {
		await this.refresh();
		await vscode.commands.executeCommand("setContext", "mcpHost.ready", true);
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
		this.watchers = localFolders().flatMap((folder) =>
			Object.values(files).map((path) => {
				const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path));
				watcher.onDidCreate(() => this.schedule());
				watcher.onDidChange(() => this.schedule());
				watcher.onDidDelete(() => this.schedule());
				return watcher;
			}),
		);
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
		const problems = this.host.configure(sources, settings.get<boolean>("demoServer") === true, isIgnored);
		this.currentProblems = problems;
		this.problemsChanged.fire();
		await this.show(problems);
	}

	/** Puts each problem on its line; those of user settings, whose file is not known, go to the log. */
	private async show(problems: readonly ConfigProblem[]): Promise<void> {
		const byFile = Map.groupBy(problems, ({ origin }) => origin.file);
		this.diagnostics.clear();
		for (const [file, group] of byFile) {
			for (const { message, path, origin } of group) this.log.warn(`${origin.label}: ${path.join(".")}: ${message}`);
			if (file === undefined) continue;
			const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file)).then(
				(opened) => opened,
				() => undefined,
			);
			if (document === undefined) continue;
			const isSetting = group[0]?.origin.kind.endsWith("settings") === true;
			const shown = group.map((problem) => diagnose(document, problem, isSetting));
			this.diagnostics.set(document.uri, shown);
		}
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

function diagnose(document: vscode.TextDocument, problem: ConfigProblem, isSetting: boolean): vscode.Diagnostic {
	const where = problem.range ??
		locate(document.getText(), isSetting ? [settingsKey, ...problem.path] : problem.path) ?? { offset: 0, length: 1 };
	const range = new vscode.Range(document.positionAt(where.offset), document.positionAt(where.offset + where.length));
	const severity = problem.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(range, problem.message, severity);
	diagnostic.source = "MCP Host";
	return diagnostic;
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
