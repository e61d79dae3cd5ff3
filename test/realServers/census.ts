import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** How long a process may take to be gone from the system's table after it ended, in milliseconds. */
const graceMs = 2000;
const lookMs = 50;

/** How many processes with a mark in their environment still exist after a while. Only on Linux; 0 elsewhere. */
export async function waitUntilGone(mark: string): Promise<number> {
	const end = performance.now() + graceMs;
	let left = marked(mark).length;
	while (left > 0 && performance.now() < end) {
		await setTimeout(lookMs);
		left = marked(mark).length;
	}
	return left;
}

/** The processes with a mark in their environment. Only on Linux; none elsewhere. */
export function marked(mark: string): readonly number[] {
	if (process.platform !== "linux") return [];
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && readOf(name, "environ").includes(mark));
	return pids.map(Number);
}

/** The programs between a process and this one, its parent first. Only on Linux; none elsewhere. */
export function parentsOf(pid: number): readonly string[] {
	const found: string[] = [];
	for (let at = parentOf(pid); at > 1 && at !== process.pid; at = parentOf(at)) {
		const words = readOf(String(at), "cmdline").split("\0");
		const isHost = words.includes("--type=extensionHost");
		found.push(isHost ? "extension host" : words.slice(0, 2).map(lastPart).join(" ").trim());
	}
	return found;
}

/** 0 for a process that has ended. */
function parentOf(pid: number): number {
	return Number(/^PPid:\s*(\d+)/m.exec(readOf(String(pid), "status"))?.[1] ?? 0);
}

function lastPart(word: string): string {
	return word.startsWith("-") ? "" : (word.split("/").at(-1) ?? "");
}

/** Empty for a process that ended meanwhile, that waits to be reaped, or that belongs to another user. */
function readOf(pid: string, file: "environ" | "cmdline" | "status"): string {
	try {
		return readFileSync(`/proc/${pid}/${file}`, "utf8");
	} catch {
		return "";
	}
}
