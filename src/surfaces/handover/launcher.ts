import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path, { posix, win32 } from "node:path";
import { pathToFileURL } from "node:url";
import { isThere } from "../../base/files.ts";

/** The program that runs the command line as Node, and the script. */
export interface CommandRuntime {
	readonly program: string;
	readonly script: string;
}

/** How an agent starts the bridge. */
export interface BridgeCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** The files that start `mcp-host`, by their names. */
type LauncherFiles = Readonly<Record<string, string>>;

const asNode = "ELECTRON_RUN_AS_NODE";

/** The folder of the launcher below the bridge's own: its path is the same for all versions and all editors. */
export function launcherFolder(meetingFolder: string, platform: NodeJS.Platform = process.platform): string {
	return (platform === "win32" ? win32 : posix).join(meetingFolder, "bin");
}

/** The file that is the command `mcp-host`. */
export function launcherFile(folder: string, platform: NodeJS.Platform = process.platform): string {
	return platform === "win32" ? win32.join(folder, "mcp-host.cmd") : posix.join(folder, "mcp-host");
}

/**
 * How an agent starts the bridge by the launcher. On Windows that is VS Code as Node: agents start batch files in
 * different ways, and each has other rules for blanks and special characters.
 */
export function bridgeCommand(
	folder: string,
	{ program }: Pick<CommandRuntime, "program">,
	platform: NodeJS.Platform = process.platform,
): BridgeCommand {
	if (platform !== "win32") return { command: launcherFile(folder, platform), args: ["serve"], env: {} };
	return { command: program, args: [win32.join(folder, "mcp-host.mjs"), "serve"], env: { [asNode]: "1" } };
}

/** The contents of the launcher's files. */
export function launcherFiles(
	folder: string,
	{ program, script }: CommandRuntime,
	platform: NodeJS.Platform = process.platform,
): LauncherFiles {
	if (platform === "win32") {
		const module = "mcp-host.mjs";
		return {
			[module]: `// Written by MCP Host, which keeps it up to date.\nawait import(${JSON.stringify(pathToFileURL(script, { windows: true }).href)});\n`,
			"mcp-host.cmd": batch(`set ${asNode}=1`, `"${batchPath(folder, program)}" "%~dp0${module}" %*`),
		};
	}
	const missing = "MCP Host is not where it was: it was updated or removed. Open VS Code once.";
	return {
		"mcp-host": [
			"#!/bin/sh",
			"# Written by MCP Host, which keeps it up to date.",
			`if [ ! -f ${shellWord(script)} ]; then echo ${shellWord(missing)} >&2; exit 127; fi`,
			`export ${asNode}=1`,
			`exec ${shellWord(program)} ${shellWord(script)} "$@"`,
			"",
		].join("\n"),
	};
}

/** Writes the launcher, unless it is there already. */
export async function writeLauncher(folder: string, runtime: CommandRuntime): Promise<void> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	for (const [name, text] of Object.entries(launcherFiles(folder, runtime))) {
		const file = path.join(folder, name);
		if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue;
		const next = `${file}.${process.pid}.next`;
		await writeFile(next, text, { mode: 0o700 });
		// The mode of a new file depends on the user's mask.
		await chmod(next, 0o700);
		await rename(next, file);
	}
}

/** Makes an existing launcher start this version: the former one is in a folder that an update removes. */
export async function refreshLauncher(folder: string, runtime: CommandRuntime): Promise<void> {
	if (await isThere(launcherFile(folder))) await writeLauncher(folder, runtime);
}

/** Removes the launcher. */
export async function removeLauncher(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
}

/** A batch file of these lines. */
export function batch(...lines: readonly string[]): string {
	return ["@echo off", "rem Written by MCP Host.", "setlocal", ...lines, ""].join("\r\n");
}

/**
 * A path as a batch file in a folder names it: relative to itself if it can. A batch file is read in the code page of the
 * machine, which may lack letters of a user's name.
 */
export function batchPath(folder: string, file: string): string {
	const way = win32.relative(folder, file);
	const escaped = (win32.isAbsolute(way) ? file : way).replaceAll("%", "%%");
	return win32.isAbsolute(way) ? escaped : `%~dp0${escaped}`;
}

function shellWord(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
