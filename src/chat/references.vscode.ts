import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { fromEditorUri } from "../resources/uri.ts";
import type { Attachment } from "./references.ts";

/** Larger files are not read into memory for a model that could not read them anyway. */
const mostBytes = 20_000_000;

/** Reads what the person attached: files, resources of servers (through our file system), selections and texts. */
export function readReferences(references: readonly vscode.ChatPromptReference[]): Promise<readonly Attachment[]> {
	// The editor lists them from the last to the first.
	return Promise.all(
		references.toReversed().map(({ id, value, modelDescription }) => read(value, modelDescription ?? id)),
	);
}

async function read(value: unknown, description: string): Promise<Attachment> {
	const isLocation = value instanceof vscode.Location;
	const uri = isLocation ? value.uri : value;
	if (!(uri instanceof vscode.Uri)) {
		const content = typeof value === "string" ? { text: value } : { problem: "this kind of attachment is unknown" };
		return { label: description, content };
	}
	const resource = fromEditorUri(uri);
	const path = resource === undefined ? vscode.workspace.asRelativePath(uri) : `${resource.uri} (${resource.server})`;
	try {
		if (isLocation) {
			const document = await vscode.workspace.openTextDocument(uri);
			const { start, end } = value.range;
			const label = `${path}, lines ${start.line + 1} to ${end.line + 1}`;
			return { label, content: { text: document.getText(value.range) } };
		}
		return { label: path, content: await readWhole(uri) };
	} catch (error) {
		return { label: path, content: { problem: messageOf(error) } };
	}
}

async function readWhole(uri: vscode.Uri): Promise<Attachment["content"]> {
	const stat = await vscode.workspace.fs.stat(uri);
	if ((stat.type & vscode.FileType.Directory) !== 0) return { problem: "it is a folder" };
	if (stat.size > mostBytes) return { problem: "it is too large" };
	return { bytes: await vscode.workspace.fs.readFile(uri) };
}
