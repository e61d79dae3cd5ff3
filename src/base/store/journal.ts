import { messageOf } from "../errors.ts";
import { Emitter, type Event } from "../event.ts";
import { JournalFiles } from "./journalFiles.ts";
import { latestMoment, outranks, readLine, writeLine, type Line } from "./line.ts";

/** The configuration of a journal. */
export interface JournalOptions {
	/** Where its files are; it is made when the first line is written. Undefined for a journal that ends with the window. */
	readonly folder: string | undefined;
	/** The contents, as the beginning of the file names: `grants`. Letters and digits. */
	readonly name: string;
	/** Distinguishes this window from every other that ever existed. Letters and digits. */
	readonly window: string;
	/** The time in milliseconds since the epoch. */
	readonly now: () => number;
	/** Called once, with a sentence, when the files cannot be read or written, until they can be again. */
	readonly onProblem: (message: string) => void;
}

/** A change to write: a new value of a key, or without one its removal. */
export interface Change {
	readonly key: string;
	readonly value?: unknown;
}

interface ReadFile {
	/** Up to where, in bytes, and how large it was then. */
	next: number;
	size: number;
	readonly lines: Line[];
	readonly foreign: string[];
	readonly damaged: string[];
	tail: Line | undefined;
}

/**
 * Values by key that several windows write at once, and that outlive them: JSON Lines in files of which each window
 * appends to its own. The lines alone decide the current values, in any order and however often they are read. So
 * nothing is lost and nothing counts twice when windows are killed or rewrite files (`compact`) at any moment:
 *
 * - Of two values of a key the later counts (see `outranks`).
 * - A removal removes the values that its writer could have seen and those written without knowing of it. If the order
 *   is unknown, the removal counts. A value that is written with knowledge of the removal counts again.
 *
 * All reading is from memory; `refresh` brings that up to date, and costs a look at the sizes of a few files.
 */
export class Journal {
	readonly options: JournalOptions;
	readonly files: JournalFiles | undefined;
	private readonly changed = new Emitter<void>();
	/** Fired when something changed, by this window or another. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired when this window has written. */
	readonly onDidWrite = new Emitter<void>();
	private readonly read = new Map<string, ReadFile>();
	private registers = new Map<string, Register>();
	/** Lines that could not be written, or have no files. */
	private kept: Line[] = [];
	private last = 0;
	private problem: string | undefined;
	private unreadable = false;
	private count = 0;
	/** A part of a millisecond, so that two windows are unlikely to write at the same moment. */
	private readonly offset = Math.floor(Math.random() * 1000);

	constructor(options: JournalOptions) {
		this.options = options;
		const { folder, name, window } = options;
		this.files = folder === undefined ? undefined : new JournalFiles(folder, name, window);
	}

	/** Another number whenever something changed, for caches of the values. */
	get version(): number {
		return this.count;
	}

	/** The current line of a key; undefined when it has no value. */
	get(key: string): Line | undefined {
		const register = this.registers.get(key);
		return register === undefined ? undefined : standing(register);
	}

	/** The lines that count, the earliest first. */
	get lines(): readonly Line[] {
		return [...this.registers.values()].flatMap((one) => standing(one) ?? []).toSorted((a, b) => a.at - b.at);
	}

	/** When a key was removed last, on the clock of lines; 0 for never. */
	removedAt(key: string): number {
		return this.registers.get(key)?.removal?.at ?? 0;
	}

	/** Why the files could not be read or written the last time; undefined when they could. */
	get fault(): string | undefined {
		return this.problem;
	}

	/** Whether the files could not be read the last time, so that their contents are unknown. */
	get isUnreadable(): boolean {
		return this.unreadable;
	}

	/** The lines that are damaged, as far as the files still hold them. */
	get damaged(): readonly string[] {
		return [...this.read.values()].flatMap(({ damaged }) => damaged);
	}

	/** How large the files are together, in bytes, and how many. */
	get extent(): { readonly bytes: number; readonly files: number } {
		return { bytes: [...this.read.values()].reduce((sum, { size }) => sum + size, 0), files: this.read.size };
	}

	/**
	 * Reads what other windows have written since. Returns whether something changed. Never throws: files that cannot be
	 * read are ignored, which is reported once.
	 */
	refresh(): boolean {
		return drive(this.reading());
	}

	/** The same in steps of some milliseconds, between which others may have a turn. */
	*reading(): Generator<void, boolean> {
		const before = this.count;
		yield* this.readingFiles();
		if (this.count === before) return false;
		this.changed.fire();
		return true;
	}

	/** Writes one value. See `write`. */
	put(key: string, value: unknown): void {
		this.write([{ key, value }]);
	}

	/** Removes one key. See `write`. */
	remove(key: string): void {
		this.write([{ key }]);
	}

	/**
	 * Writes changes and applies them before it returns: a kill of this process loses none of them. Never throws: changes
	 * that cannot be written count in this window and are written as soon as possible, which is reported once. With
	 * `isBlind` the files are not read first, as if another window wrote at the same moment.
	 */
	write(changes: readonly Change[], isBlind = false): void {
		if (changes.length === 0) return;
		if (!isBlind) drive(this.readingFiles());
		for (const { key, value } of changes) {
			this.last = Math.max(Math.floor(this.options.now()) * 1000 + this.offset, this.last + 1);
			this.kept.push(writeLine(key, this.last, value === undefined ? 0 : this.removedAt(key), value));
		}
		this.flush();
		if (!isBlind) drive(this.readingFiles());
		this.changed.fire();
		this.onDidWrite.fire();
	}

	/** Applies the pending changes and writes them. */
	private flush(): void {
		for (const line of this.kept) this.merge(line);
		try {
			this.files?.append(this.kept.map(({ text }) => text));
			this.kept = [];
			this.problem = undefined;
		} catch (error) {
			// Lines that no longer count need not be written.
			this.kept = this.kept.filter((line) => Object.values(this.registers.get(line.key) ?? {}).includes(line));
			this.fail("written", error);
		}
	}

	/**
	 * The contents of a rewritten file: for each key the current value and the removals, and the lines of other versions.
	 */
	*contents(isKept: (line: Line) => boolean, removedSince: number): Generator<string> {
		// The initial state: everything may be read again while this is written.
		const { registers } = this;
		yield* new Set([...this.read.values()].flatMap(({ foreign }) => foreign));
		for (const register of registers.values()) {
			const { removal } = register;
			if (removal !== undefined && removal.at >= removedSince) yield removal.text;
			const line = standing(register);
			if (line !== undefined && isKept(line)) yield line.text;
		}
	}

	private *readingFiles(): Generator<void, void> {
		const { files } = this;
		if (files === undefined) return;
		try {
			// A file may be taken and rewritten while the folder is read. The file that replaces it is there before it goes.
			for (let round = 0; round < 20; round++) {
				const listed = files.list();
				const isKnown = listed.size === this.read.size && [...listed.keys()].every((name) => this.read.has(name));
				let isThere = true;
				for (const [name, file] of listed) isThere = (yield* this.readFile(files, name, file)) && isThere;
				if (isThere && isKnown) break;
				if (!isThere || !sameNames(files.list(), listed)) continue;
				this.forgetAllBut(listed);
				break;
			}
			this.unreadable = false;
			if (this.kept.length > 0) this.flush();
			else this.problem = undefined;
		} catch (error) {
			this.unreadable = true;
			this.forgetAllBut(new Map());
			this.fail("read", error);
		}
	}

	private *readFile(files: JournalFiles, name: string, file: string): Generator<void, boolean> {
		const size = files.sizeOf(file);
		if (size === undefined) return false;
		if ((this.read.get(name)?.size ?? -1) > size) this.forgetAllBut({ has: (other) => other !== name });
		for (;;) {
			const known = this.read.get(name) ?? newFile();
			this.read.set(name, known);
			if (known.size >= size) return true;
			const stretch = files.read(file, known.next, size);
			if (stretch === undefined) return false;
			known.next = stretch.next;
			if (stretch.isDamaged) this.noteDamage(known, "");
			for (const text of stretch.lines) if (text !== "") this.take(known, text);
			if (stretch.isEnd) {
				known.size = size;
				// All but the end of the line may be there.
				const tail = stretch.tail === "" ? "damaged" : readLine(stretch.tail, this.latest);
				known.tail = typeof tail === "string" ? undefined : tail;
				if (known.tail !== undefined) this.merge(known.tail);
				return true;
			}
			yield;
		}
	}

	private take(file: ReadFile, text: string): void {
		const line = readLine(text, this.latest);
		if (line === "foreign") file.foreign.push(text);
		else if (line === "damaged") this.noteDamage(file, text);
		else {
			file.lines.push(line);
			this.merge(line);
		}
	}

	private noteDamage(file: ReadFile, text: string): void {
		file.damaged.push(text);
		this.count++;
	}

	private get latest(): number {
		return latestMoment(this.options.now());
	}

	private merge(line: Line): void {
		this.last = Math.max(this.last, line.at);
		const { best, removal } = this.registers.get(line.key) ?? { best: undefined, removal: undefined };
		if (line.value === undefined) {
			if (removal !== undefined && removal.at >= line.at) return;
			this.registers.set(line.key, { best, removal: line });
		} else {
			if (best?.text === line.text) return;
			if (best !== undefined && !outranks(line, best)) return;
			this.registers.set(line.key, { best: line, removal });
		}
		this.count++;
	}

	/** Applies only the lines of these files, and those that are not in any file yet. */
	private forgetAllBut(names: { has(name: string): boolean }): void {
		const gone = [...this.read.keys()].filter((name) => !names.has(name));
		if (gone.length === 0) return;
		for (const name of gone) this.read.delete(name);
		this.registers = new Map();
		for (const { lines, tail } of this.read.values()) {
			for (const line of lines) this.merge(line);
			if (tail !== undefined) this.merge(tail);
		}
		for (const line of this.kept) this.merge(line);
		this.count++;
	}

	private fail(what: "read" | "written", error: unknown): void {
		const isNew = this.problem === undefined;
		this.problem = messageOf(error);
		if (isNew) this.options.onProblem(sentences[what](this.problem));
	}
}

/** Takes all steps synchronously. */
function drive<T>(steps: Generator<void, T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

const sentences = {
	read: (why: string) =>
		`MCP Host cannot read your stored decisions (${why}). They do not apply until the file can be read.`,
	written: (why: string) => `Your decisions cannot be saved (${why}). Until they can, they apply to this window only.`,
};

function newFile(): ReadFile {
	return { next: 0, size: -1, lines: [], foreign: [], damaged: [], tail: undefined };
}

function sameNames(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
	return one.size === other.size && [...one.keys()].every((name) => other.has(name));
}

/** The lines of one key. */
export interface Register {
	/** The value that outranks all others. */
	readonly best: Line | undefined;
	/** The latest removal. */
	readonly removal: Line | undefined;
}

/** The line of a register that counts: a removal is stronger unless its writer knew of it. */
export function standing({ best, removal }: Register): Line | undefined {
	return best !== undefined && best.knew >= (removal?.at ?? 0) ? best : undefined;
}
