import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { RowWords } from "../../questions/listRow.ts";
import type { ConfigOrigin, ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { toDollars } from "../grants/amount.ts";
import { formatDollars } from "../grants/ruleBudget.ts";
import type { BudgetPolicy } from "./budgetPolicy.ts";
import { describeDay } from "./dayBudget.ts";
import type { Limits } from "./limits.ts";

/** The servers that are configured. */
export interface KnownServers {
	get(id: ServerId): { readonly definition: ServerDefinition } | undefined;
	readonly sessions: readonly { readonly definition: ServerDefinition }[];
}

/** A server that is no longer configured, for any author. */
const unknownOrigin: ConfigOrigin = { kind: "mcp-json", label: "", isWorkspace: true };

/**
 * The rest and today's usage of each server with a usage or limit, and of all together, with the other limits. The
 * figures have lines of their own, which all begin at the same column.
 */
export function usageRows(policy: BudgetPolicy, servers: KnownServers): readonly RowWords[] {
	const { use, limits } = policy.services;
	const used = new Set(use.spent.accounts(policy.today));
	const configured = servers.sessions.map(({ definition }) => definition);
	const gone = [...used]
		.filter((id) => servers.get(id) === undefined)
		.map((id) => ({ id, name: id, origin: unknownOrigin }));
	const rows = [...configured, ...gone].flatMap((server) => {
		const [own] = policy.budgetsOf(server);
		if (!used.has(server.id) && own.limits.tokensPerDay === Infinity && own.limits.costPerDay === Infinity) return [];
		const description = otherLimits(limits.current.of(namesOf(server)));
		return [{ icon: "server", label: oneLine(server.name, 60), description, detail: describeDay(own) }];
	});
	const [, total] = policy.budgetsOf({ id: "", name: "", origin: unknownOrigin });
	const description = otherLimits(limits.current.total);
	return [
		...rows,
		{ icon: "server-environment", label: "All servers together", description, detail: describeDay(total) },
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
	const { requests, tokens, nanodollars } = policy.services.use.spent.total(policy.today);
	return `${counted(requests, "completion")}, ${counted(tokens, "token")}, ${formatDollars(toDollars(nanodollars))}`;
}
