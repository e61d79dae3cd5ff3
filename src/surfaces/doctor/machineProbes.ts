import { execFile } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import { homedir } from "node:os";
import { join, win32 } from "node:path";
import { isJsonObject, parseJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { NetworkSettings } from "../../protocol/limits.ts";
import { configuredProxies, proxyFor } from "../../protocol/http/proxies.ts";
import { findCommand, searchPath, variableIn } from "../../protocol/stdio/findCommand.ts";
import { serverEnvironment } from "../../protocol/stdio/serverEnvironment.ts";
import type { Probes } from "./probes.ts";
import { shellPath, type ShellOptions } from "./shellPath.ts";
import { succeeds } from "../../base/files.ts";

/** How long a program may take to report its version, in milliseconds. */
const versionMs = 10_000;
/** How many packages of npx's cache are examined. */
const mostCached = 300;

/** The dependencies of the probes of this machine. */
export interface MachineOptions extends ShellOptions {
	readonly network: NetworkSettings;
}

/** Looks at this machine and its network. */
export function machineProbes(options: MachineOptions): Probes {
	return {
		path: async (launch) => searchPath(await serverEnvironment(launch, options.environment)),
		find: (command, { cwd }, path) => findCommand(command, cwd, path),
		standing: async (path) => {
			const stat = await fs.stat(path).catch(() => undefined);
			if (stat === undefined) return "missing";
			if (!stat.isFile()) return "folder";
			return (await succeeds(fs.access(path, constants.X_OK))) ? "program" : "not-executable";
		},
		version: async (program, launch, path, signal) => {
			const base = await serverEnvironment(launch, options.environment);
			return versionOf(program, { ...base, PATH: path }, signal);
		},
		shellPath: (signal) => shellPath(options, signal),
		isCached: (name) => isCachedByNpx(name, options.environment),
		proxyOf: (url) => {
			try {
				return proxyFor(new URL(url), configuredProxies(options.network))?.host;
			} catch {
				// The answer of the address shows that it cannot be used.
				return undefined;
			}
		},
		ask: async (launch, question, signal) => {
			const { askHttp } = await import("./httpProbe.ts");
			return askHttp(launch, question, options.network, signal);
		},
		dial: async (launch, signal) => {
			const { dial } = await import("./dial.ts");
			return dial(launch, options.network, signal);
		},
	};
}

/** A program's answer to `--version`, started without changes, without a shell, in no folder of a workspace. */
async function versionOf(
	program: string,
	env: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<string | undefined> {
	const answer = await new Promise<string>((resolve) => {
		const options = {
			env,
			cwd: homedir(),
			timeout: versionMs,
			maxBuffer: 64 * 1024,
			signal,
			windowsHide: true,
		} as const;
		// Windows runs no script of npm without its shell; for these, Node itself is asked.
		if (/\.(?:cmd|bat)$/i.test(program)) resolve("");
		else execFile(program, ["--version"], options, (_error, stdout) => resolve(stdout));
	}).catch(() => "");
	signal.throwIfAborted();
	const line = answer.split("\n").find((text) => text.trim() !== "");
	return line === undefined ? undefined : oneLine(line, 80);
}

async function isCachedByNpx(
	name: string,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
	const cache = environment["npm_config_cache"] ?? npmCache(environment);
	const folder = join(cache, "_npx");
	const names = await fs.readdir(folder).catch(() => []);
	for (const one of names.slice(0, mostCached)) {
		const text = await fs.readFile(join(folder, one, "package.json"), "utf8").catch(() => "");
		if (text.length < 10_000 && dependenciesIn(text).includes(name)) return true;
	}
	return false;
}

/** Where npm keeps what it downloads (https://docs.npmjs.com/cli/using-npm/config, "cache"). */
export function npmCache(
	environment: Readonly<Record<string, string | undefined>>,
	platform: NodeJS.Platform = process.platform,
): string {
	if (platform !== "win32") return join(environment["HOME"] ?? homedir(), ".npm");
	const local = variableIn(environment, "LOCALAPPDATA", platform);
	return win32.join(local ?? win32.join(homedir(), "AppData", "Local"), "npm-cache");
}

function dependenciesIn(text: string): readonly string[] {
	const dependencies = parseJsonObject(text)?.["dependencies"];
	return isJsonObject(dependencies) ? Object.keys(dependencies) : [];
}
