import { readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { isJsonObject } from "../../base/json.ts";
import type { Journal } from "../../base/store/journal.ts";
import { type Line, writeLine } from "../../base/store/line.ts";
import { isEntry } from "./entryLines.ts";

/** Where an earlier version wrote its entries, and where they go. */
export interface FormerJournalsOptions {
	readonly journal: Journal;
	readonly formerFolder: string;
	readonly isGone: (window: string, touchedAt: number) => boolean;
}

const suffix = ".jsonl";

/** The files of an earlier version: one for each window, named by it, with lines `{version: 1, window, entry}`. */
export class FormerJournals {
	private readonly options: FormerJournalsOptions;

	constructor(options: FormerJournalsOptions) {
		this.options = options;
	}

	/**
	 * Takes the files of windows over that are gone, and deletes them; those of windows that still run the earlier version
	 * have to wait. Returns how many lines were damaged. Stopping at any moment, or two windows at once, change nothing.
	 */
	async takeOver(): Promise<number> {
		const { journal, isGone } = this.options;
		let damaged = 0;
		for (const { file, window } of this.files) {
			const stats = statSync(file, { throwIfNoEntry: false });
			if (stats === undefined || (window !== undefined && !isGone(window, stats.mtimeMs))) continue;
			if (window !== undefined) {
				const texts = readFileSync(file, "utf8")
					.split("\n")
					.filter((text) => text !== "");
				const lines = texts.flatMap((text) => readFormer(text) ?? []);
				damaged += texts.length - lines.length;
				journal.adopt(lines);
				if (journal.fault !== undefined) return damaged;
				await setImmediate();
			}
			rmSync(file, { force: true });
		}
		this.deleteFolder();
		return damaged;
	}

	/** Deletes all files, whatever they hold. */
	delete(): void {
		for (const { file } of this.files) rmSync(file, { force: true });
		this.deleteFolder();
	}

	/** The files; without a window those that were never finished. */
	private get files(): readonly { readonly file: string; readonly window: string | undefined }[] {
		try {
			return readdirSync(this.options.formerFolder).map((name) => ({
				file: path.join(this.options.formerFolder, name),
				window: name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined,
			}));
		} catch {
			return [];
		}
	}

	private deleteFolder(): void {
		try {
			rmdirSync(this.options.formerFolder);
		} catch {
			// It is gone, or something is still in it.
		}
	}
}

function readFormer(text: string): Line | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isJsonObject(value)) return undefined;
	const { version, window, entry } = value as Readonly<Record<string, unknown>>;
	if (version !== 1 || typeof window !== "string" || !isEntry(entry)) return undefined;
	const moment = Math.floor(Math.max(1, entry.end?.at ?? entry.attempts.at(-1)?.at ?? entry.at)) * 1000;
	return writeLine(entry.id, moment, 0, { window, entry });
}
