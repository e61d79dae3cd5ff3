import * as vscode from "vscode";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { argumentsOf, isLikelyPath, onlyInFolders, onlyInFoldersOf } from "./folderRules.ts";
import { policyFile, type RuleDecision } from "./rule.ts";
import { type Named, patternOf, rangeOfRule, withOwnRules, withRule, writeRule, type WrittenRule } from "./ruleEdit.ts";
import { ownRules, policyFileOf, rulesKey } from "./rules.vscode.ts";

/** Where the rule is written: the user's settings, or the file of this folder. */
type RulePlace = vscode.WorkspaceFolder | "user";
interface Choice<T> extends vscode.QuickPickItem {
	readonly value: T;
}
const title = "Add a Rule";

/**
 * Asks for the place, the action and the subject, writes a valid rule before the others, and shows it. Escape writes
 * nothing.
 */
export async function addRule(directory: SessionDirectory): Promise<void> {
	const place = await pick<RulePlace>("Choose where to save the rule", [
		{ label: "User Settings", description: "for all your workspaces", value: "user" },
		...(vscode.workspace.workspaceFolders ?? []).map((folder) => ({
			label: `${policyFile} in ${withoutIcons(oneLine(folder.name, 60))}`,
			description: "shared with this folder; it can only make rules stricter",
			value: folder,
		})),
	]);
	if (place === undefined) return;
	const decision = await pick<RuleDecision | "only-in-folders">(
		"Choose what happens to the calls",
		decisionsFor(place.value),
	);
	if (decision === undefined) return;
	const server = await pickNamed(
		"Choose the server",
		"Any Server",
		directory.sessions.map(({ definition }) => definition.name),
	);
	if (server === undefined) return;
	const sessions = directory.sessions.filter(({ definition }) => isAbout(server.value, definition.name));
	const known = sessions.flatMap(({ tools }) => tools.items);
	const tool = await pickNamed(
		"Choose the tool",
		"Any Tool",
		known.map(({ name }) => name),
	);
	if (tool === undefined) return;
	const rules =
		decision.value === "only-in-folders"
			? await rulesForFolders(server.value, tool.value, known)
			: await oneRule(decision.value, server.value, tool.value, known);
	if (rules !== undefined && rules.length > 0) await write(place.value, rules);
}

/** The rule for what was chosen, with the tools that it does not apply to where it is about several. */
async function oneRule(
	decision: RuleDecision,
	server: Named,
	tool: Named,
	known: readonly Tool[],
): Promise<readonly WrittenRule[] | undefined> {
	const isAboutOne = tool !== undefined && "name" in tool;
	if (isAboutOne || known.length === 0) return [writeRule(decision, server, tool)];
	const excepted = await pickSeveral(
		"Choose tools that the rule does not apply to, or none",
		[...new Set(known.map(({ name }) => name))].map((name) => ({ name, isPicked: false })),
	);
	return excepted && [writeRule(decision, server, tool, excepted)];
}

/** The rules that deny calls with a path outside the folders that the user chooses. */
async function rulesForFolders(
	server: Named,
	tool: Named,
	known: readonly Tool[],
): Promise<readonly WrittenRule[] | undefined> {
	const folders = await pickFolders();
	if (folders === undefined || folders.length === 0) return undefined;
	const isPattern = tool !== undefined && "pattern" in tool;
	const about = isPattern ? [] : known.filter(({ name }) => isAbout(tool, name)).map(argumentsOf);
	const names = [...new Set(about.flatMap((one) => one.arguments))];
	if (names.length === 0) {
		const name = await vscode.window.showInputBox({
			ignoreFocusOut: true,
			title,
			prompt: "The argument that is a path. A call without it is denied.",
			value: "path",
			validateInput: (text) => (text.trim() === "" ? "Enter the name of an argument." : undefined),
		});
		return name === undefined ? undefined : [onlyInFoldersOf(server, patternOf(tool), [name.trim()], folders)];
	}
	const paths = await pickSeveral(
		"Choose the arguments that are paths",
		names.map((name) => ({ name, isPicked: isLikelyPath(name) })),
	);
	return paths && onlyInFolders(server, about, paths, folders);
}

async function pickFolders(): Promise<readonly string[] | undefined> {
	const open = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath }));
	const all: Choice<readonly string[]> = {
		label: "All Folders of This Workspace",
		value: open.map(({ path }) => path),
	};
	const chosen = await pick<readonly string[] | "other">("Choose the folders in which calls may have their paths", [
		...(open.length > 1 ? [all] : []),
		...open.map(({ name, path }) => ({
			label: withoutIcons(oneLine(name, 60)),
			description: withoutIcons(oneLine(path, 200)),
			value: [path],
		})),
		{ label: "$(folder-opened) Choose Folders…", value: "other" },
	]);
	if (chosen?.value !== "other") return chosen?.value;
	const options = { title, openLabel: "Choose", canSelectFolders: true, canSelectFiles: false, canSelectMany: true };
	return (await vscode.window.showOpenDialog(options))?.map(({ fsPath }) => fsPath);
}

/** Writes the rules before the others, and shows them. */
async function write(place: RulePlace, rules: readonly WrittenRule[]): Promise<void> {
	if (place === "user") {
		const all = withOwnRules(ownRules(), rules);
		await vscode.workspace.getConfiguration("mcpHost").update(rulesKey, all, vscode.ConfigurationTarget.Global);
		await openRule(undefined, 0);
		return;
	}
	const uri = policyFileOf(place);
	// A file that is open with changes is not overwritten behind its editor's back: the edit goes through it.
	const document = await vscode.workspace.openTextDocument(uri).then(
		(opened) => opened,
		() => undefined,
	);
	const text = rules.reduceRight(withRule, document?.getText() ?? "");
	if (document === undefined) {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	} else {
		const edit = new vscode.WorkspaceEdit();
		edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
		await vscode.workspace.applyEdit(edit);
		await document.save();
	}
	await openRule(uri.toString(), 0);
}

function decisionsFor(place: RulePlace): readonly Choice<RuleDecision | "only-in-folders">[] {
	const ask: Choice<RuleDecision> = {
		label: "$(question) Ask",
		description: "every time, even if a grant exists",
		value: "ask",
	};
	const deny: Choice<RuleDecision> = {
		label: "$(circle-slash) Deny",
		description: "without asking you",
		value: "deny",
	};
	const allow: Choice<RuleDecision> = { label: "$(check) Allow", description: "without asking you", value: "allow" };
	const onlyInFolders: Choice<"only-in-folders"> = {
		label: "$(folder) Only in These Folders…",
		description: "deny calls with a path elsewhere",
		value: "only-in-folders",
	};
	return place === "user" ? [ask, deny, onlyInFolders, allow] : [ask, deny, onlyInFolders];
}

function isAbout(named: Named, name: string): boolean {
	return named === undefined || "pattern" in named || named.name === name;
}

async function pickNamed(
	placeHolder: string,
	any: string,
	names: readonly string[],
): Promise<{ readonly value: Named } | undefined> {
	const items: readonly Choice<Named | "typed">[] = [
		{ label: any, value: undefined },
		...[...new Set(names)].map((name) => ({ label: withoutIcons(oneLine(name, 100)), value: { name } })),
		{ label: "$(edit) Enter a Pattern…", value: "typed" },
	];
	const picked = await pick(placeHolder, items);
	if (picked?.value !== "typed") return picked === undefined ? undefined : { value: picked.value };
	const pattern = await vscode.window.showInputBox({
		ignoreFocusOut: true,
		title,
		prompt: "A glob pattern: * matches any characters, {a,b} matches a or b",
		placeHolder: "book*",
		validateInput: (text) => (text.trim() === "" ? "Enter a pattern." : undefined),
	});
	return pattern === undefined ? undefined : { value: { pattern: pattern.trim() } };
}

/** Lets the user choose several names; undefined when they left. */
async function pickSeveral(
	placeHolder: string,
	names: readonly { readonly name: string; readonly isPicked: boolean }[],
): Promise<readonly string[] | undefined> {
	const items = names.map(({ name, isPicked }) => ({
		label: withoutIcons(oneLine(name, 100)),
		picked: isPicked,
		value: name,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title,
		placeHolder,
		canPickMany: true,
	});
	return picked?.map(({ value }) => value);
}

async function pick<T>(placeHolder: string, items: readonly Choice<T>[]): Promise<Choice<T> | undefined> {
	return vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, placeHolder });
}

/** Opens a list of rules at one of them, or at its beginning: the file of this URI, or the user's settings. */
export async function openRule(uri: string | undefined, index: number | undefined): Promise<void> {
	if (uri === undefined) {
		await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
			revealSetting: { key: "mcpHost.policy.rules" },
		});
		return;
	}
	const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
	const range = rangeOfRule(document.getText(), index);
	const at = range === undefined ? 0 : range.offset;
	const start = document.positionAt(at);
	const end = document.positionAt(at + (range?.length ?? 0));
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, end) });
}
