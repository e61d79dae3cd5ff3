import { homedir } from "node:os";
import * as vscode from "vscode";
import { HostError } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { showSlowWork } from "../../base/notify.vscode.ts";
import { withPatience } from "../../base/patience.ts";
import { cap, oneLine } from "../../base/text.ts";
import { describeExtent, describeText, type FillOffer, type FillSources } from "../../questions/completion/fills.ts";
import { type FillId, fillLabels } from "./argumentForm.ts";
import { cleanEnvironment, outputOf } from "./commandOutput.ts";

const restricted = "not in an untrusted workspace";

/** Takes values from VS Code, the clipboard and the output of a command that the user types. */
export class EditorFills implements FillSources {
	private readonly editors: LastEditor;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;
	private clipboard = "";
	/** The last thing that the user ran in this window. */
	private lastCommand = "";

	constructor(editors: LastEditor) {
		this.editors = editors;
	}

	get offers(): readonly FillOffer[] {
		const { current } = this.editors;
		const selection = this.selection();
		return [
			...(selection === "" ? [] : [offer("selection", "selection", describeText(selection))]),
			...(current === undefined ? [] : [offer("file", "file", `${nameOf(current)} · ${extentOf(current)}`)]),
			offer("clipboard", "clippy", this.clipboard),
			offer("command", "terminal", vscode.workspace.isTrusted ? "" : restricted),
		];
	}

	/** Reads the clipboard's current content, for the offers. */
	async lookAtClipboard(): Promise<void> {
		// A browser would ask for permission to read it, which needs a choice of the user first.
		if (vscode.env.uiKind === vscode.UIKind.Web) return;
		this.clipboard = describeText(await vscode.env.clipboard.readText());
		this.changed.fire();
	}

	async read(id: string, signal: AbortSignal): Promise<string | undefined> {
		switch (id) {
			case "selection":
				return given(this.selection(), "Nothing is selected in the editor.");
			case "file": {
				const { current } = this.editors;
				if (current === undefined) throw new HostError("invalid", "No file is open.");
				return textOf(current);
			}
			case "clipboard":
				return given(await vscode.env.clipboard.readText(), "The clipboard contains no text.");
			case "command":
				return this.run(signal);
			default:
				throw new HostError("invalid", "This source of values does not exist.");
		}
	}

	private selection(): string {
		const { current } = this.editors;
		return current === undefined ? "" : current.selections.map((range) => current.document.getText(range)).join("\n");
	}

	private async run(signal: AbortSignal): Promise<string | undefined> {
		// A restricted window must not run anything: the folder could decide which program the command finds.
		if (!vscode.workspace.isTrusted) {
			throw new HostError("denied", "Commands run only in a trusted workspace. Trust it, or paste the output.");
		}
		const cwd = this.folder();
		const command = await vscode.window.showInputBox({
			title: fillLabels.command,
			prompt: `Runs in ${oneLine(cwd)} now. Its output becomes the value`,
			placeHolder: "git diff --staged",
			value: this.lastCommand,
			ignoreFocusOut: true,
		});
		if (command === undefined || command.trim() === "") return undefined;
		this.lastCommand = command;
		return withPatience(
			(control) =>
				outputOf({
					command,
					cwd,
					env: cleanEnvironment(process.env),
					signal: AbortSignal.any([signal, control.signal]),
				}),
			(slow) => showSlowWork(`Running ${oneLine(command, 60)}`, slow),
		);
	}

	/**
	 * The working directory of a command: the folder of the file in question, otherwise the first folder, otherwise the
	 * user's own.
	 */
	private folder(): string {
		const { current } = this.editors;
		const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
		const own = current === undefined ? undefined : vscode.workspace.getWorkspaceFolder(current.document.uri);
		const chosen = folders.find(({ uri }) => uri.toString() === own?.uri.toString()) ?? folders[0];
		return chosen?.uri.fsPath ?? homedir();
	}
}

function offer(id: FillId, icon: string, about: string): FillOffer {
	return { id, label: fillLabels[id], icon, about };
}

function nameOf({ document }: vscode.TextEditor): string {
	return cap(oneLine(vscode.workspace.asRelativePath(document.uri)), 60);
}

/** Computed again with every key, so it must not read a whole file. */
function extentOf({ document }: vscode.TextEditor): string {
	const { lineCount } = document;
	let first = 0;
	while (first < Math.min(lineCount - 1, 20) && document.lineAt(first).isEmptyOrWhitespace) first++;
	const lines = lineCount > 1 && document.lineAt(lineCount - 1).text === "" ? lineCount - 1 : lineCount;
	const characters = document.offsetAt(document.lineAt(lineCount - 1).range.end);
	return characters === 0 ? "empty" : describeExtent(document.lineAt(first).text, lines, characters);
}

function textOf({ document }: vscode.TextEditor): string {
	return document.getText();
}

function given(text: string, otherwise: string): string {
	if (text === "") throw new HostError("invalid", otherwise);
	return text;
}

/** Remembers the text editor that the user used last, because none is active while one of our panels has the focus. */
export class LastEditor implements Disposable {
	private last: vscode.TextEditor | undefined;
	private readonly subscription: vscode.Disposable;

	constructor() {
		this.note(vscode.window.activeTextEditor);
		this.subscription = vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor));
	}

	/** The text editor, unless its document was closed since. */
	get current(): vscode.TextEditor | undefined {
		return this.last?.document.isClosed === true ? undefined : this.last;
	}

	/** Inserts a text at the cursor, shows it, and returns the file's name. Rejects with a HostError when it cannot. */
	async insert(text: string): Promise<string> {
		const { current } = this;
		if (current === undefined) throw new HostError("invalid", "Open a file and place the cursor first.");
		const editor = await vscode.window.showTextDocument(current.document, {
			...(current.viewColumn === undefined ? {} : { viewColumn: current.viewColumn }),
			selection: current.selection,
		});
		const name = vscode.workspace.asRelativePath(editor.document.uri);
		if (await editor.edit((edit) => edit.insert(editor.selection.active, text))) return name;
		throw new HostError("invalid", `${name} cannot be changed.`);
	}

	dispose(): void {
		this.subscription.dispose();
	}

	private note(editor: vscode.TextEditor | undefined): void {
		// Output views are text editors to the API as well, but in no column; nothing can be inserted there.
		if (editor?.viewColumn !== undefined) this.last = editor;
	}
}
