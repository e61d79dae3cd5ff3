import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { DisposableStore, toDisposable, type Disposable } from "../base/lifecycle.ts";
import { EditorFailures } from "./failure.vscode.ts";
import { languageOf } from "./mediaTypes.ts";
import { bytesOf, isAbsent, type ResourceReader, type ResourceSnapshot } from "./reader.ts";
import { ResourceWatches } from "./subscriptions.ts";
import { fromEditorUri, keyOf, type ResourceAddress } from "./uri.ts";
import type { SessionDirectory } from "../servers/session.ts";

/** What the editor needs to read files. What would write, the door refuses (doors.vscode.ts). */
export type ReadableFiles = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "watch" | "onDidChangeFile">;

/** Resources as files, so that every editor, viewer and extension can open them. */
export class ResourceFiles implements ReadableFiles, Disposable {
	private readonly reader: ResourceReader;
	private readonly store = new DisposableStore();
	private readonly watches: ResourceWatches;
	/** The URIs that the editor watches, by resource. */
	private readonly watched = new Map<string, Map<string, { readonly uri: vscode.Uri; count: number }>>();
	private readonly failures = new EditorFailures();
	private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this.changed.event;

	constructor(directory: SessionDirectory, reader: ResourceReader) {
		this.reader = reader;
		this.watches = this.store.add(new ResourceWatches(directory, (address) => this.announce(address)));
		this.store.add(
			vscode.workspace.onDidOpenTextDocument((document) => {
				// The document may be closed before its language is known; then there is nothing to set.
				setLanguage(document, reader).catch(() => undefined);
			}),
		);
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { address, snapshot } = await this.open(uri);
		return {
			type: vscode.FileType.File,
			ctime: 0,
			mtime: snapshot.modified,
			size: withFileErrors(() => bytesOf(snapshot, address)).length,
			permissions: vscode.FilePermission.Readonly,
		};
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		const { address, snapshot } = await this.open(uri);
		return withFileErrors(() => bytesOf(snapshot, address));
	}

	watch(uri: vscode.Uri): vscode.Disposable {
		const address = fromEditorUri(uri);
		if (address === undefined) return toDisposable(() => undefined);
		const key = keyOf(address);
		const uris = this.watched.get(key) ?? new Map<string, { readonly uri: vscode.Uri; count: number }>();
		const entry = uris.get(uri.toString()) ?? { uri, count: 0 };
		entry.count++;
		uris.set(uri.toString(), entry);
		this.watched.set(key, uris);
		const watch = this.watches.watch(address);
		return toDisposable(() => {
			watch.dispose();
			if (--entry.count === 0) uris.delete(uri.toString());
			if (uris.size === 0) this.watched.delete(key);
		});
	}

	dispose(): void {
		this.store.dispose();
	}

	private async open(uri: vscode.Uri): Promise<{ address: ResourceAddress; snapshot: ResourceSnapshot }> {
		const address = fromEditorUri(uri);
		// Parts of the path that people see, such as the folders of the breadcrumbs, are no files.
		if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
		try {
			const snapshot = await this.reader.read(address);
			this.failures.clear(uri);
			return { address, snapshot };
		} catch (error) {
			// Not awaited: the message stands beside the editor until the person answers it.
			void this.failures.report(uri, address, error);
			throw fileError(error);
		}
	}

	private announce(address: ResourceAddress): void {
		this.reader.invalidate(address);
		const uris = [...(this.watched.get(keyOf(address))?.values() ?? [])];
		if (uris.length > 0) this.changed.fire(uris.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
	}
}

/** Shows a text whose name does not tell its language in that of its MIME type. */
async function setLanguage(document: vscode.TextDocument, reader: ResourceReader): Promise<void> {
	// Whatever is not plain text was recognised by its name, or chosen by the person.
	if (document.languageId !== "plaintext") return;
	const address = fromEditorUri(document.uri);
	const language = address && languageOf(reader.mimeTypeOf(address));
	if (language === undefined || language === "plaintext") return;
	if (!(await vscode.languages.getLanguages()).includes(language)) return;
	await vscode.languages.setTextDocumentLanguage(document, language);
}

/** Runs what may throw a HostError of ours. */
function withFileErrors<T>(run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw fileError(error);
	}
}

/**
 * The error for the editor. A resource that is not there, or whose server is not, is a file that was not found: such an
 * editor loads by itself when the server comes back and the watch announces the resource.
 */
function fileError(error: unknown): vscode.FileSystemError {
	const message = messageOf(error);
	return isAbsent(error) ? vscode.FileSystemError.FileNotFound(message) : vscode.FileSystemError.Unavailable(message);
}
