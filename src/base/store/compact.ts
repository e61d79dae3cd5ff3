import {
	appendFileSync,
	closeSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Journal } from "./journal.ts";
import { taken, type JournalFiles } from "./journalFiles.ts";
import type { Line } from "./line.ts";
import { patiently } from "./patientFiles.ts";
import { codeOf } from "../errors.ts";

/** How a journal is rewritten. */
export interface Compaction {
	/** Which of the current values are kept; by default all. */
	readonly isKept?: (line: Line) => boolean;
	/** Whether damaged lines are put aside, in a file that nothing reads. */
	readonly keepsDamage?: boolean;
}

/** How long removals are remembered, in milliseconds, although nothing is left that they are about. */
const rememberedMs = 30 * 24 * 60 * 60 * 1000;
/** After how long a window that began to rewrite a journal counts as gone, in milliseconds. */
const patienceMs = 30_000;
/** How much is written at a stretch, in characters. */
const stretch = 262_144;
/** How much damaged data is put aside in total, in bytes. */
const mostDamage = 262_144;

/**
 * Rewrites a journal into one file with its current lines, replacing the files of all windows, including running ones.
 * Does nothing while another window is doing so. Rejects with the error of the file system; everything is unchanged
 * then.
 */
export async function compact(journal: Journal, compaction: Compaction = {}): Promise<void> {
	for (const _ of compacting(journal, compaction)) await setImmediate();
}

/**
 * The same in steps. If the process is killed after any of them, the journal still has the same contents. The files are
 * renamed, read to their ends, and deleted when their replacement has its name. Until then they are read like all
 * others, and the same line in two files counts once. A window whose file was renamed writes its lines again into a new
 * file. The lock only saves work: two windows that do this at once lose nothing.
 */
export function* compacting(
	journal: Journal,
	{ isKept = () => true, keepsDamage = false }: Compaction = {},
): Generator<string> {
	const { files } = journal;
	if (files === undefined || files.list().size === 0) return;
	const lock = path.join(files.folder, `${journal.options.name}.lock`);
	if (!tryLock(lock)) return;
	try {
		yield "locked";
		for (const file of files.listAll()) if (file.endsWith(unfinished)) rmSync(file, { force: true });
		yield* stepsOf(journal, "read");
		const all = files.list();
		const mine = new Map<string, string>();
		for (const [name, file] of all) {
			const to = take(file);
			if (to !== undefined) mine.set(name, to);
			yield "taken";
		}
		yield* stepsOf(journal, "read what was written last");
		if (journal.fault !== undefined) return;
		if (keepsDamage) putAside(files, journal);
		const oldest = (journal.options.now() - rememberedMs) * 1000;
		// A file that could not be renamed may contain lines that need a removal.
		const removedSince = mine.size < all.size ? 0 : oldest;
		const next = files.nextFile(unfinished);
		const published = next.slice(0, -unfinished.length) + ".jsonl";
		const isEmpty = yield* writeAll(next, journal.contents(isKept, removedSince));
		yield "written";
		// If this window was slow, another one took the files and rewrites them. Values that it deleted must not reappear.
		const isStillMine = [next, ...mine.values()].every((file) => files.sizeOf(file) !== undefined);
		if (isEmpty || !isStillMine) rmSync(next, { force: true });
		if (!isStillMine) return;
		if (!isEmpty) {
			patiently(() => renameSync(next, published));
			files.use(published);
		}
		yield "published";
		for (const file of mine.values()) {
			patiently(() => rmSync(file, { force: true }));
			yield "removed";
		}
		yield* stepsOf(journal, "read anew");
	} finally {
		patiently(() => rmSync(lock, { force: true }));
	}
}

/** For a file that is being written. */
const unfinished = ".next";

function tryLock(lock: string): boolean {
	for (const _ of [1, 2]) {
		try {
			writeFileSync(lock, "", { flag: "wx", mode: 0o600 });
			return true;
		} catch (error) {
			if (codeOf(error) !== "EEXIST") throw error;
			const held = statSync(lock, { throwIfNoEntry: false });
			if (held !== undefined && Date.now() - held.mtimeMs < patienceMs) return false;
			rmSync(lock, { force: true });
		}
	}
	return false;
}

/** Takes a file, so that its window begins another one; undefined when it cannot be taken. */
function take(file: string): string | undefined {
	if (file.endsWith(taken)) return file;
	const to = file.slice(0, file.lastIndexOf(".")) + taken;
	try {
		renameSync(file, to);
		return to;
	} catch {
		// The file is gone, or the system does not release it. It stays, and its lines are in two files for a while.
		return undefined;
	}
}

function* stepsOf(journal: Journal, step: string): Generator<string> {
	for (const _ of journal.reading()) yield step;
	yield step;
}

/** Writes lines into a new file, and returns whether there were none. They are on the disk then. */
function* writeAll(file: string, lines: Iterable<string>): Generator<string, boolean> {
	const handle = openSync(file, "wx", 0o600);
	let isEmpty = true;
	try {
		let text = "";
		for (const line of lines) {
			isEmpty = false;
			text += `${line}\n`;
			if (text.length < stretch) continue;
			writeText(handle, text);
			text = "";
			yield "writing";
		}
		writeText(handle, text);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	return isEmpty;
}

function writeText(handle: number, text: string): void {
	const bytes = Buffer.from(text);
	let written = 0;
	while (written < bytes.length) written += writeSync(handle, bytes, written);
}

function putAside(files: JournalFiles, { damaged, options }: Journal): void {
	if (damaged.length === 0) return;
	const file = path.join(files.folder, `${options.name}.damaged`);
	const size = files.sizeOf(file) ?? 0;
	const text = damaged.map((line) => `${line}\n`).join("");
	if (size + text.length <= mostDamage) appendFileSync(file, text, { mode: 0o600 });
}
