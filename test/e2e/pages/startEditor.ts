import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, type ElectronApplication, type Page } from "playwright-core";
import { type DesktopEditor, ensureEditor, type ServerEditor } from "../../editor/ensureEditor.ts";
import { launchBrowser, openPage, type WindowSize } from "../../editor/browser.ts";
import { startEditorServer } from "../../editor/editorServer.ts";
import { copyWorkspace, createProfile, type Profile, type Settings, type Trust } from "../../editor/profile.ts";
import { repositoryRoot, Workbench } from "./workbench.ts";

/** Options of `startEditorWithVsix`. */
export interface StartOptions {
	/** Folder or `.code-workspace` file, relative to the repository; a copy of it is opened. Default: an empty folder. */
	readonly workspace?: string;
	/** Settings added to the fixed test settings. */
	readonly settings?: Settings;
	/** Environment variables for the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	/** Default: `everything`. */
	readonly trust?: Trust;
	/** Default: `MCP_HOST_VSIX`, otherwise `mcp-host.vsix` in the repository. */
	readonly vsix?: string;
	/** Size of the window in CSS pixels. Default: 1280 × 800. */
	readonly size?: WindowSize;
	/** A port to listen on instead of a free one; for the server only. */
	readonly port?: number;
}

/** What holds the windows: a server with a browser, or a desktop application. */
interface Host {
	readonly profile: Profile;
	openPage(workspace: string): Promise<Page>;
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

	constructor(host: Host, page: Page, workspace: string) {
		super(page, workspace);
		this.#host = host;
		runningEditors.add(this);
	}

	/** Opens another window with a browser profile of its own: no global state, no secrets. `workspace` is copied too. */
	async newWindow(workspace?: string): Promise<Workbench> {
		const opened =
			workspace === undefined
				? this.workspace
				: await copyWorkspace(path.resolve(repositoryRoot, workspace), this.#host.profile.folder);
		const window = new Workbench(await this.#host.openPage(opened), opened);
		this.windows.add(window);
		window.page.on("close", () => this.windows.delete(window));
		await window.waitUntilReady();
		return window;
	}

	/** Replaces the user's settings by the fixed test settings and these. A window takes them over when it is loaded again. */
	writeSettings(settings: Settings): Promise<void> {
		return this.#host.profile.writeSettings(settings);
	}

	/** Replaces the user's key bindings. A window takes them over by itself. */
	writeKeybindings(bindings: readonly Settings[]): Promise<void> {
		const file = path.join(this.#host.profile.userDataFolder, "User", "keybindings.json");
		return writeFile(file, JSON.stringify(bindings));
	}

	/** What the server printed. */
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
		const running = new RunningEditor(host, await host.openPage(workspace), workspace);
		await running.waitUntilReady();
		return running;
	} catch (error) {
		await host.stop();
		throw error;
	}
}

async function startServerHost(editor: ServerEditor, vsix: string, options: StartOptions): Promise<Host> {
	const server = await startEditorServer(editor, { ...options, vsix });
	let browser: Browser;
	try {
		browser = await launchBrowser();
	} catch (error) {
		await server.stop();
		throw error;
	}
	return {
		profile: server.profile,
		openPage: (workspace) => openPage(browser, server.urlOf(workspace), options.size),
		log: () => server.log(),
		stop: async () => {
			await browser.close();
			await server.stop();
		},
	};
}

/** Not run on the machines this was written on: no desktop VS Code can be had there. */
async function startDesktopHost(editor: DesktopEditor, vsix: string, options: StartOptions): Promise<Host> {
	const trust = options.trust ?? "everything";
	const { _electron: electron } = await import("playwright-core");
	const { desktopArgs, desktopEnvironment, installInDesktop } = await import("../../editor/desktop.ts");
	const profile = await createProfile(trust, options.settings ?? {});
	const applications: ElectronApplication[] = [];
	try {
		await installInDesktop(editor, profile, vsix);
	} catch (error) {
		await profile.remove();
		throw error;
	}
	return {
		profile,
		openPage: async (workspace) => {
			const application = await electron.launch({
				executablePath: editor.executablePath,
				args: desktopArgs(profile, workspace, trust),
				env: { ...desktopEnvironment(), ...options.env },
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
