import { isWhole } from "../../base/guards.ts";

/** The used or reserved part of budgets. Whole numbers, never negative: money in billionths of a US dollar. */
export interface Amount {
	/** Requests that went to a model. */
	readonly requests: number;
	readonly tokens: number;
	readonly nanodollars: number;
	/** Those of the requests whose cost is not known. */
	readonly unpriced: number;
}

export const nothing: Amount = { requests: 0, tokens: 0, nanodollars: 0, unpriced: 0 };

/** Larger amounts in one request are capped, so that the sums of a day stay exact. */
const mostTokens = 1_000_000_000;
const mostNanodollars = 1_000_000_000_000;

/** A number of tokens as it is counted; undefined for an invalid one: negative, not finite, not a number. */
export function toTokens(value: unknown): number | undefined {
	if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
	return Math.min(Math.ceil(value), mostTokens);
}

/** Dollars as they are counted, rounded up, so that a sum is never below the spent amount. */
export function toNanodollars(dollars: number): number {
	if (!Number.isFinite(dollars) || dollars < 0) return mostNanodollars;
	// Without floating-point errors: 0.1 dollars are 100,000,000, not one more.
	return Math.min(Math.ceil(Number((dollars * 1e9).toPrecision(15))), mostNanodollars);
}

/** Billionths of a dollar in dollars. */
export function toDollars(nanodollars: number): number {
	return nanodollars / 1e9;
}

/** Both together. */
export function sum(a: Amount, b: Amount): Amount {
	return {
		requests: a.requests + b.requests,
		tokens: a.tokens + b.tokens,
		nanodollars: a.nanodollars + b.nanodollars,
		unpriced: a.unpriced + b.unpriced,
	};
}

/**
 * The bookings of one window on one account, and its refunds: requests, tokens, billionths of a dollar, requests of
 * unknown cost, tokens given back, billionths given back. Each number only grows, so that of two copies the larger is
 * the later.
 */
export type Tally = readonly [number, number, number, number, number, number];

export const emptyTally: Tally = [0, 0, 0, 0, 0, 0];

/** The tally with more booked. */
export function booked([r, t, n, u, ...back]: Tally, more: Amount): Tally {
	return [r + more.requests, t + more.tokens, n + more.nanodollars, u + more.unpriced, ...back];
}

/** The tally with something given back. */
export function givenBack([r, t, n, u, tokens, money]: Tally, back: Pick<Amount, "tokens" | "nanodollars">): Tally {
	return [r, t, n, u, tokens + back.tokens, money + back.nanodollars];
}

/** The net amount of a tally. */
export function amountOf([requests, tokens, money, unpriced, tokensBack, moneyBack]: Tally): Amount {
	return {
		requests,
		tokens: Math.max(0, tokens - tokensBack),
		nanodollars: Math.max(0, money - moneyBack),
		unpriced,
	};
}

function isTally(values: unknown): values is Tally {
	return Array.isArray(values) && values.length === emptyTally.length && values.every((value) => isWhole(value, 0));
}

/** A stored tally; undefined for an invalid value. */
export function readTally(values: unknown): Tally | undefined {
	if (!isTally(values)) return undefined;
	return values[4] <= values[1] && values[5] <= values[2] ? values : undefined;
}
