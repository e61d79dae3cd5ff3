import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { ServerProcess } from "./childProcess.ts";
import { descendantsOf, readProcess, readProcesses, type ProcessEntry } from "./processTable.ts";
import { watchdog } from "./watchdog.ts";
import { endWindowsProcess } from "./endWindowsProcess.ts";

/** The signal for a server, and how long the server may take, in milliseconds. */
const steps = [
	{ signal: undefined, waitMs: 600 },
	{ signal: "SIGTERM", waitMs: 1200 },
	{ signal: "SIGKILL", waitMs: 300 },
	// Processes that were forked while the signal was sent.
	{ signal: "SIGKILL", waitMs: 500 },
] as const;

/** How long a server that resists is waited for in total, in milliseconds. VS Code gives a closing window 5000. */
export const longestEndMs = steps.reduce((sum, { waitMs }) => sum + waitMs, 0);

const firstPollMs = 2;
const longestPollMs = 40;

/**
 * Ends a server and all that it started: end of input, then SIGTERM, then SIGKILL (specification, "Shutdown"), to its
 * process group and to those that left the group. Whether all of them are gone; zombies are. Never rejects.
 */
export async function endProcess(child: ServerProcess): Promise<boolean> {
	const isGone = await end(child);
	// If a process resists even SIGKILL, the watchdog tries again.
	if (isGone && child.pid !== undefined) watchdog.forget(child.pid);
	return isGone;
}

async function end(child: ServerProcess): Promise<boolean> {
	const { pid } = child;
	if (pid === undefined) {
		child.stdin.end();
		return true;
	}
	// Windows has neither groups nor signals.
	if (process.platform === "win32") return endWindowsProcess(child, pid);
	const family = new ProcessFamily(child, pid);
	// Before it obeys: its children would lose the parent by which they are found.
	if (child.exitCode === null && child.signalCode === null) await family.look();
	child.stdin.end();
	for (const { signal, waitMs } of steps) {
		if (signal !== undefined) await family.send(signal);
		if (await family.isGone(waitMs)) return true;
	}
	return false;
}

/** A server, its process group, and its descendants that left the group. */
class ProcessFamily {
	private readonly child: ServerProcess;
	/** The server's process id, which is its group's as well. */
	private readonly pid: number;
	private readonly exited: Promise<unknown>;
	/** Those that were seen when it was last looked, in the group or out of it. */
	private seen: readonly ProcessEntry[] = [];
	/** A process that lived at the last check: while it lives, no other needs to be checked. */
	private survivor: ProcessEntry | undefined;

	constructor(child: ServerProcess, pid: number) {
		this.child = child;
		this.pid = pid;
		this.exited = this.hasExited ? Promise.resolve() : once(child, "exit").catch(() => undefined);
	}

	/**
	 * The processes of the family that are alive. Notices those that left the group, which a signal to it does not reach.
	 */
	async look(): Promise<{ readonly group: readonly ProcessEntry[]; readonly strays: readonly ProcessEntry[] }> {
		const { pid, hasExited } = this;
		const living = (await readProcesses()).filter(({ isZombie }) => !isZombie);
		// An id may have been reused for another process by now (PRC-14).
		const byPid = new Map(living.map((entry) => [entry.pid, entry]));
		const known = this.seen.filter((entry) => isSame(byPid.get(entry.pid), entry)).map(({ pid: own }) => own);
		const found = descendantsOf([...(hasExited ? [] : [pid]), ...known], living);
		const family = new Set([...known, ...found.map((entry) => entry.pid)]);
		// No number is given out again while a process or a group has it. So a process that has the number of a server
		// which is gone proves that the server's group is gone too.
		const isOurs = !hasExited || !byPid.has(pid);
		const group = isOurs ? living.filter((entry) => entry.group === pid) : [];
		const strays = living.filter((entry) => family.has(entry.pid) && entry.group !== pid);
		this.seen = [...group, ...strays];
		return { group, strays };
	}

	async send(signal: NodeJS.Signals): Promise<void> {
		const { group, strays } = await this.look();
		if (group.length > 0 || !this.hasExited) kill(-this.pid, signal);
		for (const { pid } of strays) kill(pid, signal);
	}

	/** Whether nobody lives any more, at the latest after a time. */
	async isGone(withinMs: number): Promise<boolean> {
		const end = performance.now() + withinMs;
		for (let pollMs = firstPollMs; await this.lives(); pollMs = Math.min(pollMs * 2, longestPollMs)) {
			const left = end - performance.now();
			if (left <= 0) return false;
			// The end of a descendant has no event of its own, so it is polled.
			const pause = setTimeout(Math.min(pollMs, left));
			await (this.hasExited ? pause : Promise.race([pause, this.exited]));
		}
		return true;
	}

	private get hasExited(): boolean {
		return this.child.exitCode !== null || this.child.signalCode !== null;
	}

	private async lives(): Promise<boolean> {
		if (!this.hasExited) return true;
		const groupExists = kill(-this.pid, 0);
		// Who was seen in the group may have left it since.
		if (!groupExists && !this.seen.some(({ pid }) => kill(pid, 0))) return false;
		// Elsewhere the first process collects every orphan, so that zombies do not stay.
		if (process.platform !== "linux") return true;
		if (this.survivor !== undefined && isSame(readProcess(this.survivor.pid), this.survivor)) return true;
		const { group, strays } = await this.look();
		this.survivor = group[0] ?? strays[0];
		return this.survivor !== undefined;
	}
}

/** Whether the process that has a number now is the one that was seen with it before, and lives. */
function isSame(now: ProcessEntry | undefined, { startedAt }: ProcessEntry): boolean {
	return now !== undefined && now.startedAt === startedAt && !now.isZombie;
}

/** Sends a signal to a process, or to a group by its negative id. False if it does not exist. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}
