import { type ChildProcessByStdio, spawn } from "node:child_process";
import { parse } from "node:path";
import type { Writable } from "node:stream";
import { watchdogScript, watchOnWindows } from "./watchdogPrograms.ts";
import { systemPath } from "./searchedFolders.ts";
import { parseWindowsProcesses, taskkill, windowsQuery, windowsTree } from "./windowsProcesses.ts";

/** How to start a watchdog. */
export interface WatchdogCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** After this many watchdogs that ended unexpectedly, no other is started. */
const maxLosses = 5;

/**
 * Sees to it that no server outlives this process, even when that is killed (PRC-03): a small process of its
 * own, started with the first server, learns each server's process group through a pipe. When the pipe breaks it ends
 * the groups that are left; when the last server was stopped it leaves.
 */
export class Watchdog {
	private readonly command: WatchdogCommand;
	private readonly groups = new Set<number>();
	private child: ChildProcessByStdio<Writable, null, null> | undefined;
	private losses = 0;

	constructor(command: WatchdogCommand = defaultCommand()) {
		this.command = command;
	}

	/** The watchdog's process, undefined while there is nothing to watch. */
	get pid(): number | undefined {
		return this.child?.pid;
	}

	/**
	 * Starts a process and watches it from its first moment. A server starts without a watchdog too, if there is none.
	 * @returns the process, and whether it is watched.
	 * @throws the errors of `start`.
	 */
	watch<T extends { readonly pid?: number | undefined }>(
		start: () => T,
	): { readonly started: T; readonly isWatched: boolean } {
		// It exists before the process does, so there is no moment in which nothing would notice the end of the host.
		this.child ??= this.startChild();
		const isWatched = this.child !== undefined;
		let started: T;
		try {
			started = start();
			if (started.pid !== undefined) this.groups.add(started.pid);
		} finally {
			this.leaveWhenIdle();
		}
		if (started.pid !== undefined) this.send(`+ ${started.pid}`);
		return { started, isWatched };
	}

	/** A group is gone: its number may soon be another's. */
	forget(pid: number): void {
		if (!this.groups.delete(pid)) return;
		this.send(`- ${pid}`);
		this.leaveWhenIdle();
	}

	private leaveWhenIdle(): void {
		if (this.groups.size > 0) return;
		this.child?.stdin.end("bye\n");
		this.child = undefined;
	}

	private send(line: string): void {
		this.child?.stdin.write(`${line}\n`);
	}

	private startChild(): ChildProcessByStdio<Writable, null, null> | undefined {
		if (this.losses >= maxLosses) return undefined;
		const { command, args, env } = this.command;
		// Its own session: signals to the host's group do not reach it. Windows does not let anybody remove the folder in
		// which a process runs.
		const cwd = parse(process.execPath).root;
		const options = { env, cwd, detached: true, windowsHide: true } as const;
		let child: ChildProcessByStdio<Writable, null, null>;
		try {
			child = spawn(command, args, { ...options, stdio: ["pipe", "ignore", "ignore"] });
		} catch {
			return undefined;
		}
		// Both are also reported by `exit`, or by the missing id.
		child.on("error", () => undefined);
		child.stdin.on("error", () => undefined);
		if (child.pid === undefined) return undefined;
		child.once("exit", () => this.replace(child));
		// It must not keep the process alive that it watches.
		child.unref();
		if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
		return child;
	}

	/** The watchdog was ended: another one replaces it. */
	private replace(lost: ChildProcessByStdio<Writable, null, null>): void {
		if (this.child !== lost) return;
		this.losses++;
		this.child = this.startChild();
		for (const pid of this.groups) this.send(`+ ${pid}`);
	}
}

/** The watchdog of this process. */
export const watchdog = new Watchdog();

function defaultCommand(): WatchdogCommand {
	if (process.platform === "win32") {
		// On the desktop this process is Electron, started in Node mode.
		const env = { ELECTRON_RUN_AS_NODE: "1", SYSTEMROOT: process.env["SYSTEMROOT"] ?? "" };
		return { command: process.execPath, args: ["-e", windowsWatchdog()], env };
	}
	const env = { PATH: systemPath(process.env["PATH"]) };
	return { command: "/bin/sh", args: ["-c", watchdogScript, "mcp-host-watchdog"], env };
}

/** The program of the watchdog of Windows, for Node. */
export function windowsWatchdog(): string {
	const query = JSON.stringify({ program: windowsQuery.program(), args: windowsQuery.args });
	const tools = `parse: ${parseWindowsProcesses.toString()}, treeOf: ${windowsTree.toString()}`;
	return `(${watchOnWindows.toString()})({ ${tools}, query: ${query}, taskkill: ${JSON.stringify(taskkill())} })`;
}
