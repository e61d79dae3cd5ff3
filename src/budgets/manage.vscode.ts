import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { askModal, showError, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { SessionDirectory } from "../servers/session.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { chooseRule } from "./chooseRule.vscode.ts";
import { openLimits } from "./limits.vscode.ts";
import { describeTotal, ruleRows, usageRows } from "./overview.ts";
import type { ScopedSamplingRule } from "./samplingRule.ts";

/** What the list of sampling rules and budgets shows and changes. */
export interface ManageSamplingServices {
	readonly directory: SessionDirectory;
	readonly policy: BudgetPolicy;
}

interface Row extends vscode.QuickPickItem {
	readonly rule?: ScopedSamplingRule;
	readonly action?: "add" | "revoke-all" | "reset" | "limits";
}

const title = "Sampling Rules and Budgets";
const revokeButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Revoke" };

/** Lists the rules, what was used today and the limits, where each can be changed. Stays current while it is open. */
export async function manageSampling(services: ManageSamplingServices): Promise<void> {
	const picked = await showList(services);
	const { rules } = services.policy.services;
	if (picked?.rule !== undefined) await changeRule(services, picked.rule);
	else if (picked?.action === "add") await addRule(services);
	else if (picked?.action === "limits") await openLimits();
	else if (picked?.action === "reset") await reset(services);
	else if (picked?.action === "revoke-all") await revoke(services, rules.all);
}

/** Asks which server a rule is to be about, and then for the rule. */
async function addRule(services: ManageSamplingServices): Promise<void> {
	const rows = services.directory.sessions.map(({ definition }) => ({
		label: withoutIcons(oneLine(definition.name, 60)),
		description: withoutIcons(oneLine(definition.origin.label, 100)),
		definition,
	}));
	const picked = await vscode.window.showQuickPick(rows, { title, placeHolder: "A rule for which server?" });
	if (picked !== undefined) await chooseRule(services.policy, picked.definition);
}

async function changeRule(services: ManageSamplingServices, rule: ScopedSamplingRule): Promise<void> {
	const definition = services.directory.get(rule.server)?.definition;
	const change = { label: "$(edit) Change This Rule…", isChange: true };
	const withdraw = { label: "$(trash) Revoke This Rule", isChange: false };
	const picked = await vscode.window.showQuickPick(definition === undefined ? [withdraw] : [change, withdraw], {
		title,
		placeHolder: "What is revoked no longer counts, from the next request on",
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
		"Count what servers use of your models from 0 again, for the rest of the day?",
		`Counted so far today: ${describeTotal(policy)}. Limits of a day can be used once more. What rules have used stays.`,
		"Reset Today's Counts",
	);
	if (chosen !== undefined) policy.services.spent.reset(policy.today);
}

function showList(services: ManageSamplingServices): Promise<Row | undefined> {
	const { policy, directory } = services;
	const pick = vscode.window.createQuickPick<Row>();
	pick.title = title;
	pick.placeholder = "What servers may use of your models without asking you, and what they used today";
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.items = rowsOf(services);
	const refresh = (): void => {
		const [active] = pick.activeItems;
		const items = rowsOf(services);
		pick.keepScrollPosition = true;
		pick.items = items;
		const same = items.find(({ label, kind }) => kind === active?.kind && label === active?.label);
		if (same !== undefined) pick.activeItems = [same];
	};
	const { promise, resolve } = Promise.withResolvers<Row | undefined>();
	const subscriptions = vscode.Disposable.from(
		pick,
		vscode.Disposable.from(policy.onDidChange(refresh), directory.onDidChange(refresh)),
		pick.onDidAccept(() => {
			const [active] = pick.activeItems;
			// What was used only tells.
			if (active?.rule === undefined && active?.action === undefined) return;
			resolve(active);
			pick.hide();
		}),
		pick.onDidTriggerItemButton(({ item: { rule } }) => {
			if (rule === undefined) return;
			void policy.services.rules.revoke([rule.id]).catch((error: unknown) => void showError(messageOf(error)));
		}),
		pick.onDidHide(() => resolve(undefined)),
	);
	void promise.finally(() => subscriptions.dispose());
	pick.show();
	return promise;
}

function rowsOf({ policy, directory }: ManageSamplingServices): readonly Row[] {
	const rules = ruleRows(policy, directory).map(({ rule, icon, label, description, detail }): Row => ({
		label: `$(${icon}) ${withoutIcons(label)}`,
		description: withoutIcons(description),
		detail: withoutIcons(detail),
		buttons: [revokeButton],
		rule,
	}));
	const usage = usageRows(policy, directory).map(({ icon, label, description, detail }): Row => ({
		label: `$(${icon}) ${withoutIcons(label)}`,
		description: withoutIcons(description),
		detail: withoutIcons(detail),
		action: "limits",
	}));
	const none: Row[] = rules.length === 0 ? [{ label: "$(info) There are no rules: every request is reviewed" }] : [];
	const revokeAll: Row[] =
		rules.length === 0 ? [] : [{ label: "$(trash) Revoke All Sampling Rules", action: "revoke-all" }];
	return [
		heading("Rules"),
		...none,
		...rules,
		heading("Used today, and limits"),
		...usage,
		heading(""),
		{ label: "$(add) Add or Change a Rule…", action: "add" },
		{ label: "$(settings-gear) Open the Setting of Limits", action: "limits" },
		{ label: "$(discard) Reset Today's Counts…", action: "reset" },
		...revokeAll,
	];
}

function heading(label: string): Row {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}
