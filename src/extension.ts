import * as vscode from "vscode";
import { keptContext } from "./base/store/keptContext.vscode.ts";
import { registerCommands } from "./base/commands.vscode.ts";
import { messageOf } from "./base/errors.ts";
import { LateValue } from "./base/lazy.ts";
import { DisposableStore } from "./base/lifecycle.ts";
import { registerParticipant } from "./surfaces/chat/registration.vscode.ts";
import { registerModels } from "./models/registration.vscode.ts";
import { registerPending } from "./questions/decisions/registration.vscode.ts";
import { registerResources } from "./features/resources/registration.vscode.ts";
import { Configuration } from "./servers/sources/config.vscode.ts";
import { McpHost } from "./servers/host.ts";
import { hostServices } from "./servers/hostServices.vscode.ts";
import { ServerLogs } from "./servers/sessions/logs.vscode.ts";
import { registerServersTree } from "./surfaces/tree/tree.vscode.ts";
import type { Wired } from "./wiring/wiring.vscode.ts";

let host: McpHost | undefined;

/**
 * Creates what the Servers view shows first, registers what VS Code may call, and loads everything else
 * (wiring.vscode.ts) after the first paint. Awaits nothing: the view stays empty until this has returned, and every
 * window pays for the imports of this file.
 */
export function activate(context: vscode.ExtensionContext): void {
	const store = new DisposableStore();
	context.subscriptions.push(store);
	const wired = new LateValue<Wired>();
	const kept = keptContext(context);

	// servers: which exist, and whether they run
	const logs = store.add(new ServerLogs());
	const core = new McpHost(hostServices(context, kept, logs, () => wired.get()));
	host = core;
	const log = core.secretsInUse.log(store.add(vscode.window.createOutputChannel("MCP Host", { log: true })));
	const configuration = store.add(new Configuration(core, log));
	wired.madeBy(async () => {
		const { wire } = await import("./wiring/wiring.vscode.ts");
		return store.add(wire({ host: core, shared: await core.shared.get(), configuration, log, logs, context: kept }));
	});

	// the parts that VS Code shows and may call
	store.add(registerCommands(context, wired));
	store.add(registerModels(wired));
	store.add(registerResources(wired));
	store.add(registerParticipant(wired, context.extensionUri));
	const { registry: directory, roots, signIns, pending } = core;
	const { problems } = configuration;
	store.add(registerPending(pending, wired));
	const shown = { directory, roots, problems, accounts: signIns.accounts };
	store.add(registerServersTree(shown, configuration.firstRead, pending, wired, kept.workspaceState));

	void (async () => {
		await configuration.readFirst();
		// In a turn of its own: the rows of the tree are asked for now.
		setImmediate(() => void wired.get().catch((error: unknown) => log.error(messageOf(error))));
		await configuration.startApproved();
	})();
}

/** Ends every server. VS Code waits for the promise, for about five seconds. */
export async function deactivate(): Promise<void> {
	await host?.shutdown();
}
