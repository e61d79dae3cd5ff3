import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { askModal, showError, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import { type ListLine, type ListRow, rowOf, section } from "../questions/listRow.ts";
import { pickRefreshing } from "../questions/refreshingPick.vscode.ts";
import type { SessionDirectory } from "../servers/sessions/session.ts";
import type { BudgetPolicy } from "./budgets/budgetPolicy.ts";
import { openLimits } from "./budgets/limits.vscode.ts";
import { describeTotal, usageRows } from "./budgets/usageRows.ts";
import { chooseRule } from "./choose.vscode.ts";
import { isOfSampling, type ScopedGrant } from "./grants/grant.ts";
import type { Grants } from "./grants/grants.ts";
import type { GrantScene } from "./grants/grantStatus.ts";
import { type Listed, overview } from "./overview.ts";
import type { ObservedRules } from "./policy/rule.ts";
import { addRule, openRule } from "./policy/ruleEdit.vscode.ts";

/** The data and actions of the list of rules and grants. */
export interface ManageServices {
	readonly directory: SessionDirectory;
	readonly rules: ObservedRules;
	readonly grants: Grants;
	readonly scene: GrantScene;
	readonly sampling: BudgetPolicy;
}

type Action = "add" | "add-sampling" | "revoke-all" | "reset" | "limits";
type Choice = Listed | { readonly kind: Action };

interface Item extends vscode.QuickPickItem {
	readonly of?: Choice | undefined;
}

const title = "Rules and Grants";
const buttons: Readonly<Record<"open" | "revoke", vscode.QuickInputButton>> = {
	open: { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: "Open" },
	revoke: { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Revoke" },
};

/**
 * Lists all rules, grants and budgets in one place, where each can be opened, changed or revoked. Stays current while it
 * is open.
 */
export async function manageRules(services: ManageServices): Promise<void> {
	const { rules, grants, sampling, directory } = services;
	const placeholder = "What runs without asking you, what needs confirmation, and what is denied";
	const picked = await pickRefreshing<Item>({
		content: () => ({ items: linesOf(services).map(toItem), title, placeholder }),
		identityOf: ({ label, kind }) => `${kind ?? ""} ${label}`,
		watch: (refresh) => [rules, sampling, directory].map(({ onDidChange }) => onDidChange(refresh)),
		canChoose: ({ of }) => of !== undefined,
		pressItem({ of }, button, then) {
			if (button === buttons.open) then.choose();
			else if (of?.kind === "grant")
				void grants.revoke([of.grant.id]).catch((error: unknown) => void showError(messageOf(error)));
		},
	});
	const chosen = picked?.of;
	switch (chosen?.kind) {
		case undefined:
			break;
		case "add":
			return addRule(directory);
		case "add-sampling":
			return addSamplingRule(services);
		case "revoke-all":
			return revoke(services, grants.all);
		case "reset":
			return reset(sampling);
		case "limits":
			return openLimits();
		case "rule":
			return openRule(chosen.list.place.uri, chosen.index);
		case "grant":
			return chooseForGrant(services, chosen.grant);
	}
}

function linesOf({ rules, grants, scene, sampling, directory }: ManageServices): readonly ListLine<Choice>[] {
	const lines = overview(rules.lists ?? [], grants.all, scene);
	const label = "There are no rules and no grants. You are asked about every call and sampling request";
	const usage = usageRows(sampling, directory).map((words) => rowOf<Choice>(words, { kind: "limits" }));
	const action = (icon: string, name: string, kind: Action): ListRow<Choice> => ({
		kind: "row",
		icon,
		label: name,
		of: { kind },
	});
	return [
		...(lines.length === 0 ? [{ kind: "row", icon: "info", label } as const] : lines),
		...section("Budgets today", usage),
		{ kind: "heading", label: "" },
		action("add", "Add a Rule for Calls…", "add"),
		action("add", "Add or Change a Rule for Sampling…", "add-sampling"),
		action("settings-gear", "Open Sampling Limits in Settings", "limits"),
		action("discard", "Reset Today's Counts…", "reset"),
		...(grants.all.length === 0 ? [] : [action("trash", "Revoke All Grants and Sampling Rules", "revoke-all")]),
	];
}

function toItem(line: ListLine<Choice>): Item {
	if (line.kind === "heading") return { label: withoutIcons(line.label), kind: vscode.QuickPickItemKind.Separator };
	const { icon, label, description = "", detail = "", of, button } = line;
	return {
		label: `$(${icon}) ${withoutIcons(label)}`,
		description: withoutIcons(description),
		...(detail === "" ? {} : { detail: withoutIcons(detail) }),
		...(button === undefined ? {} : { buttons: [buttons[button]] }),
		of,
	};
}

/** Asks which server a rule is for, and then for the rule. */
async function addSamplingRule({ directory, sampling }: ManageServices): Promise<void> {
	const rows = directory.sessions.map(({ definition }) => ({
		label: withoutIcons(oneLine(definition.name, 60)),
		description: withoutIcons(oneLine(definition.origin.label, 100)),
		definition,
	}));
	const placeHolder = "Choose the server for the rule";
	const picked = await vscode.window.showQuickPick(rows, { ignoreFocusOut: true, title, placeHolder });
	if (picked !== undefined) await chooseRule(sampling, picked.definition);
}

async function chooseForGrant(services: ManageServices, grant: ScopedGrant): Promise<void> {
	const { grants, directory, sampling } = services;
	const definition = isOfSampling(grant) ? directory.get(grant.server)?.definition : undefined;
	const ofServer = grants.all.filter(({ server }) => server === grant.server);
	const name = withoutIcons(oneLine(grant.serverName, 60));
	const change = { label: "$(edit) Change This Rule…", grants: [] };
	const one = { label: `$(trash) Revoke This ${isOfSampling(grant) ? "Rule" : "Grant"}`, grants: [grant] };
	const all = { label: `$(trash) Revoke All ${ofServer.length} Rules and Grants of ${name}`, grants: ofServer };
	const rows = [...(definition === undefined ? [] : [change]), one, ...(ofServer.length > 1 ? [all] : [])];
	const placeHolder = "Revoking takes effect with the next call or request";
	const picked = await vscode.window.showQuickPick(rows, { ignoreFocusOut: true, title, placeHolder });
	if (picked === change && definition !== undefined) await chooseRule(sampling, definition);
	else if (picked !== undefined) await revoke(services, picked.grants);
}

async function revoke({ grants }: ManageServices, revoked: readonly ScopedGrant[]): Promise<void> {
	await grants.revoke(revoked.map(({ id }) => id));
	const what = revoked.length === 1 ? "" : ` ${revoked.length} rules and grants`;
	void showInformation(`Revoked${what}. You are asked again from now on.`);
}

async function reset(policy: BudgetPolicy): Promise<void> {
	const chosen = await askModal(
		"Reset today's usage of your models by servers?",
		`Counted so far today: ${describeTotal(policy)}. Limits per day start again from 0. The usage of rule budgets is not reset.`,
		"Reset Today's Counts",
	);
	if (chosen !== undefined) policy.services.use.spent.reset(policy.today);
}
