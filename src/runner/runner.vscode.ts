import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf, HostError } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { askModal, showError, showInformation, showSlowWork } from "../base/notify.vscode.ts";
import { withPatience } from "../base/patience.ts";
import type { KeyValue } from "../base/storage.ts";
import { oneLine } from "../base/text.ts";
import type { FinishedCall } from "../results/finishedCalls.ts";
import type { EditObject } from "../form/objectEdit.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { ToolPolicy } from "../policy/verdict.ts";
import { findServer } from "../prompts/find.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { ToolApprovals } from "../tools/approval.ts";
import type { PendingDecisions } from "../decisions/decision.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { findTool, notRunning } from "./findTool.ts";
import { LastArguments } from "./lastArguments.ts";
import { RecentTools } from "./recentTools.ts";
import { runActions } from "./runActions.vscode.ts";
import { RunDocuments } from "./runDocuments.vscode.ts";
import { RunPanel } from "./runPanel.vscode.ts";
import { readToolRunRequest, type ToolRunRequest } from "./runRequest.ts";
import { pickRun } from "./runsPick.vscode.ts";
import { pickTool } from "./toolPick.vscode.ts";
import { ToolRun } from "./toolRun.ts";
import { ToolRunner, type PickTool } from "./toolRunner.ts";
import { ToolRuns } from "./toolRuns.ts";

/** What running tools by hand needs of the rest of the host. */
export interface RunnerRoomServices {
	readonly directory: SessionDirectory;
	readonly pending: PendingDecisions;
	readonly policy: ToolPolicy;
	/** Has the rules of the policy read again. */
	readonly refreshRules: () => Promise<void>;
	readonly pins: DefinitionPins;
	readonly editObject: EditObject;
	/** Where the arguments of last runs are kept, as far as they hold no secrets. */
	readonly state: KeyValue;
	readonly extensionUri: vscode.Uri;
}

/** What running tools by hand offers the rest of the host. */
export interface RunnerRoom extends Disposable {
	readonly commands: Commands<"mcpHost.runTool" | "mcpHost.showToolRuns" | "mcpHost.clearToolRuns">;
	readonly runner: ToolRunner;
	/** The runs of this window, the latest first. */
	readonly runs: () => readonly ToolRun[];
	/** Lets the person choose a tool of the running servers. */
	readonly pickTool: PickTool;
	/** Shows a call of the chat in the panel of runs. */
	showCall(id: string, call: FinishedCall): void;
}

/** Makes `MCP Host: Run Tool…`: choose, fill in, run, look at what came back; and the history of runs. */
export function runnerRoom(services: RunnerRoomServices): RunnerRoom {
	const { directory, pending, policy, refreshRules, pins, editObject, state, extensionUri } = services;
	const store = new DisposableStore();
	// A run by hand is confirmed in its form, so that nothing is ever asked through these.
	const approvals = new ToolApprovals(pending, () => undefined);
	const runs = store.add(new ToolRuns({ policy, pins, approvals }));
	const last = new LastArguments(state);
	const recent = new RecentTools(state);
	const runner = new ToolRunner({
		directory,
		runs,
		last,
		recent,
		policy,
		pins,
		approvals,
		editObject,
		refreshRules,
		confirm: async (question, detail) => (await askModal(question, detail, "Run")) === "Run",
		show: (run) => panel.show(run),
	});
	const documents = store.add(new RunDocuments());
	const panel: RunPanel = store.add(new RunPanel(extensionUri, { directory, actions: runActions(runner, documents) }));

	const choose = async (request: ToolRunRequest | undefined): Promise<ToolEntry | undefined> => {
		const { server, tool } = request ?? {};
		if (server !== undefined && tool !== undefined) {
			return withPatience(
				({ signal }) => findTool(directory, server, tool, signal),
				(slow) => showSlowWork(`Looking for ${oneLine(tool, 60)}`, slow),
			);
		}
		const only = server === undefined ? undefined : findServer(directory, server);
		if (only !== undefined && only.state.kind !== "running" && only.state.kind !== "starting") throw notRunning(only);
		return pickTool({ directory, pins, recent: recent.keys }, only);
	};
	const clear = async (): Promise<void> => {
		runs.clear();
		documents.clear();
		await last.clear();
		await recent.clear();
	};
	const commands = {
		"mcpHost.runTool": async (argument: unknown) => {
			const request = readToolRunRequest(argument);
			const entry = await choose(request);
			if (entry !== undefined) await runner.run(entry, request?.arguments);
		},
		"mcpHost.showToolRuns": async () => {
			const chosen = await pickRun(runs, clear);
			if (chosen === undefined) return;
			if (chosen.isAgain) await runner.runAgain(chosen.run);
			else panel.show(chosen.run);
		},
		"mcpHost.clearToolRuns": async () => {
			await clear();
			void showInformation("The tool runs of this window and the arguments that were kept of them are forgotten.");
		},
	};
	return {
		commands: guarded(commands, (error, argument) => explain(error, argument)),
		runner,
		runs: () => runs.all,
		pickTool: () => choose(undefined),
		showCall: (id, call) => panel.show(ToolRun.ofChat(id, call)),
		dispose: () => store.dispose(),
	};
}

/** Tells a failure once, with the button that helps. What the person cancelled needs no message. */
async function explain(error: unknown, argument: unknown): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	const server = HostError.is(error, "not-connected") ? serverOf(argument) : undefined;
	const remedies = server === undefined ? [] : ["Start Server"];
	if ((await showError(messageOf(error), ...remedies)) === undefined) return;
	await vscode.commands.executeCommand("mcpHost.startServer", { server });
}

function serverOf(argument: unknown): string | undefined {
	try {
		const server = readToolRunRequest(argument)?.server;
		return server;
	} catch {
		return undefined;
	}
}
