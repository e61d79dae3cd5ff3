import { access, constants, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { HostError } from "../../base/errors.ts";
import { comparedPath, isWithin } from "../../base/folderPaths.ts";
import { batch, batchPath } from "./launcher.ts";

/** The machine on which the command is installed. */
export interface CommandMachine {
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A folder for the command. */
export interface CommandPlace {
	readonly folder: string;
	/** The command's file in it. */
	readonly file: string;
	/** Whether a terminal finds commands in it. */
	readonly isInPath: boolean;
}

const isWindows = process.platform === "win32";

/** The folders for commands of the user, the preferred first. None needs the rights of an administrator, as a rule. */
export function commandPlaces({ home, environment }: CommandMachine): readonly CommandPlace[] {
	const data = environment["LOCALAPPDATA"];
	const folders = [
		path.join(home, ".local", "bin"),
		path.join(home, "bin"),
		...(process.platform === "darwin" ? ["/usr/local/bin", "/opt/homebrew/bin"] : []),
		...(isWindows && data !== undefined ? [path.join(data, "Microsoft", "WindowsApps")] : []),
	];
	const listed = new Set(searchedIn(environment).map((folder) => comparedPath(folder)));
	const name = isWindows ? "mcp-host.cmd" : "mcp-host";
	return folders.map((folder) => ({
		folder,
		file: path.join(folder, name),
		isInPath: listed.has(comparedPath(folder)),
	}));
}

/** Where the command of this launcher is installed; undefined if it is not. Never rejects. */
export async function installedCommand(launcher: string, machine: CommandMachine): Promise<CommandPlace | undefined> {
	for (const place of commandPlaces(machine)) if (await isOurs(place.file, launcher)) return place;
	return undefined;
}

/**
 * Installs the command in the first folder that terminals search and that the user may write, otherwise in the first.
 * @throws HostError `invalid` if another program's command of that name is there.
 */
export async function installCommand(launcher: string, machine: CommandMachine): Promise<CommandPlace> {
	const present = await installedCommand(launcher, machine);
	if (present !== undefined) return present;
	const places = commandPlaces(machine);
	let chosen = places[0];
	for (const place of places) {
		if (!place.isInPath || !(await mayWrite(place.folder, machine.home))) continue;
		chosen = place;
		break;
	}
	if (chosen === undefined) throw new HostError("invalid", "There is no folder for commands on this machine.");
	const { folder, file } = chosen;
	if ((await lstat(file).catch(() => undefined)) !== undefined) {
		throw new HostError(
			"invalid",
			`${file} is there already, and MCP Host did not write it. Nothing was changed. Remove it first.`,
		);
	}
	await mkdir(folder, { recursive: true });
	if (isWindows) await writeFile(file, batchFor(folder, launcher));
	else await symlink(launcher, file);
	return chosen;
}

/** Removes the command, wherever it was installed; returns the files. Other programs' commands stay. */
export async function uninstallCommand(launcher: string, machine: CommandMachine): Promise<readonly string[]> {
	const removed: string[] = [];
	for (const { file } of commandPlaces(machine)) {
		if (!(await isOurs(file, launcher))) continue;
		await rm(file);
		removed.push(file);
	}
	return removed;
}

/** The line that adds a folder to the path of a shell; undefined on Windows, where that is a setting. */
export function pathLine({ folder }: CommandPlace, home: string): string | undefined {
	if (isWindows) return undefined;
	const short = isWithin(folder, home) ? `$HOME/${path.relative(home, folder)}` : folder;
	return `export PATH="${short}:$PATH"`;
}

/** The message after the command was installed: where it is, and what is left to do. */
export function installedText(place: CommandPlace, home: string): string {
	const { folder, file, isInPath } = place;
	if (isInPath) return `The command “mcp-host” is installed: ${file}.`;
	const line = pathLine(place, home);
	const how =
		line === undefined
			? `Add it to “Path” in the environment variables of your account, then open a new terminal.`
			: `Add this line to the profile of your shell, such as ~/.profile, then open a new terminal: ${line}`;
	return `The command “mcp-host” is installed: ${file}. But terminals do not search ${folder}. ${how}`;
}

/** The message after the command was removed from these files. */
export function removedText(files: readonly string[]): string {
	if (files.length === 0) return "The command “mcp-host” is not installed.";
	return `The command “mcp-host” was removed: ${files.join(", ")}.`;
}

function batchFor(folder: string, launcher: string): string {
	return batch(`call "${batchPath(folder, launcher)}" %*`);
}

async function isOurs(file: string, launcher: string): Promise<boolean> {
	if (isWindows) return (await readFile(file, "utf8").catch(() => "")) === batchFor(path.dirname(file), launcher);
	return (await readlink(file).catch(() => "")) === launcher;
}

async function mayWrite(folder: string, home: string): Promise<boolean> {
	const isThere = await access(folder, constants.W_OK).then(
		() => true,
		(error: NodeJS.ErrnoException) => (error.code === "ENOENT" && isWithin(folder, home) ? undefined : false),
	);
	// A folder of the user that is in the path may be made.
	return isThere ?? true;
}

function searchedIn(environment: CommandMachine["environment"]): readonly string[] {
	const name = Object.keys(environment).find((key) => (isWindows ? key.toUpperCase() : key) === "PATH");
	return (name === undefined ? "" : (environment[name] ?? ""))
		.split(path.delimiter)
		.filter((folder) => folder !== "")
		.map((folder) => path.resolve(folder));
}
