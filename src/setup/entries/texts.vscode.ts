import * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { textOfBytes } from "../../base/fileText.ts";
import { canonicalJson, isJsonObject } from "../../base/json.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { inputsSetting, serversSetting } from "../../servers/definitions/parseConfig.ts";
import { type EditableConfiguration, isSettings, pathsOf } from "./editable.ts";
import { changeBetween } from "../../base/textChange.ts";
import { valueAt } from "./jsonEdit.ts";

/** How long VS Code may take to notice that a file of settings was written, in milliseconds. */
const noticedMs = 5000;

/**
 * Opens the text in which an origin's servers are written. That of the user's own settings is looked for from
 * `globalStorageUri`, a folder beside it.
 */
export function openConfiguration(origin: ConfigOrigin, globalStorageUri: vscode.Uri): EditableConfiguration {
	if (origin.file === undefined) return new UserSettings(origin, globalStorageUri);
	const uri = vscode.Uri.file(origin.file);
	return {
		origin,
		read: async () => (await readText(uri)) ?? "",
		exists: async () => (await readText(uri)) !== undefined,
		write: async (text) => {
			await writeText(uri, text, origin);
			if (isSettings(origin.kind)) await noticed(origin, text ?? "");
		},
	};
}

/** The user's own settings: their file if it can be determined, otherwise VS Code's values. */
class UserSettings implements EditableConfiguration {
	readonly origin: ConfigOrigin;
	private readonly globalStorageUri: vscode.Uri;
	/** The file that was read. */
	private file: vscode.Uri | undefined;

	constructor(origin: ConfigOrigin, globalStorageUri: vscode.Uri) {
		this.origin = origin;
		this.globalStorageUri = globalStorageUri;
	}

	async read(): Promise<string> {
		// Elsewhere the window does not notice writes to the file, or it is on another machine.
		const isNoticed = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
		const found = isNoticed ? await findUserSettings(this.origin, this.globalStorageUri) : undefined;
		this.file = found?.uri;
		const { servers, inputs } = settingsOf(this.origin);
		return found?.text ?? JSON.stringify({ [serversSetting]: servers, [inputsSetting]: inputs });
	}

	/** VS Code always has settings. */
	exists(): Promise<boolean> {
		return Promise.resolve(true);
	}

	async write(text = ""): Promise<void> {
		if (this.file !== undefined) {
			const former = await readText(this.file);
			await writeText(this.file, text, this.origin);
			if (await noticed(this.origin, text)) return;
			// It belongs to another profile, whose servers are the same.
			if (former !== undefined) await writeText(this.file, former, this.origin);
		}
		// VS Code's own API rewrites the whole value, without the comments in it.
		const said = settingsOf(this.origin);
		const paths = pathsOf(this.origin, text);
		for (const key of ["inputs", "servers"] as const) {
			const value = valueAt(text, paths[key]);
			if (canonicalJson(value) === canonicalJson(said[key])) continue;
			await vscode.workspace.getConfiguration("mcpHost").update(key, value, vscode.ConfigurationTarget.Global);
		}
	}
}

/**
 * The file of the user's settings and its text, if exactly one candidate contains the servers that VS Code reports.
 * Each profile has its own, no API returns the active one, and in a remote window it is on another machine. None if
 * there are no servers yet, and so no comments among them that could be lost.
 */
export async function findUserSettings(
	origin: ConfigOrigin,
	globalStorageUri: vscode.Uri,
): Promise<{ readonly uri: vscode.Uri; readonly text: string } | undefined> {
	const said = settingsOf(origin);
	if (!isJsonObject(said.servers) || Object.keys(said.servers).length === 0) return undefined;
	const user = vscode.Uri.joinPath(globalStorageUri, "..", "..");
	// First by VS Code's own scheme for these files: such writes are noticed immediately.
	for (const scheme of new Set(["vscode-userdata", user.scheme])) {
		const found: { uri: vscode.Uri; text: string }[] = [];
		for (const uri of await settingsFiles(user.with({ scheme }))) {
			const text = await readText(uri).catch(() => undefined);
			if (text === undefined) continue;
			const paths = pathsOf(origin, text);
			const isSame = (key: "servers" | "inputs"): boolean =>
				canonicalJson(valueAt(text, paths[key])) === canonicalJson(said[key]);
			if (isSame("servers") && isSame("inputs")) found.push({ uri, text });
		}
		if (found.length === 1) return found[0];
	}
	return undefined;
}

/** The possible places of a user's settings: those of the default profile, and of each other. */
async function settingsFiles(user: vscode.Uri): Promise<readonly vscode.Uri[]> {
	const profiles = vscode.Uri.joinPath(user, "profiles");
	const folders = await vscode.workspace.fs.readDirectory(profiles).then(
		(entries) => entries.map(([name]) => vscode.Uri.joinPath(profiles, name)),
		() => [],
	);
	return [user, ...folders].map((folder) => vscode.Uri.joinPath(folder, "settings.json"));
}

/** VS Code's values for the servers and inputs of a scope of settings. */
function settingsOf({ kind, folder }: ConfigOrigin): { readonly servers: unknown; readonly inputs: unknown } {
	const scope = folder === undefined ? undefined : vscode.Uri.file(folder);
	const settings = vscode.workspace.getConfiguration("mcpHost", scope);
	const valueOf = (key: string): unknown => {
		const said = settings.inspect<unknown>(key);
		if (kind === "user-settings") return said?.globalValue;
		const isOfFolder = kind === "folder-settings" && vscode.workspace.workspaceFile !== undefined;
		return isOfFolder ? said?.workspaceFolderValue : said?.workspaceValue;
	};
	return { servers: valueOf("servers"), inputs: valueOf("inputs") };
}

/** Resolves with true as soon as VS Code reports the contents of a settings text; with false after a timeout. */
async function noticed(origin: ConfigOrigin, text: string): Promise<boolean> {
	const paths = pathsOf(origin, text);
	const wanted = canonicalJson([valueAt(text, paths.servers), valueAt(text, paths.inputs)]);
	const isThere = (): boolean => {
		const { servers, inputs } = settingsOf(origin);
		return canonicalJson([servers, inputs]) === wanted;
	};
	if (isThere()) return true;
	return new Promise((resolve) => {
		const end = (): void => {
			clearTimeout(timer);
			listener.dispose();
			resolve(isThere());
		};
		const listener = vscode.workspace.onDidChangeConfiguration(() => {
			if (isThere()) end();
		});
		const timer = setTimeout(end, noticedMs);
	});
}

/** A file's text with the byte order mark of UTF-8, in which it is written; undefined if it does not exist. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
	return vscode.workspace.fs.readFile(uri).then(
		(bytes) => (bytes[0] === 0xef ? "\uFEFF" : "") + textOfBytes(bytes),
		(error: unknown) => {
			// A file that is there and cannot be read must not be taken for one to be made.
			if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
			throw error;
		},
	);
}

/** Refuses a file with unsaved changes: saving them is the user's decision, and so is which of two texts counts. */
function refuseUnsaved(uri: vscode.Uri, { label }: ConfigOrigin): void {
	const { textDocuments } = vscode.workspace;
	if (!textDocuments.some(({ isDirty, uri: { path } }) => isDirty && path === uri.path)) return;
	throw new HostError("invalid", `${label} has unsaved changes. Save or revert them, then try again.`);
}

async function writeText(uri: vscode.Uri, text: string | undefined, origin: ConfigOrigin): Promise<void> {
	refuseUnsaved(uri, origin);
	if (text === undefined) await vscode.workspace.fs.delete(uri);
	else await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/**
 * Gives a document another text, and saves it.
 * @throws HostError `invalid` when it could not be saved.
 */
export async function saveDocument(
	document: vscode.TextDocument,
	text: string,
	{ label }: ConfigOrigin,
): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	replaceText(edit, document, text.replace(/^\uFEFF/, ""));
	if ((await vscode.workspace.applyEdit(edit)) && (await document.save())) return;
	throw new HostError("invalid", `${label} could not be saved.`);
}

/** Replaces the differing part of a document. */
export function replaceText(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, text: string): void {
	const { offset, length, content } = changeBetween(document.getText(), text);
	edit.replace(
		document.uri,
		new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
		content,
	);
}
