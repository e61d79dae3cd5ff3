import * as vscode from "vscode";
import type { Commands } from "./base/commands.ts";
import type { Lazy } from "./base/lazy.ts";
import { DisposableStore, toDisposable, type Disposable } from "./base/lifecycle.ts";
import { vendor } from "./models/model.ts";
import type { ReadableFiles } from "./resources/fileSystem.vscode.ts";
import { resourceScheme } from "./resources/scheme.ts";

/** The commands that lie in a room. */
const roomCommands = [
	"mcpHost.acceptToolChanges",
	"mcpHost.addModelEndpoint",
	"mcpHost.addServer",
	"mcpHost.answerElicitation",
	"mcpHost.attachResource",
	"mcpHost.chatWithServers",
	"mcpHost.chooseRoots",
	"mcpHost.clearFilter",
	"mcpHost.clearSamplingLog",
	"mcpHost.clearToolRuns",
	"mcpHost.compareResource",
	"mcpHost.copyResourceUri",
	"mcpHost.decideTool",
	"mcpHost.detectModels",
	"mcpHost.explainPolicy",
	"mcpHost.exportSamplingLog",
	"mcpHost.filterGroup",
	"mcpHost.forgetTemplateResult",
	"mcpHost.forgetTemplateResults",
	"mcpHost.manageModels",
	"mcpHost.manageRules",
	"mcpHost.manageSampling",
	"mcpHost.openChat",
	"mcpHost.openConfiguration",
	"mcpHost.openResource",
	"mcpHost.openResourceFromTemplate",
	"mcpHost.openResourceToSide",
	"mcpHost.openResourceWith",
	"mcpHost.pinPrompt",
	"mcpHost.refresh",
	"mcpHost.refreshResource",
	"mcpHost.rejectAllPending",
	"mcpHost.rejectPending",
	"mcpHost.rejectServer",
	"mcpHost.rejectServerForNow",
	"mcpHost.restartServer",
	"mcpHost.reviewPending",
	"mcpHost.reviewServer",
	"mcpHost.revokeApprovals",
	"mcpHost.runPrompt",
	"mcpHost.runTool",
	"mcpHost.saveResourceAs",
	"mcpHost.showLog",
	"mcpHost.showPending",
	"mcpHost.showSamplingLog",
	"mcpHost.showToolCall",
	"mcpHost.showToolChanges",
	"mcpHost.showToolRuns",
	"mcpHost.signIn",
	"mcpHost.signOut",
	"mcpHost.sortResources",
	"mcpHost.startServer",
	"mcpHost.stopServer",
	"mcpHost.tryDemo",
	"mcpHost.unwatchResource",
	"mcpHost.watchResource",
	"mcpHost.viewResourcesAsList",
	"mcpHost.viewResourcesAsTree",
	"mcpHost.unpinPrompt",
] as const;

/** What lies behind the doors: the part of the rooms that the editor may call. */
export interface BehindDoors {
	readonly commands: Commands<(typeof roomCommands)[number]>;
	readonly chat: vscode.ChatRequestHandler;
	readonly followups: vscode.ChatFollowupProvider;
	readonly models: vscode.LanguageModelChatProvider;
	readonly resources: ReadableFiles;
}

/**
 * Registers all that the editor may call from the moment on when the extension is active, although what answers is
 * loaded later (rooms.vscode.ts): each call waits at the door until the rooms are open, and opens them if need be.
 */
export function registerDoors(rooms: Lazy<BehindDoors>, extensionUri: vscode.Uri): Disposable {
	const store = new DisposableStore();
	for (const id of roomCommands) {
		const run = async (...args: readonly unknown[]): Promise<unknown> => (await rooms.get()).commands[id](...args);
		store.add(vscode.commands.registerCommand(id, run));
	}
	store.add(registerChat(rooms, extensionUri));
	store.add(registerModels(rooms));
	store.add(registerResources(rooms));
	return store;
}

function registerChat(rooms: Lazy<BehindDoors>, extensionUri: vscode.Uri): Disposable {
	const participant = vscode.chat.createChatParticipant("mcpHost.chat", async (...turn) =>
		(await rooms.get()).chat(...turn),
	);
	participant.followupProvider = {
		provideFollowups: async (...answer) => (await rooms.get()).followups.provideFollowups(...answer),
	};
	const media = vscode.Uri.joinPath(extensionUri, "media");
	participant.iconPath = {
		light: vscode.Uri.joinPath(media, "panel-light.svg"),
		dark: vscode.Uri.joinPath(media, "panel-dark.svg"),
	};
	return participant;
}

function registerModels(rooms: Lazy<BehindDoors>): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<void>());
	store.add(
		rooms.onDidMake(({ models }) => {
			const subscription = models.onDidChangeLanguageModelChatInformation?.(() => changed.fire());
			if (subscription !== undefined) store.add(subscription);
		}),
	);
	const provider: vscode.LanguageModelChatProvider = {
		onDidChangeLanguageModelChatInformation: changed.event,
		provideLanguageModelChatInformation: async (...request) =>
			(await rooms.get()).models.provideLanguageModelChatInformation(...request),
		provideLanguageModelChatResponse: async (...request) =>
			(await rooms.get()).models.provideLanguageModelChatResponse(...request),
		provideTokenCount: async (...request) => (await rooms.get()).models.provideTokenCount(...request),
	};
	store.add(vscode.lm.registerLanguageModelChatProvider(vendor, provider));
	return store;
}

function registerResources(rooms: Lazy<BehindDoors>): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	store.add(
		rooms.onDidMake(({ resources }) => store.add(resources.onDidChangeFile((changes) => changed.fire(changes)))),
	);
	const files = async (): Promise<ReadableFiles> => (await rooms.get()).resources;
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	const fileSystem: vscode.FileSystemProvider = {
		onDidChangeFile: changed.event,
		stat: async (uri) => (await files()).stat(uri),
		readFile: async (uri) => (await files()).readFile(uri),
		watch(...what) {
			const watching = files().then((opened) => opened.watch(...what));
			return toDisposable(() => {
				// Without rooms nothing is watched, and what calls them tells why.
				watching.then((watch) => watch.dispose()).catch(() => undefined);
			});
		},
		readDirectory(uri) {
			throw vscode.FileSystemError.FileNotADirectory(uri);
		},
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
	};
	const options = {
		isCaseSensitive: true,
		isReadonly: new vscode.MarkdownString("Resources of MCP servers are read-only."),
	};
	store.add(vscode.workspace.registerFileSystemProvider(resourceScheme, fileSystem, options));
	return store;
}
