import * as vscode from "vscode";
import { messageOf } from "../../base/errors.ts";
import { fromEditorUri } from "../../features/resources/uri.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { type Attachment, resourceLabel } from "./references.ts";

/** Larger files are not read into memory for a model that could not read them anyway. */
const mostBytes = 20_000_000;

/** Reads the user's attachments: files, resources of servers (through our file system), selections and texts. */
export function readReferences(
	references: readonly vscode.ChatPromptReference[],
	directory: Pick<SessionDirectory, "get">,
): Promise<readonly Attachment[]> {
	// VS Code lists them from the last to the first.
	return Promise.all(
		references.toReversed().map(({ id, value, modelDescription }) => read(value, modelDescription ?? id, directory)),
	);
}

async function read(
	value: unknown,
	description: string,
	directory: Pick<SessionDirectory, "get">,
): Promise<Attachment> {
	const isLocation = value instanceof vscode.Location;
	const uri = isLocation ? value.uri : value;
	if (!(uri instanceof vscode.Uri)) return { label: description, content: await readValue(value) };
	const resource = fromEditorUri(uri);
	const path = resource === undefined ? vscode.workspace.asRelativePath(uri) : resourceLabel(resource, directory);
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

/** A text, or an image that was pasted: VS Code passes it as an object for which its stable API has no name yet. */
async function readValue(value: unknown): Promise<Attachment["content"]> {
	if (typeof value === "string") return { text: value };
	const data: unknown = typeof value === "object" && value !== null && "data" in value ? value.data : undefined;
	try {
		const bytes: unknown = typeof data === "function" ? await (data.call(value) as unknown) : data;
		if (bytes instanceof Uint8Array) return { bytes };
	} catch (error) {
		return { problem: messageOf(error) };
	}
	return { problem: "MCP Host does not support this kind of attachment" };
}

/** The contents of a folder, by name; the files are not read. */
function folderText(entries: readonly [string, vscode.FileType][]): string {
	const names = entries.map(([name, type]) => ((type & vscode.FileType.Directory) === 0 ? name : `${name}/`)).sort();
	return `(a folder of ${names.length} entries; only their names are included)\n${names.join("\n")}`;
}

async function readWhole(uri: vscode.Uri): Promise<Attachment["content"]> {
	const stat = await vscode.workspace.fs.stat(uri);
	if ((stat.type & vscode.FileType.Directory) !== 0)
		return { text: folderText(await vscode.workspace.fs.readDirectory(uri)) };
	if (stat.size > mostBytes) return { problem: `it is larger than ${mostBytes / 1_000_000} MB` };
	return { bytes: await vscode.workspace.fs.readFile(uri) };
}
