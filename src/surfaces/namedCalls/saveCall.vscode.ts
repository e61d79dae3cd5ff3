import * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { askModal } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ToolRun } from "../runner/toolRun.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { changeBetween } from "../../base/textChange.ts";
import type { CallFiles } from "./callFiles.vscode.ts";
import { callsFile } from "./namedCall.ts";
import { parseCalls } from "./parseCalls.ts";
import { hasCall, proposeExpectations, withCall } from "./saveCall.ts";

/**
 * Saves a run as a named call: asks into which file, under which name and with what expectation, writes it, and shows it.
 * Resolves with a sentence for the panel of the run; empty when the user leaves.
 * @throws HostError `invalid` when the run has no result, no folder is open, or the file has a fault.
 */
export async function saveCall(run: ToolRun, files: CallFiles): Promise<string> {
	const { entry, outcome } = run;
	if (outcome?.kind !== "done" || entry.perform !== undefined) {
		throw new HostError("invalid", "Only a finished run of a tool can be saved.");
	}
	await files.refresh();
	const uri = await pickFile(files);
	if (uri === undefined) return "";
	const document = await openOrMake(uri);
	const name = await askName(oneLine(entry.tool.title ?? entry.tool.name, 80), document.getText());
	if (name === undefined) return "";
	const proposals = proposeExpectations(outcome.result);
	const picked = await vscode.window.showQuickPick(
		proposals.map(({ label, detail, expect }) => ({ label, detail: withoutIcons(detail), expect })),
		{ ignoreFocusOut: true, title: "Choose the Expected Result", placeHolder: "You can change it in the file" },
	);
	if (picked === undefined) return "";
	const before = document.getText();
	const { definition } = entry.session;
	const server = namesOf(definition).names.at(-1) ?? definition.name;
	const { text, inputs } = withCall(before, name, {
		server,
		tool: entry.tool.name,
		arguments: run.arguments,
		expect: picked.expect,
	});
	await write(document, text);
	await files.refresh();
	await show(document, name);
	const secrets =
		inputs.length === 0
			? ""
			: " Values that look like secrets are not in the file. You are asked for them when the call runs.";
	return `Saved as “${oneLine(name, 80)}”.${secrets}`;
}

async function pickFile(files: CallFiles): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const usual = folder === undefined ? undefined : vscode.Uri.joinPath(folder.uri, callsFile);
	const known = files.all.map(({ uri, place }) => ({ uri, label: withoutIcons(place) }));
	if (usual !== undefined && !known.some(({ uri }) => uri.toString() === usual.toString())) {
		known.push({ uri: usual, label: `$(new-file) ${callsFile}` });
	}
	if (known.length === 0)
		throw new HostError("invalid", "Open a folder first. Named calls are saved in a file in the folder.");
	if (known.length === 1) return known[0]?.uri;
	return (
		await vscode.window.showQuickPick(known, {
			ignoreFocusOut: true,
			title: "Save as Named Call",
			placeHolder: "Save in which file?",
		})
	)?.uri;
}

async function openOrMake(uri: vscode.Uri): Promise<vscode.TextDocument> {
	try {
		await vscode.workspace.fs.stat(uri);
	} catch {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(""));
	}
	return vscode.workspace.openTextDocument(uri);
}

async function askName(proposed: string, text: string): Promise<string | undefined> {
	const name = await vscode.window.showInputBox({
		ignoreFocusOut: true,
		title: "Save as Named Call",
		prompt: "The name of the call in the Test Explorer.",
		value: proposed,
		validateInput: (value) =>
			value.trim() === "" || value.length > 200 ? "A name has 1 to 200 characters." : undefined,
	});
	if (name === undefined || !hasCall(text, name)) return name;
	const replace = "Replace";
	const answer = await askModal(
		`The file already has a call “${oneLine(name, 80)}”.`,
		"The existing call is replaced.",
		replace,
	);
	return answer === replace ? name : undefined;
}

async function write(document: vscode.TextDocument, text: string): Promise<void> {
	const { offset, length, content } = changeBetween(document.getText(), text);
	const edit = new vscode.WorkspaceEdit();
	const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
	edit.replace(document.uri, range, content);
	const isDone = (await vscode.workspace.applyEdit(edit)) && (await document.save());
	if (!isDone) throw new HostError("invalid", "The file could not be written.");
}

async function show(document: vscode.TextDocument, name: string): Promise<void> {
	const { offset } = parseCalls(document.getText()).rangeOf(["calls", name]);
	const at = document.positionAt(offset);
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}
