import { appendFile, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { askModal, showError, showInformation, showWarning } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { readLogRequest, type NamedServers } from "../logRequest.ts";
import { digestOf } from "../notedSampling.ts";
import type { SamplingEntry } from "../samplingRecord.ts";
import { isWindowGone } from "../windows.ts";
import { ActivityPanel } from "./activityPanel.vscode.ts";
import { everyActivity } from "./items.ts";
import { ActivityJournal, type ActivityRecord } from "./activityJournal.ts";
import { anchorLine, isCurrent, readAnchors } from "./anchors.ts";
import type { ContentsMode } from "./contents.ts";
import { activityExportName, activityLines, activityTable } from "./export.ts";
import type { ActivityBounds } from "./removal.ts";
import { verifiedSentence, verifyReport } from "./verifyReport.ts";
import { verify } from "./verify.ts";

/** What the journal needs of the window. */
export interface JournalServices {
	/** The folder of this machine in which the extension may keep files. */
	readonly storage: vscode.Uri;
	/** The name of this window. */
	readonly window: string;
	/** Puts marks in the place of the secrets that were used. */
	readonly redact: <T>(value: T) => T;
	/** The version of the extension. */
	readonly version: string;
	/** What the record of sampling holds now. Never rejects. */
	readonly readSampling: () => Promise<readonly SamplingEntry[]>;
	readonly extensionUri: vscode.Uri;
	readonly directory: NamedServers;
	/** Whether an exchange is in the trace of this window, by its name. */
	readonly isTraced: (exchange: string) => boolean;
	readonly log: Log;
}

/** The journal of decisions and effects, and what people do with it. */
export interface WiredJournal extends Disposable {
	readonly journal: ActivityJournal;
	/** Removes what is too old, looks at what other windows wrote, and writes an anchor where one is wanted. Rejects as the disk does. */
	readonly tidy: () => Promise<void>;
	readonly commands: Commands<
		| "mcpHost.showActivity"
		| "mcpHost.exportActivity"
		| "mcpHost.clearActivity"
		| "mcpHost.verifyActivity"
		| "mcpHost.anchorActivity"
	>;
}

/** Makes it, until it is disposed. */
export function wireJournal({
	storage,
	window,
	redact,
	version,
	readSampling,
	extensionUri,
	directory,
	isTraced,
	log,
}: JournalServices): WiredJournal {
	const store = new DisposableStore();
	const journal = new ActivityJournal({
		folder: path.join(storage.fsPath, "activity"),
		window,
		isGone: isWindowGone,
		bounds,
		contents: contentsMode,
		redact,
		now: Date.now,
		version,
		onFault: (message) => {
			log.error(message);
			void showWarning(message);
		},
	});
	store.add(toDisposable(() => journal.close()));
	let anchored = "";
	const anchorTo = async (file: string): Promise<void> => {
		const chains = await journal.look();
		const heads = anchorLine(chains, 0);
		// The same again says nothing new.
		if (heads === "" || heads === anchored) return;
		await appendFile(file, anchorLine(chains, Date.now()));
		anchored = heads;
	};
	const folder = path.join(storage.fsPath, "activity");
	const panel = store.add(
		new ActivityPanel(
			extensionUri,
			{
				read: () => journal.read(),
				readSampling,
				watch: (changed) => {
					const watching = new DisposableStore();
					watching.add(journal.onDidChange(changed));
					watching.add(watchFolder(folder, changed));
					return watching;
				},
				notices: () => (journal.fault === undefined ? [] : [`Nothing can be written at the moment: ${journal.fault}`]),
				isTraced,
				actions: {
					trace: async (exchange) => void (await vscode.commands.executeCommand("mcpHost.showInTrace", exchange)),
					copy: async (records) => {
						await vscode.env.clipboard.writeText(activityLines(records));
						return "Copied as JSON Lines.";
					},
					save,
					clear: (records, isAll) => clear(journal, records, isAll),
					verify: async () => showVerified(journal, await readSampling(), false),
				},
			},
			() => journal.forget(),
		),
	);
	const commands = {
		"mcpHost.showActivity": async (argument: unknown) => {
			const { server, exchange } = readLogRequest(argument, directory);
			panel.show({ ...everyActivity, server }, exchange);
		},
		"mcpHost.exportActivity": async () => inform(await save(await journal.read())),
		"mcpHost.clearActivity": async () => inform(await clear(journal, await journal.read(), true)),
		"mcpHost.verifyActivity": async () => {
			await showVerified(journal, await readSampling(), true);
		},
		"mcpHost.anchorActivity": async () => {
			const target = await vscode.window.showSaveDialog({
				defaultUri: vscode.Uri.file(anchorFile() ?? path.join(homedir(), "mcp-activity-anchors.jsonl")),
				title: "A File for Anchors of the Activity, Which Is Added To",
			});
			if (target === undefined) return;
			anchored = "";
			await anchorTo(target.fsPath);
			await vscode.workspace
				.getConfiguration("mcpHost.activity")
				.update("anchor", target.fsPath, vscode.ConfigurationTarget.Global);
			inform(
				`The end of the activity is written into ${oneLine(path.basename(target.fsPath), 100)}, now and every half hour. ` +
					"Keep the file where whoever may write the activity cannot.",
			);
		},
	};
	return {
		journal,
		tidy: async () => {
			await journal.tidy();
			const file = anchorFile();
			if (file !== undefined) await anchorTo(file);
			journal.forget();
		},
		commands: guarded(commands, (error) => void showError(messageOf(error))),
		dispose: () => store.dispose(),
	};
}

function inform(words: string): void {
	if (words !== "") void showInformation(words);
}

const contentsModes: ReadonlySet<unknown> = new Set<ContentsMode>(["none", "masked", "full"]);

/** Whether arguments and results are kept, as the setting says now. */
function contentsMode(): ContentsMode {
	const value = own("contents");
	return contentsModes.has(value) ? (value as ContentsMode) : "none";
}

/** How much is kept. */
function bounds(): ActivityBounds {
	const [days, size] = [own("days"), own("size")];
	return {
		days: typeof days === "number" && days >= 1 ? days : 90,
		bytes: (typeof size === "number" && size >= 1 ? size : 20) * 1_000_000,
	};
}

/** The file that the person chose for anchors. */
function anchorFile(): string | undefined {
	const file = own("anchor");
	return typeof file === "string" && path.isAbsolute(file) ? file : undefined;
}

/** A setting as it applies to this machine: a workspace has no say in what is written down, and where. */
function own(key: string): unknown {
	const inspected = vscode.workspace.getConfiguration("mcpHost.activity").inspect<unknown>(key);
	return inspected?.globalValue ?? inspected?.defaultValue;
}

async function save(records: readonly ActivityRecord[]): Promise<string> {
	if (records.length === 0) return "There is nothing to export.";
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({
		defaultUri: vscode.Uri.joinPath(folder, activityExportName(new Date())),
		filters: { "JSON Lines": ["jsonl"], "Comma-Separated Values": ["csv"] },
		title: `Export ${countOf(records.length)} of the Activity`,
	});
	if (target === undefined) return "";
	const text = /\.csv$/i.test(target.path) ? activityTable(records) : activityLines(records);
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
	return `Exported ${countOf(records.length)} to ${oneLine(path.posix.basename(target.path), 100)}.`;
}

/** Deletes entries, once the person says so; with `isAll` also those that nobody is shown. */
async function clear(journal: ActivityJournal, records: readonly ActivityRecord[], isAll: boolean): Promise<string> {
	if (records.length === 0) return "There is nothing to clear.";
	const latest = Math.max(...records.map(({ at }) => at));
	const detail =
		`${countOf(records.length)} of all windows will be deleted from this machine; that they were is written down. ` +
		"The sampling log is cleared by itself. This cannot be undone.";
	const answer = "Clear";
	if (
		(await askModal(isAll ? "Clear the activity?" : "Clear these entries of the activity?", detail, answer)) !== answer
	)
		return "";
	const chosen = new Set(records.map(({ window, n }) => `${window} ${n}`));
	await journal.remove(({ window, n, at }) => chosen.has(`${window} ${n}`) || (isAll && at <= latest));
	return isAll ? "The activity is cleared." : `${countOf(records.length)} cleared.`;
}

/** Verifies, and shows the details if the person wants them; told by a notification, or by what it returns. */
async function showVerified(
	journal: ActivityJournal,
	sampling: readonly SamplingEntry[],
	isTold: boolean,
): Promise<string> {
	const digests = new Map(sampling.map((entry) => [entry.id, digestOf(entry)]));
	const file = anchorFile();
	const read = file === undefined ? undefined : readAnchors(await readFile(file, "utf8"));
	const anchors = read?.anchors.filter((anchor) => isCurrent(anchor, bounds().days, Date.now()));
	const chains = await journal.look();
	const verified = verify({ chains, anchors: anchors ?? [], samplingDigest: (id) => digests.get(id) });
	const by = { anchors: anchors?.length, damagedAnchors: read?.damaged ?? 0 };
	const isWhole = verified.findings.length === 0;
	const details = "Show Details";
	const tell = isWhole ? showInformation : showWarning;
	const sentence = verifiedSentence(verified);
	if (!isTold && isWhole) return sentence;
	if ((await tell(sentence, details)) !== details) return sentence;
	const document = await vscode.workspace.openTextDocument({
		content: verifyReport(verified, by),
		language: "plaintext",
	});
	await vscode.window.showTextDocument(document);
	return sentence;
}

/** Tells of files that windows write, as far as the system tells. */
function watchFolder(folder: string, changed: () => void): Disposable {
	const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), "*.jsonl");
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	watcher.onDidChange(changed);
	watcher.onDidCreate(changed);
	watcher.onDidDelete(changed);
	return watcher;
}

function countOf(entries: number): string {
	return entries === 1 ? "1 entry" : `${entries.toLocaleString("en-US")} entries`;
}
