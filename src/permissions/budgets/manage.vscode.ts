import * as vscode from "vscode";
import { askModal, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { pickFromList } from "../../questions/listPick.vscode.ts";
import { type ListLine, type ListRow, rowOf } from "../../questions/listRow.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { chooseRule } from "./chooseRule.vscode.ts";
import { openLimits } from "./limits.vscode.ts";
import { describeTotal, ruleRows, usageRows } from "./overview.ts";
import type { ScopedSamplingRule } from "./samplingRule.ts";

/** The data and actions of the list of sampling rules and budgets. */
export interface ManageSamplingServices {
	readonly directory: SessionDirectory;
	readonly policy: BudgetPolicy;
}

type Choice =
	| { readonly kind: "rule"; readonly rule: ScopedSamplingRule }
	| { readonly kind: "add" | "revoke-all" | "reset" | "limits" };

const title = "Sampling Rules and Budgets";

/** Lists the rules, today's usage and the limits, with links to change them. Stays current while it is open. */
export async function manageSampling(services: ManageSamplingServices): Promise<void> {
	const { policy, directory } = services;
	const { rules } = policy.services;
	const chosen = await pickFromList<Choice>({
		title,
		placeholder: "How much servers may use your models without asking you, and their usage today",
		lines: () => linesOf(services),
		watch: (refresh) => [policy.onDidChange(refresh), directory.onDidChange(refresh)],
		revoke: async (of) => {
			if (of.kind === "rule") await rules.revoke([of.rule.id]);
		},
	});
	if (chosen?.kind === "rule") await changeRule(services, chosen.rule);
	else if (chosen?.kind === "add") await addRule(services);
	else if (chosen?.kind === "limits") await openLimits();
	else if (chosen?.kind === "reset") await reset(services);
	else if (chosen?.kind === "revoke-all") await revoke(services, rules.all);
}

function linesOf({ policy, directory }: ManageSamplingServices): readonly ListLine<Choice>[] {
	const rules = ruleRows(policy, directory).map(({ rule, ...words }) =>
		rowOf<Choice>(words, { kind: "rule", rule }, "revoke"),
	);
	const usage = usageRows(policy, directory).map((words) => rowOf<Choice>(words, { kind: "limits" }));
	const none: ListRow<Choice> = { kind: "row", icon: "info", label: "There are no rules. You review every request" };
	const action = (icon: string, label: string, kind: "add" | "revoke-all" | "reset" | "limits"): ListRow<Choice> => ({
		kind: "row",
		icon,
		label,
		of: { kind },
	});
	return [
		{ kind: "heading", label: "Rules" },
		...(rules.length === 0 ? [none] : rules),
		{ kind: "heading", label: "Budgets today" },
		...usage,
		{ kind: "heading", label: "" },
		action("add", "Add or Change a Rule…", "add"),
		action("settings-gear", "Open Limits in Settings", "limits"),
		action("discard", "Reset Today's Counts…", "reset"),
		...(rules.length === 0 ? [] : [action("trash", "Revoke All Sampling Rules", "revoke-all")]),
	];
}

/** Asks which server a rule is for, and then for the rule. */
async function addRule(services: ManageSamplingServices): Promise<void> {
	const rows = services.directory.sessions.map(({ definition }) => ({
		label: withoutIcons(oneLine(definition.name, 60)),
		description: withoutIcons(oneLine(definition.origin.label, 100)),
		definition,
	}));
	const picked = await vscode.window.showQuickPick(rows, {
		ignoreFocusOut: true,
		title,
		placeHolder: "Choose the server for the rule",
	});
	if (picked !== undefined) await chooseRule(services.policy, picked.definition);
}

async function changeRule(services: ManageSamplingServices, rule: ScopedSamplingRule): Promise<void> {
	const definition = services.directory.get(rule.server)?.definition;
	const change = { label: "$(edit) Change This Rule…", isChange: true };
	const withdraw = { label: "$(trash) Revoke This Rule", isChange: false };
	const picked = await vscode.window.showQuickPick(definition === undefined ? [withdraw] : [change, withdraw], {
		ignoreFocusOut: true,
		title,
		placeHolder: "Revoking takes effect with the next request",
	});
	if (picked === undefined) return;
	if (picked.isChange && definition !== undefined) await chooseRule(services.policy, definition);
	else await revoke(services, [rule]);
}

async function revoke({ policy }: ManageSamplingServices, revoked: readonly ScopedSamplingRule[]): Promise<void> {
	await policy.services.rules.revoke(revoked.map(({ id }) => id));
	const count = revoked.length === 1 ? "The rule is" : `${revoked.length} rules are`;
	void showInformation(`${count} revoked. You are asked again from the next request on.`);
}

async function reset({ policy }: ManageSamplingServices): Promise<void> {
	const chosen = await askModal(
		"Reset today's usage of your models by servers?",
		`Counted so far today: ${describeTotal(policy)}. Limits per day start again from 0. The usage of rule budgets is not reset.`,
		"Reset Today's Counts",
	);
	if (chosen !== undefined) policy.services.spent.reset(policy.today);
}
