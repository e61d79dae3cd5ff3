import { execFile } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { ServerProcess } from "./childProcess.ts";
import {
	readWindowsProcesses,
	taskkill,
	type WindowsLife,
	type WindowsProcess,
	windowsTree,
} from "./windowsProcesses.ts";

/** How long a server may take to end when its input ends, and once it is ended, in milliseconds. */
const waits = { polite: 600, forced: 1200 };
/** How long the program that ends processes may take, in milliseconds. */
const killMs = 2000;

/** The parts of Windows that ending a server needs. */
export interface WindowsProcesses {
	read(): Promise<readonly WindowsProcess[]>;
	/** Ends these processes, and with `withTree` those below the first one. Never rejects. */
	kill(pids: readonly number[], withTree: boolean): Promise<void>;
}

const system: WindowsProcesses = {
	read: readWindowsProcesses,
	kill: async (pids, withTree) => {
		const args = [...pids.flatMap((pid) => ["/PID", String(pid)]), ...(withTree ? ["/T"] : []), "/F"];
		await new Promise<void>((resolve) => {
			execFile(taskkill(), args, { timeout: killMs, windowsHide: true }, () => resolve());
		});
	},
};

/**
 * Ends a server of Windows and all that it started: end of input, then all that is left of it. A process whose parent is
 * gone is found by a look before: Windows has no groups. Whether the server and those are gone. Never rejects.
 */
export async function endWindowsProcess(
	child: ServerProcess,
	pid: number,
	windows: WindowsProcesses = system,
): Promise<boolean> {
	const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
	const exited = hasExited() ? Promise.resolve() : once(child, "exit").then(nothing, nothing);
	const within = async (waitMs: number): Promise<void> => {
		if (!hasExited()) await Promise.race([exited, setTimeout(waitMs)]);
	};
	// Its number cannot be another's before it exits: the handle that Node has to it keeps it.
	const life: WindowsLife = { pid, knownAt: Date.now(), endedAt: undefined };
	const family = hasExited() ? [] : windowsTree([life], await windows.read());
	const lookedAt = Date.now();
	child.stdin.end();
	await within(waits.polite);
	// Those that are made while others are ended are found by the second look.
	for (const waitMs of [waits.forced, waits.polite]) {
		const left = family.length > 1 || !hasExited() ? leftOf(family, lookedAt, await windows.read()) : [];
		if (left.length === 0 && hasExited()) return true;
		// The list of processes may be empty: a system may refuse it.
		if (left.length > 0) await windows.kill(left, false);
		if (!hasExited()) await windows.kill([pid], true);
		// The handle that Node has to the server needs no program of Windows, which a policy may forbid.
		if (!hasExited()) child.kill();
		await within(waitMs);
	}
	return hasExited();
}

/** The numbers of those of a family that exist, and of what they started. */
function leftOf(
	family: readonly WindowsProcess[],
	lookedAt: number,
	processes: readonly WindowsProcess[],
): readonly number[] {
	const lives = family.map(({ pid, madeAt }) => ({ pid, knownAt: madeAt, endedAt: lookedAt }));
	return windowsTree(lives, processes).map(({ pid }) => pid);
}

function nothing(): void {}
