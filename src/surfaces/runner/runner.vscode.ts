import * as vscode from "vscode";
import type { Deciding } from "../../features/tools/deciding.ts";
import { type Commands, guarded } from "../../base/commands.ts";
import { exchangeIn, HostError, messageOf } from "../../base/errors.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { askModal, showFailure, showInformation, showSlowWork } from "../../base/notify.vscode.ts";
import { withPatience } from "../../base/patience.ts";
import type { KeyValue } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { EditObject } from "../../questions/form/formQuestion.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { ToolApprovals } from "../../features/tools/approval.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { FinishedCall, RememberedCall } from "../../features/tools/results/finishedCalls.ts";
import { findTool, notRunning, readToolRunRequest, type ToolRunRequest } from "./findTool.ts";
import { runActions } from "./runActions.vscode.ts";
import { RunDocuments } from "./runDocuments.vscode.ts";
import { RunPort, type RunPortServices } from "./runPort.ts";
import { LastArguments, RecentTools } from "./runnerMemory.ts";
import { ToolRun } from "./toolRun.ts";
import { type PickTool, ToolRunner } from "./toolRunner.ts";
import type { ToolRuns } from "./toolRuns.ts";
import { withoutIcons } from "../../base/words.ts";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import { runRow } from "./runRows.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { explainAbsence, isSettling } from "../../servers/sessions/absence.ts";
import { itemsUnder, pickRow, remedyItem } from "../../servers/rowPick.vscode.ts";
import type { SourceWatch } from "../../servers/development/sourceWatch.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { toolRows, type ToolRow } from "./toolRows.ts";
import { timeOfDay } from "../../base/shownTime.ts";

/** The dependencies of running tools by hand on the rest of the host. */
export interface RunnerServices extends Omit<Deciding, "notes"> {
	/** The runs of this window. */
	readonly runs: ToolRuns;
	/** The questions' services. */
	readonly approvals: ToolApprovals;
	readonly editObject: EditObject;
	/** Saves a run as a named call; resolves with a sentence for its panel. */
	readonly saveCall: (run: ToolRun) => Promise<string>;
	/** The apps by which servers want results shown. */
	readonly apps: { has(entry: ToolEntry): boolean; open(call: FinishedCall): void };
	/** Where the arguments of last runs are kept, as far as they contain no secrets. */
	readonly state: KeyValue;
	/** The source files of servers. */
	readonly sources: SourceWatch;
	readonly extensionUri: vscode.Uri;
}

/** The functions of running tools by hand for the rest of the host. */
export interface WiredRunner extends Disposable {
	readonly commands: Commands<
		"mcpHost.runTool" | "mcpHost.runToolAgain" | "mcpHost.showToolRuns" | "mcpHost.clearToolRuns"
	>;
	readonly runner: ToolRunner;
	/** Lets the user choose a tool of the running servers. */
	readonly pickTool: PickTool;
	/** Forgets the runs of this window and the arguments that are kept. */
	readonly clear: () => Promise<void>;
	/** Shows a call of the chat in the panel of runs. */
	readonly showCall: (call: RememberedCall) => void;
	/** Shows the result of a call of the chat whole, in a read-only editor. */
	readonly openResult: (call: RememberedCall) => Promise<void>;
}

/** Makes `MCP Host: Run Tool…`: choose, fill in, run, read the result; and the history of runs. */
export function wireRunner(services: RunnerServices): WiredRunner {
	const {
		directory,
		runs,
		approvals,
		policy,
		refreshRules,
		pins,
		editObject,
		saveCall,
		apps,
		state,
		extensionUri,
		sources,
	} = services;
	const store = new DisposableStore();
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
		bringUpToDate: async (server, isWanted) => {
			const session = directory.get(server);
			if (session !== undefined) await sources.bringUpToDate(session, isWanted);
		},
		confirm: async (question, detail) => (await askModal(question, detail, "Run")) === "Run",
	});
	const documents = store.add(new RunDocuments());
	const actions = runActions(runner, documents, saveCall, (call) => apps.open(call));
	const panel = store.add(
		new RunPanel(extensionUri, { directory, actions, sources, hasApp: (entry) => apps.has(entry) }),
	);
	store.add(runner.onDidStart((run) => panel.show(run)));

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
		"mcpHost.runToolAgain": async () => {
			const run = panel.shown ?? runs.all.find(({ entry }) => entry.perform === undefined);
			if (run === undefined)
				throw new HostError("invalid", "No tool has been run in this window yet. Run a tool first.");
			await runner.runAgain(run, true);
		},
		"mcpHost.showToolRuns": async () => {
			const chosen = await pickRun(runs, clear);
			if (chosen === undefined) return;
			if (chosen.isAgain) await runner.runAgain(chosen.run);
			else panel.show(chosen.run);
		},
		"mcpHost.clearToolRuns": async () => {
			await clear();
			void showInformation("Cleared the tool runs of this window and their arguments.");
		},
	};
	return {
		commands: guarded(commands, (error, argument) => explain(error, argument)),
		runner,
		pickTool: () => choose(undefined),
		clear,
		openResult: async (call) => documents.open(ToolRun.ofChat(call), "whole"),
		showCall: (call) => panel.show(runs.all.find(({ id }) => id === call.id) ?? ToolRun.ofChat(call)),
		dispose: () => store.dispose(),
	};
}

/** Shows a failure once, with the buttons that help. A cancellation by the user needs no message. */
async function explain(error: unknown, argument: unknown): Promise<void> {
	if (HostError.is(error, "cancelled")) return;
	const server = HostError.is(error, "not-connected") ? serverOf(argument) : undefined;
	const remedies = server === undefined ? [] : ["Start Server"];
	if ((await showFailure(messageOf(error), exchangeIn(error), ...remedies)) === undefined) return;
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

/** The one panel that shows a run; the next one takes the place of the one before, which stays in the history. */
class RunPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: Omit<RunPortServices, "close">;
	private open: { readonly panel: Panel; readonly port: RunPort } | undefined;

	constructor(extensionUri: vscode.Uri, services: Omit<RunPortServices, "close">) {
		this.extensionUri = extensionUri;
		this.services = services;
	}

	/** The run that the panel shows; undefined while it is closed. */
	get shown(): ToolRun | undefined {
		return this.open?.port.shownRun;
	}

	/** Shows a run and gives the panel the focus: the user asked for it. */
	show(run: ToolRun): void {
		if (this.open !== undefined) {
			this.open.panel.reveal({ title: titleOf(run) });
			this.open.port.show(run);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "toolRun",
			style: "toolRun.css",
			title: titleOf(run),
			showsImages: true,
			playsAudio: true,
		});
		const port = new RunPort(panel.port, run, { ...this.services, close: () => panel.dispose() });
		panel.onDidClose(() => {
			port.dispose();
			this.open = undefined;
		});
		this.open = { panel, port };
	}

	dispose(): void {
		this.open?.panel.dispose();
	}
}

/** The editor tab's name. */
function titleOf({ entry }: ToolRun): string {
	return `Tool: ${oneLine(entry.tool.name, 50)}`;
}

/** The user's choice for a run of the history. */
export interface ChosenRun {
	readonly run: ToolRun;
	readonly isAgain: boolean;
}

interface RunItem extends vscode.QuickPickItem {
	readonly run: ToolRun;
}

const againButton = { iconPath: new vscode.ThemeIcon("debug-rerun"), tooltip: "Run Again" };
const clearButton = { iconPath: new vscode.ThemeIcon("clear-all"), tooltip: "Clear Tool Runs" };

/** Lets the user choose a run of this window, to open it or to run it again. Undefined when they choose none. */
export async function pickRun(runs: ToolRuns, clear: () => Promise<void>): Promise<ChosenRun | undefined> {
	let isAgain = false;
	const picked = await pickRefreshing<RunItem>({
		content: () => ({
			items: runs.all.map(toItem),
			title: "Tool Runs",
			placeholder:
				runs.all.length === 0
					? "No tool has been run in this window yet"
					: "Search by tool, server, state or arguments",
		}),
		identityOf: ({ run }) => run,
		watch: (refresh) => [runs.onDidChange(refresh)],
		buttons: [clearButton],
		press: () => void clear(),
		pressItem(_item, _button, then) {
			isAgain = true;
			then.choose();
		},
	});
	return picked && { run: picked.run, isAgain };
}

function toItem(run: ToolRun): RunItem {
	const { icon, label, description, detail } = runRow(run, timeOfDay);
	return {
		run,
		label: `$(${icon}) ${withoutIcons(label)}`,
		description: withoutIcons(description),
		detail: withoutIcons(detail),
		buttons: [againButton],
	};
}

/** The dependencies of choosing a tool. */
export interface ToolPickServices {
	readonly directory: SessionDirectory;
	readonly pins: DefinitionPins;
	/** The keys of the tools that were run last. */
	readonly recent: readonly string[];
}

/**
 * Lets the user choose a tool of the running servers, or of `only` one of them. If there is none, the rows say what to
 * do. Undefined when none is chosen.
 */
export async function pickTool(services: ToolPickServices, only?: Session): Promise<ToolEntry | undefined> {
	const { directory, pins, recent } = services;
	const asked = (): readonly Session[] => (only === undefined ? directory.sessions : [only]);
	const picked = await pickRow<ToolRow>({
		content() {
			const groups = toolRows(directory, recent, pins, only?.definition.id);
			const items = groups.flatMap(({ heading, rows }) => itemsUnder(heading, rows));
			const isBusy = isSettling(asked(), "tools");
			const absence = items.length === 0 && !isBusy ? explainAbsence(asked(), "tools") : undefined;
			return {
				items: [...items, ...(absence?.remedies ?? []).map(remedyItem)],
				title: "Run Tool",
				placeholder: absence?.message ?? "Search by name, server or description",
				isBusy,
			};
		},
		identityOf: ({ row }) => row?.entry.tool,
		watch: (refresh) => [
			directory.onDidChange(refresh),
			pins.onDidChange(refresh),
			...asked().map(({ tools }) => tools.onDidChange(refresh)),
		],
	});
	return picked?.entry;
}
