import * as vscode from "vscode";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { policyFile, type RuleDecision } from "./rule.ts";
import { type Named, rangeOfRule, withOwnRule, withRule, writeRule } from "./ruleEdit.ts";
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
	const decision = await pick<RuleDecision>("Choose what happens to the calls", decisionsFor(place.value));
	if (decision === undefined) return;
	const server = await pickNamed(
		"Choose the server",
		"Any Server",
		directory.sessions.map(({ definition }) => definition.name),
	);
	if (server === undefined) return;
	const sessions = directory.sessions.filter(({ definition }) => isAbout(server.value, definition.name));
	const tool = await pickNamed(
		"Choose the tool",
		"Any Tool",
		sessions.flatMap(({ tools }) => tools.items.map(({ name }) => name)),
	);
	if (tool === undefined) return;
	const rule = writeRule(decision.value, server.value, tool.value);
	if (place.value === "user") {
		const rules = withOwnRule(ownRules(), rule);
		await vscode.workspace.getConfiguration("mcpHost").update(rulesKey, rules, vscode.ConfigurationTarget.Global);
		await openRule(undefined, 0);
		return;
	}
	const uri = policyFileOf(place.value);
	// A file that is open with changes is not overwritten behind its editor's back: the edit goes through it.
	const document = await vscode.workspace.openTextDocument(uri).then(
		(opened) => opened,
		() => undefined,
	);
	const text = withRule(document?.getText() ?? "", rule);
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

function decisionsFor(place: RulePlace): readonly Choice<RuleDecision>[] {
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
	return place === "user" ? [ask, deny, allow] : [ask, deny];
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
