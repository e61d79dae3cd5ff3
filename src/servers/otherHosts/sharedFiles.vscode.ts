import { posix } from "node:path";
import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { Commands } from "../../base/commands.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { ConfigOrigin } from "../definitions/config.ts";
import type { Configuration } from "../sources/config.vscode.ts";
import type { McpHost } from "../host.ts";
import { choose, close, forgetAnswer, isToBeAsked, questionOf, runnerItems, type AccessSetting } from "./choosing.ts";
import { accessSetting, type Runner } from "./left.ts";
import { chooseRunner, hasRootFile, moveDetail, moveRootFile, whoStartsWhat } from "./remarks.ts";
import { SharedFiles, type SettingScope } from "./sharedFiles.ts";

/** The dependencies of the question which host runs shared servers. */
interface SharedFilesServices {
	readonly host: McpHost;
	readonly configuration: Configuration;
	/** The state that is kept for this workspace only. */
	readonly state: KeyValue;
	readonly notes: ActivityNotes;
}

interface WiredSharedFiles extends Disposable {
	readonly sharedFiles: SharedFiles;
	/** Reverts the changes of an answer, and forgets it. */
	readonly forget: () => Promise<void>;
	readonly commands: Commands<"mcpHost.chooseRunner">;
}

const targets: Readonly<Record<SettingScope, vscode.ConfigurationTarget>> = {
	workspace: vscode.ConfigurationTarget.Workspace,
	user: vscode.ConfigurationTarget.Global,
};

const access: AccessSetting = {
	written: (scope) => {
		const found = vscode.workspace.getConfiguration().inspect(accessSetting);
		return scope === "workspace" ? found?.workspaceValue : found?.globalValue;
	},
	write: async (scope, value) => vscode.workspace.getConfiguration().update(accessSetting, value, targets[scope]),
};

/** Asks who runs the servers of shared files, until it is disposed, and has the command that changes the answer. */
export function wireSharedFiles({ host, configuration, state, notes }: SharedFilesServices): WiredSharedFiles {
	const store = new DisposableStore();
	const sharedFiles = new SharedFiles(state, {
		get: (name) => vscode.workspace.getConfiguration().get(name),
		onDidChange: (listener) =>
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration("chat.mcp")) listener(event);
			}),
	});
	const origins = (): readonly ConfigOrigin[] => host.registry.sessions.map(({ definition }) => definition.origin);
	const isDue = (): boolean => isToBeAsked(sharedFiles, origins(), vscode.workspace.isTrusted);
	// A notification would leave within seconds, and lie over the lists of the editor until then.
	const question = store.add(
		vscode.window.createStatusBarItem("mcpHost.sharedFiles", vscode.StatusBarAlignment.Right, 89),
	);
	question.name = "MCP Host: Shared Servers";
	question.text = "$(question) MCP: Choose Host";
	question.command = chooseRunner.id;
	question.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
	const ask = (): void => {
		if (!isDue()) return question.hide();
		question.tooltip = questionOf(sharedFiles);
		question.show();
	};
	store.add(
		sharedFiles.onDidChange(() => {
			host.reconsider();
			ask();
		}),
	);
	store.add(host.registry.onDidChange(ask));
	store.add(vscode.workspace.onDidGrantWorkspaceTrust(ask));
	ask();
	const services = { sharedFiles, configuration, notes, hasRootFile: () => hasRootFile(origins()), isDue };
	const commands = commandsOf({ "mcpHost.chooseRunner": () => chooseFromList(services) });
	const forget = (): Promise<void> => forgetAnswer(sharedFiles, access);
	return { sharedFiles, forget, commands, dispose: () => store.dispose() };
}

/** The dependencies of carrying out an answer. */
interface Answering {
	readonly sharedFiles: SharedFiles;
	readonly configuration: Configuration;
	readonly notes: ActivityNotes;
	/** Whether an `.mcp.json` has servers here. */
	readonly hasRootFile: () => boolean;
	/** Whether nobody answered yet where it is to be asked. */
	readonly isDue: () => boolean;
}

/** The answers as rows of a list. */
function itemsOf(sharedFiles: SharedFiles) {
	const { workspaceFile } = vscode.workspace;
	const file = workspaceFile === undefined ? undefined : posix.basename(workspaceFile.path);
	return runnerItems(sharedFiles, access, file).map(({ label, detail, runner, scope, isCurrent }) => ({
		label,
		detail,
		runner,
		scope,
		description: isCurrent ? "current" : "",
		iconPath: new vscode.ThemeIcon(isCurrent ? "check" : "blank"),
	}));
}

/** Lets the user choose which host runs shared servers, or change their choice. */
async function chooseFromList(services: Answering): Promise<void> {
	const { sharedFiles } = services;
	if (sharedFiles.access === undefined) {
		void showInformation("This editor has no MCP host of its own, so no server is shared.");
		return;
	}
	const runners = itemsOf(sharedFiles).map((item) =>
		Object.assign(item, { run: () => carryOut(services, item.runner, item.scope) }),
	);
	const move = {
		label: moveRootFile.button,
		detail: moveDetail(),
		iconPath: new vscode.ThemeIcon("blank"),
		run: async () => vscode.commands.executeCommand(moveRootFile.id),
	};
	const leave = {
		label: "Don't Ask Again",
		detail: "Nothing is set. This command changes it at any time.",
		iconPath: new vscode.ThemeIcon("blank"),
		run: () => close(sharedFiles),
	};
	const items = [...runners, ...(services.hasRootFile() ? [move] : []), ...(services.isDue() ? [leave] : [])];
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: "Choose Host for Shared Servers",
		placeHolder:
			"VS Code's own MCP host also reads .vscode/mcp.json and .mcp.json. Which host should run their servers?",
	});
	await picked?.run();
}

async function carryOut(services: Answering, runner: Runner, scope: SettingScope): Promise<void> {
	const { sharedFiles, configuration, notes, hasRootFile: hasRoot } = services;
	const wasLeft = sharedFiles.answer?.runner === "editor";
	const text = await choose(sharedFiles, access, runner, scope, notes);
	void tell(text, runner === "here" ? [...(hasRoot() ? [moveRootFile] : []), whoStartsWhat] : []);
	// As at the next opening: servers that were approved before and are ours again.
	if (wasLeft && runner !== "editor") await configuration.startApproved();
}

/** Shows the outcome; after *Run Here Only* with further actions on the hosts that it does not turn off. */
async function tell(text: string, buttons: readonly { readonly id: string; readonly button: string }[]): Promise<void> {
	const answer = await showInformation(text, ...buttons.map(({ button }) => button));
	const chosen = buttons.find(({ button }) => button === answer);
	if (chosen !== undefined) await vscode.commands.executeCommand(chosen.id);
}
