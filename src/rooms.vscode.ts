import * as vscode from "vscode";
import { authorizationCommands } from "./authorization/commands.vscode.ts";
import { EditorSignIn } from "./authorization/signIn.vscode.ts";
import type { Log } from "./base/log.ts";
import { DisposableStore, type Disposable } from "./base/lifecycle.ts";
import { chatRoom } from "./chat/participant.vscode.ts";
import { DecisionQueue } from "./decisions/queue.ts";
import type { BehindDoors } from "./doors.vscode.ts";
import { formPanels } from "./form/formPanels.vscode.ts";
import { ElicitationService } from "./elicitation/service.ts";
import type { McpHost } from "./host.ts";
import { modelRoom } from "./models/room.vscode.ts";
import { promptRoom } from "./prompts/palette.vscode.ts";
import { PreparedPrompts } from "./prompts/prepared.ts";
import { resourceRoom } from "./resources/commands.vscode.ts";
import { reviewPanels } from "./sampling/panel.vscode.ts";
import { SamplingService } from "./sampling/service.ts";
import { configurationCommands } from "./servers/add.vscode.ts";
import { serverCommands } from "./servers/commands.vscode.ts";
import type { Configuration } from "./servers/config.vscode.ts";
import { showProblems } from "./servers/diagnostics.vscode.ts";
import type { ServerLogs } from "./servers/logs.vscode.ts";
import type { TreeNode } from "./tree/nodes.ts";
import { tooltipOf } from "./tree/tooltip.ts";

/** The core and the window, which are there before the rooms open. */
export interface RoomServices {
	readonly host: McpHost;
	readonly configuration: Configuration;
	readonly log: Log;
	readonly logs: ServerLogs;
	readonly context: Pick<vscode.ExtensionContext, "extension" | "extensionUri" | "globalState" | "secrets">;
}

/** All that the first paint of the tree does not need; a bundle of its own, which is loaded after it (performance.md). */
export interface Rooms extends BehindDoors, Disposable {
	/** What servers ask of a person. */
	readonly answers: Required<Parameters<McpHost["answerWith"]>[0]>;
	/** What explains a row of the tree. */
	readonly tooltipOf: (node: TreeNode) => string | undefined;
}

/**
 * Opens the rooms, until they are disposed. The classes and modules of this bundle are other ones than those of the core,
 * even where their source is the same: what both know has to come in through `services`.
 */
export function openRooms({ host, configuration, log, logs, context }: RoomServices): Rooms {
	const { extensionUri, globalState: state, secrets } = context;
	const { pending, registry: directory } = host;
	const store = new DisposableStore();
	store.add(showProblems(configuration.problems, log));
	const models = store.add(modelRoom({ secrets, log, demoOffered: host.demoRuns }));
	const resources = store.add(resourceRoom({ directory, log }));
	const prepared = new PreparedPrompts();
	const prompts = store.add(promptRoom({ directory, state, prepared, log, extensionUri }));

	const queue = new DecisionQueue(pending);
	const forms = store.add(formPanels(extensionUri));
	const reviews = store.add(reviewPanels(extensionUri));
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
	const chat = chatRoom({
		directory,
		models: models.directory,
		pending,
		prepared,
		openJsonEditor: forms.openJsonEditor,
	});
	return {
		commands: {
			...serverCommands({ host, configuration, logs, extensionUri }),
			...configurationCommands(host, configuration),
			...resources.commands,
			...prompts.commands,
			...models.commands,
			...chat.commands,
			...authorizationCommands(host),
		},
		chat: chat.answer,
		callDetails: chat.callDetails,
		models: models.provider,
		resources: resources.files,
		answers: {
			createMessage: (...request) => sampling.createMessage(...request),
			elicit: (...request) => elicitation.elicit(...request),
			browser: store.add(new EditorSignIn(context.extension.id)),
		},
		tooltipOf,
		dispose: () => store.dispose(),
	};
}
