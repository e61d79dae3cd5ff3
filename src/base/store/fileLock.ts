import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { HostError } from "../errors.ts";
import { codeOf } from "./journalFiles.ts";

/** How often a lock is tried, in milliseconds, and for how long. */
const waits = { everyMs: 10, mostMs: 15_000 };

/**
 * Does work while no other process of this machine does any under the same file, which it makes. Who holds it is written into
 * it, so that one that was left behind by a kill is taken over.
 * @throws HostError `limit` when another process does not finish.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	const mine = `${process.pid} ${crypto.randomUUID()}`;
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	const end = performance.now() + waits.mostMs;
	while (!tryLock(file, mine)) {
		if (performance.now() > end)
			throw new HostError("limit", "Another window is changing the same file and does not finish. Try again.");
		await setTimeout(waits.everyMs * (0.5 + Math.random()));
	}
	try {
		return await work();
	} finally {
		if (holderOf(file) === mine) rmSync(file, { force: true });
	}
}

function tryLock(file: string, mine: string): boolean {
	try {
		writeFileSync(file, mine, { flag: "wx", mode: 0o600 });
		return true;
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
	}
	const holder = holderOf(file);
	if (holder === undefined || isAlive(Number(holder.split(" ", 1)[0]))) return false;
	// Only one process can take it away; one that another made meanwhile is put back.
	const taken = `${file}.${crypto.randomUUID()}`;
	try {
		renameSync(file, taken);
		if (holderOf(taken) !== holder) linkSync(taken, file);
	} catch (error) {
		if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
	}
	rmSync(taken, { force: true });
	return false;
}

/** What is written in it; undefined for one that is gone, and for one that is being made. */
function holderOf(file: string): string | undefined {
	try {
		const holder = readFileSync(file, "utf8");
		return holder === "" ? undefined : holder;
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}
