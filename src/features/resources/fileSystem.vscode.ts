import type { OpenerParts } from "./open.vscode.ts";
import * as vscode from "vscode";
import { HostError, messageOf } from "../../base/errors.ts";
import { type Disposable, DisposableStore, toDisposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { EditorFailures } from "./failure.vscode.ts";
import { fileFailure } from "./fileFailure.ts";
import { languageOf } from "./mediaTypes.ts";
import { bytesOf, type ResourceReader, type ResourceSnapshot } from "./reader.ts";
import { isMisnamed, isUnshowable } from "./fileNames.ts";
import type { Snapshots } from "./snapshots.ts";
import { fromEditorUri, keyOf, type ResourceAddress } from "./uri.ts";

/** The services that VS Code uses to read files. Writing is refused earlier (registration.vscode.ts). */
export type ReadableFiles = Pick<vscode.FileSystemProvider, "stat" | "readFile" | "watch" | "onDidChangeFile">;

/** The services that read and follow the files. */
export interface FileParts extends OpenerParts {
	readonly snapshots: Snapshots;
	/** Reopens a resource, because the name of a URI does not match its contents. */
	readonly reopen: (uri: vscode.Uri, address: ResourceAddress) => Promise<void>;
}

interface Opened {
	readonly bytes: Uint8Array;
	readonly modified: number;
}

/** Resources as files, so that every editor, viewer and extension can open them. */
export class ResourceFiles implements ReadableFiles, Disposable {
	private readonly parts: FileParts;
	private readonly store = new DisposableStore();
	/** The URIs that VS Code watches, by resource. */
	private readonly watched = new Map<string, Map<string, { readonly uri: vscode.Uri; count: number }>>();
	private readonly failures: EditorFailures;
	private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this.changed.event;

	constructor(parts: FileParts) {
		this.parts = parts;
		this.failures = new EditorFailures(async (address, uri) => {
			parts.guard.allow(address);
			this.announce(address);
			await vscode.commands.executeCommand("vscode.open", uri);
		});
		this.store.add(parts.live.onDidUpdate((address) => this.announce(address)));
		this.store.add(
			vscode.workspace.onDidOpenTextDocument((document) => {
				// The document may be closed before its language is known; then there is nothing to set.
				setLanguage(document, parts.reader).catch(() => undefined);
			}),
		);
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { bytes, modified } = await this.open(uri);
		return {
			type: vscode.FileType.File,
			ctime: 0,
			mtime: modified,
			size: bytes.length,
			permissions: vscode.FilePermission.Readonly,
		};
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		return (await this.open(uri)).bytes;
	}

	watch(uri: vscode.Uri): vscode.Disposable {
		const address = fromEditorUri(uri);
		if (address === undefined || address.version !== undefined) return toDisposable(() => undefined);
		const key = keyOf(address);
		const uris = this.watched.get(key) ?? new Map<string, { readonly uri: vscode.Uri; count: number }>();
		const entry = uris.get(uri.toString()) ?? { uri, count: 0 };
		entry.count++;
		uris.set(uri.toString(), entry);
		this.watched.set(key, uris);
		const watch = this.parts.live.hold(address);
		return toDisposable(() => {
			watch.dispose();
			if (--entry.count === 0) uris.delete(uri.toString());
			if (uris.size === 0) this.watched.delete(key);
		});
	}

	dispose(): void {
		this.store.dispose();
	}

	private async open(uri: vscode.Uri): Promise<Opened> {
		const address = fromEditorUri(uri);
		// Parts of the path that users see, such as the folders of the breadcrumbs, are not files.
		if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
		try {
			const snapshot = await this.snapshotOf(address);
			const bytes = bytesOf(snapshot, address);
			const refusal = this.parts.guard.refusal(address, bytes.length);
			if (refusal !== undefined) throw refusal;
			const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
			if (address.version === undefined && isMisnamed(name, bytes)) {
				// Not awaited: a reader without an editor gets the bytes.
				void this.parts.reopen(uri, address);
				if (isUnshowable(bytes)) {
					throw new HostError("limit", `"${oneLine(address.uri)}" is an image too large to be shown.`);
				}
			}
			this.failures.clear(uri);
			return { bytes, modified: snapshot.modified };
		} catch (error) {
			// Not awaited: the message is shown beside the editor until the user answers it.
			void this.failures.report(uri, address, error);
			throw fileError(error);
		}
	}

	private async snapshotOf(address: ResourceAddress): Promise<ResourceSnapshot> {
		if (address.version === undefined) return this.parts.reader.readForEditor(address);
		const snapshot = this.parts.snapshots.at(keyOf(address), address.version);
		if (snapshot === undefined) throw vscode.FileSystemError.FileNotFound("These earlier contents are no longer kept.");
		return snapshot;
	}

	private announce(address: Pick<ResourceAddress, "server" | "uri">): void {
		const watched = [...(this.watched.get(keyOf(address))?.values() ?? [])].map(({ uri }) => uri);
		const uris = new Map([...watched, ...this.parts.tabs.urisOf(address)].map((uri) => [uri.toString(), uri]));
		if (uris.size === 0) return;
		this.changed.fire([...uris.values()].map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
	}
}

/** Shows a text whose name does not determine its language in the language of its MIME type. */
async function setLanguage(document: vscode.TextDocument, reader: ResourceReader): Promise<void> {
	// Other types than plain text were recognized by name, or chosen by the user.
	if (document.languageId !== "plaintext") return;
	const address = fromEditorUri(document.uri);
	if (address === undefined || address.isHex === true) return;
	const language = languageOf(reader.mimeTypeOf(address));
	if (language === undefined || language === "plaintext") return;
	if (!(await vscode.languages.getLanguages()).includes(language)) return;
	await vscode.languages.setTextDocumentLanguage(document, language);
}

/** The error for VS Code, with the server's message. */
function fileError(error: unknown): vscode.FileSystemError {
	if (error instanceof vscode.FileSystemError) return error;
	const message = messageOf(error);
	switch (fileFailure(error)) {
		case "not-found":
			return vscode.FileSystemError.FileNotFound(message);
		case "no-permissions":
			return vscode.FileSystemError.NoPermissions(message);
		case "unavailable":
			return vscode.FileSystemError.Unavailable(message);
	}
}
