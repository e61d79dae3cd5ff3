import { promises as fs } from "node:fs";
import { delimiter, resolve } from "node:path";
import { HostError, messageOf } from "../../base/errors.ts";
import { textOfBytes } from "../../base/fileText.ts";
import { isWithin } from "../../base/folderPaths.ts";
import type { Launch } from "../launch.ts";
import { decidesWhatRuns } from "./decidingVariables.ts";
import { searchPath } from "./findCommand.ts";
import { unsafeFolders, withoutFolders } from "./searchedFolders.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

const inheritedNames = new Set("HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER".split(" "));
const inheritedOnWindows = new Set(
	(
		"APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES " +
		"PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR"
	).split(" "),
);
/** Locale, proxies, certificate files and base directories: servers fail in corporate networks without them. */
const inheritedPattern = /^(LC_\w+|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|XDG_\w+)$/i;

/**
 * Whether a server receives a variable of VS Code's environment; all others, including tokens and internals, are
 * withheld (CFG-14). A definition adds those that it declares in `env` and `envFile`.
 */
export function isInherited(name: string, platform: NodeJS.Platform = process.platform): boolean {
	const isKnown = platform === "win32" ? inheritedOnWindows.has(name.toUpperCase()) : inheritedNames.has(name);
	return isKnown || inheritedPattern.test(name);
}

const maxEnvFileBytes = 64 * 1024;

/**
 * The environment of a server: the allow-list, then its declared variables, including its file. Folders of VS Code's
 * PATH that must not be searched are left out (CFG-40) and passed to `onLeftOut`; those that only the definition names
 * are approved with it.
 */
export async function serverEnvironment(
	launch: StdioLaunch,
	base: Readonly<Record<string, string | undefined>> = process.env,
	onLeftOut: (folders: readonly string[]) => void = () => undefined,
): Promise<Record<string, string>> {
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(base)) {
		// A value that starts with "()" is an exported shell function, which a child shell would run.
		if (value !== undefined && isInherited(name) && !value.startsWith("()")) {
			environment[name] = value;
		}
	}
	const unsafe = await unsafeFolders(searchPath(environment), launch.closedFolders ?? []);
	for (const [name, value] of Object.entries(launch.env)) setVariable(environment, name, value);
	const leftOut = new Set<string>();
	for (const [name, value] of Object.entries(environment)) {
		if (!(process.platform === "win32" ? /^path$/i : /^PATH$/).test(name)) continue;
		for (const folder of value.split(delimiter)) if (unsafe.has(folder)) leftOut.add(folder);
		if (leftOut.size > 0) environment[name] = withoutFolders(value, unsafe);
	}
	if (leftOut.size > 0) onLeftOut([...leftOut]);
	return environment;
}

/** Sets a variable in place of the former one; on Windows, where one of two spellings would count, of any spelling. */
export function setVariable(
	environment: Record<string, string>,
	name: string,
	value: string,
	platform: NodeJS.Platform = process.platform,
): void {
	if (platform === "win32")
		for (const other of Object.keys(environment))
			if (other.toUpperCase() === name.toUpperCase()) delete environment[other];
	environment[name] = value;
}

/**
 * The variables in the file that a server names; empty if it names none.
 * @throws HostError `start-failed` when the file cannot be read, is outside the folder whose server this is, or sets a
 * variable that decides what code runs (CFG-28).
 */
export async function readEnvFile({ envFile, envFolder, cwd }: StdioLaunch): Promise<Record<string, string>> {
	if (envFile === undefined) return {};
	const path = resolve(cwd, envFile);
	const unreadable = (error: unknown): never => {
		throw new HostError("start-failed", `The file ${path} in "envFile" cannot be read: ${messageOf(error)}`);
	};
	// The checked file is the one that is read, even if the name changes meanwhile.
	const real = await fs.realpath(path).catch(unreadable);
	if (envFolder !== undefined) {
		if (!isWithin(real, await fs.realpath(envFolder).catch(unreadable))) {
			throw new HostError(
				"start-failed",
				`The file ${path} in "envFile" is outside ${envFolder}, where this server is configured. Move the file into that folder.`,
			);
		}
	}
	const stat = await fs.stat(real).catch(unreadable);
	// Devices and huge files would hang or fill the editor (CFG-13).
	if (!stat.isFile() || stat.size > maxEnvFileBytes) {
		throw new HostError("start-failed", `"envFile" must name a regular file of at most 64 KB: ${path}`);
	}
	const values: Record<string, string> = {};
	for (const line of textOfBytes(await fs.readFile(real).catch(unreadable)).split(/\r?\n/)) {
		const [name, value] = assignmentIn(line) ?? [];
		if (name === undefined || value === undefined) continue;
		if (decidesWhatRuns(name)) {
			throw new HostError(
				"start-failed",
				`The file ${path} sets ${name}, which affects what code runs. Move it to "env" of the server, so that you see it before you approve.`,
			);
		}
		values[name] = value;
	}
	return values;
}

/** The name and the value that a line of an environment file sets; undefined where it sets nothing. */
function assignmentIn(line: string): readonly [name: string, value: string] | undefined {
	const end = line.indexOf("=");
	if (end === -1) return undefined;
	const name = line
		.slice(0, end)
		.trim()
		.replace(/^export\s+/, "");
	if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
	const value = line.slice(end + 1).trim();
	const quote = value.at(0);
	const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
	return [name, isQuoted ? value.slice(1, -1) : value];
}
