import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { ServerEditor } from "../editor/ensureEditor.ts";
import { foreignNpmEnvironment, runCommand, tail } from "../editor/processes.ts";
import { SetupError, withProgress } from "../editor/progress.ts";
import { cacheFolder, installWorkbench } from "../editor/workbenchInstall.ts";

/** The workbench with the parts that agent sessions of Copilot need, and their versions. */
export interface AgentWorkbench {
	readonly editor: ServerEditor;
	/** Of the package with Copilot's runtime, which VS Code itself requires in exactly this version. */
	readonly copilot: string;
}

/** The folder of the server's own packages in an installed workbench. */
const serverModules = path.join("node_modules", "code-server", "lib", "vscode", "node_modules");
/** Raised whenever the steps below change. */
const recipe = 1;

/**
 * A copy of the tests' workbench that can run agent sessions of Copilot: the tests' own leaves out the runtime, and
 * code that needs compiling. Needs the registry once.
 */
export async function installAgentWorkbench(): Promise<AgentWorkbench> {
	const plain = await installWorkbench("newest");
	// From …/node_modules/code-server/out/node/entry.js.
	const source = path.resolve(plain.entryPath, "../../../../..");
	const copilot = await wantedVersion(path.join(source, serverModules, "..", "package.json"));
	const target = path.join(cacheFolder(), `agents-${path.basename(source)}-${recipe}`);
	if (!existsSync(target)) {
		const work = await mkdtemp(`${target}.tmp-`);
		try {
			await withProgress(`Copilot runtime ${copilot} (once per machine, about 1 GB with its workbench)`, () =>
				install(source, work, copilot),
			);
			await rename(path.join(work, "workbench"), target);
		} finally {
			await rm(work, { recursive: true, force: true });
		}
	}
	const moved = (file: string): string => path.join(target, path.relative(source, file));
	const paths = { nodePath: moved(plain.nodePath), entryPath: moved(plain.entryPath) };
	return { editor: { kind: "server", ...plain, ...paths }, copilot };
}

async function wantedVersion(manifest: string): Promise<string> {
	const { dependencies = {} } = JSON.parse(await readFile(manifest, "utf8")) as {
		readonly dependencies?: Readonly<Record<string, string>>;
	};
	const version = dependencies["@github/copilot-sdk"];
	if (version === undefined) throw new SetupError("This workbench wants no Copilot runtime.");
	return version;
}

async function install(source: string, work: string, version: string): Promise<void> {
	const name = `@github/copilot-sdk-${process.platform}-${process.arch}`;
	const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", work];
	const result = await runCommand("npm", [...flags, `${name}@${version}`], { env: foreignNpmEnvironment() });
	if (result.code !== 0) throw new SetupError(`${name} could not be installed. npm said:\n${tail(result.output, 5)}`);
	const target = path.join(work, "workbench");
	await cp(source, target, { recursive: true, verbatimSymlinks: true });
	const modules = path.join(target, serverModules);
	await rename(path.join(work, "node_modules", name), path.join(modules, name));
	await copyFile(
		path.join(import.meta.dirname, "sqlite.cjs"),
		path.join(modules, "@vscode", "sqlite3", "lib", "sqlite3.js"),
	);
}
