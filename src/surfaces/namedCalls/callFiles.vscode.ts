import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { TextRange } from "../../base/configText.ts";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { type CallsFile, callsPattern } from "./namedCall.ts";
import { parseCalls } from "./parseCalls.ts";
import { placesIn } from "./places.ts";

/** How long changes are gathered, in milliseconds: version control writes in bursts. */
const settleMs = 100;
/** Most files that are read, and how large each may be, in bytes. */
const mostFiles = 200;
const maxBytes = 4_000_000;

/** A file of named calls in the workspace. */
export interface OpenCallsFile {
	readonly uri: vscode.Uri;
	/** Its display name: its path in the workspace. */
	readonly place: string;
	readonly text: string;
	readonly file: CallsFile;
}

/** The files of named calls of the workspace, kept current, with what is wrong in them on its line. */
export class CallFiles implements Disposable {
	private readonly store = new DisposableStore();
	private readonly log: Log;
	private readonly diagnostics: vscode.DiagnosticCollection;
	private current: readonly OpenCallsFile[] = [];
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;
	private timer: NodeJS.Timeout | undefined;
	private reading = Promise.resolve();

	constructor(log: Log) {
		this.log = log;
		this.diagnostics = this.store.add(vscode.languages.createDiagnosticCollection("mcpHost.calls"));
		const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(callsPattern));
		const schedule = (): void => {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.refresh(), settleMs);
		};
		for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
			this.store.add(event(schedule));
		this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(schedule));
		void this.refresh();
	}

	get all(): readonly OpenCallsFile[] {
		return this.current;
	}

	/** Reads all files again. Two reads never overlap; never rejects. */
	refresh(): Promise<void> {
		clearTimeout(this.timer);
		this.reading = this.reading.then(() => this.read()).catch((error: unknown) => this.log.error(messageOf(error)));
		return this.reading;
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.store.dispose();
		this.changed.dispose();
	}

	private async read(): Promise<void> {
		const uris = await vscode.workspace.findFiles(callsPattern, "**/node_modules", mostFiles);
		const read = await Promise.all(uris.map((uri) => this.readFile(uri)));
		if (this.store.isDisposed) return;
		const found = read.flatMap((file) => file ?? []).toSorted((a, b) => (a.place < b.place ? -1 : 1));
		const before = new Map(this.current.map((file) => [file.uri.toString(), file]));
		const isSame =
			found.length === this.current.length &&
			found.every((file) => before.get(file.uri.toString())?.text === file.text);
		if (isSame) return;
		this.current = found;
		this.diagnostics.clear();
		for (const file of found) this.diagnostics.set(file.uri, diagnose(file));
		this.changed.fire();
	}

	private async readFile(uri: vscode.Uri): Promise<OpenCallsFile | undefined> {
		try {
			const { size } = await vscode.workspace.fs.stat(uri);
			if (size > maxBytes) return undefined;
			const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
			return { uri, place: vscode.workspace.asRelativePath(uri), text, file: parseCalls(text) };
		} catch {
			// It is gone since it was found.
			return undefined;
		}
	}
}

/** Returns where parts of a file are in the editor. */
export function rangesIn(text: string): (range: TextRange) => vscode.Range {
	const placeOf = placesIn(text);
	const positionOf = (offset: number): vscode.Position => {
		const { line, column } = placeOf(offset);
		return new vscode.Position(line - 1, column - 1);
	};
	return ({ offset, length }) => new vscode.Range(positionOf(offset), positionOf(offset + length));
}

function diagnose({ file, text }: OpenCallsFile): readonly vscode.Diagnostic[] {
	const { Error, Warning } = vscode.DiagnosticSeverity;
	const rangeOf = rangesIn(text);
	return file.problems.map(({ message, severity, range }) => {
		const diagnostic = new vscode.Diagnostic(rangeOf(range), message, severity === "error" ? Error : Warning);
		diagnostic.source = "MCP Host";
		return diagnostic;
	});
}
