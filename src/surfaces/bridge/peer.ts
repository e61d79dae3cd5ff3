import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { readProcess } from "../../protocol/stdio/processTable.ts";
import { systemPath } from "../../protocol/stdio/searchedFolders.ts";

/** Most parents that are looked at: a list takes a moment to read, and may lead in a circle. */
const longestChain = 32;
const psMs = 2000;

/** Programs that run others: the script is what matters. */
const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|bash|sh|dash|zsh|fish)(?:\.exe)?$/;

/** Whether a process can prove its number on this system. */
export const canProve = process.platform === "linux";

/** The working directory of a process, otherwise the one that it claims. Never rejects. */
export async function readFolder(pid: number, claimed: string | undefined): Promise<string | undefined> {
	return canProve ? readlink(`/proc/${pid}/cwd`).catch(() => claimed) : claimed;
}

/** Whether a process holds a file open. Never rejects. Linux only. */
export async function holdsOpen(pid: number, file: string): Promise<boolean> {
	const folder = `/proc/${pid}/fd`;
	const handles = await readdir(folder).catch(() => []);
	for (const handle of handles) {
		if ((await readlink(`${folder}/${handle}`).catch(() => "")) === file) return true;
	}
	return false;
}

/** The programs of a process and its parents, the nearest first; empty if the system does not say. Never rejects. */
export async function readChain(pid: number): Promise<readonly string[]> {
	if (process.platform === "win32") return [];
	const programs: string[] = [];
	for (let at = pid, steps = 0; at > 1 && steps < longestChain; steps++) {
		const found = canProve ? await readLinux(at) : await readPs(at);
		if (found === undefined) break;
		if (found.program !== "" && programs.at(-1) !== found.program) programs.push(found.program);
		at = found.parent;
	}
	return programs;
}

interface Link {
	readonly parent: number;
	readonly program: string;
}

async function readLinux(pid: number): Promise<Link | undefined> {
	const parent = readProcess(pid)?.parent;
	if (parent === undefined) return undefined;
	const file = await readlink(`/proc/${pid}/exe`).catch(() => "");
	const name = file === "" ? (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() : "";
	const program = programIn({ file, name });
	if (file === "") return { parent, program };
	const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
	const folder = await readlink(`/proc/${pid}/cwd`).catch(() => "/");
	return { parent, program: scriptOf(program, words, folder) ?? program };
}

/** A program as its parents and its questions name it. A process can hide its file, and name itself as any file. */
export function programIn({ file, name }: { readonly file: string; readonly name: string }): string {
	// A program that was updated while it runs.
	if (file !== "") return file.replace(/ \(deleted\)$/, "");
	return name === "" ? "" : `[${name}]`;
}

/** The script that an interpreter runs; undefined for any other program, and for code in its arguments. */
export function scriptOf(file: string, words: readonly string[], folder: string): string | undefined {
	if (!interpreters.test(path.basename(file))) return undefined;
	const [, ...args] = words;
	const script = args.find((word) => word !== "" && !word.startsWith("-"));
	// Before a script, an option may be code, or take the next word: then nothing is sure.
	if (script === undefined || args[0] !== script) return undefined;
	return path.resolve(folder, script);
}

function readPs(pid: number): Promise<Link | undefined> {
	const env = { ...process.env, PATH: systemPath(process.env["PATH"]), LC_ALL: "C" };
	return new Promise((resolve) => {
		execFile("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { timeout: psMs, env }, (error, stdout) => {
			const line = stdout.trim();
			const parent = Number.parseInt(line, 10);
			const program = line.replace(/^\d+/, "").trim();
			resolve(error !== null || Number.isNaN(parent) ? undefined : { parent, program });
		});
	});
}
