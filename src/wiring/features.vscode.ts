import { messageOf } from "../base/errors.ts";
import { DisposableStore } from "../base/lifecycle.ts";
import { openAddress } from "../protocol/authorization/signIn.vscode.ts";
import { wireApps } from "../features/apps/apps.vscode.ts";
import { elicitationService } from "../features/elicitation/elicitation.vscode.ts";
import { InlineQuestions } from "../features/elicitation/inline.ts";
import { wirePrompts } from "../features/prompts/palette.vscode.ts";
import { PreparedPrompts } from "../features/prompts/prepared.ts";
import { wireResources } from "../features/resources/commands.vscode.ts";
import { wireTemplates } from "../features/resources/templates/templates.vscode.ts";
import type { samplingModels } from "../features/sampling/modelChoice/models.vscode.ts";
import { wireSampling } from "../features/sampling/sampling.vscode.ts";
import { accountKey, KeptTasks } from "../features/tasks/keptTasks.ts";
import { RunningTasks } from "../features/tasks/runningTasks.ts";
import { TaskChoices } from "../features/tasks/taskChoices.ts";
import type { ToolApprovals } from "../features/tools/approval.ts";
import { KeptCosts } from "../features/tools/keptCosts.ts";
import { FinishedCalls } from "../features/tools/results/finishedCalls.ts";
import { ToolCosts } from "../features/tools/toolCosts.ts";
import { toolLimit } from "../features/tools/toolLimit.vscode.ts";
import type { wireModels } from "../models/models.vscode.ts";
import type { Permissions } from "./permissions.vscode.ts";
import type { Questions } from "./questions.vscode.ts";
import type { Records } from "./records.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The storeys that the features are built on. */
export interface FeaturesFloor extends Questions {
	readonly window: Window;
	readonly version: string;
	readonly records: Records;
	readonly choice: ReturnType<typeof samplingModels>;
	readonly models: ReturnType<typeof wireModels>;
	readonly permissions: Permissions;
	/** Who asks before a call of an app: the chat, which is made later. */
	readonly approvals: () => ToolApprovals;
}

/** The features that servers offer and request, until it is disposed. */
export type Features = ReturnType<typeof wireFeatures>;

/** Makes the features of the specification: resources, prompts, tools, elicitation, sampling, and apps. */
export function wireFeatures(floor: FeaturesFloor) {
	const { window, records, choice, models, permissions, queue, repetition, ask } = floor;
	const { host, shared, configuration, log, context } = window;
	const { extensionUri, globalState: state, workspaceState } = context;
	const { notes } = records;
	const { registry: directory, pending, secrets, secretsInUse } = host;
	const { deciding } = permissions;
	const store = new DisposableStore();

	const costs = store.add(new ToolCosts(directory, store.add(toolLimit())));
	const keptCosts = store.add(new KeptCosts(costs, directory, shared.journal("costs")));
	const calls = new FinishedCalls();

	const { settled } = configuration;
	const resources = store.add(wireResources({ directory, notes, state: workspaceState, extensionUri, settled }));
	const { open, live, onDidOpenTyped } = resources;
	const templates = store.add(wireTemplates({ directory, state, ask, open, onDidOpenTyped, log }));

	const prepared = new PreparedPrompts();
	const prompts = store.add(wirePrompts({ directory, state, prepared, ask, log, extensionUri }));

	const inline = new InlineQuestions();
	const asked = { queue, repetition, log, show: floor.showForm, inline, notes };
	const { elicit, onVisited } = elicitationService(asked);

	const { createMessage } = store.add(
		wireSampling({
			directory,
			pins: deciding.pins,
			live,
			calls: () => calls.all,
			models: models.directory,
			chooser: choice.chooser,
			prices: choice.prices,
			sampling: permissions.sampling,
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

	const taskChoices = store.add(new TaskChoices(state));
	const { wantsTask } = taskChoices;
	const { accounts } = host.signIns;
	const tasks = store.add(
		new RunningTasks({
			directory,
			kept: new KeptTasks(workspaceState, secrets),
			accountOf: (server) => accountKey(accounts.get(server)),
			onDidChangeAccount: accounts.onDidChange,
			log,
		}),
	);
	tasks.restore().catch((error: unknown) => log.warn(`Tasks were not resumed: ${messageOf(error)}`));

	const apps = store.add(
		wireApps({
			...deciding,
			approvals: floor.approvals,
			createMessage,
			version: floor.version,
			openExternal: openAddress,
			context,
			redact: secretsInUse.redact,
		}),
	);
	return {
		costs,
		keptCosts,
		calls,
		resources,
		templates,
		prepared,
		prompts,
		inline,
		apps,
		tasks,
		taskChoices,
		/** Who answers the requests of servers. */
		requests: { createMessage, elicit, onVisited, onTask: tasks.onTask, wantsTask },
		commands: { ...resources.commands, ...templates.commands, ...prompts.commands, ...apps.commands },
		dispose: () => store.dispose(),
	};
}
