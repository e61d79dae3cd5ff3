import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Journal, type JournalOptions } from "../../../../src/base/store/journal.ts";

/** A folder on a real disk, and windows that share what it holds. */
export class JournalScene implements Disposable {
	readonly root = mkdtempSync(path.join(tmpdir(), "store-"));
	readonly folder = path.join(this.root, "store");
	now = Date.UTC(2026, 10, 22, 12);
	readonly problems: string[] = [];
	private windows = 0;

	/** Another window, or this one after a reload. It has read nothing so far. */
	window(options: Partial<JournalOptions> = {}): Journal {
		return new Journal({
			folder: this.folder,
			name: "things",
			window: `w${++this.windows}`,
			now: () => this.now,
			onProblem: (message) => void this.problems.push(message),
			...options,
		});
	}

	/** The view of a window that opens now. */
	values(): Readonly<Record<string, unknown>> {
		const journal = this.window();
		journal.refresh();
		return valuesOf(journal);
	}

	/** The names of the files. */
	get files(): readonly string[] {
		return readdirSync(this.folder).toSorted();
	}

	/** Every byte on the disk. */
	get disk(): string {
		return this.files.map((file) => readFileSync(path.join(this.folder, file), "utf8")).join("");
	}

	[Symbol.dispose](): void {
		rmSync(this.root, { recursive: true, force: true });
	}
}

/** The current values of a window, by key. */
export function valuesOf(journal: Journal): Readonly<Record<string, unknown>> {
	return Object.fromEntries(journal.lines.map(({ key, value }) => [key, value]));
}

/** Whole numbers from 0, the same ones for the same seed. */
export function randomOf(seed: number): (most: number) => number {
	let state = seed * 7919 + 1;
	return (most) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % most;
	};
}
