import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { exactJson } from "../base/exactJson.ts";
import type { Json } from "../base/json.ts";
import { DisposableStore, toDisposable, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { showError, showInformation, askModal } from "../base/notify.vscode.ts";
import type { Store } from "../base/store/store.ts";
import { oneLine } from "../base/text.ts";
import { openPanel, type Panel } from "../questions/webview/panel.vscode.ts";
import type { ActivityNotes } from "./journal/entry.ts";
import { type WiredJournal, wireJournal } from "./journal/journal.vscode.ts";
import { notedSampling } from "./notedSampling.ts";
import { EntryJournal, entriesName } from "./entryJournal.ts";
import type { RecordMode } from "./keeper.ts";
import { type LogActions, LogPort, type LogPortServices } from "./logPort.ts";
import { exportName, toJsonLines, everything } from "./logQuery.ts";
import { readLogRequest, type NamedServers, type LogRequest } from "./logRequest.ts";
import { describeInterrupted } from "./interrupted.ts";
import { entryOrder, type RecordBounds } from "./merge.ts";
import { SamplingLog } from "./samplingLog.ts";
import type { SamplingRecord, SamplingEntry } from "./samplingRecord.ts";
import { isWindowGone, nameWindow } from "./windows.ts";

/** What the record needs of the window and of the rest of the host. */
export interface ActivityServices {
	/** What the windows share. */
	readonly store: Store;
	/** The folder of this machine in which the extension may keep files. */
	readonly storage: vscode.Uri;
	readonly extensionUri: vscode.Uri;
	readonly directory: NamedServers;
	/** Puts marks in the place of the secrets that were used. */
	readonly redact: <T>(value: T) => T;
	/** The version of the extension. */
	readonly version: string;
	/** Whether an exchange is in the trace of this window, by its name. */
	readonly isTraced: (exchange: string) => boolean;
	readonly log: Log;
}

/** Where decisions, effects and sampling requests are written down, and where people look them up. */
export interface WiredActivity extends Disposable {
	readonly notes: ActivityNotes;
	readonly record: SamplingRecord;
	readonly commands: Commands<"mcpHost.showSamplingLog" | "mcpHost.exportSamplingLog" | "mcpHost.clearSamplingLog"> &
		WiredJournal["commands"];
}

/** How long the window has to itself before old journals are read, in milliseconds; whoever looks reads them at once. */
const settlingMs = 3000;
/** How often what is too old is removed, and what other windows wrote is looked at, in milliseconds. */
const tidyingMs = 30 * 60_000;

/** Makes the record and its panel until it is disposed; what is recorded later, such as the end of a review, still is. */
export function wireActivity({
	store: shared,
	storage,
	extensionUri,
	directory,
	redact,
	isTraced,
	version,
	log,
}: ActivityServices): WiredActivity {
	const store = new DisposableStore();
	const window = nameWindow();
	const readSampling = async (): Promise<readonly SamplingEntry[]> => (await record.read()).entries;
	const activity = store.add(
		wireJournal({ storage, window, redact, version, readSampling, extensionUri, directory, isTraced, log }),
	);
	const journal = new EntryJournal({
		journal: shared.journal(entriesName, { outranks: entryOrder, isKeptByOwner: true }),
		formerFolder: path.join(storage.fsPath, "samplingLog"),
		window,
		isGone: isWindowGone,
		bounds: recordBounds,
		now: Date.now,
	});
	const record = new SamplingLog({ journal, mode: recordMode, log });
	const noted = notedSampling(record, activity.journal);
	store.add(record.onDidInterrupt((entries) => void tellInterrupted(entries)));
	// What windows left open that are gone by now is ended, whether or not anybody looks.
	const tidy = async (): Promise<void> => {
		try {
			await record.tidy();
			await activity.tidy();
		} catch (error) {
			log.warn(`The activity was not put in order: ${messageOf(error)}`);
		}
	};
	const settling = setTimeout(() => void tidy(), settlingMs);
	const tidying = setInterval(() => void tidy(), tidyingMs);
	store.add(toDisposable(() => clearTimeout(settling)));
	store.add(toDisposable(() => clearInterval(tidying)));
	const actions = logActions(record);
	const panel = store.add(
		new LogPanel(
			extensionUri,
			{
				read: () => record.read(),
				watch: (changed) => {
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
				actions,
			},
			() => void journal.forget(),
		),
	);
	const inform = (words: string): void => {
		if (words !== "") void showInformation(words);
	};
	const commands = {
		"mcpHost.showSamplingLog": async (argument: unknown) => panel.show(readLogRequest(argument, directory)),
		"mcpHost.exportSamplingLog": async () => inform(await actions.save((await record.read()).entries)),
		"mcpHost.clearSamplingLog": async () => inform(await actions.clear()),
	};
	return {
		notes: activity.journal,
		record: noted,
		commands: { ...guarded(commands, (error) => void showError(messageOf(error))), ...activity.commands },
		dispose: () => store.dispose(),
	};
}

/** The panel of such a review is gone, and with it whatever could say that it ended. */
async function tellInterrupted(entries: readonly SamplingEntry[]): Promise<void> {
	const answer = await showInformation(describeInterrupted(entries), "Show Sampling Log");
	if (answer !== undefined) await vscode.commands.executeCommand("mcpHost.showSamplingLog");
}

const setting = "(setting mcpHost.sampling.record)";
const notices = {
	full: [],
	"without texts": [`Texts are not recorded ${setting}.`],
	off: [`Nothing is recorded ${setting}: new requests do not appear here.`],
};

const modes: ReadonlySet<unknown> = new Set<RecordMode>(["full", "without texts", "off"]);

/** How much of each request is written down, as the setting says now. */
function recordMode(): RecordMode {
	const value = own("record");
	return modes.has(value) ? (value as RecordMode) : "full";
}

/** How much of the past is kept; the person chooses for how many days. */
function recordBounds(): RecordBounds {
	const value = own("recordDays");
	const days = typeof value === "number" && value >= 1 ? value : 90;
	return { entries: 500, bytes: 20_000_000, days };
}

/** The setting as it applies to this machine: a workspace has no say in what is written down. */
function own(key: string): unknown {
	const inspected = vscode.workspace.getConfiguration("mcpHost.sampling").inspect<unknown>(key);
	return inspected?.globalValue ?? inspected?.defaultValue;
}

/** What the log's buttons and commands do. Nothing leaves or is deleted by itself. */
function logActions(log: SamplingLog): LogActions {
	return {
		async copy(entry) {
			await vscode.env.clipboard.writeText(exactJson(entry as unknown as Json));
			return "Copied the entry as JSON.";
		},
		async save(entries) {
			if (entries.length === 0) return "There is nothing to export.";
			const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
			const target = await vscode.window.showSaveDialog({
				defaultUri: vscode.Uri.joinPath(folder, exportName(new Date())),
				filters: { "JSON Lines": ["jsonl"] },
				title: `Export ${countOf(entries)} of the sampling log`,
			});
			if (target === undefined) return "";
			await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(toJsonLines(entries)));
			return `Exported ${countOf(entries)} to ${oneLine(target.path.slice(target.path.lastIndexOf("/") + 1))}.`;
		},
		async clear() {
			const clear = "Clear";
			const { entries } = await log.read();
			const detail =
				`${countOf(entries)} of all windows will be deleted from this machine. Reviews that are open stay in the log. ` +
				"This cannot be undone.";
			if ((await askModal("Clear the sampling log?", detail, clear)) !== clear) return "";
			await log.clear();
			return "The sampling log is cleared.";
		},
	};
}

function countOf(entries: readonly SamplingEntry[]): string {
	return entries.length === 1 ? "1 entry" : `${entries.length.toLocaleString("en-US")} entries`;
}

/** The one panel that shows the record. */
class LogPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: LogPortServices;
	private readonly closed: () => void;
	private open: { readonly panel: Panel; readonly port: LogPort } | undefined;

	constructor(extensionUri: vscode.Uri, services: LogPortServices, closed: () => void) {
		this.extensionUri = extensionUri;
		this.services = services;
		this.closed = closed;
	}

	/** Shows the record and gives the panel the focus: the person asked for it. */
	show({ server, entry }: LogRequest): void {
		const query = { ...everything, server };
		if (this.open !== undefined) {
			this.open.panel.reveal();
			this.open.port.ask(query, entry);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "samplingLog",
			style: "samplingLog.css",
			title: "Sampling Log",
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
		});
		const port = new LogPort(panel.port, this.services);
		port.ask(query, entry);
		panel.onDidClose(() => {
			port.dispose();
			this.open = undefined;
			this.closed();
		});
		this.open = { panel, port };
	}

	dispose(): void {
		this.open?.panel.dispose();
	}
}
