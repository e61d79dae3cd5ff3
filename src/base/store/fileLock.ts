import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { HostError, codeOf } from "../errors.ts";
import { refusals } from "./patientFiles.ts";

/** How often a lock is tried, in milliseconds, and for how long. */
const waits = { everyMs: 10, mostMs: 30_000 };
/** No process holds a lock for longer, in milliseconds: by then its number belongs to another process. */
const longestMs = 20_000;
/** How long it takes at most to write into a lock who holds it, in milliseconds. */
const unwrittenMs = 2000;
/** How often in a row the system may refuse a file before that counts as its answer. */
const mostRefusals = 200;

/** The file operations of a lock. Each throws the errors of the file system. */
export interface LockFiles {
	/** Makes a file that is not there yet. */
	make(file: string, text: string): void;
	read(file: string): string;
	/** Removes a file, which may be gone. */
	remove(file: string): void;
	/** How long ago it was made, in milliseconds; nothing for one that is gone. */
	age(file: string): number;
}

const diskFiles: LockFiles = {
	make: (file, text) => {
		mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
		writeFileSync(file, text, { flag: "wx", mode: 0o600 });
	},
	read: (file) => readFileSync(file, "utf8"),
	remove: (file) => rmSync(file, { force: true }),
	age: (file) => {
		const found = statSync(file, { throwIfNoEntry: false });
		return found === undefined ? 0 : Date.now() - found.mtimeMs;
	},
};

/**
 * Does work while no other process of this machine does any under the same file, which it makes. Who holds it is written into
 * it, so that one that was left behind by a kill is taken over. A file that the system refuses for a moment is tried again.
 * @throws HostError `limit` when another process does not finish, `denied` when the system goes on refusing the file; other
 * errors of the file system.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, files: LockFiles = diskFiles): Promise<T> {
	const mine = `${process.pid} ${crypto.randomUUID()}`;
	const end = performance.now() + waits.mostMs;
	await untilAccepted(file, async () => {
		while (!(await tryLock(files, file, mine))) {
			if (performance.now() > end)
				throw new HostError("limit", "Another window is changing the same file and does not finish. Try again.");
			await pause();
		}
	});
	try {
		return await work();
	} finally {
		await release(files, file, mine);
	}
}

/** Does something again that the system refuses, with a bound. */
async function untilAccepted(file: string, work: () => Promise<void>): Promise<void> {
	for (let count = 1; ; count++) {
		try {
			await work();
			return;
		} catch (error) {
			const code = codeOf(error);
			if (!refusals.has(code)) throw error;
			if (count >= mostRefusals)
				throw new HostError(
					"denied",
					`The system refuses access to ${file} (${code}). Check who may write there, close other programs that use it, and try again.`,
					{ cause: error },
				);
			await pause();
		}
	}
}

function pause(): Promise<void> {
	return setTimeout(waits.everyMs * (0.5 + Math.random()));
}

/** The work under the lock is done even if the lock cannot be removed: it soon counts as too old. */
async function release(files: LockFiles, file: string, mine: string): Promise<void> {
	const remove = async (): Promise<void> => {
		if (holderOf(files, file) === mine) files.remove(file);
	};
	await untilAccepted(file, remove).catch(() => undefined);
}

/** Whether this process holds it now. Also throws the errors that may pass. */
async function tryLock(files: LockFiles, file: string, mine: string): Promise<boolean> {
	try {
		files.make(file, mine);
		return true;
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
	}
	if (isDead(files, file)) await takeAway(files, file);
	return false;
}

/**
 * Removes a dead lock. Only one process does so at a time: it holds a second lock meanwhile, so that it removes the
 * lock that it examined. It does not wait in between, so a kill at this point is unlikely; a leftover lock soon counts
 * as too old.
 */
async function takeAway(files: LockFiles, file: string): Promise<void> {
	const second = `${file}.second`;
	try {
		files.make(second, "");
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
		if (files.age(second) > longestMs) files.remove(second);
		return;
	}
	try {
		if (isDead(files, file)) files.remove(file);
	} finally {
		await untilAccepted(second, async () => files.remove(second)).catch(() => undefined);
	}
}

/** Whether the lock is dead: its process has ended, or did not write its identity, or has held it for too long. */
function isDead(files: LockFiles, file: string): boolean {
	const age = files.age(file);
	if (age > longestMs) return true;
	const holder = holderOf(files, file);
	return holder === undefined ? age > unwrittenMs : !isAlive(Number(holder.split(" ", 1)[0]));
}

/** The contents of the lock; undefined if it is gone or still being made. */
function holderOf(files: LockFiles, file: string): string | undefined {
	try {
		const holder = files.read(file);
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
