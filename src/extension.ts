import * as vscode from "vscode";
import { registerChat } from "./chat/participant.vscode.ts";
import { registerPending } from "./decisions/pending.vscode.ts";
import { DecisionQueue } from "./decisions/queue.ts";
import { registerForms } from "./elicitation/formPanel.vscode.ts";
import { ElicitationService } from "./elicitation/service.ts";
import { McpHost } from "./host.ts";
import { registerModels } from "./models/register.vscode.ts";
import { registerPrompts } from "./prompts/palette.vscode.ts";
import { PreparedPrompts } from "./prompts/prepared.ts";
import { registerResources } from "./resources/commands.vscode.ts";
import { workspaceRoots } from "./roots/workspace.vscode.ts";
import { registerSamplingReview } from "./sampling/panel.vscode.ts";
import { SamplingService } from "./sampling/service.ts";
import { registerConfigurationCommands } from "./servers/add.vscode.ts";
import { registerServerCommands } from "./servers/commands.vscode.ts";
import { Configuration } from "./servers/config.vscode.ts";
import { hostServices } from "./servers/hostServices.vscode.ts";
import { ServerLogs } from "./servers/logs.vscode.ts";
import { registerStatus } from "./servers/status.vscode.ts";
import { registerServersTree } from "./servers/tree.vscode.ts";

let host: McpHost | undefined;

/** Wires the core to VS Code. Awaits no server: the tree must paint at once (performance.md). */
export function activate(context: vscode.ExtensionContext): void {
	const { extensionUri, globalState: state, secrets, subscriptions } = context;
	const own = <T extends vscode.Disposable>(part: T): T => {
		subscriptions.push(part);
		return part;
	};
	const log = own(vscode.window.createOutputChannel("MCP Host", { log: true }));
	const logs = own(new ServerLogs());
	const roots = own(workspaceRoots());
	host = new McpHost(hostServices(context, logs, roots));
	const { pending, registry: directory } = host;

	const configuration = own(new Configuration(host, log));
	own(registerServersTree({ directory, roots, problems: configuration.problems }));
	own(registerServerCommands({ host, configuration, logs, extensionUri }));
	own(registerConfigurationCommands(host, configuration));
	own(registerStatus(host));
	own(registerPending(pending));
	own(registerResources({ directory, log }));

	const models = own(registerModels({ secrets, log, demoOffered: host.demoRuns }));
	const queue = new DecisionQueue(pending);
	const forms = own(registerForms(extensionUri));
	const reviews = own(registerSamplingReview(extensionUri));
	const sampling = new SamplingService({
		models: models.directory,
		queue,
		log,
		show: (...shown) => reviews.show(...shown),
	});
	const elicitation = new ElicitationService({
		queue,
		log,
		show: (...shown) => forms.show(...shown),
		openExternal: async (url) => vscode.env.openExternal(vscode.Uri.parse(url, true)),
	});
	host.answerWith({
		createMessage: (...request) => sampling.createMessage(...request),
		elicit: (...request) => elicitation.elicit(...request),
	});

	const prepared = new PreparedPrompts();
	own(registerPrompts({ directory, state, prepared, log, extensionUri }));
	const { openJsonEditor } = forms;
	own(registerChat({ extensionUri, directory, models: models.directory, pending, prepared, openJsonEditor }));
	void configuration.start();
}

/** Ends every server. VS Code waits for the promise, for about five seconds. */
export async function deactivate(): Promise<void> {
	await host?.shutdown();
}
