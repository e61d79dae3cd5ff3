import { posix } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { Emitter } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import type { Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { parsePolicyFile, parseRules, unreadable } from "./parseRules.ts";
import { policyFile, type ObservedRules, type RuleList, type RulePlace } from "./rule.ts";

const section = "mcpHost";
/** The key of the person's own rules in the section `mcpHost` of the settings. */
export const rulesKey = "policy.rules";
/** How long changes are gathered, in milliseconds: editors and version control write in bursts. */
const settleMs = 100;
/** Largest file that is read; the parser's limit counts characters. */
const maxBytes = 4_000_000;

/** The file of a folder that holds its rules. */
export function policyFileOf(folder: vscode.WorkspaceFolder): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, policyFile);
}

/** The rules as the person's settings have them; not the effective value, which a workspace could change. */
export function ownRules(): unknown {
	return vscode.workspace.getConfiguration(section).inspect<unknown>(rulesKey)?.globalValue;
}

/** Reads the rules of the setting and of every open folder, trusted or not, and keeps them current. */
export class RuleFiles implements ObservedRules, Disposable {
	private readonly log: Log;
	private readonly disposables: vscode.Disposable[];
	private watchers: readonly vscode.Disposable[] = [];
	private timer: NodeJS.Timeout | undefined;
	private reading: Promise<void> = Promise.resolve();
	private current: readonly RuleList[] | undefined;
	/** What was read last, so that nothing is told that has not changed. */
	private lastRead = "";
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;

	constructor(log: Log) {
		this.log = log;
		this.disposables = [
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration(`${section}.${rulesKey}`)) this.schedule();
			}),
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				this.watch();
				this.schedule();
			}),
		];
		this.watch();
		void this.refresh();
	}

	get lists(): readonly RuleList[] | undefined {
		return this.current;
	}

	/** Reads everything again. Two reads never overlap. */
	refresh(): Promise<void> {
		clearTimeout(this.timer);
		this.reading = this.reading.then(() => this.read()).catch((error: unknown) => this.log.error(messageOf(error)));
		return this.reading;
	}

	dispose(): void {
		clearTimeout(this.timer);
		for (const disposable of [...this.watchers, ...this.disposables]) disposable.dispose();
		this.changed.dispose();
	}

	private schedule(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.refresh(), settleMs);
	}

	private watch(): void {
		for (const watcher of this.watchers) watcher.dispose();
		this.watchers = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
			// The folder as well: of a file that comes with it the editor does not always tell.
			const pattern = new vscode.RelativePattern(folder, `{${posix.dirname(policyFile)},${policyFile}}`);
			const watcher = vscode.workspace.createFileSystemWatcher(pattern);
			watcher.onDidCreate(() => this.schedule());
			watcher.onDidChange(() => this.schedule());
			watcher.onDidDelete(() => this.schedule());
			return watcher;
		});
	}

	private async read(): Promise<void> {
		const own = ownRules();
		const files: { readonly place: RulePlace; readonly file: ReadFile }[] = [];
		for (const folder of vscode.workspace.workspaceFolders ?? []) {
			const uri = policyFileOf(folder);
			const place = { kind: "folder", label: `${policyFile} in ${folder.name}`, uri: uri.toString() } as const;
			files.push({ place, file: await readFile(uri) });
		}
		const read = JSON.stringify([own, files]);
		if (read === this.lastRead) return;
		const library = await import("../base/glob.ts");
		const lists = [parseRules(own, { kind: "user", label: "User Settings" }, library)];
		for (const { place, file } of files) {
			if ("text" in file) lists.push(parsePolicyFile(file.text, place, library));
			else if ("fault" in file) lists.push(unreadable(place, file.fault));
		}
		for (const { place, problems } of lists)
			for (const { message } of problems) this.log.warn(`${place.label}: ${message}`);
		this.lastRead = read;
		this.current = lists;
		this.changed.fire();
	}
}

type ReadFile = { readonly text: string } | { readonly fault: string } | { readonly isMissing: true };

/** A file that is not there has no rules; one that is there but cannot be read is another matter. */
async function readFile(uri: vscode.Uri): Promise<ReadFile> {
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > maxBytes) return { fault: "the file is too large" };
		return { text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
	} catch (error) {
		const code: unknown = isJsonObject(error) ? error["code"] : undefined;
		const isMissing = code === "FileNotFound" || code === "FileNotADirectory";
		return isMissing ? { isMissing } : { fault: "the file cannot be read" };
	}
}
