import { describeEffect, describeRule, type SamplingRule } from "../grants/grant.ts";
import type { Grants } from "../grants/grants.ts";
import { type RuleScene, whyVoid } from "../grants/grantStatus.ts";
import { isUsedUp, restOf } from "../grants/ruleBudget.ts";
import type { Asker } from "./asker.ts";
import type { ReviewMode } from "./samplingPolicy.ts";

/** How a request is handled, by which rule, and why another one of the user's does not apply. */
export interface BudgetVerdict {
	readonly mode: ReviewMode | "never";
	readonly rule?: SamplingRule;
	readonly notice?: string;
}

/**
 * Which of the user's rules about a server decides about a request: the first that applies. Without one,
 * both stages are reviewed. Earlier requests have no influence, so that neither a refusal nor an approval ever applies
 * to the next one (BLT-08, SMP-06).
 */
export function verdictOn(grants: Grants, asker: Asker, inputTokens: number, scene: RuleScene): BudgetVerdict {
	let notice: string | undefined;
	for (const rule of grants.about(asker.definition)) {
		if (!grants.stands(rule)) continue;
		const why = whyVoid(rule, asker.definition, scene) ?? whyNotThis(rule, asker, inputTokens, scene);
		if (why === undefined) return { mode: rule.covers.kind, rule, ...(notice === undefined ? {} : { notice }) };
		notice ??= `Your rule “${describeEffect(rule.covers)}” does not apply: ${why}.`;
	}
	return { mode: "review", ...(notice === undefined ? {} : { notice }) };
}

/** Why a rule does not let this request go, in words. */
function whyNotThis(
	rule: SamplingRule,
	{ during, isForUser }: Asker,
	inputTokens: number,
	scene: RuleScene,
): string | undefined {
	const { covers } = rule;
	if (covers.kind !== "auto") return undefined;
	if (!isForUser && !covers.coversUnasked)
		return during === undefined ? "the server asks on its own" : "none of your calls is running";
	const { budget } = covers;
	const used = scene.useOf(rule, budget);
	if (used === undefined) return "its usage cannot be read";
	const when = budget.per === "day" ? " for today" : "";
	if (isUsedUp(budget, used)) return `its budget is used up${when}`;
	return restOf(budget, used).tokens < inputTokens + 1
		? `the request needs more than is left of its budget${when}`
		: undefined;
}

/** The deciding rule, with its label. */
export function labelOf({ mode, rule }: BudgetVerdict): { readonly kind: "default" | "rule"; readonly label: string } {
	if (rule === undefined || mode === "review") return { kind: "default", label: "Always review" };
	return { kind: "rule", label: describeRule(rule) };
}
