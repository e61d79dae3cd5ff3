import * as vscode from "vscode";
import { McpHost } from "./host.ts";
import { registerPending } from "./decisions/pending.vscode.ts";
import { workspaceRoots } from "./roots/workspace.vscode.ts";
import { registerConfigurationCommands } from "./servers/add.vscode.ts";
import { registerServerCommands } from "./servers/commands.vscode.ts";
import { Configuration } from "./servers/config.vscode.ts";
import { hostServices } from "./servers/hostServices.vscode.ts";
import { ServerLogs } from "./servers/logs.vscode.ts";
import { registerStatus } from "./servers/status.vscode.ts";

let host: McpHost | undefined;

/** Wires the core to VS Code. Awaits no server: the tree must paint at once (performance.md). */
export function activate(context: vscode.ExtensionContext): void {
	const { extensionUri, subscriptions } = context;
	const logs = new ServerLogs();
	const log = vscode.window.createOutputChannel("MCP Host", { log: true });
	const roots = workspaceRoots();
	host = new McpHost(hostServices(context, logs, roots));
	const configuration = new Configuration(host, log);
	subscriptions.push(
		logs,
		log,
		roots,
		configuration,
		registerPending(host.pending),
		registerStatus(host),
		registerServerCommands({ host, configuration, logs, extensionUri }),
		registerConfigurationCommands(host, configuration),
	);
	void configuration.start();
}

/** Ends every server. VS Code waits for the promise, for about five seconds. */
export async function deactivate(): Promise<void> {
	await host?.shutdown();
}
