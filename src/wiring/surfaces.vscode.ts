import type { LastErrors } from "../base/lastErrors.ts";
import { DisposableStore } from "../base/lifecycle.ts";
import type { ModelChooser } from "../features/sampling/modelChoice/chooseModel.ts";
import { ToolApprovals } from "../features/tools/approval.ts";
import type { wireModels } from "../models/models.vscode.ts";
import { estimateTokens } from "../models/tokens.ts";
import type { Prices } from "../models/prices.ts";
import type { Setup } from "../setup/setup.vscode.ts";
import { wireBridge } from "../surfaces/bridge/bridge.vscode.ts";
import { wireChat } from "../surfaces/chat/participant.vscode.ts";
import { wireDoctor } from "../surfaces/doctor/doctor.vscode.ts";
import { wireGuest } from "../surfaces/guest/guest.vscode.ts";
import { wireNamedCalls } from "../surfaces/namedCalls/namedCalls.vscode.ts";
import { wireMayRun } from "../surfaces/mayRun/mayRun.vscode.ts";
import { resetCommands } from "../surfaces/reset/reset.vscode.ts";
import { storeOwners } from "../surfaces/reset/owners.ts";
import { wireRunner } from "../surfaces/runner/runner.vscode.ts";
import { ToolRuns } from "../surfaces/runner/toolRuns.ts";
import { wireTraceView } from "../surfaces/trace/trace.vscode.ts";
import { wireTree } from "../surfaces/tree/lateRows.vscode.ts";
import type { Features } from "./features.vscode.ts";
import type { Session } from "../servers/sessions/session.ts";
import type { Permissions } from "./permissions.vscode.ts";
import type { Questions } from "./questions.vscode.ts";
import type { Records } from "./records.vscode.ts";
import type { Servers } from "./servers.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The storeys that the surfaces are built on. */
export interface SurfacesFloor extends Questions {
	readonly window: Window;
	/** The last errors of the log. */
	readonly errors: LastErrors;
	readonly records: Records;
	readonly servers: Servers;
	readonly setup: Setup;
	readonly models: ReturnType<typeof wireModels>;
	readonly prices: Prices;
	readonly chooser: ModelChooser;
	readonly permissions: Permissions;
	readonly features: Features;
}

/** Where users meet the rest, until it is disposed. */
export type Surfaces = ReturnType<typeof wireSurfaces>;

/** Makes where users meet the rest: the runner, named calls, the chat, the guest, the tree, the trace, and the doctor. */
export function wireSurfaces(floor: SurfacesFloor) {
	const { window, records, servers, models, prices, permissions, features, queue, editObject, showForm } = floor;
	const { host, configuration, log, context } = window;
	const { extension, extensionUri, globalStorageUri, globalState: state, workspaceState } = context;
	const { registry: directory, pending, secretsInUse } = host;
	const { deciding, chooseGrant, grantArguments } = permissions;
	const { trace, notes } = records;
	const { sharedFiles, sources } = servers;
	const { apps, calls, costs, prepared, prompts, resources, templates } = features;
	const store = new DisposableStore();

	const traceView = store.add(
		wireTraceView({ reader: trace, directory, secretsInUse, tokensOf: estimateTokens, extensionUri }),
	);
	const { edits } = floor.setup;
	const doctor = store.add(
		wireDoctor({
			host,
			configuration,
			sharedFiles,
			costs,
			trace,
			errors: floor.errors,
			edits,
			extension,
			extensionUri,
			globalStorageUri,
		}),
	);

	// A run by hand is confirmed in its form, so that nothing is ever asked through these.
	const approvals = new ToolApprovals(pending, () => undefined);
	const runs = store.add(new ToolRuns({ ...deciding, approvals, calls, notes }));
	const namedCalls = store.add(wireNamedCalls({ ...deciding, host, grantArguments, extensionUri, log }));
	const saveCall = namedCalls.save;
	const runner = store.add(
		wireRunner({
			...deciding,
			runs,
			approvals,
			editObject,
			apps,
			saveCall,
			state: workspaceState,
			sources,
			extensionUri,
		}),
	);

	const chat = store.add(
		wireChat({
			...deciding,
			resolveModel: models.resolve,
			prices,
			pending,
			waiting: floor.waiting,
			prepared,
			editObject,
			questions: features.inline,
			chooseGrant,
			calls,
			tasks: features.tasks,
			taskChoices: features.taskChoices,
			...runner,
			pickResource: () => resources.pick("Read a Resource in the Chat"),
			apps,
		}),
	);
	store.add(wireGuest({ ...chat, ...deciding, queue, showForm }));
	const { shared } = window;
	const { version }: { readonly version: string } = extension.packageJSON;
	const { writer } = floor.setup;
	const places = { extensionUri, globalStorageUri };
	const bridge = store.add(
		wireBridge({ ...chat, ...deciding, ...places, queue, showForm, host, shared, log, version, writer }),
	);
	const tree = store.add(
		wireTree({
			directory,
			tasks: features.tasks,
			taskChoices: features.taskChoices,
			definitions: deciding.pins,
			costs,
			bills: chat.bills,
			refusals: models.refusals,
			roots: host.roots,
			sharedFiles,
			sources,
			...permissions.development,
			checked: doctor.checked,
			pins: prompts.pins,
			live: resources.live,
			results: templates.results,
			state,
			menu: { host, extension },
		}),
	);
	const isRunning = ({ state: { kind } }: Session): boolean => kind === "running" || kind === "starting";
	const reset = resetCommands({
		extension,
		running: () => directory.sessions.filter(isRunning).length,
		journal: (name) => window.shared.journal(name),
		states: [state, workspaceState],
		secrets: host.secrets,
		folder: globalStorageUri.fsPath,
		owners: storeOwners({
			host,
			grants: permissions.listed.grants,
			forgetRunner: servers.forgetRunner,
			agents: bridge.agents,
			handOvers: bridge.handOvers,
			forgetTemplates: async () => templates.commands["mcpHost.forgetTemplateResults"](),
			tasks: features.tasks,
			runs: { count: () => runs.all.length, clear: runner.clear },
			trace: { count: () => trace.snapshot(-1).exchanges.length, clear: () => trace.clear() },
			activity: records.stored,
		}),
	});
	const mayRun = store.add(
		wireMayRun({
			host,
			configuration,
			...permissions.listed,
			policy: deciding.policy,
			models: models.directory,
			apps: apps.accesses,
			agents: bridge.agents,
			whyNoModel: (model, asker) => floor.chooser.whyNot(model, asker),
			refreshRules: deciding.refreshRules,
			extensionUri,
		}),
	);
	return {
		chat,
		sharing: bridge.sharing,
		tree,
		commands: {
			...traceView.commands,
			...doctor.commands,
			...runner.commands,
			...namedCalls.commands,
			...chat.commands,
			...tree.commands,
			...mayRun.commands,
			...bridge.commands,
			...reset,
		},
		dispose: () => store.dispose(),
	};
}
