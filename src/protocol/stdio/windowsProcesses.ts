import { execFile } from "node:child_process";
import { powershell, systemProgram } from "./windowsCommand.ts";

/** One process of Windows. A later process with the same number was made later. */
export interface WindowsProcess {
	readonly pid: number;
	/** The number of the process that made it, which may be gone, and its number another's. */
	readonly parent: number;
	/** In milliseconds since the epoch. */
	readonly madeAt: number;
}

/** The time during which a number was a process's own, in milliseconds since the epoch. */
export interface WindowsLife {
	readonly pid: number;
	/** It existed then. */
	readonly knownAt: number;
	/** It was there until then at least; `undefined` if it is not known to have ended. */
	readonly endedAt: number | undefined;
}

/** How long a look at the processes may take, in milliseconds. */
const lookMs = 2500;

/** The query of all processes but the consoles that Windows makes for them, which end with them. */
export const windowsQuery = {
	program: (): string => systemProgram(powershell),
	args: [
		"-NoLogo",
		"-NoProfile",
		"-NonInteractive",
		"-Command",
		"Get-CimInstance -Query \"SELECT ProcessId, ParentProcessId, CreationDate FROM Win32_Process WHERE Name <> 'conhost.exe'\" | " +
			"ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, " +
			"([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }",
	],
} as const;

/** The program of Windows that ends processes. */
export function taskkill(): string {
	return systemProgram("taskkill.exe");
}

let reading: Promise<readonly WindowsProcess[]> | undefined;

/** The processes that exist now; empty if the system does not list them. Never rejects. */
export function readWindowsProcesses(): Promise<readonly WindowsProcess[]> {
	// Servers that are stopped together share one reading.
	reading ??= new Promise<readonly WindowsProcess[]>((resolve) => {
		const options = { maxBuffer: 1 << 24, timeout: lookMs, windowsHide: true };
		execFile(windowsQuery.program(), windowsQuery.args, options, (_error, stdout) =>
			resolve(parseWindowsProcesses(stdout)),
		);
	}).finally(() => (reading = undefined));
	return reading;
}

/**
 * The processes in the answer of the query. It is run by its text too, as the watchdog does (`watchdogPrograms.ts`), so
 * that it uses nothing of this module.
 */
export function parseWindowsProcesses(answer: string): readonly WindowsProcess[] {
	return answer.split("\n").flatMap((row) => {
		const [pid = 0, parent = 0, madeAt = 0] = row.trim().split(" ").map(Number);
		return pid > 0 && madeAt > 0 ? [{ pid, parent, madeAt }] : [];
	});
}

/**
 * Processes and all below them, as far as they exist, also those whose parents are gone: they keep the numbers of these.
 * A process that was made after its number was known as another's, a child that is older than its parent, and one that
 * is younger than its parent's end, belong to somebody else (PRC-14). It is run by its text as well.
 */
export function windowsTree(
	lives: readonly WindowsLife[],
	processes: readonly WindowsProcess[],
): readonly WindowsProcess[] {
	const found: WindowsProcess[] = [];
	const spans = lives.map(({ pid, knownAt, endedAt }) => {
		const own = processes.find((one) => one.pid === pid && one.madeAt <= knownAt);
		if (own !== undefined) found.push(own);
		// One that is gone is known by its number alone: it may have made children shortly before it was known.
		return { pid, from: own?.madeAt ?? knownAt - 1000, until: own === undefined ? (endedAt ?? knownAt) : Infinity };
	});
	// The list grows while it is walked, until the leaves are reached.
	for (const { pid, from, until } of spans)
		for (const one of processes) {
			if (one.parent !== pid || one.madeAt < from || one.madeAt > until || found.includes(one)) continue;
			found.push(one);
			spans.push({ pid: one.pid, from: one.madeAt, until: Infinity });
		}
	return found;
}
