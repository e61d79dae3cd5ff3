import * as vscode from "vscode";
import { locate } from "../../base/configText.ts";
import { messageOf } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { commandsOf, askModal, showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import type { FormQuestion } from "../../questions/form/formQuestion.ts";
import type { ConfigOrigin, ServerDefinition } from "../../servers/definitions/config.ts";
import type { McpHost } from "../../servers/host.ts";
import { pickServer } from "../../servers/pick.vscode.ts";
import type { ServerSession } from "../../servers/sessions/serverSession.ts";
import { valueAt } from "./jsonEdit.ts";
import { type EditableConfiguration, isEditable, pathsOf } from "./editable.ts";
import { editQuestion } from "./editForm.ts";
import type { ConfigurationPlace, NewServer } from "../newServer.ts";
import { extractSecrets, secretValuesOf } from "./secretValues.ts";
import { freeName, nameProblem } from "./serverName.ts";
import { keyOf, type ServerEdits, type Undoable } from "./serverEdits.ts";

/** The services that the commands of a server's row use. */
export interface RowServices {
	readonly host: McpHost;
	readonly edits: ServerEdits;
	readonly openPlace: (place: ConfigurationPlace) => EditableConfiguration;
	/** The files of servers from bundles. */
	readonly bundles: {
		readonly hasFiles: (definition: ServerDefinition) => boolean;
		readonly removeFilesOf: (definition: ServerDefinition) => Promise<void>;
	};
	/** Asks by a form; undefined when the user closed it. */
	readonly ask: (question: FormQuestion) => Promise<JsonObject | undefined>;
}

type Fits = (session: ServerSession) => boolean;

/** The commands that edit a server where it is written. None of them starts one. */
export function rowCommands(services: RowServices) {
	const { host, edits } = services;
	const on =
		(placeholder: string, run: (definition: ServerDefinition) => Promise<void>, fits: Fits = isOwn) =>
		async (argument: unknown): Promise<void> => {
			const session = await pickServer(host, argument, placeholder, (_state, one) => fits(one));
			if (session === undefined) return;
			if (fits(session)) return run(session.definition);
			const { name, origin } = session.definition;
			throw new Error(
				`MCP Host cannot do this to "${oneLine(name, 80)}", which is configured in ${oneLine(origin.label, 200)}.`,
			);
		};
	return commandsOf({
		"mcpHost.editServer": on("Edit which server?", (definition) => edit(services, definition)),
		"mcpHost.goToDefinition": on("Show the definition of which server?", showDefinition, isWritten),
		"mcpHost.removeServer": on("Remove which server?", (definition) => remove(services, definition)),
		"mcpHost.switchOff": on("Switch off which server?", (definition) => edits.switch(definition, true), isOn),
		"mcpHost.switchOn": on("Switch on which server?", (definition) => edits.switch(definition, false), isOff),
		"mcpHost.duplicateServer": on("Duplicate which server?", (definition) => duplicate(services, definition)),
		"mcpHost.moveToWorkspace": on(
			"Move which server to the workspace?",
			(definition) => moveToWorkspace(services, definition),
			({ definition }) => definition.origin.kind === "user-settings",
		),
		"mcpHost.moveToUser": on(
			"Move which server to your settings?",
			(definition) => move(services, definition, { kind: "user" }),
			(session) => isOwn(session) && session.definition.origin.isWorkspace,
		),
	});
}

const isOff: Fits = ({ state }) => state.kind === "off";
const isWritten: Fits = ({ definition }) => definition.origin.kind !== "demo";
const isOwn: Fits = ({ definition }) => isEditable(definition.origin);
const isOn: Fits = (session) => isWritten(session) && !isOff(session);

/** Shows where a server is written, with its entry selected. */
async function showDefinition(definition: ServerDefinition): Promise<void> {
	const editor = await openText(definition.origin);
	if (editor === undefined) return;
	const { document } = editor;
	const text = document.getText();
	// Files of other hosts have other keys, and some are not JSON.
	const path = [...pathsOf(definition.origin, text).servers, keyOf(definition)];
	const range = valueAt(text, path) === undefined ? undefined : locate(text, path);
	if (range === undefined) return;
	const [start, end] = [document.positionAt(range.offset), document.positionAt(range.offset + range.length)];
	editor.selection = new vscode.Selection(start, end);
	editor.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function openText({ file }: ConfigOrigin): Promise<vscode.TextEditor | undefined> {
	if (file !== undefined) return vscode.window.showTextDocument(vscode.Uri.file(file));
	// Only VS Code knows which file of settings is in use.
	await vscode.commands.executeCommand("workbench.action.openSettingsJson");
	return vscode.window.activeTextEditor;
}

async function edit({ edits, ask }: RowServices, definition: ServerDefinition): Promise<void> {
	const written = await edits.read(definition);
	const entry = await ask(editQuestion(written));
	if (entry === undefined) return;
	const before = new Set(secretValuesOf(written.entry).map(({ text }) => text));
	const found = secretValuesOf(entry).filter(({ text }) => !before.has(text));
	const plain: NewServer = { name: written.name, entry, inputs: written.inputs, values: new Map() };
	let edited = plain;
	if (found.length > 0) {
		const names = found.map(({ label }) => oneLine(label, 60)).join(", ");
		const label = oneLine(definition.origin.label, 200);
		const answer = await askModal(
			`${names} ${found.length === 1 ? "looks" : "look"} secret.`,
			`In the secret store, it is available to this server only, and ${label} only refers to it. As plain text, everyone who can read ${label} can read it.`,
			"Keep in Secret Store",
			"Write as Plain Text",
		);
		if (answer === undefined) {
			void showInformation("Nothing was written.");
			return;
		}
		if (answer === "Keep in Secret Store") edited = extractSecrets(plain, found);
	}
	const done = await edits.edit(definition, edited);
	void offerUndo(`"${oneLine(definition.name, 80)}" was changed.`, done);
}

async function remove({ edits, bundles }: RowServices, definition: ServerDefinition): Promise<void> {
	const name = oneLine(definition.name, 80);
	const label = oneLine(definition.origin.label, 200);
	const hasFiles = bundles.hasFiles(definition);
	const files = hasFiles ? " The files of its bundle are deleted too. This cannot be undone." : "";
	const answer = await askModal(
		`Remove the server "${name}"?`,
		`Its entry is removed from ${label}. Your approval, the values that you entered and its sign-in are deleted too.${files}${definition.origin.isWorkspace ? " Other users may share that file." : ""}`,
		"Remove",
	);
	if (answer === undefined) return;
	const done = await edits.remove(definition);
	if (hasFiles) {
		await bundles.removeFilesOf(definition);
		void showInformation(`"${name}" was removed from ${label}, with the files of its bundle.`);
	} else
		void offerUndo(`"${name}" was removed from ${label}. Undo restores the entry, which you then approve again.`, done);
}

async function duplicate({ host, edits }: RowServices, definition: ServerDefinition): Promise<void> {
	const names = new Set(host.registry.sessions.map((session) => keyOf(session.definition)));
	const name = await vscode.window.showInputBox({
		title: `Duplicate ${oneLine(definition.name, 80)}`,
		prompt: `The name of the copy, in ${oneLine(definition.origin.label, 200)}`,
		value: freeName(keyOf(definition), names),
		ignoreFocusOut: true,
		validateInput: (text) => nameProblem(text.trim(), names),
	});
	if (name === undefined) return;
	const done = await edits.duplicate(definition, name.trim());
	void offerUndo(`"${oneLine(name, 80)}" was added to ${oneLine(definition.origin.label, 200)}.`, done);
}

async function moveToWorkspace(services: RowServices, definition: ServerDefinition): Promise<void> {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	if (folders.length === 0)
		throw new Error("Open a folder first. The server is moved to the configuration of a folder.");
	const items = folders.map(({ name, uri }) => ({ label: `.vscode/mcp.json in ${name}`, folder: uri.fsPath }));
	const picked =
		items.length === 1
			? items[0]
			: await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title: "Move to Workspace" });
	if (picked !== undefined) await move(services, definition, { kind: "folder", folder: picked.folder });
}

async function move(services: RowServices, definition: ServerDefinition, place: ConfigurationPlace): Promise<void> {
	const to = services.openPlace(place);
	const label = oneLine(to.origin.label, 200);
	const name = oneLine(definition.name, 80);
	const details = [
		`Its entry is moved from ${oneLine(definition.origin.label, 200)} to ${label}. The server needs your approval again before it starts.`,
		...(to.origin.isWorkspace ? ["Values that look secret are moved to the secret store instead of the file."] : []),
		...(definition.origin.isWorkspace ? ["Other users of the file lose the server."] : []),
	];
	if ((await askModal(`Move the server "${name}" to ${label}?`, details.join(" "), "Move")) === undefined) return;
	const done = await services.edits.move(definition, to);
	void offerUndo(`"${name}" was moved to ${label}.`, done);
}

/** Shows an edit, with a button that reverts it; the answer is not awaited. */
async function offerUndo(message: string, { undo }: Undoable): Promise<void> {
	if ((await showInformation(message, "Undo")) === undefined) return;
	await undo().catch((error: unknown) => showError(messageOf(error)));
}
