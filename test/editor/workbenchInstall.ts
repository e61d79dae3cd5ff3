import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { foreignNpmEnvironment, runCommand, tail } from "./processes.ts";
import { SetupError, withProgress } from "./progress.ts";

/** A version of the workbench that npm has. */
interface Release {
	/** Of the package that holds the workbench and its server. */
	readonly codeServer: string;
	/** Of the VS Code inside. */
	readonly editor: string;
	/** The Node that the package asks for; its extension host runs in it. */
	readonly node: string;
	/** Options of this version's server beside those that all have. */
	readonly options: readonly string[];
	/** The option of this version's server that lets a page run a test suite in the extension host. */
	readonly smokeTestDriver: readonly string[];
	/** Raised whenever the steps below change for it, so that an older cache is not mistaken for the new one. */
	readonly recipe: number;
}

/** The editors that the extension is tested in: the newest, and the oldest that the manifest allows (`engines.vscode`). */
export const releases = {
	newest: {
		codeServer: "4.139.1",
		editor: "1.139.1",
		node: "24.21.0",
		// The extension host of a closed window would otherwise wait three hours for it to reconnect.
		options: ["--reconnection-grace-time", "30"],
		smokeTestDriver: ["--vscode-option", "enable-smoke-test-driver"],
		recipe: 1,
	},
	least: {
		codeServer: "4.106.3",
		editor: "1.106.3",
		node: "22.20.0",
		options: [],
		smokeTestDriver: ["--enable-smoke-test-driver"],
		recipe: 1,
	},
} as const satisfies Readonly<Record<string, Release>>;

/** Which of the editors. */
export type ReleaseName = keyof typeof releases;

/** The real workbench as npm delivers it. */
export interface WorkbenchInstall extends Pick<Release, "options" | "smokeTestDriver"> {
	/** Of VS Code. */
	readonly version: string;
	/** The Node that runs the server and with it the extension host. */
	readonly nodePath: string;
	/** The server's entry script. */
	readonly entryPath: string;
}

/** Where downloads that outlive `node_modules` are kept. */
export function cacheFolder(): string {
	const base = process.env["XDG_CACHE_HOME"];
	return path.join(base !== undefined && base !== "" ? base : path.join(homedir(), ".cache"), "mcp-host");
}

/** The workbench from the cache, or installed into it. Two callers at once both succeed; one result is kept. */
export async function installWorkbench(releaseName: ReleaseName): Promise<WorkbenchInstall> {
	const release: Release = releases[releaseName];
	const name = `workbench-${release.codeServer}-${process.platform}-${process.arch}-${release.recipe}`;
	const target = path.join(cacheFolder(), name);
	if (!isComplete(target)) {
		await mkdir(cacheFolder(), { recursive: true });
		await removeAbandoned(name);
		const work = await mkdtemp(path.join(cacheFolder(), `${name}.tmp-`));
		try {
			await install(work, release);
			await writeFile(path.join(work, ".complete"), "");
			await moveIntoPlace(work, target);
		} finally {
			await rm(work, { recursive: true, force: true });
		}
	}
	const modules = path.join(target, "node_modules");
	const server = path.join(modules, "code-server", "lib", "vscode");
	await letLogsBeWritten(server);
	await letFilesBeFound(server);
	return {
		version: release.editor,
		nodePath: path.join(modules, nodePackage(), "bin", process.platform === "win32" ? "node.exe" : "node"),
		entryPath: path.join(modules, "code-server", "out", "node", "entry.js"),
		options: release.options,
		smokeTestDriver: release.smokeTestDriver,
	};
}

function nodePackage(): string {
	return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

function isComplete(folder: string): boolean {
	return existsSync(path.join(folder, ".complete"));
}

async function install(folder: string, { codeServer, editor, node }: Release): Promise<void> {
	await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
	const server = path.join(folder, "node_modules", "code-server", "lib", "vscode");
	await withProgress(
		`VS Code ${editor} workbench (code-server ${codeServer}, once per machine, about 700 MB)`,
		async () => {
			await npmInstall(folder, [`code-server@${codeServer}`, `${nodePackage()}@${node}`]);
			await useRegistryOnly(server);
			await npmInstall(server, ["--omit=dev", "--omit=optional"]);
			await npmInstall(path.join(server, "extensions"), ["--omit=dev"]);
		},
	);
	await allowSmokeTestDriver(path.join(folder, "node_modules", "code-server", "out", "node", "cli.js"));
	await leaveOutPasswords(path.join(folder, "node_modules", "argon2"));
	await restoreProposedApiCheck(server, `code-server ${codeServer}`);
}

/** code-server refuses options that it does not know; older releases cannot pass this one on to the workbench's server. */
async function allowSmokeTestDriver(cli: string): Promise<void> {
	const text = await readFile(cli, "utf8");
	if (text.includes('"vscode-option"')) return;
	const known = '"disable-telemetry": {';
	if (!text.includes(known)) throw new Error(`${cli}: the options of code-server are not where they were`);
	await writeFile(cli, text.replace(known, `"enable-smoke-test-driver": { type: "boolean" }, ${known}`));
}

/**
 * Logs are written by native code, which is not compiled here: a script of ours replaces it, since an empty log does
 * not explain why a server does not start. Also in an earlier install.
 */
async function letLogsBeWritten(server: string): Promise<void> {
	const script = path.join(import.meta.dirname, "plainLog.cjs");
	const target = path.join(server, "node_modules", "@vscode", "spdlog", "index.js");
	const [wanted, found] = await Promise.all([readFile(script, "utf8"), readFile(target, "utf8")]);
	if (found === wanted) return;
	// At once, because other processes read it.
	const written = `${target}.${process.pid}`;
	await writeFile(written, wanted);
	await rename(written, target);
}

/** The package that holds the search of files for every platform. */
const search = "@vscode/ripgrep-universal";

/**
 * Older releases fetch the program that searches the workspace's files from GitHub, by a script that is not run here:
 * it is taken from the package that newer ones have. Also in an earlier install.
 */
async function letFilesBeFound(server: string): Promise<void> {
	const name = process.platform === "win32" ? "rg.exe" : "rg";
	const target = path.join(server, "node_modules", "@vscode", "ripgrep", "bin", name);
	if (existsSync(path.join(server, "node_modules", search)) || existsSync(target)) return;
	const work = await mkdtemp(path.join(cacheFolder(), "search.tmp-"));
	try {
		await writeFile(path.join(work, "package.json"), '{ "private": true }\n');
		await npmInstall(work, [`${search}@1.18.0`]);
		const found = path.join(work, "node_modules", search, "bin", `${process.platform}-${process.arch}`, name);
		await mkdir(path.dirname(target), { recursive: true });
		const written = `${target}.${process.pid}`;
		await copyFile(found, written);
		await rename(written, target);
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

/** code-server hashes passwords with this; older releases need it compiled. The tests' server has no password. */
async function leaveOutPasswords(argon2: string): Promise<void> {
	if (existsSync(path.join(argon2, "prebuilds"))) return;
	const { main } = JSON.parse(await readFile(path.join(argon2, "package.json"), "utf8")) as { readonly main: string };
	await writeFile(path.join(argon2, main), "module.exports = {};\n");
}

/** `--ignore-scripts`: nothing is compiled, and the parts that would need it are not used. */
async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
	const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
	const result = await runCommand("npm", [...flags, ...args], { cwd, env: foreignNpmEnvironment() });
	if (result.code !== 0) {
		throw new SetupError(
			`The VS Code workbench could not be installed from the npm registry; check that \`npm ping\` works and run again. npm said:\n${tail(result.output, 5)}`,
		);
	}
}

interface Shrinkwrap {
	readonly packages: Record<string, { version?: string; resolved?: string; integrity?: string } & Dependents>;
}

interface Dependents {
	readonly dependencies?: Record<string, string>;
}

/**
 * Takes from the registry what older releases take from a git repository (the file watcher, at a commit after a version
 * of that number): that would need git, a compiler and GitHub, for a part that does without its native code here.
 */
async function useRegistryOnly(server: string): Promise<void> {
	const lockPath = path.join(server, "npm-shrinkwrap.json");
	const manifestPath = path.join(server, "package.json");
	const lock = JSON.parse(await readFile(lockPath, "utf8")) as Shrinkwrap;
	const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Dependents;
	for (const [place, locked] of Object.entries(lock.packages)) {
		if (locked.resolved?.startsWith("git+") !== true || locked.version === undefined) continue;
		delete locked.resolved;
		delete locked.integrity;
		const name = place.slice("node_modules/".length);
		for (const { dependencies } of [manifest, lock.packages[""]].filter((one) => one !== undefined)) {
			if (dependencies?.[name] !== undefined) dependencies[name] = locked.version;
		}
	}
	await writeFile(lockPath, JSON.stringify(lock, undefined, "\t"));
	await writeFile(manifestPath, JSON.stringify(manifest, undefined, "\t"));
}

/**
 * code-server lets every extension use every proposed API; VS Code does not. Each of these files holds the one patched
 * function, `function f(e,k){return!0}` in front of the function that throws when f is false, and gets the original
 * body back, so that an extension fails here as it would on a desktop.
 */
async function restoreProposedApiCheck(server: string, product: string): Promise<void> {
	const patched = /function (\w+)\((\w+),(\w+)\)\{return!0\}(?=function \w+\(\w+,\w+\)\{if\(!\1\()/g;
	const files = [
		"out/server-main.js",
		"out/vs/workbench/api/node/extensionHostProcess.js",
		"out/vs/workbench/api/worker/extensionHostWorkerMain.js",
		"out/vs/code/browser/workbench/workbench.js",
	];
	for (const file of files) {
		const filePath = path.join(server, file);
		let hits = 0;
		const text = (await readFile(filePath, "utf8")).replace(
			patched,
			(_, name: string, extension: string, proposal: string) => {
				hits++;
				return `function ${name}(${extension},${proposal}){return!!${extension}.enabledApiProposals&&${extension}.enabledApiProposals.includes(${proposal})}`;
			},
		);
		if (hits !== 1) {
			throw new Error(`${file} of ${product}: expected 1 patched API check, found ${hits}`);
		}
		await writeFile(filePath, text);
	}
}

async function moveIntoPlace(work: string, target: string): Promise<void> {
	if (existsSync(target) && !isComplete(target)) {
		await rm(target, { recursive: true, force: true });
	}
	try {
		await rename(work, target);
	} catch (error) {
		if (!isComplete(target)) {
			throw error;
		}
	}
}

/** Installs that were killed leave their work folder; after an hour nothing uses it. */
async function removeAbandoned(name: string): Promise<void> {
	for (const entry of await readdir(cacheFolder())) {
		if (entry.startsWith(`${name}.tmp-`)) {
			const folder = path.join(cacheFolder(), entry);
			const status = await stat(folder).catch(() => undefined);
			if (status !== undefined && Date.now() - status.mtimeMs > 3_600_000) {
				await rm(folder, { recursive: true, force: true });
			}
		}
	}
}
