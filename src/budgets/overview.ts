import type { Event } from "../base/event.ts";
import { describeScope, describeTime } from "../policy/grant.ts";
import type { ServerDefinition, ServerId } from "../servers/config.ts";
import { oneLine } from "../base/text.ts";
import { toDollars } from "./amount.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { describeUse } from "./dayBudget.ts";
import type { Limits } from "./limits.ts";
import { countOf, describeRest, formatDollars, isUsedUp, type RuleBudget } from "./ruleBudget.ts";
import { describeTreatment, serverOf, type ScopedSamplingRule } from "./samplingRule.ts";
import { whyVoid } from "./treatment.ts";

/** A rule in a list. Its texts hold names of servers, on one line. */
export interface SamplingRuleRow {
	readonly rule: ScopedSamplingRule;
	readonly icon: string;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** What one server, or all together, used today, and its limits. Likewise. */
export interface UsageRow {
	readonly icon: string;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** The servers that are configured. */
export interface ConfiguredServers {
	get(id: ServerId): { readonly definition: ServerDefinition } | undefined;
	readonly sessions: readonly { readonly definition: ServerDefinition }[];
}

/** The rules of sampling, for the list of all rules and grants. */
export interface ListedSamplingRules {
	readonly rows: readonly SamplingRuleRow[];
	readonly onDidChange: Event<void>;
	/** Withdraws a rule. */
	revoke(id: string): Promise<void>;
}

const icons = { never: "circle-slash", "request-only": "eye", auto: "check" } as const;

/** All rules of sampling, the latest first, each with whether it still counts and what it has left. */
export function ruleRows(policy: BudgetPolicy, servers: ConfiguredServers): readonly SamplingRuleRow[] {
	const { rules } = policy.services;
	return rules.all
		.toSorted((a, b) => b.at - a.at)
		.map((rule) => {
			const why = whyNot(policy, servers, rule);
			const made = `made ${describeTime(rule.at)}`;
			const { treatment } = rule;
			const left = treatment.kind === "auto" ? leftOf(policy, rule, treatment.budget) : "";
			return {
				rule,
				icon: why === undefined ? icons[treatment.kind] : "warning",
				label: `${describeTreatment(treatment)}: ${serverOf(rule)}`,
				description: describeScope(rule.scope, rule.expiresAt),
				detail: why === undefined ? `${left}${made}` : `does not count: ${why} · ${made}`,
			};
		});
}

/** What a rule may still send unasked, for the beginning of a line. */
function leftOf({ services: { rules } }: BudgetPolicy, rule: ScopedSamplingRule, budget: RuleBudget): string {
	const used = rules.useOf(rule, budget);
	if (used === undefined) return "";
	if (!isUsedUp(budget, used)) return `${describeRest(budget, used)} left · `;
	return budget.per === "day" ? "used up for today, so that you are asked · " : "used up, so that you are asked · ";
}

function whyNot(policy: BudgetPolicy, servers: ConfiguredServers, rule: ScopedSamplingRule): string | undefined {
	const { rules } = policy.services;
	if (!rules.stands(rule))
		return rule.expiresAt === undefined ? "it was revoked" : `it ended ${describeTime(rule.expiresAt)}`;
	const definition = servers.get(rule.server)?.definition;
	if (definition === undefined) {
		const isNamed = servers.sessions.some((session) => session.definition.name === rule.serverName);
		return rule.treatment.kind === "never" && isNamed ? undefined : "its server is not configured here";
	}
	const first = rules.about(definition).find((one) => rules.stands(one));
	const why = whyVoid(rule, definition, policy.scene);
	if (why !== undefined) return why;
	if (first !== undefined && first.id !== rule.id && whyVoid(first, definition, policy.scene) === undefined)
		return "another rule for this server comes first";
	if (rule.treatment.kind === "auto" && rules.useOf(rule, rule.treatment.budget) === undefined)
		return "what it has used cannot be read";
	return undefined;
}

/** What was used today by each server that used something or is limited, and by all together, with the limits. */
export function usageRows(policy: BudgetPolicy, servers: ConfiguredServers): readonly UsageRow[] {
	const { spent, limits } = policy.services;
	const used = new Set(spent.accounts(policy.today));
	const configured = servers.sessions.map(({ definition }) => definition);
	const gone = [...used].filter((id) => servers.get(id) === undefined).map((id) => ({ id, name: id }));
	const rows = [...configured, ...gone].flatMap((server) => {
		const [own] = policy.budgetsOf(server);
		if (
			own === undefined ||
			(!used.has(server.id) && own.limits.tokensPerDay === Infinity && own.limits.costPerDay === Infinity)
		)
			return [];
		const detail = describeLimits(limits.current.of(server.name));
		return [{ icon: "server", label: oneLine(server.name, 60), description: describeUse(own), detail }];
	});
	const total = policy.budgetsOf({ id: "", name: "" })[1];
	if (total === undefined) return rows;
	const detail = describeLimits(limits.current.total);
	return [
		...rows,
		{ icon: "server-environment", label: "All servers together", description: describeUse(total), detail },
	];
}

/** Limits in words: `at most 50,000 tokens a day · 20 requests a minute · 20 at a time`. */
export function describeLimits(limits: Limits): string {
	const { requestsPerMinute, waiting, tokensPerDay, costPerDay, maxTokens, requestLength } = limits;
	const parts = [
		...(tokensPerDay === Infinity ? [] : [`${countOf(tokensPerDay, "token")} a day`]),
		...(costPerDay === Infinity ? [] : [`${formatDollars(costPerDay)} a day`]),
		...(maxTokens === Infinity ? [] : [`${countOf(maxTokens, "token")} an answer`]),
		...(requestLength === Infinity ? [] : [`${countOf(requestLength, "character")} a request`]),
		...(requestsPerMinute === Infinity ? [] : [`${countOf(requestsPerMinute, "request")} a minute`]),
		...(waiting === Infinity ? [] : [`${waiting.toLocaleString("en-US")} at a time`]),
	];
	return parts.length === 0 ? "no limits" : `at most ${parts.join(" · ")}`;
}

/** What was used today by all servers, in a few words, for the question whether to reset it. */
export function describeTotal(policy: BudgetPolicy): string {
	const { requests, tokens, nanodollars } = policy.services.spent.total(policy.today);
	return `${countOf(requests, "completion")}, ${countOf(tokens, "token")}, ${formatDollars(toDollars(nanodollars))}`;
}
