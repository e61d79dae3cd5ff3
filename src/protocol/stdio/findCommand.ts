import { constants, promises as fs } from "node:fs";
import { posix, win32 } from "node:path";

/** The value of a variable; on Windows, however its name is written. */
export function variableIn(
	environment: Readonly<Record<string, string | undefined>>,
	name: string,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	if (platform !== "win32" || environment[name] !== undefined) return environment[name];
	const written = Object.keys(environment).find((key) => key.toUpperCase() === name.toUpperCase());
	return written === undefined ? undefined : environment[written];
}

/** The PATH of an environment. */
export function searchPath(environment: Readonly<Record<string, string | undefined>>): string {
	return variableIn(environment, "PATH") ?? "";
}

/** The folder that an entry of PATH names, which may be in quotes on Windows; undefined for one that depends on where it is read. */
export function folderOfPath(entry: string, platform: NodeJS.Platform = process.platform): string | undefined {
	if (platform !== "win32") return posix.isAbsolute(entry) ? entry : undefined;
	const folder = entry.replace(/^"(.*)"$/, "$1");
	// A path without a drive is on that of the working directory.
	return /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/.test(folder) ? folder : undefined;
}

/**
 * The executable that a command names: a path against `cwd`, a bare name in PATH only, never in `cwd` (CFG-15).
 * Undefined if there is none.
 */
export async function findCommand(command: string, cwd: string, path: string): Promise<string | undefined> {
	for (const candidate of commandCandidates(command, cwd, path)) if (await isExecutable(candidate)) return candidate;
	return undefined;
}

/** The files that a command may mean, in the order of the search. */
export function commandCandidates(
	command: string,
	cwd: string,
	path: string,
	platform: NodeJS.Platform = process.platform,
	pathExt: string | undefined = process.env["PATHEXT"],
): readonly string[] {
	const paths = platform === "win32" ? win32 : posix;
	const isPath = /[\\/]/.test(command);
	const endings = platform === "win32" ? windowsEndings(command, isPath, pathExt) : [""];
	const folders = path.split(paths.delimiter).flatMap((entry) => folderOfPath(entry, platform) ?? []);
	const places = isPath ? [paths.resolve(cwd, command)] : folders.map((folder) => paths.join(folder, command));
	return places.flatMap((place) => endings.map((ending) => place + ending));
}

/**
 * The extensions that Windows appends to a name. A bare name without one is never run there: `npx` beside `npx.cmd` is a
 * script of sh. A path may be that of a script, whose first line names its interpreter.
 */
function windowsEndings(command: string, isPath: boolean, pathExt: string | undefined): readonly string[] {
	if (isProgramOfWindows(command, pathExt)) return [""];
	const known = endingsIn(pathExt);
	return isPath ? [...known, ""] : known;
}

function isProgramOfWindows(file: string, pathExt?: string): boolean {
	return [...endingsIn(pathExt), ".ps1"].some((ending) => file.toUpperCase().endsWith(ending.toUpperCase()));
}

function endingsIn(pathExt = ".COM;.EXE;.BAT;.CMD"): readonly string[] {
	return pathExt.split(";").filter((ending) => ending.startsWith("."));
}

async function isExecutable(candidate: string): Promise<boolean> {
	const isFile = await fs.access(candidate, constants.X_OK).then(
		async () => (await fs.stat(candidate)).isFile(),
		() => false,
	);
	// Windows has no right to run a file: its ending decides, or its first line.
	if (!isFile || process.platform !== "win32" || isProgramOfWindows(candidate, process.env["PATHEXT"])) return isFile;
	return (await interpreterOf(candidate)) !== undefined;
}

/** The name that the first line of a script looks up in PATH, as `#!/usr/bin/env node` does; on Windows, any interpreter's. */
export async function interpreterOf(file: string): Promise<string | undefined> {
	try {
		await using handle = await fs.open(file);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
		return interpreterIn(buffer.toString("latin1", 0, bytesRead));
	} catch {
		return undefined;
	}
}

/** The same by the beginning of a script's text. */
export function interpreterIn(text: string, platform: NodeJS.Platform = process.platform): string | undefined {
	const [, env] = /^#!\s*\S*\/env\s+(?:-\S+\s+|\w+=\S*\s+)*([^\s/]+)/.exec(text) ?? [];
	if (env !== undefined || platform !== "win32") return env;
	return /^#!\s*(?:\S*[\\/])?([^\s\\/]+)/.exec(text)?.[1];
}
