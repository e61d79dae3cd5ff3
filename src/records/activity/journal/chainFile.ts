import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import path from "node:path";
import { sha256 } from "../../../base/hash.ts";
import { patiently } from "../../../base/store/patientFiles.ts";
import { lineAfter } from "./chain.ts";
import type { ActivityEntry, ChainHead } from "./entry.ts";

/** Where a window writes its chain. */
export interface ChainFileOptions {
	/** It is made when the first line is written. */
	readonly folder: string;
	/** Distinguishes this window from every other that ever existed; the name of the file. */
	readonly window: string;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
}

/** The beginning and the end of the names of the files. */
const nameParts = ["activity-", ".jsonl"] as const;
/** How many lines wait in memory for a disk that takes nothing. */
const mostWaiting = 5000;

/** The file of a window's chain. */
export function chainFileOf(folder: string, window: string): string {
	return path.join(folder, nameParts.join(window));
}

/** The window of a file by its name; undefined for any other file. */
export function windowOfFile(name: string): string | undefined {
	const [start, end] = nameParts;
	return name.startsWith(start) && name.endsWith(end) ? name.slice(start.length, -end.length) : undefined;
}

/**
 * The chain of this window on the disk, to which nobody else writes. A line is with the operating system when `append`
 * returns, so that a kill of this process loses none; a line that a full disk cut is written over.
 */
export class ChainFile {
	private readonly options: ChainFileOptions;
	private handle: number | undefined;
	/** How much of the file is whole lines, in bytes. */
	private size = 0;
	private last: ChainHead;
	private lastWritten: ChainHead;
	private waiting: string[] = [];
	private lost = 0;

	constructor(options: ChainFileOptions) {
		this.options = options;
		this.last = { n: 0, hash: sha256(options.window) };
		this.lastWritten = this.last;
	}

	/** The window whose chain it is. */
	get window(): string {
		return this.options.window;
	}

	/** The end of the chain, written or not. */
	get head(): ChainHead {
		return this.last;
	}

	/** The part of it that is in the file. */
	get written(): ChainHead {
		return this.lastWritten;
	}

	/** Writes entries down. Throws when it cannot; they are written before all later ones then, unless too many wait. */
	append(...entries: readonly ActivityEntry[]): void {
		for (const entry of entries) {
			if (this.waiting.length >= mostWaiting) this.lost++;
			else this.add(entry);
		}
		this.flush();
		if (this.lost === 0) return;
		this.add({ kind: "journal", event: "lost", count: this.lost });
		this.lost = 0;
		this.flush();
	}

	/** Writes pending lines. Throws the error of the file system. */
	flush(): void {
		if (this.waiting.length === 0) return;
		const bytes = Buffer.from(this.waiting.map((line) => `${line}\n`).join(""));
		const handle = this.open();
		try {
			let written = 0;
			while (written < bytes.length)
				written += writeSync(handle, bytes, written, bytes.length - written, this.size + written);
		} catch (error) {
			this.cut(handle);
			throw error;
		}
		this.size += bytes.length;
		this.waiting = [];
		this.lastWritten = this.last;
	}

	/** Puts other lines in the place of all of this chain that are on the disk. Throws; all is as before then. */
	replace(lines: readonly string[]): void {
		this.flush();
		const file = chainFileOf(this.options.folder, this.window);
		this.close();
		try {
			replaceFile(file, lines);
		} finally {
			this.handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
			this.size = fstatSync(this.handle).size;
		}
	}

	/** Makes written lines survive a crash of the machine, too. */
	sync(): void {
		if (this.handle !== undefined) fsyncSync(this.handle);
	}

	/** Closes the file; the next line opens it again. */
	close(): void {
		if (this.handle !== undefined) closeSync(this.handle);
		this.handle = undefined;
	}

	private add(entry: ActivityEntry): void {
		const text = lineAfter(this.last, this.options.now(), entry);
		this.last = { n: this.last.n + 1, hash: sha256(text) };
		this.waiting.push(text);
	}

	private open(): number {
		const { folder } = this.options;
		const file = chainFileOf(folder, this.window);
		const own = this.handle === undefined ? undefined : fstatSync(this.handle);
		// The file may have been deleted, moved or replaced: later lines must not be lost with it.
		const isElsewhere = own !== undefined && !isAt(own, file);
		if (isElsewhere) this.close();
		if (this.handle === undefined) {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			this.handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
		}
		const { size } = isElsewhere || own === undefined ? fstatSync(this.handle) : own;
		if (isElsewhere || size < this.size) this.size = endOfLine(this.handle, size);
		return this.handle;
	}

	/** Takes the part of a line away that was written before the disk was full. */
	private cut(handle: number): void {
		try {
			ftruncateSync(handle, this.size);
		} catch {
			// It is written over by the next line that can be written.
		}
	}
}

/** Whether this file is the one at a path. */
function isAt(own: Stats, file: string): boolean {
	const there = statSync(file, { throwIfNoEntry: false });
	return there?.ino === own.ino && there.dev === own.dev;
}

/**
 * Where the next line is written in a file that somebody else cut or wrote; its last part is then a line of its own.
 */
function endOfLine(handle: number, size: number): number {
	const last = Buffer.alloc(1);
	if (size === 0 || readSync(handle, last, 0, 1, size - 1) === 0 || last[0] === 0x0a) return size;
	return size + writeSync(handle, "\n", size);
}

/** Rewrites a file: at any moment it contains either all of its former or all of its new contents. Throws. */
export function replaceFile(file: string, lines: readonly string[]): void {
	const next = `${file}.${crypto.randomUUID().slice(0, 8)}.next`;
	try {
		const handle = openSync(next, "wx", 0o600);
		try {
			writeFileSync(handle, lines.map((line) => `${line}\n`).join(""));
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		// Another window may read the former one.
		patiently(() => renameSync(next, file));
	} finally {
		patiently(() => rmSync(next, { force: true }));
	}
}
