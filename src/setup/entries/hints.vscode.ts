import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { fileOrigin, folderSettingsOrigin, userOrigin } from "../../servers/config.vscode.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import { entriesOf } from "./editable.ts";
import {
	bindVersion,
	hintsOf,
	keepSecret,
	variableAsInput,
	isHintFix,
	type ConfigHint,
	type HintFix,
} from "./hints.ts";
import type { ServerEdits } from "./serverEdits.ts";
import { replaceText, saveDocument } from "./texts.vscode.ts";

/** The command behind the fixes that do more than edit the text: keep a value in the secret store, ask for a version. */
const fixCommand = "_mcpHost.fixConfiguration";

/** How long a registry may take to say which version is the latest, in milliseconds. */
const longestMs = 20_000;

/** Shows likely mistakes in the configurations that are open in editors, and offers to fix them, until disposed. */
export function showHints(edits: ServerEdits, globalStorageUri: vscode.Uri) {
	const store = new DisposableStore();
	const diagnostics = store.add(vscode.languages.createDiagnosticCollection("mcpHostHints"));
	const user = vscode.Uri.joinPath(globalStorageUri, "..", "..");
	const hintsIn = (document: vscode.TextDocument): readonly ConfigHint[] => {
		const origin = originOf(document.uri, user);
		// VS Code's settings may change between two checks, but the environment of a process does not.
		return origin === undefined
			? []
			: hintsOf(origin, document.getText(), { isSet: (name) => process.env[name] !== undefined });
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
				rangeOf(document, hint).intersection(range) === undefined
					? []
					: hint.fixes.map((fix) => actionFor(document, hint, fix)),
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
				if (!(uri instanceof vscode.Uri) || origin === undefined || !isHintFix(fix)) return;
				await mend(edits, uri, origin, fix).catch((error: unknown) => showError(messageOf(error)));
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
	const severity = { warning: Warning, information: Information, hint: Hint }[hint.severity];
	const diagnostic = new vscode.Diagnostic(rangeOf(document, hint), hint.message, severity);
	diagnostic.source = "MCP Host";
	return diagnostic;
}

function actionFor(document: vscode.TextDocument, hint: ConfigHint, fix: HintFix): vscode.CodeAction {
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

/**
 * Stores a value in the secret store, and replaces it by a reference; the file is saved, because only then the two
 * belong together. Or binds a package to its latest version, in the editor only.
 */
async function mend(edits: ServerEdits, uri: vscode.Uri, origin: ConfigOrigin, fix: HintFix): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const target = {
		origin,
		read: async () => document.getText(),
		exists: async () => true,
		write: async (text = "") => saveDocument(document, text, origin),
	};
	if (fix.kind === "keep-secret") {
		const kept = keepSecret(origin, document.getText(), fix.place);
		if (kept === undefined) return;
		await edits.rewrite(target, fix.place.server, kept);
		void showInformation(
			`"${oneLine(fix.place.label, 60)}" of "${oneLine(fix.place.server, 80)}" is now in the secret store. Older copies, such as in the Git history, still contain it. Replace the secret at its issuer.`,
		);
	} else if (fix.kind === "set-variable") {
		const value = await vscode.window.showInputBox({
			title: `${oneLine(fix.variable, 80)} of ${oneLine(fix.server, 80)}`,
			prompt: "Stored in the secret store for this server only; the file refers to it.",
			password: true,
			ignoreFocusOut: true,
		});
		if (value === undefined) return;
		await edits.rewrite(target, fix.server, {
			...variableAsInput(origin, document.getText(), fix.server, fix.variable),
			value,
		});
	} else if (fix.kind === "bind-version") await bindToLatest(document, origin, fix.server);
}

async function bindToLatest(document: vscode.TextDocument, origin: ConfigOrigin, server: string): Promise<void> {
	const [{ latestVersion, unboundPackage }, { openNetwork }] = await Promise.all([
		import("./latestVersion.ts"),
		import("../../protocol/http/network.ts"),
	]);
	const entry = entriesOf(origin, document.getText())[server];
	const launched = isJsonObject(entry) ? unboundPackage(entry) : undefined;
	if (launched === undefined) return;
	const network = openNetwork(networkSettings());
	try {
		const version = await latestVersion(launched, network, AbortSignal.timeout(longestMs));
		const text = document.getText();
		const edit = new vscode.WorkspaceEdit();
		replaceText(edit, document, bindVersion(origin, text, server, { name: launched.name, version }));
		await vscode.workspace.applyEdit(edit);
	} finally {
		await network.close();
	}
}
