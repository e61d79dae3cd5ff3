import path from "node:path";
import * as vscode from "vscode";
import { appendFile, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import type { Commands } from "../../../base/commands.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import { askModal, commandsOf, showInformation, showWarning } from "../../../base/notify.vscode.ts";
import type { Redactor } from "../../../base/secrets/writer.ts";
import type { Secrets } from "../../../base/storage.ts";
import { oneLine } from "../../../base/text.ts";
import { isWindowGone } from "../windows.ts";
import { ActivityJournal, safeEntry } from "./activityJournal.ts";
import { type NamedServers, readActivityRequest, type Wanted } from "./activityRequest.ts";
import { anchorLine, isCurrent, readAnchors } from "./anchors.ts";
import { clearable, clearItems } from "./clear.ts";
import type { ContentsMode } from "./contents.ts";
import { activityLines, activityExportName, activityTable } from "./export.ts";
import { type ActivityItem, everyActivity, itemsOf, recordsOf } from "./items.ts";
import type { ActivityBounds } from "./removal.ts";
import { verifiedSentence, verifyReport } from "./verifyReport.ts";
import { openSeal } from "./seal.ts";
import { verify } from "./verify.ts";
import { oneOf } from "../../../base/guards.ts";
import { openPanel, type Panel } from "../../../questions/webview/panel.vscode.ts";
import { ActivityPort, type ActivityPortServices } from "./activityPort.ts";
import type { ActivityQuery } from "./activityProtocol.ts";

/** The dependencies of the journal on the window. */
export interface JournalServices {
	/** The folder of this machine in which the extension may keep files. */
	readonly storage: vscode.Uri;
	/** The name of this window. */
	readonly window: string;
	readonly redactor: Redactor;
	/** Where the key of its proofs is. */
	readonly secrets: Pick<Secrets, "get" | "store">;
	/** The version of the extension. */
	readonly version: string;
	/** Notes for the user about the recording of sampling requests, in our sentences. */
	readonly samplingNotices: () => readonly string[];
	readonly extensionUri: vscode.Uri;
	readonly directory: NamedServers;
	/** Whether an exchange is in the trace of this window, by its name. */
	readonly isTraced: (exchange: string) => boolean;
	readonly log: Log;
}

/** The journal of decisions and effects, and the users' actions on it. */
export interface WiredJournal extends Disposable {
	readonly journal: ActivityJournal;
	/**
	 * Removes expired entries, reads those of other windows, and writes an anchor if configured. Rejects as the disk
	 * does.
	 */
	readonly tidy: () => Promise<void>;
	/** The kept data, for deleting it without a further question. Rejects as the disk does. */
	readonly stored: StoredItems;
	readonly commands: Commands<
		| "mcpHost.showActivity"
		| "mcpHost.exportActivity"
		| "mcpHost.clearActivity"
		| "mcpHost.verifyActivity"
		| "mcpHost.anchorActivity"
		| "mcpHost.showSamplingRequests"
	>;
}

/** Items of the activity, as they are counted and deleted. */
export interface StoredItems {
	count(): Promise<number>;
	clear(): Promise<void>;
}

/** Makes it, until it is disposed. */
export function wireJournal({
	storage,
	window,
	redactor,
	secrets,
	version,
	samplingNotices,
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
		redactor,
		seal: () => openSeal(secrets),
		now: Date.now,
		version,
		onFault: (message) => {
			log.error(message);
			void showWarning(message);
		},
	});
	store.add(toDisposable(() => journal.close()));
	const verifying = { secrets, window };
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
	/** An item in the form for export: values that became known as secrets since it was recorded are removed. */
	const leaving = (item: ActivityItem): ActivityItem => ({
		...item,
		records: item.records.map((record) => ({ ...record, entry: safeEntry(record.entry, redactor) })),
	});
	/** Deletes items, once the user says so. */
	const clear = async (all: readonly ActivityItem[], isAll: boolean): Promise<string> => {
		const items = clearable(all);
		if (items.length === 0) return "There is nothing to clear.";
		const detail =
			`${countOf(items.length)} of all windows will be deleted from this machine, with the contents of sampling requests. ` +
			"The activity records that you cleared them. Open reviews are kept. This cannot be undone.";
		const answer = "Clear";
		const question = isAll ? "Clear the activity?" : "Clear these entries of the activity?";
		if ((await askModal(question, detail, answer)) !== answer) return "";
		await clearItems(items, isAll, journal);
		return `${countOf(items.length)} cleared.`;
	};
	const panel = store.add(
		new ActivityPanel(
			extensionUri,
			{
				read: () => journal.read(),
				watch: (changed) => {
					const watching = new DisposableStore();
					watching.add(journal.onDidChange(changed));
					watching.add(watchFolder(folder, changed));
					return watching;
				},
				notices: (group) => [
					...(journal.fault === undefined ? [] : [`The activity cannot be written: ${journal.fault}`]),
					...(group === "sampling" ? samplingNotices() : []),
				],
				isTraced,
				actions: {
					trace: async (exchange) => void (await vscode.commands.executeCommand("mcpHost.showInTrace", exchange)),
					copy: async (item) => {
						await vscode.env.clipboard.writeText(activityLines(leaving(item).records));
						return "Copied as JSON Lines.";
					},
					save: (items) => save(items.map(leaving)),
					clear,
					verify: () => showVerified(journal, verifying, false),
					chooseContents: async () => {
						await vscode.commands.executeCommand("workbench.action.openSettings", "mcpHost.activity.contents");
					},
				},
			},
			() => journal.forget(),
		),
	);
	const readItems = async (): Promise<readonly ActivityItem[]> => itemsOf(await journal.read());
	const commands = {
		"mcpHost.showActivity": async (argument: unknown) => {
			const { server, wanted } = readActivityRequest(argument, directory);
			panel.show({ ...everyActivity, server }, wanted);
		},
		"mcpHost.showSamplingRequests": async (argument: unknown) => {
			const { server, wanted } = readActivityRequest(argument, directory);
			panel.show({ ...everyActivity, group: "sampling", server }, wanted);
		},
		"mcpHost.exportActivity": async () => inform(await save((await readItems()).map(leaving))),
		"mcpHost.clearActivity": async () => inform(await clear(await readItems(), true)),
		"mcpHost.verifyActivity": async () => void (await showVerified(journal, verifying, true)),
		"mcpHost.anchorActivity": async () => {
			const target = await vscode.window.showSaveDialog({
				defaultUri: vscode.Uri.file(anchorFile() ?? path.join(homedir(), "mcp-activity-anchors.jsonl")),
				title: "Choose the File to Append Anchors To",
			});
			if (target === undefined) return;
			anchored = "";
			await anchorTo(target.fsPath);
			await vscode.workspace
				.getConfiguration("mcpHost.activity")
				.update("anchor", target.fsPath, vscode.ConfigurationTarget.Global);
			inform(
				`An anchor of the activity is appended to ${oneLine(path.basename(target.fsPath), 100)} now and every half hour. ` +
					"Keep the file where nobody who can change the activity can change it.",
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
		stored: {
			count: async () => clearable(await readItems()).length,
			clear: async () => {
				const items = clearable(await readItems());
				if (items.length > 0) await clearItems(items, true, journal);
			},
		},
		commands: commandsOf(commands),
		dispose: () => store.dispose(),
	};
}

function inform(words: string): void {
	if (words !== "") void showInformation(words);
}

const contentsModes: ReadonlySet<ContentsMode> = new Set<ContentsMode>(["none", "masked", "full"]);

/** Whether arguments and results are kept, as the setting says now. */
function contentsMode(): ContentsMode {
	return oneOf(contentsModes, own("contents")) ?? "none";
}

/** How much is kept. */
function bounds(): ActivityBounds {
	const days = own("days");
	return { days: typeof days === "number" && days >= 1 ? days : 90, bytes: 20_000_000 };
}

/** The file that the user chose for anchors. */
function anchorFile(): string | undefined {
	const file = own("anchor");
	return typeof file === "string" && path.isAbsolute(file) ? file : undefined;
}

/** A setting as it applies to this machine: a workspace cannot change what is recorded, and where. */
function own(key: string): unknown {
	const inspected = vscode.workspace.getConfiguration("mcpHost.activity").inspect<unknown>(key);
	return inspected?.globalValue ?? inspected?.defaultValue;
}

/** Verifies, and shows the details if the user wants them; reports by a notification, or by its result. */
async function showVerified(
	journal: ActivityJournal,
	{ secrets, window }: Pick<JournalServices, "secrets" | "window">,
	isTold: boolean,
): Promise<string> {
	const own = { window, head: journal.head };
	const file = anchorFile();
	const read = file === undefined ? undefined : readAnchors(await readFile(file, "utf8"));
	const anchors = read?.anchors.filter((anchor) => isCurrent(anchor, bounds().days, Date.now()));
	const chains = await journal.look();
	const seal = await openSeal(secrets);
	const verified = verify({ chains, anchors: anchors ?? [], seal, own });
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

/** Reports files that windows write, as far as the system reports them. */
function watchFolder(folder: string, changed: () => void): Disposable {
	const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), "*.jsonl");
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	watcher.onDidChange(changed);
	watcher.onDidCreate(changed);
	watcher.onDidDelete(changed);
	return watcher;
}

/** The one panel that shows the activity. */
export class ActivityPanel implements Disposable {
	private readonly extensionUri: vscode.Uri;
	private readonly services: ActivityPortServices;
	private readonly closed: () => void;
	private open: { readonly panel: Panel; readonly port: ActivityPort } | undefined;

	/** `closed` is called when the user closes it. */
	constructor(extensionUri: vscode.Uri, services: ActivityPortServices, closed: () => void) {
		this.extensionUri = extensionUri;
		this.services = services;
		this.closed = closed;
	}

	/** Shows the results of a query and focuses the panel: the user requested it. Reveals `wanted`, if given. */
	show(query: ActivityQuery, wanted?: Wanted): void {
		if (this.open !== undefined) {
			this.open.panel.reveal();
			this.open.port.ask(query, wanted);
			return;
		}
		const panel = openPanel({
			extensionUri: this.extensionUri,
			view: "activity",
			style: "activity.css",
			title: "Activity",
		});
		const port = new ActivityPort(panel.port, this.services);
		port.ask(query, wanted);
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

/** Saves the entries in a format and a file that the user chooses. */
async function save(items: readonly ActivityItem[]): Promise<string> {
	if (items.length === 0) return "There is nothing to export.";
	const count = countOf(items.length);
	const title = `Export ${count} of the Activity`;
	const options = { title, placeHolder: "Choose a format", ignoreFocusOut: true };
	const format = await vscode.window.showQuickPick(formats, options);
	if (format === undefined) return "";
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({
		defaultUri: vscode.Uri.joinPath(folder, activityExportName(new Date(), format.ending)),
		filters: { [format.label]: [format.ending] },
		title,
	});
	if (target === undefined) return "";
	const records = recordsOf(items);
	const text = format.ending === "csv" ? activityTable(records) : activityLines(records);
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
	const rows = `${records.length.toLocaleString("en-US")} records`;
	return `Exported ${count} (${rows}) to ${oneLine(path.posix.basename(target.path), 100)}.`;
}

/** The forms in which the activity is exported. VS Code's own dialog, as in a browser, has no list of them. */
const formats = [
	{ label: "JSON Lines", ending: "jsonl", detail: "Every detail, and what is needed to verify it" },
	{ label: "Comma-Separated Values", ending: "csv", detail: "A table for spreadsheets" },
] as const;

/** A number of entries in words, as the view counts them. */
function countOf(entries: number): string {
	return entries === 1 ? "1 entry" : `${entries.toLocaleString("en-US")} entries`;
}
