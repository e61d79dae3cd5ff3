import { realpath } from "node:fs/promises";
import { delimiter, isAbsolute, resolve, sep } from "node:path";
import type { Launch } from "../../protocol/launch.ts";
import { findCommand, interpreterOf, searchPath } from "../../protocol/stdio/findCommand.ts";
import { insideFolders, realPath } from "../../protocol/stdio/insideFolders.ts";
import { serverEnvironment } from "../../protocol/stdio/serverEnvironment.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/**
 * The maximum number of words of one text that are checked as paths: a text with more is a document, not a list of
 * paths.
 */
const maxWords = 1000;
/** No system takes a longer path. */
const maxPathLength = 4096;

/**
 * Names the first part of a command that is inside one of these folders, by its path as written or behind symbolic
 * links, such as `argument 2`; undefined when there is none. Not by its value, which may hold a secret. The working
 * directory counts if `namesCwd` says that the definition names it.
 */
export async function partInside(
	launch: StdioLaunch,
	folders: readonly string[],
	namesCwd: boolean,
): Promise<string | undefined> {
	const { command, args, env, envFile, cwd } = launch;
	const { names, isInside } = await insideFolders(folders);
	const leadsInside = async (text: string): Promise<boolean> => {
		if (names(text) || (/[\\/]/.test(text) && names(resolve(cwd, text)))) return true;
		for (const word of wordsOf(text)) if ((await whereTo(word, cwd)).some(isInside)) return true;
		return false;
	};
	// A bare name is looked for in PATH only, which is the definition's or VS Code's.
	for (const path of /[\\/]/.test(command) ? [] : await foundInPath(launch))
		if (isInside(path) || isInside(await realPath(path))) return "its command";
	const parts: (readonly [name: string, text: string])[] = [
		...args.map((text, index) => [`argument ${index + 1}`, text] as const),
		...Object.entries(env).map(([name, text]) => [`the variable ${name}`, text] as const),
	];
	if (/[\\/]/.test(command)) parts.unshift(["its command", command]);
	if (envFile !== undefined) parts.push(["its environment file", resolve(cwd, envFile)]);
	if (namesCwd) parts.push(["its working directory", cwd]);
	for (const [name, text] of parts) if (await leadsInside(text)) return name;
	return undefined;
}

/** The file of a bare command, and the interpreter of a script, as the start finds both. */
async function foundInPath(launch: StdioLaunch): Promise<readonly string[]> {
	// The file may not set PATH.
	const path = searchPath(await serverEnvironment(launch));
	const found = await findCommand(launch.command, launch.cwd, path);
	if (found === undefined) return [];
	const interpreter = await interpreterOf(found);
	return [found, (interpreter && (await findCommand(interpreter, launch.cwd, path))) ?? found];
}

/**
 * The words of a text that a program may interpret as paths: the whole text, and the parts after `=`, in a list of
 * paths, or of an option that is joined with its path. Of words between blanks only those with a slash, because most
 * are prose.
 */
function wordsOf(text: string): readonly string[] {
	const pieces = text.split(new RegExp(`[=${delimiter}]`), maxWords);
	const amongBlanks = text.split(/[\s"'=,]+/, maxWords).filter((word) => /[\\/]/.test(word));
	const words = [text, ...pieces, ...amongBlanks].flatMap((word) => {
		const [, path] = /^(?:--?[\w-]*|@)([\\/].*)$/s.exec(word) ?? [];
		return path === undefined ? [word] : [word, path];
	});
	return [...new Set(words)].filter((word) => word !== "" && word.length <= maxPathLength).slice(0, maxWords);
}

/** The target of a word relative to a folder; none if a word without a slash is not a file. */
async function whereTo(word: string, cwd: string): Promise<readonly string[]> {
	const path = isAbsolute(word) ? word : cwd + sep + word;
	if (!/[\\/]/.test(word))
		return realpath(path).then(
			(real) => [real],
			() => [],
		);
	// `..` after a symbolic link is beside the link for some programs, and beside the link's target for the system.
	return Promise.all([...new Set([path, resolve(path)])].map(realPath));
}
