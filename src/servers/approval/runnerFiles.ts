import { open, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import type { StartDependencies } from "./dependencies.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/**
 * The files that each kind of package runner reads in its start folders, and the files that select its version there.
 */
const versionFiles = ["mise.toml", ".mise.toml", "mise.local.toml", ".config/mise.toml", ".tool-versions"];
const nodeFiles = [
	...versionFiles,
	".npmrc",
	".yarnrc",
	".yarnrc.yml",
	"pnpm-workspace.yaml",
	".pnpmfile.cjs",
	".pnpmfile.mjs",
	"bunfig.toml",
];
const files = {
	node: nodeFiles,
	python: [...versionFiles, ".python-version", "uv.toml", "pyproject.toml"],
	deno: [...nodeFiles, "deno.json", "deno.jsonc"],
};
/** The members of a folder's own `package.json` that say which program runs under a name, and which version of the runner. */
const decidingMembers = ["name", "bin", "packageManager", "volta", "devEngines"];
/** The ends of the names of a package's program; on Windows, any of these is run. */
const programEndings = process.platform === "win32" ? ["", ".cmd", ".exe", ".bat", ".ps1"] : [""];
/** Options by which a runner works in another folder. */
const folderOptions = new Set(["--prefix", "-C", "--dir", "--cwd", "--directory", "--project"]);
/** For a larger file, its size and its beginning count. */
const maxBytes = 1024 * 1024;
/** The maximum number of names and folders that are looked for: no command line has more. */
const mostNames = 200;
const mostFolders = 40;
const mostWords = 2000;

/**
 * The files that a package runner would read in its start folder before it asks a registry: its settings, and a local
 * package or program of the same name. Empty for other commands. `isProject` says up to which folder it looks.
 */
export async function runnerFiles(
	{ command, args, cwd }: StdioLaunch,
	isProject: (folder: string) => boolean,
): Promise<StartDependencies> {
	const kind = runnerKind(command, args);
	const contents = new Map<string, string>();
	const remarks: string[] = [];
	if (kind === undefined) return { contents, remarks };
	const names = kind === "python" ? [] : packageNames(args);
	for (const folder of foldersAround(cwd, args, isProject)) {
		for (const file of files[kind]) await add(contents, join(folder, file));
		if (kind === "python") continue;
		const manifest = parseJson((await contentOf(join(folder, "package.json"))) ?? "");
		const deciding = isJsonObject(manifest) ? decidingMembers.map((member) => manifest[member]) : [];
		// Its name alone decides nothing.
		if (deciding.slice(1).some((member) => member !== undefined))
			contents.set(`file ${join(folder, "package.json")}`, JSON.stringify(deciding));
		for (const name of names) {
			const local = join(folder, "node_modules", name);
			const isPackage = await add(contents, join(local, "package.json"));
			let isProgram = false;
			for (const ending of name.includes("/") ? [] : programEndings)
				isProgram = (await add(contents, join(folder, "node_modules", ".bin", name + ending))) || isProgram;
			if (isPackage || isProgram)
				remarks.push(
					`It may run the local copy of ${oneLine(name, 100)} in ${oneLine(local, 300)} instead of the package from the registry.`,
				);
		}
	}
	return { contents, remarks };
}

/**
 * The runner that a command line is, or runs behind another program, such as a shell, `env` or `mise exec`; undefined
 * for one that runs no package of a registry. A false match is better than a missed one.
 */
function runnerKind(command: string, args: readonly string[]): keyof typeof files | undefined {
	const texts = [command, ...args];
	const words = texts.concat(texts.flatMap((text) => text.slice(0, 4096).split(/[\s"'`;&|()]+/)));
	for (const word of new Set(words.slice(0, mostWords))) {
		const kind = kindOf(programName(word).replace(/-cli(?:\.[cm]?js)?$/, ""), words);
		if (kind !== undefined) return kind;
	}
	return undefined;
}

function kindOf(program: string, args: readonly string[]): keyof typeof files | undefined {
	const has = (...words: readonly string[]): boolean => words.some((word) => args.includes(word));
	if (["npx", "bunx", "pnpx"].includes(program)) return "node";
	if (program === "npm" && has("exec", "x")) return "node";
	if (["pnpm", "yarn"].includes(program) && has("dlx", "exec", "x")) return "node";
	if (program === "bun" && has("x")) return "node";
	if (program === "deno" && args.some((word) => /^(?:npm|jsr):/.test(word))) return "deno";
	if (program === "uvx" || (program === "uv" && has("run"))) return "python";
	return program === "pipx" && has("run") ? "python" : undefined;
}

/** All that may be the name of a package among arguments, without its version: rather one too many than one that is missed. */
function packageNames(args: readonly string[]): readonly string[] {
	const names = args
		.flatMap((text) => text.slice(0, 4096).split(/\s+/))
		.map((word) => word.replace(/^(?:--package=|-p=|--call=)/, "").replace(/^npm:\/?/, ""))
		.map((word) => /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@.*)?$/.exec(word)?.[1] ?? "")
		.filter((name) => name !== "" && !/^[.-]/.test(name));
	return [...new Set(names)].slice(0, mostNames);
}

/** The folders in which a runner looks: where it is started, where its options lead, and those around as far as a project goes. */
function foldersAround(
	cwd: string,
	args: readonly string[],
	isProject: (folder: string) => boolean,
): readonly string[] {
	const led = args.flatMap((argument, index) => {
		const [, option = "", value = ""] = /^(--?[\w-]+)=(.*)$/s.exec(argument) ?? [];
		if (folderOptions.has(option)) return [resolve(cwd, value)];
		return folderOptions.has(argument) ? [resolve(cwd, args[index + 1] ?? ".")] : [];
	});
	const folders = new Set<string>();
	for (const start of [cwd, ...led])
		for (let folder = start; isProject(folder) && folders.size < mostFolders; folder = dirname(folder)) {
			folders.add(folder);
			if (folder === dirname(folder)) break;
		}
	return [...folders];
}

/** Adds a file with its contents and its target, if it exists. */
async function add(contents: Map<string, string>, path: string): Promise<boolean> {
	const content = await contentOf(path);
	if (content === undefined) return false;
	contents.set(`file ${path}`, JSON.stringify([await realpath(path).catch(() => path), content]));
	return true;
}

/**
 * The contents of a regular file; its size and beginning if it is large, undefined if it does not exist or cannot be
 * read.
 */
async function contentOf(path: string): Promise<string | undefined> {
	try {
		const real = await realpath(path);
		await using file = await open(real);
		const stat = await file.stat();
		if (!stat.isFile()) return undefined;
		if (stat.size <= maxBytes) return await readFile(file, "latin1");
		const { buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
		return `${stat.size} ${buffer.toString("latin1")}`;
	} catch {
		return undefined;
	}
}
