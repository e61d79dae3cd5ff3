import * as vscode from "vscode";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { budgetChoices, lastingChoices, effectChoices, whenChoices } from "./ruleChoices.ts";
import { parseBudget, type RuleBudget } from "./ruleBudget.ts";
import type { ReviewMode } from "./samplingPolicy.ts";
import { describeRule, type SamplingEffect } from "./samplingRule.ts";
import { whyVoid } from "./verdict.ts";

/**
 * Asks how a server's requests are handled from now on, and for how long. Escape at any step changes nothing. Returns
 * the choice, once it applies.
 */
export async function chooseRule(
	policy: BudgetPolicy,
	definition: ServerDefinition,
): Promise<ReviewMode | "never" | undefined> {
	const { rules, now } = policy.services;
	const name = withoutIcons(oneLine(definition.name, 60));
	const title = `Rules for ${name}`;
	const standing = rules.about(definition).filter((rule) => rules.stands(rule));
	const current = standing.find((rule) => whyVoid(rule, definition, policy.scene) === undefined);
	const currentKind = current?.effect.kind ?? "review";
	const rows = effectChoices.map(({ kind, label, description }) => {
		const icon = kind === currentKind ? "check" : "blank";
		const isRule = kind === current?.effect.kind;
		const words = isRule ? `now: ${describeRule(current)}` : description;
		return { label: `$(${icon}) ${label}`, description: words, kind: vscode.QuickPickItemKind.Default, chosen: kind };
	});
	const manage = { label: "$(settings-gear) Sampling Rules and Budgets…", chosen: undefined };
	const picked = await vscode.window.showQuickPick(
		[...rows, { label: "", kind: vscode.QuickPickItemKind.Separator, chosen: undefined }, manage],
		{ title, placeHolder: `Choose what happens when ${name} sends a sampling request` },
	);
	if (picked === manage) await vscode.commands.executeCommand("mcpHost.manageSampling");
	const kind = picked?.chosen;
	if (kind === undefined) return undefined;
	if (kind === "review") {
		await rules.revoke(standing.map(({ id }) => id));
		return "review";
	}
	const effect = kind === "auto" ? await chooseAuto(title) : { kind };
	if (effect === undefined) return undefined;
	const lasting = await pick(title, "For how long?", lastingChoices(kind, definition));
	if (lasting === undefined) return undefined;
	const { scope, endsAt } = lasting;
	await rules.set(definition, effect, scope, endsAt?.(now()));
	return kind;
}

async function chooseAuto(title: string): Promise<SamplingEffect | undefined> {
	const asked = "Choose how much it may use without asking you. You do not review the completions.";
	const picked = await pick(title, asked, budgetChoices);
	if (picked === undefined) return undefined;
	const budget = picked.budget ?? (await enterBudget(title));
	if (budget === undefined) return undefined;
	const when = await pick(title, "Choose when it may continue without asking you", whenChoices);
	return when === undefined ? undefined : { kind: "auto", budget, coversUnasked: when.coversUnasked };
}

async function enterBudget(title: string): Promise<RuleBudget | undefined> {
	const text = await vscode.window.showInputBox({
		title,
		prompt: "Enter the requests, tokens and dollars to limit; “a day” starts again at midnight",
		placeHolder: "20 requests, 50,000 tokens, $0.50 a day",
		ignoreFocusOut: true,
		validateInput(entered) {
			const budget = parseBudget(entered);
			return "problem" in budget ? budget.problem : undefined;
		},
	});
	if (text === undefined) return undefined;
	const budget = parseBudget(text);
	return "problem" in budget ? undefined : budget;
}

function pick<T extends vscode.QuickPickItem>(
	title: string,
	placeHolder: string,
	rows: readonly T[],
): Thenable<T | undefined> {
	// The panel from which it is asked takes the focus back when the question before it closes.
	return vscode.window.showQuickPick(rows, { title, placeHolder, ignoreFocusOut: true });
}
