import { cp, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import type { ServerEditor } from "./ensureEditor.ts";
import { startGuarded, type GuardedProcess } from "./guarded.ts";
import { runCommand, tail, waitUntil } from "./processes.ts";
import { createProfile, type Profile, type Settings, type Trust } from "./profile.ts";

/** Options of `startEditorServer`. */
export interface EditorServerOptions {
	/** Packaged extension to install. */
	readonly vsix?: string;
	/** Profile whose installed extensions are copied. */
	readonly like?: Profile;
	/** Folders of extensions that need no packaging; the server finds copies of them as if they were installed. */
	readonly installed?: readonly string[];
	/** Settings added to the fixed test settings. */
	readonly settings?: Settings;
	/** Default: `everything`. */
	readonly trust?: Trust;
	/** Environment variables for the server and with it for the extension host. */
	readonly env?: Readonly<Record<string, string>>;
	/**
	 * Lets the page run a test suite in the extension host. It also suppresses toasts and modal dialogs, therefore only
	 * `runInHost` uses it.
	 */
	readonly isSmokeTestDriverEnabled?: boolean;
	/** Default: a free port. */
	readonly port?: number;
}

/** A running workbench server with a profile of its own. */
export interface EditorServer {
	/** `127.0.0.1:<port>`, which is also the remote authority of its windows. */
	readonly authority: string;
	readonly profile: Profile;
	/** The id of the process that all processes of the server descend from. */
	readonly pid: number;
	/** The address that opens a folder or `.code-workspace` file; `query` adds parameters. */
	urlOf(workspace: string, query?: Readonly<Record<string, string>>): string;
	/** The log of the server and the extension host so far. */
	log(): Promise<string>;
	/** Waits until the server has ended, on its own or by `stop`. */
	wait(): Promise<void>;
	/** Ends every process it started and removes the profile. The same happens if this process dies. */
	stop(): Promise<void>;
}

/** Starts the workbench server and waits until it answers. */
export async function startEditorServer(
	editor: ServerEditor,
	options: EditorServerOptions = {},
): Promise<EditorServer> {
	const trust = options.trust ?? "everything";
	const profile = await createProfile(trust, options.settings ?? {});
	let server: GuardedProcess | undefined;
	const stop = async (): Promise<void> => {
		await server?.stop();
		await profile.remove();
	};
	try {
		const env = serverEnvironment(profile, options.env ?? {});
		const profileArgs = ["--user-data-dir", profile.userDataFolder, "--extensions-dir", profile.extensionsFolder];
		for (const [index, folder] of (options.installed ?? []).entries()) {
			await cp(folder, path.join(profile.extensionsFolder, `installed-${index}`), { recursive: true });
		}
		if (options.like !== undefined) {
			await cp(options.like.extensionsFolder, profile.extensionsFolder, { recursive: true });
		}
		if (options.vsix !== undefined) {
			await installVsix(editor, options.vsix, profileArgs, env);
		}
		const authority = `127.0.0.1:${options.port ?? (await freePort())}`;
		const args = [editor.entryPath, "--auth", "none", "--bind-addr", authority, ...profileArgs];
		args.push(...serverFlags, ...editor.options);
		if (trust === "everything") {
			args.push("--disable-workspace-trust");
		}
		if (options.isSmokeTestDriverEnabled === true) {
			args.push(...editor.smokeTestDriver);
		}
		const logFile = serverLog(profile);
		const log = (): Promise<string> => readFile(logFile, "utf8").catch(() => "");
		const running = startGuarded({ command: editor.nodePath, args, folders: [profile.folder] }, logFile, env);
		server = running;
		await waitForServer(authority, running, log);
		return {
			authority,
			profile,
			pid: running.pid,
			urlOf: (workspace, query) => windowUrl(authority, workspace, query),
			log,
			wait: () => running.wait(),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The file with the output of the server of a profile and its extension host. */
export function serverLog(profile: Profile): string {
	return path.join(profile.folder, "server.log");
}

/** The address of a window on a folder or `.code-workspace` file; `query` adds parameters. */
export function windowUrl(authority: string, workspace: string, query: Readonly<Record<string, string>> = {}): string {
	const kind = workspace.endsWith(".code-workspace") ? "workspace" : "folder";
	return `http://${authority}/?${new URLSearchParams({ [kind]: workspace, ...query }).toString()}`;
}

const serverFlags = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];

/** This process's environment without variables that a package manager or test runner added. */
function serverEnvironment(profile: Profile, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
	const unwanted =
		/^(npm_|VITEST|VSCODE_|NODE_OPTIONS$|NODE_ENV$|NODE_PATH$|TEST$|DEV$|PROD$|MODE$|PORT$|PASSWORD$|INIT_CWD$)/;
	const inherited = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
	return {
		...Object.fromEntries(inherited),
		XDG_CONFIG_HOME: path.join(profile.folder, "config"),
		XDG_DATA_HOME: path.join(profile.folder, "data"),
		...extra,
	};
}

async function installVsix(
	editor: ServerEditor,
	vsix: string,
	profileArgs: readonly string[],
	env: NodeJS.ProcessEnv,
): Promise<void> {
	const args = [editor.entryPath, ...profileArgs, "--install-extension", path.resolve(vsix)];
	const result = await runCommand(editor.nodePath, args, { env });
	if (result.code !== 0 || !result.output.includes("successfully installed")) {
		throw new Error(`${vsix} could not be installed:\n${tail(result.output, 10)}`);
	}
}

async function waitForServer(authority: string, server: GuardedProcess, log: () => Promise<string>): Promise<void> {
	const answers = async (): Promise<boolean> => {
		if (server.exitCode !== undefined) {
			throw new Error(`The editor's server ended with code ${server.exitCode}:\n${tail(await log(), 10)}`);
		}
		return fetch(`http://${authority}/healthz`).then(
			(response) => response.ok,
			() => false,
		);
	};
	await waitUntil("The answer of the editor's server", answers, 30_000);
}

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
	const address = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	if (address === null || typeof address === "string") {
		throw new Error("No free port was found");
	}
	return address.port;
}
