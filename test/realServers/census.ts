import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** How long a process may take to be gone from the system's table after it ended, in milliseconds. */
const graceMs = 2000;
const lookMs = 50;

/** How many processes with a mark in their environment are still there after a while. Only Linux tells; 0 elsewhere. */
export async function waitUntilGone(mark: string): Promise<number> {
	const end = performance.now() + graceMs;
	let left = countMarked(mark);
	while (left > 0 && performance.now() < end) {
		await setTimeout(lookMs);
		left = countMarked(mark);
	}
	return left;
}

function countMarked(mark: string): number {
	if (process.platform !== "linux") return 0;
	return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark)).length;
}

/** Empty for a process that ended meanwhile, that waits to be reaped, or that belongs to somebody else. */
function environmentOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/environ`, "utf8");
	} catch {
		return "";
	}
}
