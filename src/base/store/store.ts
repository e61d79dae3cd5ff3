import { mkdirSync, watch } from "node:fs";
import { DisposableStore, toDisposable, type Disposable } from "../lifecycle.ts";
import { Journal } from "./journal.ts";
import type { Line } from "./line.ts";

/** Where a store keeps its files, and whom it notifies. */
export interface StoreOptions {
	/** Undefined for a store that ends with the window. */
	readonly folder: string | undefined;
	/** Distinguishes the workspace of this window from all others. */
	readonly workspace?: string;
	/** The time in milliseconds since the epoch; the clock of the machine by default. */
	readonly now?: () => number;
	/** Called once when something cannot be read or written, until it can be again. */
	readonly onProblem: (message: string) => void;
}

/** The settings of one journal of a store. */
export interface JournalTraits {
	/** Which of the current values are still useful; the others are dropped when the files are rewritten. */
	readonly isKept?: (line: Line) => boolean;
}

/** How many unused bytes, and how many files, a journal may have before it is rewritten. */
const slack = { bytes: 262_144, files: 12 };
/** How long the store waits before it looks after its files, in milliseconds. */
const tidyingMs = 4000;
/** How often it looks for changes by other windows if the system does not report them, in milliseconds. */
const pollingMs = 2000;

/**
 * The data that the extension remembers for all windows, in one folder: a journal for each kind. It follows the changes
 * of other windows: open journals are up to date a moment later, and immediately after `refresh`.
 */
export class Store implements Disposable {
	/** This window, among all that there ever were. */
	readonly window = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
	/** The workspace of this window, among all that there are. */
	readonly workspace: string;
	private readonly options: StoreOptions;
	private readonly journals = new Map<string, { readonly journal: Journal; readonly traits: JournalTraits }>();
	private readonly subscriptions = new DisposableStore();
	private tidying: NodeJS.Timeout | undefined;

	constructor(options: StoreOptions) {
		this.options = options;
		this.workspace = options.workspace ?? "";
		if (options.folder !== undefined) this.follow(options.folder);
	}

	/** Opens a journal by its name and reads it; returns the same one each time. */
	journal(name: string, traits: JournalTraits = {}): Journal {
		const known = this.journals.get(name);
		if (known !== undefined) return known.journal;
		const { folder, now = Date.now } = this.options;
		const { window } = this;
		const onProblem = (message: string): void => this.report(name, message);
		const journal = new Journal({ folder, name, window, now, onProblem });
		this.journals.set(name, { journal, traits });
		journal.refresh();
		this.subscriptions.add(journal.onDidWrite.event(() => this.tidySoon()));
		this.tidySoon();
		return journal;
	}

	/** Rewrites the journals that hold too much unused data. Never rejects. */
	async tidy(): Promise<void> {
		for (const { journal, traits } of this.journals.values()) {
			if (!isOverfull(journal, traits)) continue;
			const { compact } = await import("./compact.ts");
			// Nothing is lost when it fails, and the next window tries again.
			await compact(journal, { ...traits, keepsDamage: true }).catch(() => undefined);
		}
	}

	dispose(): void {
		clearTimeout(this.tidying);
		this.subscriptions.dispose();
	}

	/** A fault that all journals share is reported once. */
	private report(name: string, message: string): void {
		const others = [...this.journals].filter(([other]) => other !== name);
		if (others.every(([, { journal }]) => journal.fault === undefined)) this.options.onProblem(message);
	}

	private tidySoon(): void {
		if (this.tidying !== undefined || this.options.folder === undefined) return;
		this.tidying = setTimeout(() => {
			this.tidying = undefined;
			void this.tidy();
		}, tidyingMs);
		this.tidying.unref();
	}

	private follow(folder: string): void {
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			const watcher = watch(folder, { persistent: false }, (_event, file) => this.refresh(file ?? ""));
			watcher.on("error", () => {
				watcher.close();
				this.poll();
			});
			this.subscriptions.add(toDisposable(() => watcher.close()));
		} catch {
			this.poll();
		}
	}

	private poll(): void {
		const timer = setInterval(() => this.refresh(""), pollingMs);
		timer.unref();
		this.subscriptions.add(toDisposable(() => clearInterval(timer)));
	}

	/** Reads the new lines of a file, or of all if the file is unknown. */
	private refresh(file: string): void {
		for (const [name, { journal }] of this.journals) if (file === "" || file.startsWith(`${name}-`)) journal.refresh();
	}
}

function isOverfull(journal: Journal, { isKept = () => true }: JournalTraits): boolean {
	const { bytes, files } = journal.extent;
	if (files > slack.files || journal.damaged.length > 0) return true;
	if (bytes <= slack.bytes) return false;
	let needed = 0;
	for (const line of journal.contents(isKept, 0)) needed += line.length + 1;
	return bytes > 2 * needed + slack.bytes;
}
