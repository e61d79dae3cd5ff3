import path from "node:path";
import * as vscode from "vscode";
import type { KeptContext } from "../../base/store/keptContext.vscode.ts";
import { guarded, type Commands } from "../../base/commands.ts";
import { exchangeIn, HostError, messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showError, showFailure } from "../../base/notify.vscode.ts";
import { freeColumn } from "../../questions/webview/column.ts";
import { editorGroups } from "../../questions/webview/questions.vscode.ts";
import { saveAs } from "../resources/fileActions.vscode.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { FinishedCall } from "../tools/results/finishedCalls.ts";
import type { RunningCall } from "../tools/runningCall.ts";
import { FormerPages, type PageDifference } from "./formerPages.ts";
import { type AppAccesses, keyOf, KnownApps } from "./knownApps.ts";
import type { AppServices } from "./appServices.ts";
import { OpenApp } from "./openApp.ts";
import { takeAdditions, type TakenAdditions } from "./takenAdditions.ts";
import { AppCall } from "./appCall.ts";
import { type AppHome, titleOf } from "./appHome.vscode.ts";
import { type KeptApp, keptCall, KeptApps } from "./keptApps.ts";
import { keepAppPanels, openAppPanel, showInPanel } from "./appPanel.vscode.ts";
import type { AppPlace } from "./appPlacing.ts";
import { AppView } from "./appView.vscode.ts";
import { openTracedApp, tracedCall } from "./tracedCall.ts";
import { ShownApp } from "./shownApp.vscode.ts";
import { readAppsSetting, readDeniedDomains } from "./appsSetting.ts";
import { FollowedCalls, type FollowingServices, type WrittenCall } from "./followedCalls.ts";
import { KeptDocuments } from "../../base/keptDocuments.vscode.ts";

/** The dependencies of apps on the rest of the host. */
export interface WireAppsServices extends Omit<
	AppServices,
	"known" | "deniedDomains" | "showDifference" | "preamble" | "language" | "isWeb" | "draft" | "saveFile"
> {
	/** The storage of shown pages and their access, and of open apps for a reload of the window. */
	readonly context: KeptContext;
	readonly policy: AppServices["policy"] & Pick<FollowingServices, "allowsAll">;
	/** The text without the secrets that the host knows. */
	readonly redact: (text: string) => string;
}

/** For the app in the active editor, or the one in the side bar. */
type AppCommand =
	| "mcpHost.reloadApp"
	| "mcpHost.showAppDetails"
	| "mcpHost.runAppToolAgain"
	| "mcpHost.showAppInTrace"
	| "mcpHost.closeApp"
	| "mcpHost.moveAppToSideBar"
	| "mcpHost.moveAppToEditor";

/** The apps of servers: pages by which they want results shown (MCP Apps extension). */
export interface WiredApps extends Disposable {
	/** Whether the results of a tool can be shown by an app. */
	has(entry: ToolEntry): boolean;
	/** Shows the result of a call by its app, without the focus. */
	open(call: FinishedCall): void;
	/** See `FollowedCalls`. */
	write(entry: ToolEntry): WrittenCall | undefined;
	follow(run: RunningCall, written?: WrittenCall): (outcome: ToolOutcome) => void;
	/** Shows a call of the chat that is written or runs; false when none with this id is. */
	openRunning(id: string): boolean;
	/**
	 * Takes the additions of open apps to the message of the user that begins this turn, as they saw them when they sent
	 * it; nothing of a server that the turn leaves out.
	 */
	takeAdded(turn: string, isLeftOut: (session: Session) => boolean): TakenAdditions;
	/** The access of apps outside their frames. */
	readonly accesses: AppAccesses;
	readonly commands: Commands<AppCommand>;
}

/** Where an app is shown that was open before the window was reloaded. */
interface BroughtBack {
	readonly id?: string;
	readonly panel?: vscode.WebviewPanel;
	readonly place?: AppPlace;
}

/** Creates the services that open apps, until it is disposed. */
export function wireApps({ context, redact, ...services }: WireAppsServices): WiredApps {
	const { extensionUri, globalStorageUri } = context;
	const store = new DisposableStore();
	const pages = new FormerPages({ folder: path.join(globalStorageUri.fsPath, "apps"), redact });
	const known = new KnownApps(context.globalState, pages);
	const documents = store.add(new PageDocuments());
	const all = new Set<ShownApp>();
	let preamble: Promise<string> | undefined;
	const configured = (name: string): unknown => vscode.workspace.getConfiguration("mcpHost").get(name);
	const appServices: AppServices = {
		...services,
		known,
		showDifference: (difference) => void documents.show(difference),
		deniedDomains: () => {
			const denied = readDeniedDomains(configured("deniedAppDomains"));
			const problem =
				"The setting mcpHost.deniedAppDomains has entries that cannot be read, so apps cannot access any domain: " +
				`${denied.unread.join(", ")}. Enter host names, such as "example.com".`;
			if (denied.unread.length > 0) void showError(problem);
			return denied;
		},
		preamble: () => (preamble ??= readText(vscode.Uri.joinPath(extensionUri, "dist", "media", "appFrame.js"))),
		language: vscode.env.language,
		isWeb: vscode.env.uiKind === vscode.UIKind.Web,
		draft: async (text) => {
			await vscode.commands.executeCommand("workbench.action.chat.open", {
				query: `@mcp ${text}`,
				isPartialQuery: true,
			});
		},
		saveFile: async ({ name, bytes }, signal) => {
			try {
				return await saveAs(`Save ${name}`, name, bytes, signal);
			} catch (error) {
				void showError(`${name} was not saved: ${messageOf(error)}`);
				return false;
			}
		},
	};
	const page = { extensionUri, language: vscode.env.language };
	const view = store.add(new AppView(page));
	const keptApps = new KeptApps({ state: context.workspaceState, redact });
	let isEnding = false;
	const setting = (): ReturnType<typeof readAppsSetting> => readAppsSetting(configured("apps"));
	const inSideBar = (): ShownApp | undefined => [...all].find(({ place }) => place === "sideBar");
	const active = (): ShownApp | undefined => [...all].find(({ isActive }) => isActive);
	// An editor's title passes its address to a command, a view's title passes nothing, and the palette passes no
	// argument.
	const meant = (from: readonly unknown[]): ShownApp | undefined => {
		const isOfView = from.length > 0 && (from[0] ?? undefined) === undefined;
		return isOfView ? inSideBar() : (active() ?? inSideBar());
	};
	const move = async (one: ShownApp | undefined, place: AppPlace): Promise<void> => {
		const before = place === "sideBar" ? inSideBar() : undefined;
		// The view has one at a time, and an open one there is not lost.
		await before?.app.leaveFor("editor");
		await one?.moveTo(place);
		await before?.moveTo("editor");
	};
	const show = (app: OpenApp, place: AppPlace, isBack: boolean): AppHome => {
		if (place === "sideBar") return view.show(app, !isBack);
		return openAppPanel(app, freeColumn(editorGroups(), false) ?? vscode.ViewColumn.Beside, page);
	};
	// An editor whose app went with a reload of the window has nothing to be reloaded, shown or moved.
	const tellOpen = (): void => {
		void vscode.commands.executeCommand("setContext", "mcpHost.hasApp", all.size > 0);
	};
	const open = (call: AppCall, { id, panel: brought, place: first = "editor" }: BroughtBack = {}): void => {
		const shown = [...all].find((one) => one.call === call);
		if (shown !== undefined) return shown.reveal(true);
		const app = new OpenApp(call, appServices, () => one.reveal(false), id);
		let keeping: Disposable | undefined;
		let [panel, isBack] = [brought, id !== undefined];
		if (first !== "editor") void app.leaveFor(first);
		const showIn = (place: AppPlace): AppHome => {
			keeping?.dispose();
			keeping = keptApps.keep(call, titleOf(app), app.id, place);
			const home = panel === undefined ? show(app, place, isBack) : showInPanel(panel, app, page);
			[panel, isBack] = [undefined, false];
			return home;
		};
		const forget = (): void => {
			keeping?.dispose();
			// A window that ends is not the user who closes an app.
			if (!isEnding) keptApps.forget(app.id);
		};
		const one: ShownApp = new ShownApp(call, app, first, showIn, () => {
			forget();
			all.delete(one);
			tellOpen();
		});
		all.add(one);
		tellOpen();
		app.onDidAskToMove((place) => void move(one, place));
		app.onDidAskToClose(() => void one.close());
		void app.open();
	};
	const followed = new FollowedCalls({ setting, open, allowsAll: (entry) => services.policy.allowsAll(entry) });
	const openTraced = async (argument: unknown): Promise<void> => {
		if (setting() === "off") throw new HostError("invalid", "Apps are turned off by the setting mcpHost.apps.");
		const call = tracedCall(argument, services.directory);
		const exchange = exchangeOf(call);
		const shown = [...all].find((one) => exchange !== undefined && exchangeOf(one.call) === exchange);
		open(shown?.call ?? call);
	};
	store.add(vscode.commands.registerCommand(openTracedApp, openTraced));
	const restore = async (
		kept: KeptApp,
		place: Omit<BroughtBack, "id">,
		onDidClose: vscode.Event<void>,
	): Promise<boolean> => {
		const gone = new AbortController();
		const closing = onDidClose(() => {
			gone.abort();
			if (!isEnding) keptApps.forget(kept.id);
		});
		try {
			const call = setting() === "off" ? undefined : await keptCall(kept, services.directory, gone.signal);
			closing.dispose();
			if (gone.signal.aborted) return true;
			// Apps may have been turned off meanwhile.
			if (call !== undefined && setting() !== "off") {
				open(call, { ...place, id: kept.id });
				return true;
			}
			keptApps.forget(kept.id);
		} catch (error) {
			void showError(`The app ${kept.title} was not restored: ${messageOf(error)}`);
		}
		return false;
	};
	const restoreInSideBar = async (kept: KeptApp): Promise<void> => {
		const { onDidClose } = view.say(kept.title, "waiting", kept.isHidden !== true);
		if (!(await restore(kept, { place: "sideBar" }, onDidClose))) view.say(kept.title, "gone", false);
	};
	store.add(
		keepAppPanels(
			page,
			(...editor) => keptApps.take(...editor),
			(kept, panel) => restore(kept, { panel }, panel.onDidDispose),
		),
	);
	store.add(
		view.onDidChangeVisibility((isVisible) => {
			const one = inSideBar();
			if (one !== undefined) keptApps.hide(one.app.id, !isVisible);
		}),
	);
	const inBar = keptApps.takeInSideBar();
	if (inBar !== undefined) void restoreInSideBar(inBar);
	store.add({
		dispose: () => {
			isEnding = true;
			for (const one of all) one.dispose();
		},
	});
	return {
		has: (entry) => followed.has(entry),
		write: (entry) => followed.write(entry),
		follow: (run, written) => followed.follow(run, written),
		open: ({ entry, outcome }) => {
			const shown = [...all].find(({ call }) => call.outcome === outcome);
			open(shown?.call ?? new AppCall(entry, outcome.sent, outcome));
		},
		openRunning: (id) => {
			const call = followed.get(id);
			if (call !== undefined) open(call);
			return call !== undefined;
		},
		takeAdded: (turn, isLeftOut) =>
			takeAdditions(
				[...all].map(({ app }) => app),
				isLeftOut,
				({ name }) => services.notes?.note({ kind: "prompt", what: "context", target: name, turn }),
			),
		accesses: {
			get all() {
				return known.all;
			},
			onDidChange: known.onDidChange,
			revoke: async (key) => {
				await known.revoke(key);
				// After a reload, an open app has only the access that the user gives it then.
				for (const { app } of all) if (keyOf(app.session, app.uri) === key) void app.open();
			},
		},
		commands: guarded(
			{
				"mcpHost.reloadApp": async (...from) => meant(from)?.app.open(),
				"mcpHost.showAppDetails": async (...from) => meant(from)?.app.toggleDetails(),
				"mcpHost.runAppToolAgain": async (...from) => runAgain(meant(from)),
				"mcpHost.showAppInTrace": async (...from) => showInTrace(meant(from)),
				"mcpHost.closeApp": async (...from) => meant(from)?.close() ?? view.close(),
				"mcpHost.moveAppToSideBar": async () => move(active(), "sideBar"),
				"mcpHost.moveAppToEditor": async () => move(inSideBar(), "editor"),
			},
			(error) => void showFailure(messageOf(error), exchangeIn(error)),
		),
		dispose: () => store.dispose(),
	};
}

/**
 * Opens the form of the tool whose result an app shows, with the sent arguments; the user decides whether to run it.
 */
async function runAgain(shown: ShownApp | undefined): Promise<void> {
	if (shown === undefined) return;
	const { entry, arguments: sent } = shown.call;
	const request = { server: entry.session.definition.id, tool: entry.tool.name, ...(sent && { arguments: sent }) };
	await vscode.commands.executeCommand("mcpHost.runTool", request);
}

/** Shows the exchange of the call whose result an app shows, otherwise the calls of its tool. */
async function showInTrace(shown: ShownApp | undefined): Promise<void> {
	if (shown === undefined) return;
	const { entry } = shown.call;
	const tool = { server: entry.session.definition.id, tool: entry.tool.name };
	await vscode.commands.executeCommand("mcpHost.showInTrace", exchangeOf(shown.call) ?? tool);
}

/** The reference of a call's exchange in the trace, if it has one there. */
function exchangeOf({ outcome }: AppCall): string | undefined {
	return outcome !== undefined && "exchange" in outcome ? outcome.exchange : undefined;
}

async function readText(uri: vscode.Uri): Promise<string> {
	return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** How many differences VS Code can show again. */
const mostKept = 5;

/** Pages of apps as documents of VS Code, which compares them as texts. */
export class PageDocuments extends KeptDocuments<PageDifference> {
	constructor() {
		super("mcphost-app-page", mostKept, "This page is no longer kept.", (difference, query) =>
			query.endsWith("&before") ? difference.before : difference.now,
		);
	}

	/** Shows a difference. */
	async show(difference: PageDifference): Promise<void> {
		const id = crypto.randomUUID();
		this.keep(id, difference);
		// The ending prevents VS Code from running its features for pages on one of a server.
		const [before, now] = [this.uri("page.txt", `${id}&before`), this.uri("page.txt", `${id}&now`)];
		await vscode.commands.executeCommand("vscode.diff", before, now, difference.title, { preview: true });
	}
}
