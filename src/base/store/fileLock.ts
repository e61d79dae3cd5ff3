import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { HostError } from "../errors.ts";
import { codeOf } from "./journalFiles.ts";

/** How often a lock is tried, in milliseconds, and for how long. */
const waits = { everyMs: 10, mostMs: 30_000 };
/** Nobody holds a lock for longer, in milliseconds: the number of its process is that of another one by then. */
const longestMs = 20_000;
/** How long it takes at most to write into a lock who holds it, in milliseconds. */
const unwrittenMs = 2000;

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
	if (isDead(file)) takeAway(file);
	return false;
}

/**
 * Removes a dead lock. Only one process does so at a time: it holds a second lock meanwhile, so that it removes the
 * lock that it examined. It does not wait in between, so a kill at this point is unlikely; a leftover lock soon counts
 * as too old.
 */
function takeAway(file: string): void {
	const second = `${file}.second`;
	try {
		writeFileSync(second, "", { flag: "wx", mode: 0o600 });
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
		if (ageOf(second) > longestMs) rmSync(second, { force: true });
		return;
	}
	try {
		if (isDead(file)) rmSync(file, { force: true });
	} finally {
		rmSync(second, { force: true });
	}
}

/** Whether nobody holds it any more: its process is gone, or did not even write who it is, or has held it for too long. */
function isDead(file: string): boolean {
	const age = ageOf(file);
	if (age > longestMs) return true;
	const holder = holderOf(file);
	return holder === undefined ? age > unwrittenMs : !isAlive(Number(holder.split(" ", 1)[0]));
}

/** How long ago it was made, in milliseconds; nothing for one that is gone. */
function ageOf(file: string): number {
	const found = statSync(file, { throwIfNoEntry: false });
	return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

/** The contents of the lock; undefined if it is gone or still being made. */
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
