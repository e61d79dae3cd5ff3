import * as vscode from "vscode";
import { editorUriOf, type Openable, type ResourceOpener } from "./open.vscode.ts";
import { isShowableImage } from "./shownName.ts";

/** An editor that resources can be opened with. */
interface Viewer extends vscode.QuickPickItem {
	open(uri: vscode.Uri): Thenable<unknown>;
}

/** The extension that many have for bytes, and its editor. */
const hexEditor = { extension: "ms-vscode.hexeditor", viewType: "hexEditor.hexedit" };

/**
 * Lets the person choose how to see a resource: as text, as a list of bytes, as an image where it is one, or by any other
 * editor that knows files of its name.
 * @throws HostError as `ResourceReader.read` does.
 */
export async function openResourceWith(opener: ResourceOpener, openable: Openable): Promise<void> {
	const chosen = await opener.choose(openable, "Which contents should be opened?");
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
	const viewer = await vscode.window.showQuickPick(viewers, { placeHolder: "Open with which editor?" });
	if (viewer === undefined) return;
	const uri = await opener.uriFor({ ...openable, part: chosen.address.part });
	if (uri !== undefined) await viewer.open(uri);
}
