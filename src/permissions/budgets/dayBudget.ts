import { counted } from "../../base/words.ts";
import { toDollars, toNanodollars, type Amount } from "../grants/amount.ts";
import type { Limits } from "./limits.ts";
import { formatDollars } from "../grants/ruleBudget.ts";

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
	readonly used: Amount;
	/** The usage is unknown, so nothing is left of a limited amount. */
	readonly isUnknown: boolean;
	readonly limits: Pick<Limits, "tokensPerDay" | "costPerDay">;
}

/** How many tokens are left today; Infinity without a limit. */
export function tokensLeft({ used, isUnknown, limits }: DayBudget): number {
	if (limits.tokensPerDay === Infinity) return Infinity;
	return isUnknown ? 0 : Math.max(0, limits.tokensPerDay - used.tokens);
}

/** How many billionths of a dollar are left today; Infinity without a limit. */
export function moneyLeft({ used, isUnknown, limits }: DayBudget): number {
	if (limits.costPerDay === Infinity) return Infinity;
	return isUnknown ? 0 : Math.max(0, toNanodollars(limits.costPerDay) - used.nanodollars);
}

/** The usage of a budget, in a line: `weather today: 2,140 of 50,000 tokens, $0.01 of $1.00, 3 completions`. */
export function describeDay(budget: DayBudget): string {
	return `${budget.whose} today: ${describeUse(budget)}`;
}

/** The rest of a budget today and the usage without a limit: `47,860 of 50,000 tokens left · 3 completions`. */
export function describeLeft(budget: DayBudget): string {
	if (budget.isUnknown) return unreadable;
	const { used, limits } = budget;
	const { tokensPerDay, costPerDay } = limits;
	const tokens =
		tokensPerDay === Infinity
			? `${counted(used.tokens, "token")} used`
			: `${tokensLeft(budget).toLocaleString("en-US")} of ${counted(tokensPerDay, "token")} left`;
	const spent = isPriced(budget) ? [`${formatDollars(toDollars(used.nanodollars))} spent`] : [];
	const money =
		costPerDay === Infinity
			? spent
			: [`${formatDollars(toDollars(moneyLeft(budget)))} of ${formatDollars(costPerDay)} left`];
	return [tokens, ...money, ...completions(budget)].join(" · ");
}

const unreadable = "today's usage cannot be read, so limited amounts count as used up";

/** The usage of a budget. */
function describeUse(budget: DayBudget): string {
	const { used, isUnknown, limits } = budget;
	if (isUnknown) return unreadable;
	const { tokensPerDay, costPerDay } = limits;
	const tokens = tokensPerDay === Infinity ? "" : ` of ${tokensPerDay.toLocaleString("en-US")}`;
	const cost = costPerDay === Infinity ? "" : ` of ${formatDollars(costPerDay)}`;
	const money = isPriced(budget) ? [`${formatDollars(toDollars(used.nanodollars))}${cost}`] : [];
	const amount = `${used.tokens.toLocaleString("en-US")}${tokens} ${used.tokens === 1 && tokens === "" ? "token" : "tokens"}`;
	return [amount, ...money, ...completions(budget)].join(", ");
}

/** Whether there is something to say of money: a limit, or an answer whose price is known. */
function isPriced({ used: { requests, unpriced }, limits }: DayBudget): boolean {
	return limits.costPerDay !== Infinity || requests > unpriced;
}

function completions({ used: { requests, unpriced } }: DayBudget): readonly string[] {
	const unknown = unpriced === 0 ? "" : unpriced < requests ? ` (${unpriced} of unknown cost)` : " of unknown cost";
	return requests === 0 ? [] : [`${counted(requests, "completion")}${unknown}`];
}
