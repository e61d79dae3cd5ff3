import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showError } from "../../base/notify.vscode.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { fileOrigin, folderSettingsOrigin, userOrigin } from "../../servers/sources/config.vscode.ts";
import type { EditableConfiguration } from "./editable.ts";
import { type EntryFix, isEntryFix } from "./entryFix.ts";
import { fixEntry } from "./fixEntry.vscode.ts";
import { hintsOf, type ConfigHint } from "./hints.ts";
import type { ServerEdits } from "./serverEdits.ts";
import { replaceText, saveDocument } from "./texts.vscode.ts";

/** The command behind the fixes that do more than edit the text: keep a value in the secret store, ask for a version. */
const fixCommand = "_mcpHost.fixConfiguration";

/** Shows likely mistakes in the configurations that are open in editors, and offers to fix them, until disposed. */
export function showHints(edits: ServerEdits, globalStorageUri: vscode.Uri) {
	const store = new DisposableStore();
	const diagnostics = store.add(vscode.languages.createDiagnosticCollection("mcpHostHints"));
	const user = vscode.Uri.joinPath(globalStorageUri, "..", "..");
	const hintsIn = (document: vscode.TextDocument): readonly ConfigHint[] => {
		const origin = originOf(document.uri, user);
		// VS Code's settings may change between two checks, but the environment of a process does not.
		return origin === undefined ? [] : hintsOf(origin, document.getText(), (name) => process.env[name] !== undefined);
	};
	const show = (document: vscode.TextDocument): void => {
		const hints = hintsIn(document).filter(({ isTold }) => isTold !== true);
		diagnostics.set(
			document.uri,
			hints.map((hint) => diagnose(document, hint)),
		);
	};
	for (const document of vscode.workspace.textDocuments) show(document);
	store.add(vscode.workspace.onDidOpenTextDocument(show));
	store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => show(document)));
	store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)));
	const provider: vscode.CodeActionProvider = {
		provideCodeActions: (document, range) =>
			hintsIn(document).flatMap((hint) =>
				hint.fix === undefined || rangeOf(document, hint).intersection(range) === undefined
					? []
					: [actionFor(document, hint, hint.fix)],
			),
	};
	const files = [
		{ scheme: "file", pattern: "**/{.vscode/mcp.json,.mcp.json,settings.json}" },
		{ scheme: "vscode-userdata", pattern: "**/settings.json" },
	];
	const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
	store.add(vscode.languages.registerCodeActionsProvider(files, provider, kinds));
	return {
		commands: {
			[fixCommand]: async (...args: readonly unknown[]): Promise<void> => {
				const [uri, fix] = args;
				const origin = uri instanceof vscode.Uri ? originOf(uri, user) : undefined;
				if (!(uri instanceof vscode.Uri) || origin === undefined || !isEntryFix(fix)) return;
				try {
					await fixEntry(edits, await openText(uri, origin, fix), fix);
				} catch (error) {
					void showError(messageOf(error));
				}
			},
		},
		dispose: () => store.dispose(),
	} satisfies Disposable & { readonly commands: object };
}

function originOf(uri: vscode.Uri, user: vscode.Uri): ConfigOrigin | undefined {
	const { path } = uri;
	for (const folder of vscode.workspace.workspaceFolders ?? []) {
		if (folder.uri.scheme !== "file" || uri.scheme !== "file") continue;
		const within = (file: string): boolean => path === vscode.Uri.joinPath(folder.uri, file).path;
		if (within(".vscode/mcp.json")) return fileOrigin(folder, "mcp-json");
		if (within(".mcp.json")) return fileOrigin(folder, "dot-mcp-json");
		if (within(".vscode/settings.json")) return folderSettingsOrigin(folder);
	}
	const isOfUser = uri.scheme === "vscode-userdata" || path.startsWith(`${user.path}/`);
	return isOfUser && path.endsWith("/settings.json") ? userOrigin : undefined;
}

function rangeOf(document: vscode.TextDocument, { range: { offset, length } }: ConfigHint): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

function diagnose(document: vscode.TextDocument, hint: ConfigHint): vscode.Diagnostic {
	const { Warning, Information, Hint } = vscode.DiagnosticSeverity;
	const severity = { cause: Warning, warning: Warning, information: Information, note: Hint }[hint.weight];
	const diagnostic = new vscode.Diagnostic(rangeOf(document, hint), hint.message, severity);
	diagnostic.source = "MCP Host";
	return diagnostic;
}

function actionFor(document: vscode.TextDocument, hint: ConfigHint, fix: EntryFix): vscode.CodeAction {
	const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
	action.isPreferred = fix.kind === "edit";
	const range = rangeOf(document, hint);
	action.diagnostics = vscode.languages
		.getDiagnostics(document.uri)
		.filter((one) => one.source === "MCP Host" && one.range.isEqual(range));
	if (fix.kind !== "edit") {
		action.command = { command: fixCommand, title: fix.title, arguments: [document.uri, fix] };
		return action;
	}
	action.edit = new vscode.WorkspaceEdit();
	replaceText(action.edit, document, fix.edit(document.getText()));
	return action;
}

/** The text of an editor. The fix of a version is not saved; with a secret it is, because only then the two belong together. */
async function openText(uri: vscode.Uri, origin: ConfigOrigin, { kind }: EntryFix): Promise<EditableConfiguration> {
	const document = await vscode.workspace.openTextDocument(uri);
	return {
		origin,
		read: async () => document.getText(),
		exists: async () => true,
		write: async (text = "") => {
			if (kind === "keep-secret" || kind === "set-variable") return saveDocument(document, text, origin);
			const edit = new vscode.WorkspaceEdit();
			replaceText(edit, document, text);
			await vscode.workspace.applyEdit(edit);
		},
	};
}
