import { setImmediate as nextTurn } from "node:timers/promises";
import * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { type Disposable, DisposableStore } from "../base/lifecycle.ts";
import { commandsOf, showError } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import type { McpHost } from "./host.ts";
import { pickServer } from "./pick.vscode.ts";
import type { ServerLogs } from "./sessions/logs.vscode.ts";
import { attachTo } from "./development/attach.ts";
import type { Debugging } from "./development/debugging.ts";
import { SourceWatch } from "./development/sourceWatch.ts";

/** The dependencies of the development of servers. */
export interface DevelopmentServices {
	readonly host: McpHost;
	readonly logs: ServerLogs;
}

/** The watched sources of servers, and the command that debugs one. */
export interface WiredDevelopment extends Disposable {
	readonly sources: SourceWatch;
	readonly commands: Commands<"mcpHost.debugServer">;
}

/** Watches the source files of servers, and attaches debuggers to those that the user debugs, until it is disposed. */
export function wireDevelopment({ host, logs }: DevelopmentServices): WiredDevelopment {
	const { registry } = host;
	const store = new DisposableStore();
	const sources = store.add(
		new SourceWatch({
			directory: registry,
			watch: watchFiles,
			resolve: (definition) => host.resolve(definition, () => false),
			logOf: (name) => logs.log(name),
		}),
	);
	const debuggers = store.add(new Debuggers(host));
	const debugServer = async (argument: unknown): Promise<void> => {
		const session = await pickServer(
			host,
			argument,
			"Debug which server?",
			(_state, { definition: { config } }) => config.kind === "stdio" && config.debug !== undefined,
		);
		if (session !== undefined) await debuggers.debug(session.definition.id);
	};
	return {
		sources,
		commands: commandsOf({ "mcpHost.debugServer": debugServer }),
		dispose: () => store.dispose(),
	};
}

function watchFiles(folder: string, pattern: string, onChange: (path: string) => void): Disposable {
	const files = new vscode.RelativePattern(vscode.Uri.file(folder), pattern);
	const watcher = vscode.workspace.createFileSystemWatcher(files);
	for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
		event(({ fsPath }) => onChange(fsPath));
	// A file saved in VS Code counts at once, also in folders that a setting excludes from watching.
	const saved = vscode.workspace.onDidSaveTextDocument((document) => {
		if (vscode.languages.match({ pattern: files }, document) > 0) onChange(document.uri.fsPath);
	});
	return vscode.Disposable.from(watcher, saved);
}

/** The debug sessions of servers: one for each start with a debugger. */
class Debuggers implements Disposable {
	private readonly host: McpHost;
	private readonly store = new DisposableStore();
	/** Which servers are debugged; undefined until the first one is. */
	private debugging: Debugging | undefined;
	/** The ports that a debug session was started for, by the id of the server. */
	private readonly attached = new Map<string, number>();

	constructor(host: McpHost) {
		this.host = host;
		this.store.add(
			host.registry.onDidChange(() => void this.follow().catch((error: unknown) => showError(messageOf(error)))),
		);
		this.store.add(vscode.debug.onDidTerminateDebugSession(({ configuration }) => this.ended(configuration)));
	}

	/** Starts a server again, with a debugger. */
	async debug(id: string): Promise<void> {
		const session = this.host.registry.get(id);
		if (session === undefined) return;
		const { debugging } = await this.host.starts.get();
		this.debugging = debugging;
		debugging.begin(session.definition);
		await vscode.commands.executeCommand("mcpHost.restartServer", { server: id });
		const { kind } = this.host.registry.get(id)?.state ?? { kind: "stopped" };
		// Declined, or failed: a later start is not one for a debugger.
		if (kind !== "running" && kind !== "starting") debugging.end(id);
	}

	dispose(): void {
		this.store.dispose();
	}

	private async follow(): Promise<void> {
		const { debugging } = this;
		if (debugging === undefined) return;
		// A restart is stopped only until the next turn of the event loop.
		await nextTurn();
		const { registry } = this.host;
		debugging.endStopped((id) => registry.get(id)?.state.kind);
		for (const { definition } of registry.sessions.filter(({ state }) => state.kind === "running")) {
			const { id, name, origin } = definition;
			const listening = debugging.portOf(id);
			if (listening === undefined || this.attached.get(id) === listening.port) continue;
			this.attached.set(id, listening.port);
			const folder =
				origin.folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(origin.folder));
			const options = { suppressDebugView: true, suppressSaveBeforeStart: true };
			const isStarted = await vscode.debug.startDebugging(folder, { ...attachTo(definition, listening) }, options);
			if (!isStarted) void showError(`No debugger was attached to "${oneLine(name, 80)}".`);
		}
	}

	/** The user ended a debug session while its server ran: the next start is one without. */
	private ended({ mcpHostServer: id, mcpHostPort: port }: vscode.DebugConfiguration): void {
		if (typeof id !== "string") return;
		if (this.attached.get(id) === port) this.attached.delete(id);
		const isRunning = this.host.registry.get(id)?.state.kind === "running";
		if (isRunning && this.debugging?.portOf(id)?.port === port) this.debugging?.end(id);
	}
}
