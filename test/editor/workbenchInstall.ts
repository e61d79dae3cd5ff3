import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { foreignNpmEnvironment, runCommand, tail } from "./processes.ts";
import { SetupError, withProgress } from "./progress.ts";

const codeServerVersion = "4.139.1";
/** The VS Code inside. */
const editorVersion = "1.139.1";
const nodeVersion = "24.21.0";
/** Raised whenever the steps below change, so that an older cache is not taken for the new one. */
const recipe = 1;

/** The real workbench as npm delivers it. */
export interface WorkbenchInstall {
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
export async function installWorkbench(): Promise<WorkbenchInstall> {
	const name = `workbench-${codeServerVersion}-${process.platform}-${process.arch}-${recipe}`;
	const target = path.join(cacheFolder(), name);
	if (!isComplete(target)) {
		await mkdir(cacheFolder(), { recursive: true });
		await removeAbandoned(name);
		const work = await mkdtemp(path.join(cacheFolder(), `${name}.tmp-`));
		try {
			await install(work);
			await writeFile(path.join(work, ".complete"), "");
			await moveIntoPlace(work, target);
		} finally {
			await rm(work, { recursive: true, force: true });
		}
	}
	const modules = path.join(target, "node_modules");
	return {
		version: editorVersion,
		nodePath: path.join(modules, nodePackage(), "bin", process.platform === "win32" ? "node.exe" : "node"),
		entryPath: path.join(modules, "code-server", "out", "node", "entry.js"),
	};
}

function nodePackage(): string {
	return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

function isComplete(folder: string): boolean {
	return existsSync(path.join(folder, ".complete"));
}

async function install(folder: string): Promise<void> {
	await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
	const server = path.join(folder, "node_modules", "code-server", "lib", "vscode");
	await withProgress(
		`VS Code ${editorVersion} workbench (code-server ${codeServerVersion}, once per machine, about 700 MB)`,
		async () => {
			await npmInstall(folder, [`code-server@${codeServerVersion}`, `${nodePackage()}@${nodeVersion}`]);
			await npmInstall(server, ["--omit=dev", "--omit=optional"]);
			await npmInstall(path.join(server, "extensions"), ["--omit=dev"]);
		},
	);
	await restoreProposedApiCheck(server);
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

/**
 * code-server lets every extension use every proposed API; VS Code does not. Each of these files holds the one patched
 * function, `function f(e,k){return!0}` in front of the function that throws when f is false, and gets the original
 * body back, so that an extension fails here as it would on a desktop.
 */
async function restoreProposedApiCheck(server: string): Promise<void> {
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
			throw new Error(`${file} of code-server ${codeServerVersion}: expected 1 patched API check, found ${hits}`);
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

/** Installs that were killed leave their work folder; after an hour nobody is working in it. */
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
