import * as vscode from "vscode";
import { authorizationCommands } from "./authorization/commands.vscode.ts";
import { EditorSignIn, openExactly } from "./authorization/signIn.vscode.ts";
import type { Log } from "./base/log.ts";
import { DisposableStore, type Disposable } from "./base/lifecycle.ts";
import { samplingPolicyRoom } from "./budgets/room.vscode.ts";
import { followupsOf } from "./chat/followups.ts";
import { chatRoom } from "./chat/participant.vscode.ts";
import { pendingRoom } from "./decisions/pending.vscode.ts";
import { DecisionQueue } from "./decisions/queue.ts";
import { Repetition } from "./decisions/repetition.ts";
import type { BehindDoors } from "./doors.vscode.ts";
import { formPanels, type FormPanels } from "./form/formPanels.vscode.ts";
import { InlineQuestions } from "./elicitation/inline.ts";
import { ElicitationService } from "./elicitation/service.ts";
import { showWaiting } from "./elicitation/waiting.vscode.ts";
import type { McpHost } from "./host.ts";
import { modelRoom } from "./models/room.vscode.ts";
import { definitionRoom } from "./pinning/room.vscode.ts";
import { policyRoom } from "./policy/room.vscode.ts";
import { promptRoom } from "./prompts/palette.vscode.ts";
import { PreparedPrompts } from "./prompts/prepared.ts";
import { recordRoom } from "./record/room.vscode.ts";
import { redactionRoom } from "./redaction/room.vscode.ts";
import { resourceRoom } from "./resources/commands.vscode.ts";
import { templateRoom } from "./resources/templates.vscode.ts";
import { rootsCommands } from "./roots/choose.vscode.ts";
import { runnerRoom } from "./runner/runner.vscode.ts";
import { contextCollector } from "./sampling/collectContext.ts";
import { samplingModels } from "./sampling/models.vscode.ts";
import { reviewPanels } from "./sampling/panel.vscode.ts";
import { SamplingGuard } from "./sampling/guard.ts";
import { guardSettings } from "./sampling/guardSettings.vscode.ts";
import { SamplingService } from "./sampling/service.ts";
import { configurationCommands } from "./servers/add.vscode.ts";
import { serverCommands } from "./servers/commands.vscode.ts";
import type { Configuration } from "./servers/config.vscode.ts";
import { showProblems } from "./servers/diagnostics.vscode.ts";
import type { ServerLogs } from "./servers/logs.vscode.ts";
import { ToolCosts } from "./tools/toolCosts.ts";
import { toolLimit } from "./tools/toolLimit.vscode.ts";
import { treeRoom } from "./tree/room.vscode.ts";
import type { TreeContents } from "./tree/tree.vscode.ts";

/** The core and the window, which are there before the rooms open. */
export interface RoomServices {
	readonly host: McpHost;
	readonly configuration: Configuration;
	readonly log: Log;
	readonly logs: ServerLogs;
	readonly context: Pick<
		vscode.ExtensionContext,
		"extension" | "extensionUri" | "globalState" | "globalStorageUri" | "secrets" | "workspaceState"
	>;
}

/** All that the first paint of the tree does not need; a bundle of its own, which is loaded after it (performance.md). */
export interface Rooms extends BehindDoors, Disposable {
	/** What servers ask of a person. */
	readonly answers: Required<Parameters<McpHost["answerWith"]>[0]>;
	readonly tree: TreeContents;
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
	const choice = store.add(samplingModels({ log }));
	const settingProblems = (): readonly string[] => choice.problems;
	const models = store.add(modelRoom({ secrets, state, log, demoOffered: host.demoRuns, settingProblems }));
	const resources = store.add(
		resourceRoom({
			directory,
			state: context.workspaceState,
			openedTyped: (opened) => void templates.rememberTyped(opened),
		}),
	);
	const forms = store.add(formPanels(extensionUri));
	const { open } = resources;
	const ask: FormPanels["ask"] = (...question) => forms.ask(...question);
	const templates = store.add(templateRoom({ directory, state, ask, open, log }));
	const prepared = new PreparedPrompts();
	const prompts = store.add(promptRoom({ directory, state, prepared, ask, log, extensionUri }));

	const definitions = store.add(definitionRoom({ directory, state }));
	const { workspaceState } = context;
	const budgets = store.add(samplingPolicyRoom({ directory, prices: choice.prices, workspaceState, state, log }));
	const rules = store.add(
		policyRoom({ directory, pins: definitions.pins, sampling: budgets.rules, workspaceState, state, log }),
	);
	const tree = store.add(
		treeRoom({
			directory,
			definitions: definitions.pins,
			costs: store.add(new ToolCosts(directory, store.add(toolLimit()))),
			roots: host.roots,
			pins: prompts.pins,
			live: resources.live,
			results: templates.results,
			state,
		}),
	);
	const records = store.add(recordRoom({ storage: context.globalStorageUri, extensionUri, directory, log }));
	const queue = new DecisionQueue(pending);
	const repetition = new Repetition();
	const waiting = store.add(
		pendingRoom({ pending, queue, repetition, nameOf: (id) => directory.get(id)?.definition.name }),
	);
	const guardLimits = guardSettings();
	const guard = new SamplingGuard({ repetition, loopLimit: () => guardLimits.current.loopLimit });
	const reviews = store.add(
		reviewPanels({
			extensionUri,
			denyAll: (serverId) => void pending.refuseServer(serverId),
			chooseRule: budgets.chooseRule,
		}),
	);
	const redaction = store.add(redactionRoom({ directory, secrets, log }));
	const collectContext = contextCollector({
		directory,
		pins: definitions.pins,
		live: resources.live,
		calls: () => chat.calls(),
		runs: () => runs.runs(),
	});
	const sampling = new SamplingService({
		guard,
		policy: budgets.policy,
		findSecrets: redaction.findSecrets,
		collectContext,
		models: models.directory,
		chooser: choice.chooser,
		prices: choice.prices,
		record: records.record,
		queue,
		log,
		now: Date.now,
		expiresMs: () => guardLimits.current.expiresMs,
		show: (...shown) => reviews.show(...shown),
	});
	const questions = new InlineQuestions();
	const elicitation = new ElicitationService({
		queue,
		repetition,
		log,
		show: (...shown) => forms.show(...shown),
		inline: questions,
		openExternal: openExactly,
		copy: async (text) => vscode.env.clipboard.writeText(text),
		showWaiting,
	});
	const runs = store.add(
		runnerRoom({
			directory,
			pending,
			policy: rules.policy,
			refreshRules: () => rules.refresh(),
			pins: definitions.pins,
			editObject: (...request) => forms.editObject(...request),
			state: workspaceState,
			extensionUri,
		}),
	);
	const chat = chatRoom({
		directory,
		resolveModel: models.resolve,
		pending,
		prepared,
		editObject: (...request) => forms.editObject(...request),
		questions,
		policy: rules.policy,
		pins: definitions.pins,
		chooseGrant: rules.chooseGrant,
		runner: runs.runner,
		pickTool: runs.pickTool,
		pickResource: () => resources.pick("Read a Resource in the Chat"),
		showCall: (...shown) => runs.showCall(...shown),
	});
	return {
		commands: {
			...waiting.commands,
			...serverCommands({ host, configuration, logs, extensionUri }),
			...configurationCommands(host, configuration),
			...resources.commands,
			...templates.commands,
			...prompts.commands,
			...models.commands,
			...chat.commands,
			...authorizationCommands(host),
			...rootsCommands(host),
			...tree.commands,
			...definitions.commands,
			...rules.commands,
			...budgets.commands,
			...runs.commands,
			...records.commands,
		},
		chat: async (...turn) => {
			await rules.refresh();
			return chat.answer(...turn);
		},
		followups: { provideFollowups: ({ metadata }) => [...followupsOf(metadata)] },
		models: models.provider,
		resources: resources.files,
		answers: {
			createMessage: (...request) => sampling.createMessage(...request),
			elicit: (...request) => elicitation.elicit(...request),
			onVisited: (...visit) => elicitation.onVisited(...visit),
			browser: store.add(new EditorSignIn(context.extension.id)),
		},
		tree,
		dispose: () => store.dispose(),
	};
}
