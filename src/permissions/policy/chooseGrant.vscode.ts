import * as vscode from "vscode";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { describeChosen, grantChoices, type GrantChoice } from "./grantChoices.ts";
import type { Grants } from "./grants.ts";
import type { RulesAndGrants } from "./policy.ts";
import type { ChooseGrant } from "./verdict.ts";

interface Row extends vscode.QuickPickItem {
	readonly choice?: GrantChoice;
	readonly isManage?: boolean;
	readonly isMore?: boolean;
}

const more: Row = {
	label: "More Choices…",
	description: "these arguments only, for a day, in all workspaces",
	isMore: true,
};
const manage: Row = { label: "$(settings-gear) Manage Rules and Grants…", isManage: true };

/**
 * Asks the user what to allow from now on: the tool in this session or in this workspace, or one of all choices. If a
 * rule asks or denies, no grant would apply, so none is offered.
 */
export function grantChooser(policy: RulesAndGrants, grants: Grants): ChooseGrant {
	return async (entry, args, signal) => {
		const { session, tool } = entry;
		const rule = policy.judge(entry, args);
		const isOffered = rule === undefined || rule.decision === "allow";
		const rows = isOffered ? choiceRows(entry) : [refusalRow(rule.label)];
		const first = rows.filter(({ choice }) => choice !== undefined && isUsual(choice));
		const title = `Always Allow: ${oneLine(session.definition.name, 60)} · ${oneLine(tool.name, 100)}`;
		const placeHolder = isOffered
			? "Choose what may run without asking you. Press Escape to change nothing."
			: "Nothing can be allowed for later calls";
		const end: readonly Row[] = [{ label: "", kind: vscode.QuickPickItemKind.Separator }, manage];
		const options = { title, placeHolder, ignoreFocusOut: true };
		let picked = isOffered ? await pick([...first, more, ...end], options, signal) : more;
		if (picked?.isMore === true) picked = await pick([...rows, ...end], options, signal);
		if (picked?.isManage === true || (picked !== undefined && picked.choice === undefined)) {
			await vscode.commands.executeCommand("mcpHost.manageRules");
			return undefined;
		}
		if (picked?.choice === undefined || signal.aborted) return undefined;
		const { covers, scope, lastsMs } = picked.choice;
		const grant = grants.make(entry, args, covers, lastsMs);
		return { label: describeChosen(grant, scope), save: () => grants.add(grant, scope) };
	};
}

/** Whether most users choose it: a tool, for a while. */
function isUsual({ covers, scope, lastsMs }: GrantChoice): boolean {
	return covers === "tool" && scope !== "always" && lastsMs === undefined;
}

function choiceRows(entry: Parameters<ChooseGrant>[0]): readonly Row[] {
	return grantChoices(entry).flatMap(({ heading, choices }) => {
		const rows = choices.map((choice): Row => ({ label: choice.label, description: choice.description, choice }));
		rows.unshift({ label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator });
		return rows;
	});
}

function refusalRow(label: string): Row {
	return { label: "$(info) A rule decides this call; grants do not apply", detail: withoutIcons(label) };
}

async function pick(
	rows: readonly Row[],
	options: vscode.QuickPickOptions,
	signal: AbortSignal,
): Promise<Row | undefined> {
	const cancellation = new vscode.CancellationTokenSource();
	const onAbort = (): void => cancellation.cancel();
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	try {
		return await vscode.window.showQuickPick(rows, options, cancellation.token);
	} finally {
		signal.removeEventListener("abort", onAbort);
		cancellation.dispose();
	}
}
