import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import type { Store } from "../../base/store/store.ts";
import type { ActivityNotes } from "./journal/entry.ts";
import { type JournalServices, type WiredJournal, wireJournal } from "./journal/journal.vscode.ts";
import { notedSampling } from "./notedSampling.ts";
import { EntryJournal, entriesName } from "./entryJournal.ts";
import type { RecordMode } from "./keeper.ts";
import { describeInterrupted } from "./interrupted.ts";
import { entryOrder, type RecordBounds } from "./merge.ts";
import { SamplingLog } from "./samplingLog.ts";
import type { SamplingRecord, SamplingEntry } from "./samplingRecord.ts";
import { isWindowGone, nameWindow } from "./windows.ts";
import { oneOf } from "../../base/guards.ts";

/** The dependencies of the record on the window and the rest of the host. */
export interface ActivityServices extends Omit<JournalServices, "window" | "sampling"> {
	/** The data that the windows share. */
	readonly store: Store;
}

/** Where decisions, effects and sampling requests are recorded, and where users look them up. */
export interface WiredActivity extends Disposable {
	readonly notes: ActivityNotes;
	readonly record: SamplingRecord;
	readonly stored: WiredJournal["stored"];
	readonly commands: WiredJournal["commands"];
}

/** The delay before old journals are read, in milliseconds; a view reads them immediately. */
const settlingMs = 3000;
/** How often expired entries are removed, and other windows' entries are read, in milliseconds. */
const tidyingMs = 30 * 60_000;

/**
 * Creates the journal, the record and their panel until disposed; later events, such as the end of a review, are still
 * recorded.
 */
export function wireActivity({
	store: shared,
	storage,
	extensionUri,
	directory,
	redactor,
	secrets,
	isTraced,
	version,
	log,
}: ActivityServices): WiredActivity {
	const store = new DisposableStore();
	const window = nameWindow();
	const journal = new EntryJournal({
		journal: shared.journal(entriesName, { outranks: entryOrder, isKeptByOwner: true }),
		window,
		isGone: isWindowGone,
		bounds: recordBounds,
		now: Date.now,
	});
	const record = new SamplingLog({ journal, mode: recordMode, log });
	const sampling = {
		read: () => record.read(),
		watch(changed: () => void): Disposable {
			const watching = new DisposableStore();
			watching.add(record.onDidChange(changed));
			watching.add(
				shared.onDidTouch((file) => {
					if (file === "" || file.startsWith(`${entriesName}-`)) changed();
				}),
			);
			return watching;
		},
		notices: () => notices[recordMode()],
		clear: (ids?: ReadonlySet<string>) => record.clear(ids),
		forget: () => void journal.forget(),
	};
	const activity = store.add(
		wireJournal({ storage, window, redactor, secrets, version, sampling, extensionUri, directory, isTraced, log }),
	);
	const noted = notedSampling(record, activity.journal);
	store.add(record.onDidInterrupt((entries) => void tellInterrupted(entries)));
	// Entries that closed windows left open are ended, whether or not a view is open.
	const tidy = async (): Promise<void> => {
		try {
			await record.tidy();
			await activity.tidy();
		} catch (error) {
			log.warn(`The activity could not be cleaned up: ${messageOf(error)}`);
		}
	};
	const settling = setTimeout(() => void tidy(), settlingMs);
	const tidying = setInterval(() => void tidy(), tidyingMs);
	store.add(toDisposable(() => clearTimeout(settling)));
	store.add(toDisposable(() => clearInterval(tidying)));
	return {
		notes: activity.journal,
		record: noted,
		stored: activity.stored,
		commands: activity.commands,
		dispose: () => store.dispose(),
	};
}

/** The panel of such a review is gone, so nothing else can report its end. */
async function tellInterrupted(entries: readonly SamplingEntry[]): Promise<void> {
	const answer = await showInformation(describeInterrupted(entries), "Show Sampling Log");
	if (answer !== undefined) await vscode.commands.executeCommand("mcpHost.showSamplingLog");
}

const setting = "(setting mcpHost.sampling.record)";
const notices = {
	full: [],
	"without texts": [`Texts of sampling requests are not recorded ${setting}.`],
	off: [`The contents of sampling requests are not recorded ${setting}.`],
};

const modes: ReadonlySet<RecordMode> = new Set<RecordMode>(["full", "without texts", "off"]);

/** How much of each request is recorded, by the current setting. */
function recordMode(): RecordMode {
	return oneOf(modes, own("record")) ?? "full";
}

/** How much of the past is kept; the user chooses for how many days. */
function recordBounds(): RecordBounds {
	const value = own("recordDays");
	const days = typeof value === "number" && value >= 1 ? value : 90;
	return { entries: 500, bytes: 20_000_000, days };
}

/** The setting as it applies to this machine: a workspace cannot change what is recorded. */
function own(key: string): unknown {
	const inspected = vscode.workspace.getConfiguration("mcpHost.sampling").inspect<unknown>(key);
	return inspected?.globalValue ?? inspected?.defaultValue;
}
