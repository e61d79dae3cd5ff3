import type { Stats } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { readLine, type EntryLine } from "./entryLines.ts";

/** What a journal holds. */
export interface JournalContents {
	readonly lines: readonly EntryLine[];
	/** How many lines could not be read. */
	readonly damaged: number;
	/** What stands behind the last whole line: it is being written, or never will be finished. */
	readonly tail: string;
	/** How many bytes the whole lines take. */
	readonly size: number;
	/** Which file it was: another one may take its place under the same name. */
	readonly identity: string;
	/** When it was last written to, in milliseconds since the epoch. */
	readonly touchedAt: number;
}

interface Read extends JournalContents {
	readonly lines: EntryLine[];
}

/** How much is read at a stretch, in bytes, before others have a turn. */
const stretch = 262_144;

/** The longest line that is taken for one of ours, in bytes. */
const longestLine = 32_000_000;

/** Tells a file from another one that has its name, or even its place on the disk. */
export function identityOf({ ino, birthtimeMs }: Stats): string {
	return `${ino}-${birthtimeMs}`;
}

/** Reads journals, of those that it knows only what was added since. */
export class JournalReader {
	private readonly known = new Map<string, Read>();

	/** Undefined when there is no such file. Rejects with the error of the file system. */
	async read(path: string): Promise<JournalContents | undefined> {
		const file = await open(path, "r").catch((error: unknown) => {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
			throw error;
		});
		if (file === undefined) {
			this.known.delete(path);
			return undefined;
		}
		try {
			const stats = await file.stat();
			const { size, mtimeMs: touchedAt } = stats;
			const identity = identityOf(stats);
			const known = this.known.get(path);
			const begun = known !== undefined && known.identity === identity && known.size <= size ? known : undefined;
			const lines = begun?.lines ?? [];
			let damaged = begun?.damaged ?? 0;
			let at = begun?.size ?? 0;
			let rest = Buffer.alloc(0);
			while (at + rest.length < size) {
				const { buffer, bytesRead } = await file.read({
					buffer: Buffer.alloc(Math.min(stretch, size - at - rest.length)),
					position: at + rest.length,
				});
				if (bytesRead === 0) break;
				rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
				const end = rest.lastIndexOf(0x0a) + 1;
				if (end === 0) {
					if (rest.length <= longestLine) continue;
					damaged++;
					at += rest.length;
					rest = Buffer.alloc(0);
					continue;
				}
				for (const text of rest.toString("utf8", 0, end).split("\n")) {
					if (text === "") continue;
					const line = readLine(text);
					if (line === undefined) damaged++;
					else lines.push(line);
				}
				at += end;
				rest = rest.subarray(end);
				await setImmediate();
			}
			const read = { identity, lines, damaged, size: at, touchedAt, tail: rest.toString("utf8") };
			this.known.set(path, read);
			return { ...read, lines: [...lines] };
		} finally {
			await file.close();
		}
	}

	/** Gives back the memory of what it knows. */
	forget(): void {
		this.known.clear();
	}
}
