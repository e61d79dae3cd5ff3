import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { oneOf } from "../../base/guards.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import type { ActivityNotes, SamplingActivity } from "./journal/entry.ts";
import { type JournalServices, type WiredJournal, wireJournal } from "./journal/journal.vscode.ts";
import { notedSampling } from "./notedSampling.ts";
import type { RecordMode } from "./keeper.ts";
import { describeInterrupted } from "./interrupted.ts";
import type { SamplingRecord } from "./samplingRecord.ts";
import { nameWindow } from "./windows.ts";

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
 * Creates the journal and its panel until disposed; later events, such as the end of a review, are still recorded.
 */
export function wireActivity(services: Omit<JournalServices, "window" | "samplingNotices">): WiredActivity {
	const { log } = services;
	const store = new DisposableStore();
	const samplingNotices = (): readonly string[] => notices[recordMode()];
	const activity = store.add(wireJournal({ ...services, window: nameWindow(), samplingNotices }));
	store.add(activity.journal.onDidInterrupt((steps) => void tellInterrupted(steps)));
	// Entries that closed windows left open are ended, whether or not a view is open.
	const tidy = async (): Promise<void> => {
		try {
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
		record: notedSampling(activity.journal, recordMode),
		stored: activity.stored,
		commands: activity.commands,
		dispose: () => store.dispose(),
	};
}

/** The panel of such a review is gone, so nothing else can report its end. */
async function tellInterrupted(steps: readonly SamplingActivity[]): Promise<void> {
	const answer = await showInformation(describeInterrupted(steps), "Show Sampling Requests");
	if (answer !== undefined) await vscode.commands.executeCommand("mcpHost.showSamplingRequests");
}

const setting = "(setting mcpHost.sampling.record)";
const notices = {
	full: [],
	"without texts": [`Texts of sampling requests are not recorded ${setting}.`],
	off: [`The contents of sampling requests are not recorded ${setting}.`],
};

const modes: ReadonlySet<RecordMode> = new Set<RecordMode>(["full", "without texts", "off"]);

/** How much of each request is recorded, as the setting applies to this machine: a workspace cannot change that. */
function recordMode(): RecordMode {
	const inspected = vscode.workspace.getConfiguration("mcpHost.sampling").inspect<unknown>("record");
	return oneOf(modes, inspected?.globalValue ?? inspected?.defaultValue) ?? "full";
}
