import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { commandFault } from "./commandFault.ts";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../launch.ts";
import { findCommand, searchPath } from "./findCommand.ts";
import { serverEnvironment } from "./serverEnvironment.ts";
import { folderFault, lostFolder, startFault } from "./startFault.ts";
import { watchdog } from "./watchdog.ts";
import { windowsCommand } from "./windowsCommand.ts";

const isWindows = process.platform === "win32";

/** A running server process with its three pipes. */
export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a server process in its own process group, so that all its descendants can be ended with it, also when this
 * process is killed. `onWarning` is called when nothing can do the latter, and for folders that PATH lost.
 * @throws HostError `start-failed` that says which folder or command was not found, and where it was looked for.
 */
export async function startProcess(
	launch: Extract<Launch, { kind: "stdio" }>,
	onWarning: (warning: string) => void = () => undefined,
): Promise<ServerProcess> {
	const folder = await fs.stat(launch.cwd).catch((error: unknown) => ({ error }));
	if ("error" in folder || !folder.isDirectory()) {
		throw new HostError("start-failed", folderFault(launch.cwd, "error" in folder ? folder.error : undefined));
	}
	await fs.access(launch.cwd, constants.X_OK).catch((cause: unknown) => {
		throw new HostError("start-failed", `You do not have permission to use the working directory ${launch.cwd}.`, {
			cause,
		});
	});
	const environment = await serverEnvironment(launch, process.env, (folders) => onWarning(leftOutOfPath(folders)));
	const path = searchPath(environment);
	const command = await findCommand(launch.command, launch.cwd, path);
	if (command === undefined) {
		const fault = commandFault(launch.command, launch.args.length > 0);
		throw new HostError(
			"start-failed",
			fault !== undefined
				? `The command ${launch.command} was not found: it ${fault.what}. ${fault.advice}`
				: /[\\/]/.test(launch.command)
					? `The command ${launch.command} was not found or is not executable.`
					: `The command ${launch.command} was not found. ${howToGet(launch.command)} Searched in PATH: ${path}`,
		);
	}
	const program = isWindows
		? await windowsCommand(command, launch.args, launch.cwd, environment)
		: { command, args: launch.args, windowsVerbatimArguments: false };
	const lost = isWindows ? lostFolder(command, launch.cwd) : undefined;
	if (lost !== undefined) onWarning(lost);
	const failure = (cause: unknown): HostError =>
		new HostError("start-failed", `${launch.command} could not be started${startFault(cause)}.`, { cause });
	let child: ServerProcess;
	try {
		const { started, isWatched } = watchdog.watch(() =>
			spawn(program.command, [...program.args], {
				windowsVerbatimArguments: program.windowsVerbatimArguments,
				cwd: launch.cwd,
				env: environment,
				stdio: ["pipe", "pipe", "pipe"],
				detached: !isWindows,
				windowsHide: true,
				shell: false,
			}),
		);
		if (!hasPipes(started)) throw new Error("The process has no pipes.");
		child = started;
		if (!isWatched)
			onWarning("The watchdog could not be started. If the editor crashes, this server may keep running.");
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

function hasPipes(child: ChildProcess): child is ServerProcess {
	return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

function leftOutOfPath(folders: readonly string[]): string {
	const named = folders.map((folder) => (folder === "" ? "an empty one" : oneLine(folder))).join(", ");
	return `Some folders of PATH were left out, because they are not absolute or are in a workspace that is not trusted: ${named}.`;
}

/** Which product installs which command, for the commands that start most servers. */
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
		: `It comes with ${bringer}: install ${bringer}, or give the command's full path.`;
}
