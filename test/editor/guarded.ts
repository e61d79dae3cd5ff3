import { spawn } from "node:child_process";
import { openSync, closeSync } from "node:fs";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The command that the guardian process runs and the folders that it removes at the end. */
export interface GuardedCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly folders: readonly string[];
}

/** A command that cannot outlive this process. */
export interface GuardedProcess {
	/** The id of the guardian, the parent of the command. */
	readonly pid: number;
	/** The exit code once the command has ended on its own, otherwise undefined. */
	readonly exitCode: number | undefined;
	/** Waits until the command has ended, on its own or by `stop`. */
	wait(): Promise<void>;
	/** Ends the process tree, removes the folders, and returns when both have happened. */
	stop(): Promise<void>;
}

/** Starts `command` in a process group of its own, with its output in `logFile`. */
export function startGuarded(command: GuardedCommand, logFile: string, env: NodeJS.ProcessEnv): GuardedProcess {
	const log = openSync(logFile, "a");
	const guardian = spawn(
		process.execPath,
		[
			"--disable-warning=ExperimentalWarning",
			fileURLToPath(new URL("guardian.ts", import.meta.url)),
			JSON.stringify(command),
		],
		{ env, stdio: ["pipe", log, log], detached: true, windowsHide: true },
	);
	closeSync(log);
	guardian.stdin?.on("error", () => undefined);
	guardian.unref();
	return {
		pid: guardian.pid ?? -1,
		get exitCode() {
			return guardian.exitCode ?? undefined;
		},
		wait: async () => {
			if (guardian.exitCode === null && guardian.signalCode === null) {
				guardian.ref();
				await once(guardian, "exit");
			}
		},
		stop: async () => {
			if (guardian.exitCode === null && guardian.signalCode === null) {
				guardian.ref();
				const ended = once(guardian, "exit");
				guardian.stdin?.end();
				await ended;
			}
			for (const folder of command.folders) {
				await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
			}
		},
	};
}
