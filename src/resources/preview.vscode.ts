import * as vscode from "vscode";
import { HostError, messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { Chosen, Openable, ResourceOpener } from "./open.vscode.ts";
import { aroundPreview, previewDocument } from "./preview.ts";

/**
 * Draws a resource beside the active editor, as its server sends it now: HTML, SVG or Markdown, in a frame without scripts
 * and without the network.
 * @throws HostError as `ResourceReader.read` and `showPreview` do.
 */
export async function previewResource(
	opener: ResourceOpener,
	openable: Openable,
	extensionUri: vscode.Uri,
): Promise<void> {
	const chosen = await opener.choose(openable, "Which contents should be previewed?");
	if (chosen !== undefined) await showPreview(chosen, extensionUri);
}

/**
 * Draws contents that were read.
 * @throws HostError as `previewDocument` does.
 */
export async function showPreview(chosen: Chosen, extensionUri: vscode.Uri): Promise<void> {
	const { uri, bytes } = chosen;
	const mimeType = chosen.isCombined ? "text/plain" : chosen.mimeType;
	const documentNow = async (): Promise<string> =>
		previewDocument({ uri, mimeType, bytes, renderMarkdown, scheme: schemeNow() });
	const document = await documentNow();
	const title = `Preview ${oneLine(uri.slice(uri.lastIndexOf("/") + 1) || uri, 60)}`;
	const media = vscode.Uri.joinPath(extensionUri, "media");
	const panel = vscode.window.createWebviewPanel("mcpHost.preview", title, vscode.ViewColumn.Beside, {
		enableScripts: false,
		enableForms: false,
		enableCommandUris: false,
		localResourceRoots: [media],
	});
	panel.iconPath = {
		light: vscode.Uri.joinPath(media, "panel-light.svg"),
		dark: vscode.Uri.joinPath(media, "panel-dark.svg"),
	};
	const around = {
		title,
		language: vscode.env.language,
		styles: ["base.css", "controls.css", "app.css"].map((name) =>
			panel.webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString(),
		),
		cspSource: panel.webview.cspSource,
	};
	panel.webview.html = aroundPreview(document, around);
	let isOpen = true;
	const dressed = vscode.window.onDidChangeActiveColorTheme(async () => {
		const now = aroundPreview(await documentNow(), around);
		if (isOpen) panel.webview.html = now;
	});
	panel.onDidDispose(() => {
		isOpen = false;
		dressed.dispose();
	});
}

function schemeNow(): "light" | "dark" {
	const { Light, HighContrastLight } = vscode.ColorThemeKind;
	return [Light, HighContrastLight].includes(vscode.window.activeColorTheme.kind) ? "light" : "dark";
}

/** By the editor's own Markdown, which has a command for other extensions. */
async function renderMarkdown(text: string): Promise<string> {
	try {
		return await vscode.commands.executeCommand<string>("markdown.api.render", text);
	} catch (cause) {
		throw new HostError("invalid", `The editor's Markdown extension is needed for this preview: ${messageOf(cause)}`, {
			cause,
		});
	}
}
