import type * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { EditorUris } from "../base/editorUris.vscode.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../base/store/store.ts";
import { EditorSignIn, openAddress } from "../protocol/authorization/signIn.vscode.ts";
import { wirePending } from "../questions/decisions/pending.vscode.ts";
import type { PendingRows } from "../questions/decisions/registration.vscode.ts";
import { DecisionQueue } from "../questions/decisions/queue.ts";
import { Repetition } from "../questions/decisions/repetition.ts";
import { formPanels } from "../questions/form/formPanels.vscode.ts";
import { wireActivity } from "../records/activity/activity.vscode.ts";
import { approvalsName } from "../servers/approval/approvals.ts";
import { serverCommands } from "../servers/commands.vscode.ts";
import type { ServerDefinition } from "../servers/definitions/config.ts";
import type { Configuration } from "../servers/config.vscode.ts";
import { showProblems } from "../servers/diagnostics.vscode.ts";
import { showEntryLenses } from "../servers/entryLenses.vscode.ts";
import { logFindings } from "../servers/findings.ts";
import type { McpHost } from "../servers/host.ts";
import type { PersonAnswers } from "../servers/hostServices.vscode.ts";
import { wireSharedFiles } from "../servers/otherHosts/sharedFiles.vscode.ts";
import type { ServerLogs } from "../servers/sessions/logs.vscode.ts";
import { rootsCommands } from "../servers/chooseRoots.vscode.ts";
import { noteServers } from "../servers/serverNotes.ts";
import { authorizationCommands } from "../servers/signIn.vscode.ts";
import { registerStatus } from "../servers/status.vscode.ts";
import { wireWaiting } from "../servers/review/waiting.vscode.ts";
import { exportCommands } from "../records/trace/exportCommands.vscode.ts";
import { openTrace } from "../records/trace/recording.vscode.ts";
import { wireSpans } from "../records/trace/otel/otel.vscode.ts";
import { wireTraceView } from "../surfaces/trace/trace.vscode.ts";
import { wireSetup } from "../setup/setup.vscode.ts";
import { estimateTokens } from "../models/tokens.ts";
import { wireModels } from "../models/models.vscode.ts";
import { wireDoctor } from "../surfaces/doctor/doctor.vscode.ts";
import { ToolApprovals } from "../features/tools/approval.ts";
import { wirePinning } from "../permissions/pinning/pinning.vscode.ts";
import { wirePolicy } from "../permissions/policy/policy.vscode.ts";
import { FinishedCalls } from "../features/tools/results/finishedCalls.ts";
import { KeptCosts } from "../features/tools/keptCosts.ts";
import { ToolCosts } from "../features/tools/toolCosts.ts";
import { toolLimit } from "../features/tools/toolLimit.vscode.ts";
import { wireResources } from "../features/resources/commands.vscode.ts";
import type { ReadableFiles } from "../features/resources/fileSystem.vscode.ts";
import { wireTemplates } from "../features/resources/templates/templates.vscode.ts";
import { wirePrompts } from "../features/prompts/palette.vscode.ts";
import { PreparedPrompts } from "../features/prompts/prepared.ts";
import { elicitationService } from "../features/elicitation/elicitation.vscode.ts";
import { InlineQuestions } from "../features/elicitation/inline.ts";
import { wireBudgets } from "../permissions/budgets/budgets.vscode.ts";
import { samplingModels } from "../features/sampling/modelChoice/models.vscode.ts";
import { wireSampling } from "../features/sampling/sampling.vscode.ts";
import { wireRunner } from "../surfaces/runner/runner.vscode.ts";
import { ToolRuns } from "../surfaces/runner/toolRuns.ts";
import { wireNamedCalls } from "../surfaces/namedCalls/namedCalls.vscode.ts";
import { wireApps } from "../features/apps/apps.vscode.ts";
import { wireChat } from "../surfaces/chat/participant.vscode.ts";
import type { ChatAnswers } from "../surfaces/chat/registration.vscode.ts";
import { wireGuest } from "../surfaces/guest/guest.vscode.ts";
import { wireTree } from "../surfaces/tree/lateRows.vscode.ts";
import type { LateRows } from "../surfaces/tree/rows.ts";
import { demoModel } from "../surfaces/demo/demoModel.ts";

/** What is there from the start: the window, and which servers exist. */
export interface WiringServices {
	readonly host: McpHost;
	/** What all windows share. */
	readonly shared: Store;
	readonly configuration: Configuration;
	readonly log: Log;
	readonly logs: ServerLogs;
	readonly context: Pick<
		vscode.ExtensionContext,
		"extension" | "extensionUri" | "globalState" | "globalStorageUri" | "workspaceState"
	>;
}

/** What the editor calls of all that is loaded after the first paint of the tree. */
export interface Wired extends PersonAnswers, Disposable {
	/** All commands, by their ids. */
	readonly commands: Commands<string>;
	readonly chat: ChatAnswers;
	readonly pendingRows: PendingRows;
	readonly models: vscode.LanguageModelChatProvider;
	readonly resources: ReadableFiles;
	readonly tree: LateRows;
}

/**
 * Makes all that the first paint of the tree does not need, until it is disposed: each thing after what it needs, for the
 * rest in the order of the layers.
 */
export function wire({ host, shared, configuration, log, logs, context }: WiringServices): Wired {
	const { extensionUri, globalState: state, workspaceState } = context;
	const { version }: { readonly version: string } = context.extension.packageJSON;
	const { pending, registry: directory, secrets, secretsInUse } = host;
	const store = new DisposableStore();

	// questions: how the person is asked, and what waits for them
	const queue = new DecisionQueue(pending);
	const repetition = new Repetition();
	const nameOf = (server: string): string | undefined => directory.get(server)?.definition.name;
	const waiting = store.add(wirePending({ pending, queue, repetition, nameOf }));
	const { show: showForm, ask, editObject } = store.add(formPanels(extensionUri));

	// trace: what passes between the host and the servers
	const { recorder: trace } = store.add(openTrace(secretsInUse));
	store.add(wireSpans(trace, secretsInUse, version));

	// activity: what is recorded
	const records = store.add(
		wireActivity({
			store: shared,
			storage: context.globalStorageUri,
			extensionUri,
			directory,
			redact: (value) => secretsInUse.redactAll(value),
			isTraced: (exchange) => trace.find(exchange) !== undefined,
			version,
			log,
		}),
	);
	const { notes } = records;

	// servers: what the status bar and the editor of the configuration say of them
	store.add(registerStatus(host));
	store.add(logFindings(directory, configuration.problems.onDidChange, log));
	store.add(showProblems(configuration.problems, log));
	const otherHost = store.add(wireSharedFiles({ host, configuration, notes, state: workspaceState }));
	const { sharedFiles } = otherHost;
	const remarksOn = async (definition: ServerDefinition): Promise<readonly string[]> =>
		setup.bundles.remarksOn(definition);
	const waitingServers = store.add(
		wireWaiting({ host, sharedFiles, notes, state: workspaceState, extensionUri, remarksOn }),
	);
	store.add(showEntryLenses(host, sharedFiles));
	const uris = store.add(new EditorUris());
	const browser = new EditorSignIn(context.extension.id, uris);
	store.add(
		noteServers({
			directory,
			approvals: host.approvals,
			approvalsJournal: shared.journal(approvalsName),
			accounts: host.signIns.accounts,
			roots: host.roots,
			onDidAskSignIn: browser.onDidDecide,
			notes,
		}),
	);

	// trace: how people look at what passes
	const traceView = store.add(
		wireTraceView({ reader: trace, directory, secretsInUse, tokensOf: estimateTokens, extensionUri }),
	);

	// setup: where servers are written
	const setup = store.add(
		wireSetup({
			host,
			configuration,
			context,
			notes,
			uris,
			ask,
			showTools: async (session) => tree.showTools(session),
			costOf: (definition) => keptCosts.inWords(definition),
		}),
	);
	const { writer } = setup;

	// models: who answers, and who may answer servers
	const choice = store.add(samplingModels({ log }));
	const settingProblems = (): readonly string[] => choice.problems;
	const models = store.add(
		wireModels({ secrets, state, notes, log, demoModel, demoOffered: host.demoRuns, settingProblems }),
	);

	// tools: what was approved of them, what decides about calls, and what came back; the rules of sampling are listed with theirs
	const { pins, ...pinning } = store.add(wirePinning({ directory, store: shared, former: state, notes }));
	const former = { workspace: workspaceState, always: state };
	const budgets = store.add(wireBudgets({ directory, prices: choice.prices, store: shared, former, notes, log }));
	const rules = store.add(wirePolicy({ directory, pins, sampling: budgets.rules, store: shared, former, notes, log }));
	const { policy } = rules;
	const costs = store.add(new ToolCosts(directory, store.add(toolLimit())));
	const keptCosts = store.add(new KeptCosts(costs, directory, shared.journal("costs")));
	const calls = new FinishedCalls();
	// A run by hand is confirmed in its form, so that nothing is ever asked through these.
	const runApprovals = new ToolApprovals(pending, () => undefined);
	const runs = store.add(new ToolRuns({ policy, pins, approvals: runApprovals, calls, notes }));

	// doctor: why a server does not start
	const { extension, globalStorageUri } = context;
	const doctor = store.add(
		wireDoctor({ host, configuration, sharedFiles, costs, trace, writer, extension, extensionUri, globalStorageUri }),
	);

	// resources
	const resources = store.add(
		wireResources({ directory, notes, state: workspaceState, extensionUri, settled: configuration.settled }),
	);
	const { open, live } = resources;
	const templates = store.add(
		wireTemplates({ directory, state, ask, open, onDidOpenTyped: resources.onDidOpenTyped, log }),
	);

	// prompts
	const prepared = new PreparedPrompts();
	const prompts = store.add(wirePrompts({ directory, state, prepared, ask, log, extensionUri }));

	// elicitation
	const questions = new InlineQuestions();
	const elicitation = elicitationService({ queue, repetition, log, show: showForm, inline: questions, notes });

	// sampling
	const sampling = store.add(
		wireSampling({
			directory,
			pins,
			live,
			calls: () => calls.all,
			models: models.directory,
			chooser: choice.chooser,
			prices: choice.prices,
			budgets,
			record: records.record,
			pending,
			queue,
			repetition,
			environmentFile: (definition) => host.environmentFile(definition),
			secrets,
			log,
			extensionUri,
		}),
	);

	// surfaces: apps, runner, named calls, chat, tree
	const { refresh: refreshRules, chooseGrant, grantArguments } = rules;
	const deciding = { directory, policy, refreshRules, pins, notes };
	const apps = store.add(
		wireApps({
			...deciding,
			approvals: () => chat.approvals,
			createMessage: sampling.createMessage,
			version,
			openExternal: openAddress,
			context,
			redact: secretsInUse.redact,
		}),
	);
	const runner = store.add(
		wireRunner({
			...deciding,
			runs,
			approvals: runApprovals,
			editObject,
			apps,
			saveCall: (run) => namedCalls.save(run),
			state: workspaceState,
			extensionUri,
		}),
	);
	const namedCalls = store.add(wireNamedCalls({ ...deciding, host, grantArguments, extensionUri, log }));
	const chat = wireChat({
		...deciding,
		resolveModel: models.resolve,
		prices: choice.prices,
		pending,
		waiting,
		prepared,
		editObject,
		questions,
		chooseGrant,
		calls,
		...runner,
		pickResource: () => resources.pick("Read a Resource in the Chat"),
		apps,
	});
	store.add(chat);
	store.add(wireGuest({ ...chat, ...deciding, queue, showForm }));
	const tree = store.add(
		wireTree({
			directory,
			definitions: pins,
			costs,
			bills: chat.bills,
			refusals: models.refusals,
			roots: host.roots,
			sharedFiles,
			pins: prompts.pins,
			live,
			results: templates.results,
			state,
		}),
	);

	return {
		requests: {
			createMessage: (...request) => sampling.createMessage(...request),
			elicit: (...request) => elicitation.elicit(...request),
			onVisited: (...visit) => elicitation.onVisited(...visit),
		},
		browser,
		tap: ({ id, name }) => trace.tap(id, name),
		pendingRows: waiting.pendingRows,
		commands: {
			...waiting.commands,
			...traceView.commands,
			...records.commands,
			...serverCommands({
				host,
				sharedFiles,
				configuration,
				logs,
				notes,
				extensionUri,
				extensionId: context.extension.id,
				remarksOn,
				offerDemoModel: models.refreshPicker,
			}),
			...otherHost.commands,
			...waitingServers.commands,
			...exportCommands({ trace, extension: context.extension }),
			...setup.commands,
			...authorizationCommands(host),
			...rootsCommands(host),
			...models.commands,
			...pinning.commands,
			...rules.commands,
			...doctor.commands,
			...resources.commands,
			...templates.commands,
			...prompts.commands,
			...budgets.commands,
			...runner.commands,
			...namedCalls.commands,
			...chat.commands,
			...apps.commands,
			...tree.commands,
		},
		chat,
		models: models.provider,
		resources: resources.files,
		tree,
		dispose: () => store.dispose(),
	};
}
