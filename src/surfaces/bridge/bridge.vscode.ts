import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { notices } from "../../base/notices.vscode.ts";
import { showError, showInformation, showWarning } from "../../base/notify.vscode.ts";
import type { Store } from "../../base/store/store.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { SharingWindows } from "../../protocol/shared/sharing.ts";
import { ResourceWatches } from "../../features/resources/subscriptions.ts";
import type { McpHost } from "../../servers/host.ts";
import type { ServersWriter } from "../../setup/entries/writeServers.ts";
import type { AgentCallServices } from "../guest/agentCalls.ts";
import { guestQuestions, type GuestQuestionServices } from "../guest/guestQuestions.ts";
import type { BridgeServices } from "./bridge.ts";
import { ClientConsents, consentsName } from "./consents.ts";
import { ClientKeys } from "./clientKeys.ts";
import { httpEntry, httpRows, usualPort } from "./httpRows.ts";
import { ListedAgents } from "./listedAgents.ts";
import { meetingFolder, openFolder } from "./meetingPlace.ts";
import { type ClientProgram, programKey } from "./program.ts";
import { entryFor, questionAbout, shareRows } from "./shareList.ts";

/** The dependencies of sharing servers on the rest of the host. */
export interface BridgeWiring
	extends
		Omit<AgentCallServices, "mostUnasked" | "now">,
		Pick<BridgeServices, "directory" | "refreshRules">,
		Omit<GuestQuestionServices, "policy"> {
	readonly host: McpHost;
	readonly shared: Store;
	readonly log: Log;
	readonly extensionUri: vscode.Uri;
	readonly globalStorageUri: vscode.Uri;
	readonly writer: Pick<ServersWriter, "inTurn">;
	/** The version of the extension. */
	readonly version: string;
}

const setting = "shareServers";
const portSetting = "shareServersPort";

/** Shares the servers of this window with other agents of the user while the setting says so, until it is disposed. */
export function wireBridge(services: BridgeWiring): Disposable & {
	readonly agents: ListedAgents;
	readonly commands: Commands<
		"mcpHost.shareWithAgents" | "mcpHost.installCommandLine" | "mcpHost.uninstallCommandLine"
	>;
	/** The processes that windows share; undefined while this one shares nothing. */
	readonly sharing: () => Promise<SharingWindows | undefined>;
	/** Restores the files of other agents, and removes the command `mcp-host`. */
	readonly handOvers: { clear(): Promise<void> };
} {
	const { host, shared, notes } = services;
	const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("mcpHost");
	const isOn = (): boolean => settings().get(setting) === true;
	const now = (): number => performance.now();
	const home = homedir();
	const consents = new ClientConsents({
		journal: shared.journal(consentsName),
		notes,
		ask: (program) => ask(program, () => consents.of(program), home),
		home,
		now,
	});
	const store = new DisposableStore();
	const keys = store.add(new ClientKeys({ secrets: host.secrets, notes }));
	const port = (): number => settings().get(portSetting, 0);
	const bridge = lazy(async () => {
		const { Bridge } = await import("./bridge.ts");
		return store.add(
			new Bridge({
				...services,
				secrets: host.secrets,
				consents,
				keys,
				mostUnasked: () => settings().get("chat.maxCalls", 100),
				now,
				callerOf: (agent) => guestQuestions(services, agent),
				start: async (id) => host.registry.get(id)?.start({ isAutomatic: true }) ?? { kind: "stopped" },
				makeWatches: (listener) => new ResourceWatches(services.directory, listener),
				folder: meetingFolder(),
				workspaceFolders: realFolders,
				home,
			}),
		);
	});
	let isLoaded = false;
	const turnAsSet = async (): Promise<void> => {
		if (!isOn() && !isLoaded) return;
		isLoaded = true;
		const shared = await bridge.get();
		await shared.turn(isOn());
		await shared.serveHttp(port());
	};
	let following = Promise.resolve();
	const follow = (): Promise<void> => (following = turnAsSet());
	const update = async (isFocused: boolean): Promise<void> => {
		if (isLoaded) await (await bridge.get()).update(isFocused);
	};
	const report = (error: unknown): void => services.log.error(messageOf(error));
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if ([setting, portSetting].some((name) => event.affectsConfiguration(`mcpHost.${name}`)))
				void follow().catch(report);
		}),
	);
	store.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && update(true))));
	store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void update(false)));
	void follow().catch(report);

	const turn = async (to: boolean): Promise<void> => {
		await settings().update(setting, to, vscode.ConfigurationTarget.Global);
		await follow();
		await sayWhyNot();
	};
	const handOver = lazy(async () => {
		const { HandOverCommands } = await import("../handover/handOver.vscode.ts");
		const folder = meetingFolder();
		const place = { folder, openFolder: () => openFolder(folder) };
		return store.add(new HandOverCommands({ ...services, ...place, isSharing: isOn, share: () => turn(true) }));
	});
	const script = vscode.Uri.joinPath(services.extensionUri, "dist", "cli.js").fsPath;
	// Agents must start this version, whether or not this window shares its servers.
	void import("../handover/launcher.ts")
		.then(({ launcherFolder, refreshLauncher }) =>
			refreshLauncher(launcherFolder(meetingFolder()), { program: process.execPath, script }),
		)
		.catch(report);

	const choose = async (): Promise<void> => {
		const state = isLoaded ? await bridge.get() : undefined;
		const commands = await handOver.get();
		const { clients, whyNot, whyNotHttp } = state ?? {};
		const rows = [
			...shareRows({ isOn: isOn(), clients, whyNot, consents, home, handOvers: await commands.count() }),
			...(isOn() ? httpRows({ port: port(), whyNot: whyNotHttp }) : []),
		];
		const picked = await vscode.window.showQuickPick(
			rows.map(({ icon, label, description, action }) => ({
				label: `$(${icon}) ${withoutIcons(label)}`,
				description: withoutIcons(description),
				action,
			})),
			{
				ignoreFocusOut: true,
				title: "Share Servers with Other Agents",
				placeHolder: "You are asked about each agent, and about its calls",
			},
		);
		switch (picked?.action.kind) {
			case undefined:
				return;
			case "turn":
				return turn(!isOn());
			case "copy":
				await vscode.env.clipboard.writeText(entryFor(await commands.command()));
				await showInformation("Copied. Add it to the configuration of the agent.");
				return;
			case "http":
				return changeHttp(picked.action.what === "add");
			case "handOver":
				return commands.handOver();
			case "undo":
				return commands.undo();
			case "answer":
				return decide(picked.action.program);
			case "show":
				await vscode.commands.executeCommand("mcpHost.showWhatMayRun");
		}
	};
	const sayWhyNot = async (): Promise<void> => {
		const whyNot = isLoaded ? (await bridge.get()).whyNot : undefined;
		if (whyNot !== undefined) await showError(`Servers are not shared with other agents: ${whyNot}`);
	};
	const changeHttp = async (isAdded: boolean): Promise<void> => {
		const name = isAdded ? await askName() : undefined;
		if (isAdded && name === undefined) return;
		const next = isAdded ? port() || usualPort : 0;
		await settings().update(portSetting, next === 0 ? undefined : next, vscode.ConfigurationTarget.Global);
		await follow();
		if (name === undefined) return;
		await vscode.env.clipboard.writeText(httpEntry(next, await keys.add(name)));
		await showInformation(
			`Copied the entry with the key of “${oneLine(name, 60)}”. Add it to the configuration of the agent now: the key cannot be shown again.`,
		);
		const { whyNotHttp } = await bridge.get();
		if (whyNotHttp !== undefined) await showError(`Servers are not shared over HTTP by this window: ${whyNotHttp}`);
	};
	const decide = async (program: ClientProgram): Promise<void> => {
		const answer = await ask(program, () => consents.of(program), home);
		if (answer !== undefined) consents.decide(program, answer);
	};
	return {
		sharing: async () => {
			if (!isOn()) return undefined;
			await following;
			return (await bridge.get()).windows;
		},
		agents: new ListedAgents(consents, keys),
		handOvers: { clear: async () => (await handOver.get()).clear() },
		commands: guarded(
			{
				"mcpHost.shareWithAgents": choose,
				"mcpHost.installCommandLine": async () => (await handOver.get()).install(),
				"mcpHost.uninstallCommandLine": async () => (await handOver.get()).uninstall(),
			},
			(error) => void showError(messageOf(error)),
		),
		dispose: () => store.dispose(),
	};
}

/** Asks how a client is called, which gets a key; undefined when the user closed the question. */
function askName(): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: "Add a Key for HTTP",
		ignoreFocusOut: true,
		prompt: "Name the agent that gets the key. A client with the key can ask for calls, which follow your rules.",
		validateInput: (name) => (name.trim() === "" ? "Enter a name." : undefined),
	});
}

/** Asks about a program; undefined when the user closed the question. */
async function ask(
	program: ClientProgram,
	decided: () => boolean | undefined,
	home: string,
): Promise<boolean | undefined> {
	const over = (): string | undefined =>
		decided() === undefined ? undefined : "You decided about this agent meanwhile.";
	const show = (): Promise<"Allow" | "Deny" | undefined> => showWarning(questionAbout(program, home), "Allow", "Deny");
	const answer = await notices.ask(`agent ${programKey(program)}`, over, show);
	return answer === undefined ? undefined : answer === "Allow";
}

async function realFolders(): Promise<readonly string[]> {
	const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	return Promise.all(local.map(({ uri }) => realpath(uri.fsPath).catch(() => uri.fsPath)));
}
