import * as vscode from "vscode";
import { HostError, messageOf } from "../../base/errors.ts";
import { DisposableStore } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { openPanel } from "../../questions/webview/panel.vscode.ts";
import { LivePreview, type PreviewSources } from "./livePreview.ts";
import type { Chosen, Openable, ResourceOpener } from "./open.vscode.ts";
import { aroundPreview } from "./preview.ts";

/**
 * Draws a resource beside the active editor, as its server sends it now: HTML, SVG or Markdown, in a frame without scripts
 * and without the network.
 * @throws HostError as `ResourceReader.read` and `showPreview` do.
 */
export async function previewResource(
	opener: ResourceOpener,
	openable: Openable,
	sources: PreviewSources,
	extensionUri: vscode.Uri,
): Promise<void> {
	const chosen = await opener.choose(openable, "Choose the contents to preview");
	if (chosen !== undefined) await showPreview(chosen, sources, extensionUri);
}

/**
 * Draws contents that were read, and redraws them when they change.
 * @throws HostError as `previewDocument` does.
 */
export async function showPreview(chosen: Chosen, sources: PreviewSources, extensionUri: vscode.Uri): Promise<void> {
	const { address, uri, bytes } = chosen;
	const mimeType = chosen.isCombined ? "text/plain" : chosen.mimeType;
	const preview = await LivePreview.open({ address, uri, mimeType, bytes, renderMarkdown, schemeNow }, sources);
	const title = `Preview ${oneLine(uri.slice(uri.lastIndexOf("/") + 1) || uri, 60)}`;
	const panel = openPanel({
		extensionUri,
		view: "resourcePreview",
		title,
		style: "app.css",
		page: aroundPreview,
		column: vscode.ViewColumn.Beside,
		preserveFocus: false,
	});
	const store = new DisposableStore();
	panel.onDidClose(() => store.dispose());
	store.add(preview);
	store.add(preview.connect(panel.port));
	store.add(vscode.window.onDidChangeActiveColorTheme(() => void preview.draw()));
}

function schemeNow(): "light" | "dark" {
	const { Light, HighContrastLight } = vscode.ColorThemeKind;
	return [Light, HighContrastLight].includes(vscode.window.activeColorTheme.kind) ? "light" : "dark";
}

/** By VS Code's own Markdown renderer, which has a command for other extensions. */
async function renderMarkdown(text: string): Promise<string> {
	try {
		return await vscode.commands.executeCommand<string>("markdown.api.render", text);
	} catch (cause) {
		throw new HostError("invalid", `This preview requires the Markdown extension of VS Code: ${messageOf(cause)}`, {
			cause,
		});
	}
}
