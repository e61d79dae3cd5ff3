import type * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { LastErrors } from "../base/lastErrors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { ReadableFiles } from "../features/resources/fileSystem.vscode.ts";
import { samplingModels } from "../features/sampling/modelChoice/models.vscode.ts";
import { wireModels } from "../models/models.vscode.ts";
import type { PendingRows } from "../questions/decisions/registration.vscode.ts";
import type { UserAnswers } from "../servers/hostServices.vscode.ts";
import { type Setup, wireSetup } from "../setup/setup.vscode.ts";
import type { ChatAnswers } from "../surfaces/chat/registration.vscode.ts";
import { demoModel } from "../surfaces/demo/demoModel.ts";
import type { LateRows } from "../surfaces/tree/rows.ts";
import { wireFeatures } from "./features.vscode.ts";
import { wirePermissions } from "./permissions.vscode.ts";
import { wireQuestions } from "./questions.vscode.ts";
import { wireRecords } from "./records.vscode.ts";
import { type Servers, wireServers } from "./servers.vscode.ts";
import { type Surfaces, wireSurfaces } from "./surfaces.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The functions that VS Code calls in the parts that are loaded after the first paint of the tree. */
export interface Wired extends UserAnswers, Disposable {
	/** All commands, by their ids. */
	readonly commands: Commands<string>;
	readonly chat: ChatAnswers;
	readonly pendingRows: PendingRows;
	readonly models: vscode.LanguageModelChatProvider;
	readonly resources: ReadableFiles;
	readonly tree: LateRows;
}

/**
 * Creates everything that the first paint of the tree does not need, until it is disposed, storey by storey. A storey
 * receives the lower ones. Its requests to a higher one are functions here, called only when all of them exist.
 */
export function wire(opened: Window): Wired {
	const errors = new LastErrors();
	const window: Window = { ...opened, log: errors.log(opened.log) };
	const { host, configuration, log, context } = window;
	const { version }: { readonly version: string } = context.extension.packageJSON;
	const store = new DisposableStore();

	const questions = store.add(wireQuestions(window));
	const records = store.add(wireRecords(window, version));
	const servers: Servers = store.add(
		wireServers(window, records, {
			remarksOn: async (definition) => setup.remarksOn(definition),
			offerDemoModel: async () => models.refreshPicker(),
		}),
	);
	const { notes } = records;
	const setup: Setup = store.add(
		wireSetup({
			host,
			configuration,
			context,
			notes,
			uris: servers.uris,
			sharedFiles: servers.sharedFiles,
			ask: questions.ask,
			showTools: async (session) => surfaces.tree.showTools(session),
			costOf: (definition) => features.keptCosts.inWords(definition),
		}),
	);
	const choice = store.add(samplingModels({ log }));
	const { globalState: state, workspaceState } = context;
	const models = store.add(
		wireModels({
			secrets: host.secrets,
			state,
			workspaceState,
			notes,
			log,
			demoModel,
			demoOffered: host.demoRuns,
			settingProblems: () => choice.problems,
		}),
	);
	const permissions = store.add(wirePermissions(window, records, choice.prices));
	const approvals = () => surfaces.chat.approvals;
	const features = store.add(
		wireFeatures({ ...questions, window, version, records, choice, models, permissions, approvals }),
	);
	const floors = { window, errors, records, servers, setup, models, permissions, features };
	const surfaces: Surfaces = store.add(
		wireSurfaces({ ...questions, ...floors, prices: choice.prices, chooser: choice.chooser }),
	);

	return {
		requests: features.requests,
		browser: servers.browser,
		sharing: surfaces.sharing,
		tap: ({ id, name }) => records.trace.tap(id, name),
		pendingRows: questions.waiting.pendingRows,
		commands: {
			...questions.waiting.commands,
			...records.commands,
			...servers.commands,
			...setup.commands,
			...models.commands,
			...permissions.commands,
			...features.commands,
			...surfaces.commands,
		},
		chat: surfaces.chat,
		models: models.provider,
		resources: features.resources.files,
		tree: surfaces.tree,
		dispose: () => store.dispose(),
	};
}
