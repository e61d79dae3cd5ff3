import type { Asker } from "./asker.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { Amount } from "./amount.ts";
import { isUsedUp, restOf, type RuleBudget } from "./ruleBudget.ts";
import { describeRule, describeEffect, type ScopedSamplingRule } from "./samplingRule.ts";
import type { ReviewMode } from "./samplingPolicy.ts";

/** The input for rules. */
export interface RuleScene {
	/** Whether a rule neither ended nor was withdrawn. */
	readonly stands: (rule: ScopedSamplingRule) => boolean;
	/** The usage of a rule; undefined when it is unknown. */
	readonly useOf: (rule: ScopedSamplingRule, budget: RuleBudget) => Amount | undefined;
	/** Whether the user trusts the workspace. */
	readonly isTrusted: boolean;
	/** A limit cannot be read, so that nothing is sent unasked. */
	readonly isIncomplete: boolean;
}

/** How a request is handled, by which rule, and why another one of the user's does not apply. */
export interface BudgetVerdict {
	readonly mode: ReviewMode | "never";
	readonly rule?: ScopedSamplingRule;
	readonly notice?: string;
}

/**
 * Which of a server's rules, the effective one first, decides about a request: the first that applies. Without one,
 * both stages are reviewed. Earlier requests have no influence, so that neither a refusal nor an approval ever applies
 * to the next one (BLT-08, SMP-06).
 */
export function verdictOn(
	rules: readonly ScopedSamplingRule[],
	asker: Asker,
	inputTokens: number,
	scene: RuleScene,
): BudgetVerdict {
	let notice: string | undefined;
	for (const rule of rules) {
		const why = scene.stands(rule)
			? (whyVoid(rule, asker.definition, scene) ?? whyNotThis(rule, asker, inputTokens, scene))
			: undefined;
		if (why === undefined && scene.stands(rule)) {
			return { mode: rule.effect.kind, rule, ...(notice === undefined ? {} : { notice }) };
		}
		if (why !== undefined) notice ??= `Your rule “${describeEffect(rule.effect)}” does not apply: ${why}.`;
	}
	return { mode: "review", ...(notice === undefined ? {} : { notice }) };
}

/** Why a rule applies to no request of a server at present, in words; undefined when it applies. */
export function whyVoid(
	{ effect, definition, scope }: ScopedSamplingRule,
	server: Pick<ServerDefinition, "hash" | "origin">,
	{ isTrusted, isIncomplete }: Pick<RuleScene, "isTrusted" | "isIncomplete">,
): string | undefined {
	if (effect.kind === "never") return undefined;
	if (definition !== server.hash) return "the definition of the server has changed";
	if (effect.kind !== "auto") return undefined;
	if (server.origin.isWorkspace && scope === "always") return "a workspace defines this server now";
	if (!isTrusted) return "the workspace is not trusted";
	return isIncomplete ? "the setting mcpHost.sampling.limits cannot be read" : undefined;
}

/** Why a rule does not let this request go, in words. */
function whyNotThis(
	rule: ScopedSamplingRule,
	{ during, isForUser }: Asker,
	inputTokens: number,
	scene: RuleScene,
): string | undefined {
	const { effect } = rule;
	if (effect.kind !== "auto") return undefined;
	if (!isForUser && !effect.coversUnasked)
		return during === undefined ? "the server asks on its own" : "none of your calls is running";
	const { budget } = effect;
	const used = scene.useOf(rule, budget);
	if (used === undefined) return "its usage cannot be read";
	const when = budget.per === "day" ? " for today" : "";
	if (isUsedUp(budget, used)) return `its budget is used up${when}`;
	const { tokens = Infinity } = restOf(budget, used);
	return tokens < inputTokens + 1 ? `the request needs more than is left of its budget${when}` : undefined;
}

/** The deciding rule, with its label. */
export function labelOf({ mode, rule }: BudgetVerdict): { readonly kind: "default" | "rule"; readonly label: string } {
	if (rule === undefined || mode === "review") return { kind: "default", label: "Always review" };
	return { kind: "rule", label: describeRule(rule) };
}
