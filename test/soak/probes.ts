import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

/** The resources of this process. */
export interface Holdings {
	/** The memory of the process, in megabytes, after garbage was collected. */
	readonly memoryMegabytes: number;
	/** The part of it that JavaScript uses. */
	readonly heapMegabytes: number;
	/** Undefined where the system does not report it. */
	readonly fileDescriptors: number | undefined;
	/** Listeners of this process, such as for its exit. */
	readonly listeners: number;
	/** Running timers, sockets, pipes and processes. */
	readonly activeResources: number;
}

/** Measures the resources; they count as settled when this many measurements were the same. */
const lookMs = 250;
const sameLooks = 8;
const mostLooks = 240;

/**
 * Measures the resources of this process once idle connections are closed, and at most `mostResources` are active, if
 * that happens on its own: timers of work that just ended run out, and a busy machine has more of them. Leaks stay. Run
 * Node with `--expose-gc`.
 */
export async function measureHoldings(mostResources = Infinity): Promise<Holdings> {
	let last = countFileDescriptors();
	for (let look = 0, same = 0; look < mostLooks && same < sameLooks; look++) {
		globalThis.gc?.();
		await setTimeout(lookMs);
		const now = countFileDescriptors();
		const isQuiet = process.getActiveResourcesInfo().length <= mostResources;
		same = now === last && isQuiet ? same + 1 : 0;
		last = now;
	}
	// The variant that also returns free pages, which are only a peak of a busy minute.
	globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
	return {
		memoryMegabytes: megabytes(process.memoryUsage.rss()),
		heapMegabytes: megabytes(process.memoryUsage().heapUsed),
		fileDescriptors: last,
		listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
		activeResources: process.getActiveResourcesInfo().length,
	};
}

function megabytes(bytes: number): number {
	return Math.round(bytes / 1024 / 1024);
}

function countFileDescriptors(): number | undefined {
	return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : undefined;
}

/** How many processes have a text in their command line, this one aside. Those that only wait to be reaped do not count. */
export async function countProcesses(text: string): Promise<number> {
	const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,stat=,args="]);
	return stdout
		.split("\n")
		.filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line) && Number.parseInt(line, 10) !== process.pid)
		.length;
}
