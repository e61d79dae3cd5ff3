import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, type ElectronApplication, type Page } from "playwright-core";
import { type DesktopEditor, ensureEditor, type ServerEditor } from "../../editor/ensureEditor.ts";
import { launchBrowser, newPage, openPageBeside, type WindowSize } from "../../editor/browser.ts";
import { type EditorServer, serverLog, startEditorServer, windowUrl } from "../../editor/editorServer.ts";
import { copyWorkspace, createProfile, profileIn, type Profile, type Settings } from "../../editor/profile.ts";
import { trustFolder } from "../../editor/trustedFolder.ts";
import { clearProfile, type SharedServer, sharedServer } from "../../editor/sharedServers.ts";
import { succeeds } from "./conditions.ts";
import { keepEvidence } from "./evidence.ts";
import { folderOf, repositoryRoot, Workbench } from "./workbench.ts";

/** Options of `startEditorWithVsix`. */
export interface StartOptions {
	/** Folder or `.code-workspace` file, relative to the repository; a copy of it is opened. Default: an empty folder. */
	readonly workspace?: string;
	/** Settings added to the fixed test settings. */
	readonly settings?: Settings;
	/** Whether the user trusts the folder of every window as soon as it is open. Default: yes. */
	readonly isTrusted?: boolean;
	/** A server that no other story uses, for one that ends it. */
	readonly isServerOwn?: boolean;
	/** The user's home folder, for features that read files from it; the story then has its own server. */
	readonly home?: string;
	/** Folders of extensions that run beside ours; the story then has its own server. */
	readonly otherExtensions?: readonly string[];
	/** Default: `MCP_HOST_VSIX`, otherwise `mcp-host.vsix` in the repository. */
	readonly vsix?: string;
	/** Size of the window in CSS pixels. Default: 1280 × 800. */
	readonly size?: WindowSize;
}

type Server = Pick<EditorServer, "authority" | "profile" | "log" | "stop">;

/** The process that holds the windows: a server with a browser, or a desktop application. */
interface Host {
	readonly profile: Profile;
	/** Whether `openPage` can open a workspace as one that the user trusted in an earlier window. */
	readonly remembersTrust: boolean;
	/** With `beside` it is a page of the same browser profile, in which no folder is trusted in advance. */
	openPage(workspace: string, options: { readonly beside?: Page; readonly isTrusted?: boolean }): Promise<Page>;
	log(): Promise<string>;
	stop(): Promise<void>;
}

/** Every editor that runs now, for the evidence of failed stories. */
export const runningEditors = new Set<RunningEditor>();

/** The first window of an editor that was started for a test, and the editor's life. */
export class RunningEditor extends Workbench {
	/** All open windows, this one included. */
	readonly windows: Set<Workbench> = new Set([this]);
	readonly #host: Host;
	readonly #isTrusted: boolean;

	constructor(host: Host, page: Page, workspace: string, isTrusted: boolean) {
		super(page, workspace);
		this.#host = host;
		this.#isTrusted = isTrusted;
		runningEditors.add(this);
	}

	/** Other leftovers of a failed story: run by `recover`. */
	readonly remainders = new Set<() => void>();

	/** Removes the leftovers of a failed story, so that the next one begins clean: questions, panels, other windows. */
	async recover(): Promise<void> {
		for (const remove of this.remainders) remove();
		for (const window of this.windows) if (window !== this) await window.close();
		if (await this.chat.isBusy()) await succeeds(this.chat.stop());
		await this.closeEverything();
	}

	/** The folder with what the editor and the extension write. */
	get userDataFolder(): string {
		return this.#host.profile.userDataFolder;
	}

	/** The folder with the installed extensions. */
	get extensionsFolder(): string {
		return this.#host.profile.extensionsFolder;
	}

	/**
	 * Opens another window with a browser profile of its own: no global state, no secrets; or with the same one, as a user
	 * who opens a second window. `workspace` is copied too; the user trusts it as they do those of the other windows, unless
	 * `isTrusted` is given.
	 */
	async newWindow(workspace?: string, { isSameUser = false, isTrusted = this.#isTrusted } = {}): Promise<Workbench> {
		const opened =
			workspace === undefined
				? this.workspace
				: await copyWorkspace(path.resolve(repositoryRoot, workspace), this.#host.profile.folder);
		const page = await this.#host.openPage(opened, isSameUser ? { beside: this.page } : { isTrusted });
		const window = new Workbench(page, opened);
		this.windows.add(window);
		window.page.on("close", () => this.windows.delete(window));
		await window.waitUntilReady();
		if (isTrusted && (isSameUser || !this.#host.remembersTrust)) await window.trust();
		return window;
	}

	/** Replaces the user's settings by the fixed test settings and these. A window applies them after a reload. */
	writeSettings(settings: Settings): Promise<void> {
		return this.#host.profile.writeSettings(settings);
	}

	/** The text of the user's settings file. */
	userSettings(): Promise<string> {
		return readFile(path.join(this.userDataFolder, "User", "settings.json"), "utf8");
	}

	/** Replaces the user's key bindings. A window applies them automatically. */
	writeKeybindings(bindings: readonly Settings[]): Promise<void> {
		const file = path.join(this.#host.profile.userDataFolder, "User", "keybindings.json");
		return writeFile(file, JSON.stringify(bindings));
	}

	/** The output of the server. */
	log(): Promise<string> {
		return this.#host.log();
	}

	/** Closes the windows, ends all processes, and removes the profile and the copied workspace. */
	async stop(): Promise<void> {
		runningEditors.delete(this);
		await this.#host.stop();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.stop();
	}
}

/** Starts the editor with the packaged extension installed in a fresh profile and opens one window. */
export async function startEditorWithVsix(options: StartOptions = {}): Promise<RunningEditor> {
	const vsix = path.resolve(repositoryRoot, options.vsix ?? process.env["MCP_HOST_VSIX"] ?? "mcp-host.vsix");
	if (!existsSync(vsix)) {
		throw new Error(`${vsix} does not exist: run \`npm run package\` first`);
	}
	const editor = await ensureEditor();
	const host =
		editor.kind === "server"
			? await startServerHost(editor, vsix, options)
			: await startDesktopHost(editor, vsix, options);
	try {
		const source = options.workspace === undefined ? undefined : path.resolve(repositoryRoot, options.workspace);
		const workspace = await copyWorkspace(source, host.profile.folder);
		const isTrusted = options.isTrusted ?? true;
		const running = new RunningEditor(host, await host.openPage(workspace, { isTrusted }), workspace, isTrusted);
		try {
			await running.waitUntilReady();
			if (isTrusted && !host.remembersTrust) await running.trust();
		} catch (error) {
			await keepEvidence(`start of ${path.basename(workspace)}`, [running]);
			runningEditors.delete(running);
			throw error;
		}
		return running;
	} catch (error) {
		await host.stop();
		throw error;
	}
}

async function startServerHost(editor: ServerEditor, vsix: string, options: StartOptions): Promise<Host> {
	const isOwn = options.isServerOwn === true || options.home !== undefined || options.otherExtensions !== undefined;
	const shared = isOwn ? undefined : sharedServer();
	const server = shared === undefined ? await ownServer(editor, vsix, options) : await takeServer(shared, options);
	let browser: Browser;
	try {
		browser = await launchBrowser();
	} catch (error) {
		await server.stop();
		throw error;
	}
	return {
		profile: server.profile,
		remembersTrust: true,
		openPage: async (workspace, { beside, isTrusted = false }) => {
			const url = windowUrl(server.authority, workspace);
			if (beside !== undefined) return openPageBeside(browser, beside, url);
			const page = await newPage(browser, options.size);
			if (isTrusted) await trustFolder(page, server.authority, folderOf(workspace));
			await page.goto(url);
			return page;
		},
		log: () => server.log(),
		stop: async () => {
			// A page that closes without us ends its extension host, with all servers that it has started.
			const pages = browser.contexts().flatMap((context) => context.pages());
			await Promise.all(pages.map((page) => page.close()));
			await browser.close();
			await server.stop();
		},
	};
}

/** A server for this story alone, or for this file where a run shares none. */
function ownServer(
	editor: ServerEditor,
	vsix: string,
	{ settings = {}, home, otherExtensions: installed = [] }: StartOptions,
): Promise<Server> {
	const env = home === undefined ? {} : { HOME: home, XDG_CONFIG_HOME: path.join(home, ".config") };
	return startEditorServer(editor, { vsix, installed, settings, trust: "asked", env });
}

/** The server that this worker shares, with an empty profile. */
async function takeServer(shared: SharedServer, { settings = {} }: StartOptions): Promise<Server> {
	const profile = profileIn(shared.folder, "asked");
	await clearProfile(shared, profile);
	await profile.writeSettings(settings);
	return {
		authority: shared.authority,
		profile,
		log: () => readFile(serverLog(profile), "utf8"),
		stop: () => Promise.resolve(),
	};
}

/** Not run on the machines this was written on: desktop VS Code is not available there. */
async function startDesktopHost(editor: DesktopEditor, vsix: string, options: StartOptions): Promise<Host> {
	const { _electron: electron } = await import("playwright-core");
	const { desktopArgs, desktopEnvironment, installInDesktop } = await import("../../editor/desktop.ts");
	const profile = await createProfile("asked", options.settings ?? {});
	const applications: ElectronApplication[] = [];
	try {
		await installInDesktop(editor, profile, vsix);
		for (const [index, folder] of (options.otherExtensions ?? []).entries())
			await cp(folder, path.join(profile.extensionsFolder, `other-${index}`), { recursive: true });
	} catch (error) {
		await profile.remove();
		throw error;
	}
	return {
		profile,
		remembersTrust: false,
		openPage: async (workspace) => {
			const application = await electron.launch({
				executablePath: editor.executablePath,
				args: desktopArgs(profile, workspace, "asked"),
				env: desktopEnvironment(),
			});
			applications.push(application);
			return application.firstWindow();
		},
		log: () => Promise.resolve(""),
		stop: async () => {
			await Promise.all(applications.map((application) => application.close()));
			await profile.remove();
		},
	};
}
