import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { openToRead } from "../../../base/store/journalFiles.ts";
import { type Chain, newChain, takeLine } from "./chain.ts";
import { windowOfFile } from "./chainFile.ts";
import { codeOf } from "../../../base/errors.ts";

/** How much is read at a stretch, in bytes; others have a turn in between. */
const stretch = 262_144;
/** The longest line that is accepted as one of ours, in bytes. */
const longestLine = 8_000_000;
/** How much of the last read bytes identifies a file again, in bytes: more than the hash in a line and its number. */
const longestTail = 512;

/** A chain as it was read, and up to where. */
interface ReadChain {
	readonly chain: Chain;
	readonly inode: number;
	next: number;
	/** The last bytes before `next`: a rewritten file may get the inode of a former one. */
	tail: Buffer;
	size: number;
	touchedAt: number;
	isGone: boolean;
	/** Whether there are bytes after the last whole line. */
	hasTail: boolean;
}

/** A chain with the data of its file. */
export interface KnownChain {
	readonly chain: Chain;
	/** In bytes. */
	readonly size: number;
	/** When it was written last, in milliseconds since the epoch. */
	readonly touchedAt: number;
	/** Its window was gone before it was read, so that this is all of it. */
	readonly isGone: boolean;
}

/** Reads the chains of all windows, and on from where it was. */
export class Chains {
	private readonly folder: string;
	private readonly isGone: (window: string, touchedAt: number) => boolean;
	private known = new Map<string, ReadChain>();
	/** One reading at a time. */
	private queue: Promise<unknown> = Promise.resolve();

	/** `isGone` says whether a window is gone; `touchedAt` is when it wrote last, in milliseconds since the epoch. */
	constructor(folder: string, isGone: (window: string, touchedAt: number) => boolean) {
		this.folder = folder;
		this.isGone = isGone;
	}

	/** Reads the new lines. Rejects when the folder cannot be read. */
	read(): Promise<readonly KnownChain[]> {
		const done = this.queue.then(() => this.readNow());
		this.queue = done.catch(() => undefined);
		return done;
	}

	/** Gives back the memory that makes reading again quick. */
	forget(): void {
		this.known = new Map();
	}

	private async readNow(): Promise<readonly KnownChain[]> {
		const found = new Map<string, ReadChain>();
		for (const [window, file] of this.list()) {
			const read = await this.readFile(window, file);
			if (read !== undefined) found.set(window, read);
		}
		this.known = found;
		return [...found.values()].map(({ chain, size, touchedAt, isGone, hasTail }) => ({
			chain: hasTail ? withCut(chain) : chain,
			size,
			touchedAt,
			isGone,
		}));
	}

	private list(): readonly (readonly [window: string, file: string])[] {
		let names: readonly string[];
		try {
			names = readdirSync(this.folder);
		} catch (error) {
			if (codeOf(error) === "ENOENT") return [];
			throw error;
		}
		return names.toSorted().flatMap((name) => {
			const window = windowOfFile(name);
			return window === undefined ? [] : [[window, path.join(this.folder, name)] as const];
		});
	}

	/** Undefined for a file that is gone. */
	private async readFile(window: string, file: string): Promise<ReadChain | undefined> {
		const handle = openToRead(file);
		if (handle === undefined) return undefined;
		try {
			// First, since a window that lives may write at any moment.
			const isGone = this.isGone(window, fstatSync(handle).mtimeMs);
			const { size, ino, mtimeMs } = fstatSync(handle);
			const before = this.known.get(window);
			// Rewritten, or cut: read from the beginning. A change within the read part is found by verifying.
			const isSame = before?.inode === ino && before.size <= size && endsAsBefore(handle, before);
			const read = isSame ? before : fresh(window, ino);
			read.size = size;
			read.touchedAt = mtimeMs;
			read.isGone = isGone;
			for (let length = stretch; read.next < size; await setImmediate()) {
				const buffer = Buffer.alloc(Math.min(length, size - read.next));
				const whole = buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, read.next));
				const cut = whole.lastIndexOf(0x0a) + 1;
				const isEnd = read.next + whole.length >= size || whole.length === 0;
				if (cut === 0 && !isEnd && length < longestLine) {
					length *= 4;
					continue;
				}
				if (cut === 0 && isEnd) break;
				const end = cut === 0 ? whole.length : cut;
				for (const text of whole.toString("utf8", 0, end).split("\n")) if (text !== "") takeLine(read.chain, text);
				read.next += end;
				read.tail = Buffer.from(whole.subarray(Math.max(0, end - longestTail), end));
				length = stretch;
			}
			read.hasTail = read.next < size;
			return read;
		} finally {
			closeSync(handle);
		}
	}
}

function fresh(window: string, inode: number): ReadChain {
	return {
		chain: newChain(window),
		inode,
		next: 0,
		tail: Buffer.alloc(0),
		size: 0,
		touchedAt: 0,
		isGone: false,
		hasTail: false,
	};
}

/** Whether the last read part of a file is still in its place. */
function endsAsBefore(handle: number, { next, tail }: ReadChain): boolean {
	const there = Buffer.alloc(tail.length);
	readSync(handle, there, 0, tail.length, next - tail.length);
	return there.equals(tail);
}

/** A chain whose last line is being written, or never will be finished. */
function withCut(chain: Chain): Chain {
	const at = chain.n + chain.unread + 1;
	return { ...chain, faults: [...chain.faults, { kind: "cut", from: at, to: at }] };
}
