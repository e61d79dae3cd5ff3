import { homedir } from "node:os";
import * as vscode from "vscode";
import { showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { isShowableImage, saveName } from "./fileNames.ts";
import type { LiveResources } from "./live.ts";
import type { PreviewSources } from "./livePreview.ts";
import { editorUriOf, type Openable, type ResourceOpener } from "./open.vscode.ts";
import { previewKind } from "./preview.ts";
import { showPreview } from "./preview.vscode.ts";
import { bytesOf, type ResourceReader, type ResourceSnapshot } from "./reader.ts";
import type { ResourceAddress } from "./uri.ts";
import { timeOfDay } from "../../base/shownTime.ts";

/** An editor that resources can be opened with. */
interface Viewer extends vscode.QuickPickItem {
	open(uri: vscode.Uri): Thenable<unknown>;
}

/** The extension that many have for bytes, and its editor. */
const hexEditor = { extension: "ms-vscode.hexeditor", viewType: "hexEditor.hexedit" };

/**
 * Lets the user choose how to see a resource: as text, as a list of bytes, as an image where it is one, or by any other
 * editor that knows files of its name.
 * @throws HostError as `ResourceReader.read` does.
 */
export async function openResourceWith(
	opener: ResourceOpener,
	openable: Openable,
	sources: PreviewSources,
	extensionUri: vscode.Uri,
): Promise<void> {
	const chosen = await opener.choose(openable, "Choose the contents to open");
	if (chosen === undefined) return;
	const hex = editorUriOf(openable.session, { ...chosen, address: { ...chosen.address, isHex: true } });
	const by = (viewType: string) => (uri: vscode.Uri) =>
		vscode.commands.executeCommand("vscode.openWith", uri, viewType);
	const viewers: Viewer[] = [
		{ label: "Text Editor", iconPath: new vscode.ThemeIcon("file"), open: by("default") },
		{
			label: "Hex Dump",
			description: "The first megabyte, read-only",
			iconPath: new vscode.ThemeIcon("file-binary"),
			open: () => vscode.commands.executeCommand("vscode.open", hex),
		},
	];
	if (isShowableImage(chosen.bytes)) {
		const open = by("imagePreview.previewEditor");
		viewers.unshift({ label: "Image Viewer", iconPath: new vscode.ThemeIcon("file-media"), open });
	}
	if (!chosen.isCombined && previewKind(chosen.mimeType, chosen.uri) !== undefined) {
		viewers.unshift({
			label: "Preview",
			description: "Without scripts and without the network",
			iconPath: new vscode.ThemeIcon("open-preview"),
			open: async () => showPreview(chosen, sources, extensionUri),
		});
	}
	if (vscode.extensions.getExtension(hexEditor.extension) !== undefined) {
		viewers.push({ label: "Hex Editor", iconPath: new vscode.ThemeIcon("file-binary"), open: by(hexEditor.viewType) });
	}
	viewers.push({
		label: "Other Editor…",
		iconPath: new vscode.ThemeIcon("ellipsis"),
		async open(uri) {
			await vscode.commands.executeCommand("vscode.open", uri);
			await vscode.commands.executeCommand("workbench.action.reopenWithEditor");
		},
	});
	const viewer = await vscode.window.showQuickPick(viewers, { ignoreFocusOut: true, placeHolder: "Choose an editor" });
	if (viewer === undefined) return;
	const uri = await opener.uriFor({ ...openable, part: chosen.address.part });
	if (uri !== undefined) await viewer.open(uri);
}

/**
 * Compares the current contents of a resource with those that the user saw last, or with the former ones; the side of
 * the current ones follows the resource. Shows a message when no earlier contents are known.
 * @throws HostError as `ResourceReader.read` does.
 */
export async function compareResource(reader: ResourceReader, live: LiveResources, openable: Openable): Promise<void> {
	const { session, uri, part } = openable;
	const address: ResourceAddress = { server: session.definition.id, uri, ...(part === undefined ? {} : { part }) };
	// The server's current contents, in case nobody followed the resource until now.
	const present = await reader.read(address);
	const former = live.comparableTo(address);
	if (former === undefined) {
		void showInformation(
			`There are no earlier contents of "${oneLine(uri, 100)}". Open or watch the resource, then compare when it has changed.`,
		);
		return;
	}
	const side = (snapshot: ResourceSnapshot, version: ResourceAddress): vscode.Uri => {
		const content = snapshot.parts[part ?? 0];
		return editorUriOf(session, {
			address: version,
			bytes: bytesOf(snapshot, address),
			mimeType: content?.mimeType ?? openable.mimeType,
			uri: part === undefined ? uri : (content?.uri ?? uri),
			isCombined: part === undefined && snapshot.parts.length > 1,
		});
	};
	const now = side(present, address);
	const name = now.path.slice(now.path.lastIndexOf("/") + 1);
	const time = timeOfDay(former.modified);
	const before = side(former, { ...address, version: former.modified });
	await vscode.commands.executeCommand("vscode.diff", before, now, `${name} (${time} ↔ Now)`, { preview: true });
	live.acknowledge(address);
}

/** How long the note that a file was saved stays in the status bar, in milliseconds. */
const noteMs = 5000;

/**
 * Saves a resource as a file. The user picks the place, and the dialog asks before it replaces a file
 * (RES-02).
 * @throws HostError as `ResourceReader.read` does; the error of the file system when the file cannot be written.
 */
export async function saveResource(opener: ResourceOpener, openable: Openable): Promise<void> {
	const chosen = await opener.choose(openable, "Choose the contents to save");
	if (chosen === undefined) return;
	const name = saveName(chosen.uri, chosen.isCombined ? "text/plain" : chosen.mimeType, chosen.bytes);
	await saveAs(`Save ${oneLine(chosen.uri, 80)}`, name, chosen.bytes);
}

/**
 * Saves bytes where the user chooses, under a name that is suggested. False when they choose no place, or only after the
 * signal was aborted.
 * @throws the error of the file system when the file cannot be written.
 */
export async function saveAs(title: string, name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name), title });
	if (target === undefined || signal?.aborted === true) return false;
	await vscode.workspace.fs.writeFile(target, bytes);
	vscode.window.setStatusBarMessage(`Saved ${oneLine(target.path.slice(target.path.lastIndexOf("/") + 1))}`, noteMs);
	return true;
}
