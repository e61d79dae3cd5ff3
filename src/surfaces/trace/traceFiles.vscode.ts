import { basename } from "node:path";
import * as vscode from "vscode";
import { HostError, messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import { type ReadTrace, readTrace } from "../../records/trace/readTraceFile.ts";
import { portOf, type ViewedTrace } from "./viewedTrace.vscode.ts";
import { momentOf } from "../../base/shownTime.ts";

/** A file larger than this is not opened, in bytes. */
const largestFile = 64 * 1024 * 1024;

/** The dependencies of viewing traces of files. */
type FileViewServices = Pick<ViewedTrace, "documents" | "secretsInUse" | "tokensOf"> & {
	readonly extensionUri: vscode.Uri;
};

/** Traces of files in editors, each in one panel. They refer to no server here, even if names match. */
export class TraceFilePanels implements Disposable {
	private readonly services: FileViewServices;
	private readonly panels = new Map<string, Panel>();

	constructor(services: FileViewServices) {
		this.services = services;
	}

	/** Shows a trace again, replacing the file's former contents. */
	show(uri: vscode.Uri, read: ReadTrace): void {
		const { extensionUri, ...shared } = this.services;
		this.panels.get(uri.toString())?.dispose();
		const panel = openPanel({ extensionUri, view: "trace", style: "trace.css", title: oneLine(nameOf(uri), 60) });
		const open = new DisposableStore();
		const notices = noticesOf(nameOf(uri), read);
		const port = open.add(
			portOf({
				...shared,
				reader: read.trace,
				directory: { get: () => undefined },
				notices: () => notices,
				notKept: "The file does not contain its messages: they were not exported or not recorded.",
			}),
		);
		open.add(port.connect(panel.port));
		this.panels.set(uri.toString(), panel);
		panel.onDidClose(() => {
			open.dispose();
			if (this.panels.get(uri.toString()) === panel) this.panels.delete(uri.toString());
		});
	}

	dispose(): void {
		for (const panel of this.panels.values()) panel.dispose();
	}
}

/**
 * Opens an exported trace: that of the explorer's menu, otherwise one that the user chooses.
 * @throws HostError `invalid` in words for users when the file cannot be read as a trace.
 */
export async function openTraceFile(panels: TraceFilePanels, argument: unknown): Promise<void> {
	const uri = argument instanceof vscode.Uri ? argument : await chooseFile();
	if (uri === undefined) return;
	const name = oneLine(nameOf(uri), 60);
	let read: ReadTrace;
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > largestFile) throw new HostError("limit", "It is larger than 64 MB.");
		read = readTrace(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
	} catch (error) {
		throw new HostError("invalid", `${name} cannot be opened as a trace: ${oneLine(messageOf(error), 300)}`);
	}
	panels.show(uri, read);
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
	const [uri] =
		(await vscode.window.showOpenDialog({
			title: "Open Trace File",
			filters: { "Traces (JSON Lines)": ["jsonl"], "All Files": ["*"] },
		})) ?? [];
	return uri;
}

/** Notes for the user about a file, in our sentences. */
function noticesOf(name: string, { host, saved, skipped }: ReadTrace): readonly string[] {
	const by = host === "" ? "" : ` by ${oneLine(host, 60)}`;
	const at = Number.isNaN(Date.parse(saved)) ? "" : ` on ${momentOf(Date.parse(saved))}`;
	return [
		`${oneLine(name, 60)}, written${by}${at}. It is read-only. Nothing in it is sent to a server.`,
		...(skipped === 0
			? []
			: [
					`${skipped.toLocaleString("en-US")} of its lines could not be read: the file is damaged, incomplete or too long.`,
				]),
	];
}

function nameOf({ path }: vscode.Uri): string {
	return basename(path);
}
