import { constants, promises as fs } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The PATH of an environment, however Windows writes its name. */
export function searchPath(environment: Readonly<Record<string, string | undefined>>): string {
	return environment["PATH"] ?? environment["Path"] ?? "";
}

/**
 * The executable that a command names: a path against `cwd`, a bare name in PATH only, never in `cwd` (CFG-15).
 * Undefined if there is none.
 */
export async function findCommand(command: string, cwd: string, path: string): Promise<string | undefined> {
	const isExecutable = (candidate: string): Promise<boolean> =>
		fs.access(candidate, constants.X_OK).then(
			async () => (await fs.stat(candidate)).isFile(),
			() => false,
		);
	if (/[\\/]/.test(command)) {
		const candidate = resolve(cwd, command);
		// Windows adds an extension automatically; there the spawn decides.
		return process.platform === "win32" || (await isExecutable(candidate)) ? candidate : undefined;
	}
	const extensions = windowsExtensions(command);
	for (const directory of path.split(delimiter)) {
		if (!isAbsolute(directory)) continue;
		for (const extension of extensions) {
			const candidate = join(directory, command + extension);
			if (await isExecutable(candidate)) return candidate;
		}
	}
	return undefined;
}

/**
 * The extensions that Windows appends to a bare name. A name without one is never run there: `npx` beside `npx.cmd` is
 * a script of sh.
 */
function windowsExtensions(command: string): readonly string[] {
	if (process.platform !== "win32") return [""];
	const known = (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";");
	return known.some((extension) => command.toUpperCase().endsWith(extension.toUpperCase())) ? [""] : known;
}
