import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../base/json.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import { insideFolders } from "../../protocol/stdio/insideFolders.ts";
import type { FolderFit, LocalFolder } from "./localFolder.ts";
import { telling } from "./serverName.ts";
import { isFileThere } from "../../base/files.ts";

/** As many arguments are looked for, and as many characters of a manifest are read. */
const mostWords = 50;
const mostText = 200_000;
const packageRunner = /^(?:npm|pnpm|yarn|bun|npx|pnpx|bunx)$/;
const pythonRunner = /^(?:uv|uvx|python[\d.]*|py|poetry|pipx|hatch|pdm)$/;
/** Words that these take before the name of what they run. */
const verbs = new Set(["run", "exec", "x", "dlx", "tool", "run-script"]);

/**
 * The open folder that the command line of an entry belongs to: one of its arguments is a file there, or the folder's
 * `package.json` or `pyproject.toml` has what it runs. Looks only at files of these folders. Undefined where none fits.
 */
export async function fitOf(entry: JsonObject, folders: readonly LocalFolder[]): Promise<FolderFit | undefined> {
	const { command, args, cwd } = entry as { command?: unknown; args?: unknown; cwd?: unknown };
	if (typeof command !== "string") return undefined;
	const given = (Array.isArray(args) ? args : []).filter((word) => typeof word === "string");
	const words = [command, ...given].slice(0, mostWords);
	for (const folder of folders) {
		const start = typeof cwd === "string" && !cwd.includes("${") ? resolve(folder.path, cwd) : folder.path;
		const file = await fileIn(folder, words, start);
		if (file !== undefined) return { folder, file: file.word, ...named(await projectName(folder, file.path)) };
	}
	for (const folder of folders) {
		const name = await manifestFor(folder, words);
		if (name !== undefined) return { folder, ...named(name) };
	}
	return undefined;
}

/** The first of these words that is a file of an open folder, if paths start there, and that folder. */
export async function fileOfFolders(
	words: readonly string[],
	folders: readonly LocalFolder[],
): Promise<{ readonly folder: LocalFolder; readonly word: string } | undefined> {
	for (const folder of folders) {
		const file = await fileIn(folder, words.slice(0, mostWords), folder.path);
		if (file !== undefined) return { folder, word: file.word };
	}
	return undefined;
}

/** The name of a server by its package or project, in its short form: `orders` for `@acme/orders`. */
function named(name: string | undefined): { readonly name?: string } {
	const short = (name ?? "").split("/").at(-1) ?? "";
	return telling.test(short) ? { name: short } : {};
}

async function fileIn(
	folder: LocalFolder,
	words: readonly string[],
	start: string,
): Promise<{ readonly word: string; readonly path: string } | undefined> {
	const { isInside } = await insideFolders([folder.path]);
	for (const [index, word] of words.entries()) {
		// A bare command is looked for on the PATH, and an option is no file.
		if (word.startsWith("-") || word.includes("${") || (index === 0 && !/[\\/]/.test(word))) continue;
		const path = isAbsolute(word) ? word : resolve(start, word);
		if (!isInside(path)) continue;
		if (await isFileThere(path)) return { word, path };
	}
	return undefined;
}

/** The name of the project that a file belongs to, by the nearest manifest up to the folder; that of the file itself otherwise. */
async function projectName(folder: LocalFolder, file: string): Promise<string | undefined> {
	for (let at = dirname(file); at.length >= folder.path.length; at = dirname(at)) {
		const { name } = (await packageJson(at)) ?? {};
		if (typeof name === "string" && named(name).name !== undefined) return name;
		const project = (await pyproject(at))?.name;
		if (named(project).name !== undefined) return project;
		if (at === dirname(at)) break;
	}
	const stem = (file.split(/[\\/]/).at(-1) ?? "").replace(/\.[a-z]{1,4}$/i, "");
	return telling.test(stem) ? stem : folder.name;
}

/** The name of the folder's own project, if its manifest has what these words run; empty where it has no name. */
async function manifestFor(
	folder: LocalFolder,
	[command = "", ...args]: readonly string[],
): Promise<string | undefined> {
	const program = programName(command);
	const wanted = args.find((word) => !word.startsWith("-") && !verbs.has(word));
	const nodePackage = await packageJson(folder.path);
	if (nodePackage !== undefined) {
		const { name, main, bin, scripts } = nodePackage;
		const own = typeof name === "string" ? name : folder.name;
		const bins = typeof bin === "string" ? { [own]: bin } : isJsonObject(bin) ? bin : {};
		const isScript = wanted !== undefined && isJsonObject(scripts) && Object.hasOwn(scripts, wanted);
		const programs = [main, ...Object.values(bins)].map((path) => (typeof path === "string" ? plain(path) : undefined));
		const isProgram = wanted !== undefined && (wanted === "." || programs.includes(plain(wanted)));
		if (packageRunner.test(program) && (isScript || isProgram || wanted === own || Object.hasOwn(bins, wanted ?? "")))
			return own;
		if (program === "node" && isProgram) return own;
	}
	const project = pythonRunner.test(program) ? await pyproject(folder.path) : undefined;
	if (project === undefined || wanted === undefined) return undefined;
	const names = [project.name, ...project.scripts].map(moduleName);
	return names.includes(moduleName(wanted)) || wanted === "." ? (project.name ?? folder.name) : undefined;
}

function plain(path: string): string {
	return path.replace(/^\.[\\/]/, "");
}

/** A name of Python as its module is called: `my_orders` of `my-orders`. */
function moduleName(name = ""): string {
	return name.toLowerCase().replaceAll(/[-.]/g, "_");
}

async function packageJson(folder: string): Promise<JsonObject | undefined> {
	return parseJsonObject(await textOf(join(folder, "package.json")));
}

/** The names of the project and the commands in a `pyproject.toml`, read line by line: the host needs nothing else of it. */
async function pyproject(
	folder: string,
): Promise<{ readonly name: string | undefined; readonly scripts: readonly string[] } | undefined> {
	const text = await textOf(join(folder, "pyproject.toml"));
	if (text === "") return undefined;
	let table = "";
	let name: string | undefined;
	const scripts: string[] = [];
	for (const line of text.split(/\r?\n/)) {
		const header = /^\s*\[([^[\]]+)\]/.exec(line)?.[1];
		if (header !== undefined) table = header.replaceAll(/[\s"']/g, "");
		const [, key = "", value = ""] = /^\s*["']?([\w.-]+)["']?\s*=\s*["']([^"']*)["']/.exec(line) ?? [];
		if (key === "name" && (table === "project" || table === "tool.poetry")) name ??= value;
		else if (key !== "" && (table === "project.scripts" || table === "tool.poetry.scripts")) scripts.push(key);
	}
	return { name, scripts };
}

/** The text of a manifest; empty where there is none or it is too large to be one. */
async function textOf(path: string): Promise<string> {
	try {
		const { size } = await stat(path);
		return size > mostText ? "" : await readFile(path, "utf8");
	} catch {
		return "";
	}
}
