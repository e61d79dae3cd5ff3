import type { ChildProcessByStdio } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";
import { HostError, messageOf } from "../base/errors.ts";
import type { Launch } from "../servers/variables.ts";
import { watchdog } from "./watchdog.ts";

/** A running server process with its three pipes. */
export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * What a server gets of the editor's environment; all else, tokens and editor internals among it, stays here
 * (security.md CFG-14). A definition adds what it declares in `env` and `envFile`.
 */
const inheritedNames: ReadonlySet<string> = new Set(
	(process.platform === "win32"
		? "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES " +
			"PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR"
		: "HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER"
	).split(" "),
);
/** Locale, proxies, certificate files and base directories: servers fail in corporate networks without them (spec.md S9). */
const inheritedPattern = /^(LC_\w+|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|XDG_\w+)$/i;

const maxEnvFileBytes = 64 * 1024;

/** The environment of a server: the allow-list, then the file that it names, then what it declares. */
export async function serverEnvironment(
	launch: Extract<Launch, { kind: "stdio" }>,
	base: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Record<string, string>> {
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(base)) {
		const isInherited = inheritedNames.has(process.platform === "win32" ? name.toUpperCase() : name);
		// A value that starts with "()" is an exported shell function, which a child shell would run.
		if (value !== undefined && (isInherited || inheritedPattern.test(name)) && !value.startsWith("()")) {
			environment[name] = value;
		}
	}
	if (launch.envFile !== undefined) Object.assign(environment, await readEnvFile(resolve(launch.cwd, launch.envFile)));
	return Object.assign(environment, launch.env);
}

async function readEnvFile(path: string): Promise<Record<string, string>> {
	const unreadable = (error: unknown): never => {
		throw new HostError("start-failed", `The file ${path} that "envFile" names cannot be read: ${messageOf(error)}`);
	};
	const stat = await fs.stat(path).catch(unreadable);
	// Devices and huge files would hang or fill the editor (security.md CFG-13).
	if (!stat.isFile() || stat.size > maxEnvFileBytes) {
		throw new HostError("start-failed", `"envFile" must name a regular file of at most 64 KB: ${path}`);
	}
	const values: Record<string, string> = {};
	for (const line of (await fs.readFile(path, "utf8").catch(unreadable)).split(/\r?\n/)) {
		const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
		if (match?.[1] === undefined) continue;
		values[match[1]] = (match[2] ?? "").replace(/^(['"])(.*)\1$/, "$2");
	}
	return values;
}

/**
 * Starts a server process in a process group of its own, so that everything it starts can be ended with it, also when
 * this process is killed. `onWarning` hears when there is nobody to see to the latter.
 * @throws HostError `start-failed` that says which folder or command was not found, and where it was looked for.
 */
export async function startProcess(
	launch: Extract<Launch, { kind: "stdio" }>,
	onWarning: (warning: string) => void = () => undefined,
): Promise<ServerProcess> {
	const folder = await fs.stat(launch.cwd).catch(() => undefined);
	if (folder?.isDirectory() !== true) {
		throw new HostError("start-failed", `The working directory ${launch.cwd} is not a folder.`);
	}
	await fs.access(launch.cwd, constants.X_OK).catch((cause: unknown) => {
		throw new HostError("start-failed", `The working directory ${launch.cwd} may not be entered.`, { cause });
	});
	const environment = await serverEnvironment(launch);
	const path = environment["PATH"] ?? environment["Path"] ?? "";
	const command = await findCommand(launch.command, launch.cwd, path);
	if (command === undefined) {
		throw new HostError(
			"start-failed",
			/[\\/]/.test(launch.command)
				? `The command ${launch.command} was not found or is not executable.`
				: `The command ${launch.command} was not found. ${howToGet(launch.command)} Searched in PATH: ${path}`,
		);
	}
	const failure = (cause: unknown): HostError =>
		new HostError("start-failed", `${launch.command} could not be started${reasonOf(cause)}.`, { cause });
	let child: ServerProcess;
	try {
		const { started, isWatched } = watchdog.watch(
			() =>
				spawn(command, [...launch.args], {
					cwd: launch.cwd,
					env: environment,
					stdio: ["pipe", "pipe", "pipe"],
					detached: process.platform !== "win32",
					windowsHide: true,
					shell: false,
				}) as ServerProcess,
		);
		child = started;
		if (!isWatched) onWarning("The watchdog could not be started: should the editor crash, this server may live on.");
	} catch (error) {
		throw failure(error);
	}
	await new Promise<void>((resolveSpawn, rejectSpawn) => {
		child.once("spawn", resolveSpawn);
		// Stays for good: a later error, as of a signal that cannot be sent, must not end the editor.
		child.on("error", (error) => rejectSpawn(failure(error)));
	});
	return child;
}

/** What comes with what, for the commands that most servers are started by. */
const bringers: Readonly<Record<string, string>> = {
	node: "Node.js",
	npm: "Node.js",
	npx: "Node.js",
	pnpm: "pnpm",
	bunx: "Bun",
	uv: "uv",
	uvx: "uv",
	pipx: "pipx",
	docker: "Docker",
	podman: "Podman",
};

function howToGet(command: string): string {
	const bringer = Object.hasOwn(bringers, command) ? bringers[command] : undefined;
	return bringer === undefined
		? "Install it, or give its full path."
		: `It comes with ${bringer}: install that, or give the command's full path.`;
}

/** Why a process could not be made. Only the code: Node's message may repeat an argument, which may be a secret. */
function reasonOf(error: unknown): string {
	const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
	switch (code) {
		case "ERR_INVALID_ARG_VALUE":
			return ": an argument or an environment variable holds a NUL character";
		case "EACCES":
			return ": permission was denied";
		case "ENOENT":
			return ": what it is run by, as its first line names it, was not found";
		case "E2BIG":
			return ": its arguments and environment are too long";
		default:
			return typeof code === "string" ? ` (${code})` : "";
	}
}

/**
 * The executable that a command names: a path against `cwd`, a bare name in PATH only, never in `cwd`
 * (security.md CFG-15). Undefined when there is none.
 */
async function findCommand(command: string, cwd: string, path: string): Promise<string | undefined> {
	const isExecutable = (candidate: string): Promise<boolean> =>
		fs.access(candidate, constants.X_OK).then(
			async () => (await fs.stat(candidate)).isFile(),
			() => false,
		);
	if (/[\\/]/.test(command)) {
		const candidate = resolve(cwd, command);
		// Windows adds an extension by itself; there the spawn tells.
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

/** What Windows appends to a bare name. A name without one is never run there: `npx` beside `npx.cmd` is a script of sh. */
function windowsExtensions(command: string): readonly string[] {
	if (process.platform !== "win32") return [""];
	const known = (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";");
	return known.some((extension) => command.toUpperCase().endsWith(extension.toUpperCase())) ? [""] : known;
}
