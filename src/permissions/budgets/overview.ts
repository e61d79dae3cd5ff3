import { describeScope, describeTime } from "../policy/grant.ts";
import type { ConfigOrigin, ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { RowWords } from "../../questions/listRow.ts";
import { toDollars } from "./amount.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { describeLeft } from "./dayBudget.ts";
import type { Limits } from "./limits.ts";
import { describeRest, formatDollars, isUsedUp, type RuleBudget } from "./ruleBudget.ts";
import { describeEffect, isNamed, serverOf, type ScopedSamplingRule } from "./samplingRule.ts";
import { whyVoid } from "./verdict.ts";

/** A rule in a list. */
export interface SamplingRuleRow extends RowWords {
	readonly rule: ScopedSamplingRule;
}

/** The servers that are configured. */
export interface KnownServers {
	get(id: ServerId): { readonly definition: ServerDefinition } | undefined;
	readonly sessions: readonly { readonly definition: ServerDefinition }[];
}

/** A server that is no longer configured, for any author. */
const unknownOrigin: ConfigOrigin = { kind: "mcp-json", label: "", isWorkspace: true };

const icons = { never: "circle-slash", "request-only": "eye", auto: "check" } as const;

/** All rules of sampling, the latest first, each with whether it still applies and its remaining budget. */
export function ruleRows(policy: BudgetPolicy, servers: KnownServers): readonly SamplingRuleRow[] {
	const { rules } = policy.services;
	return rules.all
		.toSorted((a, b) => b.at - a.at)
		.map((rule) => {
			const why = whyNot(policy, servers, rule);
			const made = `made ${describeTime(rule.at)}`;
			const { effect } = rule;
			const left = effect.kind === "auto" ? leftOf(policy, rule, effect.budget) : "";
			return {
				rule,
				icon: why === undefined ? icons[effect.kind] : "warning",
				label: `${describeEffect(effect)}: ${serverOf(rule)}`,
				description: describeScope(rule.scope, rule.expiresAt),
				detail: why === undefined ? `${left}${made}` : `does not apply: ${why} · ${made}`,
			};
		});
}

/** The rest that a rule may still send without a review, for the beginning of a line. */
function leftOf({ services: { rules } }: BudgetPolicy, rule: ScopedSamplingRule, budget: RuleBudget): string {
	const used = rules.useOf(rule, budget);
	if (used === undefined) return "";
	if (!isUsedUp(budget, used)) return `${describeRest(budget, used)} left · `;
	return budget.per === "day" ? "used up for today, so you are asked · " : "used up, so you are asked · ";
}

function whyNot(policy: BudgetPolicy, servers: KnownServers, rule: ScopedSamplingRule): string | undefined {
	const { rules } = policy.services;
	if (!rules.stands(rule))
		return rule.expiresAt === undefined ? "it was revoked" : `it ended ${describeTime(rule.expiresAt)}`;
	const definition = servers.get(rule.server)?.definition;
	if (definition === undefined) {
		const isThere = servers.sessions.some((session) => isNamed(rule, session.definition));
		return rule.effect.kind === "never" && isThere ? undefined : "its server is not configured here";
	}
	const first = rules.about(definition).find((one) => rules.stands(one));
	const why = whyVoid(rule, definition, policy.scene);
	if (why !== undefined) return why;
	if (first !== undefined && first.id !== rule.id && whyVoid(first, definition, policy.scene) === undefined)
		return "another rule for this server takes precedence";
	if (rule.effect.kind === "auto" && rules.useOf(rule, rule.effect.budget) === undefined)
		return "its usage cannot be read";
	return undefined;
}

/**
 * The rest and today's usage of each server with a usage or limit, and of all together, with the other limits. The
 * figures have lines of their own, which all begin at the same column.
 */
export function usageRows(policy: BudgetPolicy, servers: KnownServers): readonly RowWords[] {
	const { spent, limits } = policy.services;
	const used = new Set(spent.accounts(policy.today));
	const configured = servers.sessions.map(({ definition }) => definition);
	const gone = [...used]
		.filter((id) => servers.get(id) === undefined)
		.map((id) => ({ id, name: id, origin: unknownOrigin }));
	const rows = [...configured, ...gone].flatMap((server) => {
		const [own] = policy.budgetsOf(server);
		if (
			own === undefined ||
			(!used.has(server.id) && own.limits.tokensPerDay === Infinity && own.limits.costPerDay === Infinity)
		)
			return [];
		const description = otherLimits(limits.current.of(namesOf(server)));
		return [{ icon: "server", label: oneLine(server.name, 60), description, detail: describeLeft(own) }];
	});
	const total = policy.budgetsOf({ id: "", name: "", origin: unknownOrigin })[1];
	if (total === undefined) return rows;
	const description = otherLimits(limits.current.total);
	return [
		...rows,
		{ icon: "server-environment", label: "All servers together", description, detail: describeLeft(total) },
	];
}

/** The limits without the daily ones, whose rest is in the row. */
function otherLimits(limits: Limits): string {
	return describeLimits({ ...limits, tokensPerDay: Infinity, costPerDay: Infinity });
}

/** Limits in words: `at most 50,000 tokens a day · 20 requests a minute · 20 at a time`. */
export function describeLimits(limits: Limits): string {
	const { requestsPerMinute, waiting, tokensPerDay, costPerDay, maxTokens, requestLength } = limits;
	const parts = [
		...(tokensPerDay === Infinity ? [] : [`${counted(tokensPerDay, "token")} a day`]),
		...(costPerDay === Infinity ? [] : [`${formatDollars(costPerDay)} a day`]),
		...(maxTokens === Infinity ? [] : [`${counted(maxTokens, "token")} an answer`]),
		...(requestLength === Infinity ? [] : [`${counted(requestLength, "character")} a request`]),
		...(requestsPerMinute === Infinity ? [] : [`${counted(requestsPerMinute, "request")} a minute`]),
		...(waiting === Infinity ? [] : [`${waiting.toLocaleString("en-US")} at a time`]),
	];
	return parts.length === 0 ? "no limits" : `at most ${parts.join(" · ")}`;
}

/** Today's usage of all servers, in a few words, for the question whether to reset it. */
export function describeTotal(policy: BudgetPolicy): string {
	const { requests, tokens, nanodollars } = policy.services.spent.total(policy.today);
	return `${counted(requests, "completion")}, ${counted(tokens, "token")}, ${formatDollars(toDollars(nanodollars))}`;
}
