import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { endOfDay } from "./dayBudget.ts";
import { describeBudget, type RuleBudget } from "./ruleBudget.ts";
import type { RuleScope, SamplingEffect } from "./samplingRule.ts";

/** A row to choose from, in our words. */
interface Choice {
	readonly label: string;
	readonly description: string;
}

/** The treatment of a server's requests; `review` withdraws its rules. */
export interface EffectChoice extends Choice {
	readonly kind: "review" | SamplingEffect["kind"];
}

/** The actions of rules, the strictest first. */
export const effectChoices: readonly EffectChoice[] = [
	{ kind: "review", label: "Always Review", description: "you see each request and each completion" },
	{
		kind: "request-only",
		label: "Review the Request Only",
		description: "the completion is returned without your review",
	},
	{ kind: "auto", label: "Auto-Approve Under a Budget…", description: "you are not asked while the budget lasts" },
	{ kind: "never", label: "Never", description: "each request is rejected at once, without asking you" },
];

/** A budget to choose; undefined for one that the user writes. */
export interface BudgetChoice extends Choice {
	readonly budget: RuleBudget | undefined;
}

const budgets: readonly RuleBudget[] = [
	{ per: "life", requests: 5 },
	{ per: "day", requests: 20, tokens: 20_000 },
	{ per: "day", tokens: 100_000 },
	{ per: "day", dollars: 0.5 },
];

/** Budgets for a rule, the smallest in front. */
export const budgetChoices: readonly BudgetChoice[] = [
	...budgets.map((budget): BudgetChoice => ({
		budget,
		label: `Up to ${describeBudget(budget)}`,
		description: budget.per === "day" ? "then you are asked until midnight" : "then you are asked",
	})),
	{ budget: undefined, label: "Enter a Budget…", description: "requests, tokens, dollars; a day or in all" },
];

/** When a rule without a review applies. */
export const whenChoices: readonly (Choice & { readonly coversUnasked: boolean })[] = [
	{
		coversUnasked: false,
		label: "Only During Calls That You Made or Allowed",
		description: "you are asked when the server asks on its own",
	},
	{
		coversUnasked: true,
		label: "Also When the Server Asks on Its Own",
		description: "at any time while it runs, whatever you are doing",
	},
];

/** How long a rule lasts. */
export interface LastingChoice extends Choice {
	readonly scope: RuleScope;
	/** When it ends, counted from the moment when it is made; absent for as long as its scope. */
	readonly endsAt?: (now: number) => number;
}

const hourMs = 60 * 60_000;
const inAnHour = (now: number): number => now + hourMs;
const inAWeek = (now: number): number => now + 7 * 24 * hourMs;

const lastings: readonly LastingChoice[] = [
	{ scope: "session", label: "In This Session for an Hour", description: "ends automatically", endsAt: inAnHour },
	{ scope: "session", label: "In This Session", description: "until this window closes or reloads" },
	{ scope: "workspace", label: "In This Workspace Today", description: "until midnight", endsAt: endOfDay },
	{ scope: "workspace", label: "In This Workspace for a Week", description: "ends automatically", endsAt: inAWeek },
	{ scope: "workspace", label: "In This Workspace", description: "until you revoke it" },
	{
		scope: "always",
		label: "Always for a Week",
		description: "in all your workspaces; ends automatically",
		endsAt: inAWeek,
	},
	{ scope: "always", label: "Always", description: "in all your workspaces, until you revoke it" },
];

/**
 * How long a rule of this kind may last for a server: the shortest first, but for `never` the longest. A workspace's
 * server is auto-approved in that workspace at most.
 */
export function lastingChoices(
	kind: SamplingEffect["kind"],
	{ origin }: Pick<ServerDefinition, "origin">,
): readonly LastingChoice[] {
	if (kind === "never") return lastings.toReversed();
	return kind === "auto" && origin.isWorkspace ? lastings.filter(({ scope }) => scope !== "always") : lastings;
}
