import { counted } from "../../base/words.ts";
import { type Amount, toDollars } from "../grants/amount.ts";
import type { Limits } from "./limits.ts";
import { formatDollars, type Rest, restOf } from "../grants/ruleBudget.ts";

/** A calendar day at the user's place, such as `2026-11-22`: the unit of daily budgets. */
export type Day = string & { readonly brand?: "Day" };

/** The day of a moment, in milliseconds since the epoch. */
export function dayOf(time: number): Day {
	const date = new Date(time);
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Whether a stored text names a day. */
export function isDay(text: string): text is Day {
	return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** The usage of one server, or of all together, today, with its limits. */
export interface DayBudget {
	/** Whose it is, in words: `weather`, `all servers together`. */
	readonly whose: string;
	/** Undefined when it is unknown, so that nothing is left of a limited amount. */
	readonly used: Amount | undefined;
	readonly limits: Pick<Limits, "tokensPerDay" | "costPerDay">;
	readonly rest: Rest;
}

/** A budget for today, of which this much is used. */
export function dayBudget(whose: string, used: Amount | undefined, limits: DayBudget["limits"]): DayBudget {
	return { whose, used, limits, rest: restOf({ tokens: limits.tokensPerDay, dollars: limits.costPerDay }, used) };
}

/** The rest of a budget today and the usage without a limit: `47,860 of 50,000 tokens left · 3 completions`. */
export function describeDay({ used, limits, rest }: DayBudget): string {
	if (used === undefined) return "today's usage cannot be read, so limited amounts count as used up";
	const { tokensPerDay, costPerDay } = limits;
	const { requests, unpriced } = used;
	const tokens =
		tokensPerDay === Infinity
			? `${counted(used.tokens, "token")} used`
			: `${rest.tokens.toLocaleString("en-US")} of ${counted(tokensPerDay, "token")} left`;
	// Without a limit there is something to say if the price of a completion is known.
	const spent = requests > unpriced ? [`${formatDollars(toDollars(used.nanodollars))} spent`] : [];
	const money =
		costPerDay === Infinity
			? spent
			: [`${formatDollars(toDollars(rest.nanodollars))} of ${formatDollars(costPerDay)} left`];
	const unknown = unpriced === 0 ? "" : unpriced < requests ? ` (${unpriced} of unknown cost)` : " of unknown cost";
	const completions = requests === 0 ? [] : [`${counted(requests, "completion")}${unknown}`];
	return [tokens, ...money, ...completions].join(" · ");
}
