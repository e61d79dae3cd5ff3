import { closeSync, constants, mkdirSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { patiently } from "./patientFiles.ts";
import { codeOf } from "../errors.ts";

/** The end of the name of a file that a window appends to. */
const current = ".jsonl";
/** The suffix of a file that a window has taken to rewrite its lines; it is read like the others until that is done. */
export const taken = ".taken";

/** How much is read at a stretch, in bytes. */
const stretch = 262_144;
/** The longest line that is accepted as one of ours, in bytes. */
const longestLine = 32_000_000;

/** The lines of one read. */
export interface Stretch {
	readonly lines: readonly string[];
	/** Where reading continues. */
	readonly next: number;
	/** The bytes after the last whole line: a line that is being written, or that will never be finished. */
	readonly tail: string;
	/** Whether all was read. */
	readonly isEnd: boolean;
	/** Bytes that are not one of our lines. */
	readonly isDamaged: boolean;
}

/**
 * The files of one journal in a folder: one or more per window, to which only that window appends. A file name is never
 * reused, and written contents do not change, so a number says how far a window has read.
 */
export class JournalFiles {
	readonly folder: string;
	private readonly name: string;
	private readonly window: string;
	private generation = 0;
	private own: string | undefined;

	/** `name` and `window` are made of letters and digits; no two windows ever have the same. */
	constructor(folder: string, name: string, window: string) {
		this.folder = folder;
		this.name = name;
		this.window = window;
	}

	/** The files as they are now: by what they are called for good, where they are. Throws the error of the file system. */
	list(): ReadonlyMap<string, string> {
		let names: readonly string[];
		try {
			names = readdirSync(this.folder);
		} catch (error) {
			if (codeOf(error) === "ENOENT") return new Map();
			throw error;
		}
		const found = new Map<string, string>();
		for (const name of names) {
			const end = [current, taken].find((one) => name.endsWith(one));
			if (end === undefined || !name.startsWith(`${this.name}-`)) continue;
			found.set(name.slice(0, -end.length), path.join(this.folder, name));
		}
		return found;
	}

	/** Every file of the journal, also those that are not read. */
	listAll(): readonly string[] {
		const names = readdirSync(this.folder).filter((name) => name.startsWith(`${this.name}-`));
		return names.map((name) => path.join(this.folder, name));
	}

	/** How large a file is, in bytes; undefined when it is gone. */
	sizeOf(file: string): number | undefined {
		return statSync(file, { throwIfNoEntry: false })?.size;
	}

	/** Reads on from a place to `end`, as far as one stretch goes; undefined when the file is gone. */
	read(file: string, from: number, end: number): Stretch | undefined {
		const handle = openToRead(file);
		if (handle === undefined) return undefined;
		try {
			for (let length = stretch; ; length *= 4) {
				const buffer = Buffer.alloc(Math.min(length, end - from));
				const whole = buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, from));
				const cut = whole.lastIndexOf(0x0a) + 1;
				const isAll = whole.length < length;
				if (cut === 0 && !isAll) {
					if (length <= longestLine) continue;
					return { lines: [], next: from + whole.length, tail: "", isEnd: false, isDamaged: true };
				}
				const lines = whole.toString("utf8", 0, cut).split("\n").slice(0, -1);
				const tail = isAll ? whole.toString("utf8", cut) : "";
				return { lines, next: from + cut, tail, isEnd: isAll || from + cut === end, isDamaged: false };
			}
		} finally {
			closeSync(handle);
		}
	}

	/**
	 * Appends lines to the file of this window. They are with the operating system when it returns. Throws the error of
	 * the file system; then a part may be in a file that is not written to any more.
	 */
	append(lines: readonly string[]): void {
		const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
		for (;;) {
			const file = this.appendOnce(bytes);
			// Another window may have taken the file during this write, so it may not have seen the lines.
			if (this.sizeOf(file) !== undefined) return;
			this.own = undefined;
		}
	}

	/** A name for a file of this window that was never used. */
	nextFile(end = current): string {
		return path.join(this.folder, `${this.name}-${this.window}-${++this.generation}${end}`);
	}

	/** Has this window append to a file from here on. */
	use(file: string): void {
		this.own = file;
	}

	private appendOnce(bytes: Buffer): string {
		const handle = this.open();
		try {
			let written = 0;
			while (written < bytes.length) written += writeSync(handle.number, bytes, written);
			return handle.file;
		} catch (error) {
			// The last line may be incomplete; the next one goes to a new file.
			this.own = undefined;
			throw error;
		} finally {
			closeSync(handle.number);
		}
	}

	private open(): { readonly file: string; readonly number: number } {
		const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
		if (this.own !== undefined) {
			try {
				const { own } = this;
				return { file: own, number: patiently(() => openSync(own, O_WRONLY | O_APPEND)) };
			} catch (error) {
				if (codeOf(error) !== "ENOENT") throw error;
			}
		}
		mkdirSync(this.folder, { recursive: true, mode: 0o700 });
		const file = this.nextFile();
		const number = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0o600);
		this.own = file;
		return { file, number };
	}
}

/** Opens a file to read it; undefined when it is not there. Throws the other errors of the file system. */
export function openToRead(file: string): number | undefined {
	try {
		return patiently(() => openSync(file, "r"));
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}
