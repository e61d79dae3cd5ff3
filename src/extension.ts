import * as vscode from "vscode";
import { messageOf } from "./base/errors.ts";
import { lazy } from "./base/lazy.ts";
import { DisposableStore } from "./base/lifecycle.ts";
import { registerDoors } from "./doors.vscode.ts";
import { McpHost } from "./host.ts";
import { Configuration } from "./servers/config.vscode.ts";
import { hostServices } from "./servers/hostServices.vscode.ts";
import { ServerLogs } from "./servers/logs.vscode.ts";
import { registerStatus } from "./servers/status.vscode.ts";
import { registerServersTree } from "./tree/tree.vscode.ts";

let host: McpHost | undefined;

/**
 * Wires the core to VS Code and registers the doors of what is loaded later (rooms.vscode.ts). Awaits no server: the tree
 * must paint at once, and what this file imports is all that it needs (performance.md).
 */
export function activate(context: vscode.ExtensionContext): void {
	const store = new DisposableStore();
	context.subscriptions.push(store);
	const log = store.add(vscode.window.createOutputChannel("MCP Host", { log: true }));
	const logs = store.add(new ServerLogs());
	const core = new McpHost(hostServices(context, logs));
	host = core;
	const configuration = store.add(new Configuration(core, log));

	const rooms = lazy(async () => {
		const { openRooms } = await import("./rooms.vscode.ts");
		return store.add(openRooms({ host: core, configuration, log, logs, context }));
	});
	core.answerWith({
		createMessage: async (...request) => (await rooms.get()).answers.createMessage(...request),
		elicit: async (...request) => (await rooms.get()).answers.elicit(...request),
		onVisited: (...visit) => void rooms.get().then(({ answers }) => answers.onVisited(...visit)),
		browser: {
			openReceiver: async (port) => (await rooms.get()).answers.browser.openReceiver(port),
			open: async (...request) => (await rooms.get()).answers.browser.open(...request),
		},
	});

	const sources = {
		directory: core.registry,
		roots: core.roots,
		problems: configuration.problems,
		accounts: core.signIns.accounts,
	};
	store.add(registerServersTree(sources, { rooms, pending: core.pending }));
	store.add(registerStatus(core));
	store.add(registerDoors(rooms, context.extensionUri));

	const begin = async (): Promise<void> => {
		await configuration.readFirst();
		// In a turn of its own: the rows of the tree are asked for now.
		setImmediate(() => void rooms.get().catch((error: unknown) => log.error(messageOf(error))));
		await configuration.startApproved();
	};
	void begin();
}

/** Ends every server. VS Code waits for the promise, for about five seconds. */
export async function deactivate(): Promise<void> {
	await host?.shutdown();
}
