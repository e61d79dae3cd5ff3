import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { systemPath } from "./searchedFolders.ts";

/** One process of this machine. */
export interface ProcessEntry {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** When it was started, as the system writes it: a later process with the same id has another value. */
	readonly startedAt: string;
	/** It has ended and only waits for its parent to notice, as for ever in a container whose first process does not. */
	readonly isZombie: boolean;
}

/** How long reading may block the event loop at a stretch, in milliseconds. */
const sliceMs = 4;

let reading: Promise<readonly ProcessEntry[]> | undefined;

/** The processes that exist now; empty if the system does not list them. POSIX only. Never rejects. */
export function readProcesses(): Promise<readonly ProcessEntry[]> {
	// Servers that are stopped together share one reading, which begins after all of them have asked.
	reading ??= setImmediate().then(() => {
		reading = undefined;
		return process.platform === "linux" ? readProc() : readPs();
	});
	return reading;
}

/** One process; undefined if it does not exist. Linux only. */
export function readProcess(pid: number): ProcessEntry | undefined {
	let stat: string;
	try {
		stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	} catch {
		return undefined;
	}
	// `pid (name) state parent group …`; the name may hold anything. The start is field 22 (proc_pid_stat(5)).
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state = "", parent, group] = fields;
	const isZombie = state === "Z" || state === "X";
	return { pid, parent: Number(parent), group: Number(group), startedAt: fields[19] ?? "", isZombie };
}

/** Everything below some processes in a list, children of children included, each once. */
export function descendantsOf(pids: readonly number[], processes: readonly ProcessEntry[]): readonly ProcessEntry[] {
	const children = Map.groupBy(processes, ({ parent }) => parent);
	const found = new Set(pids.flatMap((pid) => children.get(pid) ?? []));
	// The set grows while it is walked, until the leaves are reached. A list takes a moment to read, so that one in which a
	// number was given out again may lead in a circle.
	for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
	return [...found];
}

async function readProc(): Promise<readonly ProcessEntry[]> {
	const entries: ProcessEntry[] = [];
	let sliceEnd = performance.now() + sliceMs;
	for (const name of namesInProc()) {
		const pid = Number(name);
		const entry = Number.isInteger(pid) ? readProcess(pid) : undefined;
		if (entry !== undefined) entries.push(entry);
		if (performance.now() < sliceEnd) continue;
		await setImmediate();
		sliceEnd = performance.now() + sliceMs;
	}
	return entries;
}

function namesInProc(): readonly string[] {
	try {
		return readdirSync("/proc");
	} catch {
		return [];
	}
}

function readPs(): Promise<readonly ProcessEntry[]> {
	return new Promise((resolve) => {
		const env = { ...process.env, PATH: systemPath(process.env["PATH"]), LC_ALL: "C" };
		const options = { timeout: 1000, maxBuffer: 16 * 1024 * 1024, env };
		execFile("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], options, (_error, stdout) => {
			resolve(stdout.split("\n").flatMap(parsePs));
		});
	});
}

function parsePs(line: string): readonly ProcessEntry[] {
	const [pid, parent, group, state = "", ...start] = line.trim().split(/\s+/);
	if (group === undefined) return [];
	const isZombie = state.startsWith("Z");
	return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: start.join(" "), isZombie }];
}
