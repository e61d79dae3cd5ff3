import type { Json } from "../base/json.ts";
import type { Amount } from "./amount.ts";

/**
 * What one window booked on one account, and what it gave back of that: requests, tokens, billionths of a dollar,
 * requests of unknown cost, tokens given back, billionths given back. Each number only grows, so that of two copies the
 * larger is the later, and nothing that any window wrote down is lost when copies meet.
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

/** What two copies of a tally know together. */
export function later(a: Tally, b: Tally): Tally {
	const at = (index: 0 | 1 | 2 | 3 | 4 | 5): number => Math.max(a[index], b[index]);
	return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

/** What is left of a tally. */
export function amountOf([requests, tokens, money, unpriced, tokensBack, moneyBack]: Tally): Amount {
	return {
		requests,
		tokens: Math.max(0, tokens - tokensBack),
		nanodollars: Math.max(0, money - moneyBack),
		unpriced,
	};
}

/** A stored tally, or undefined when it is none. */
export function readTally(values: readonly Json[]): Tally | undefined {
	const isCount = (value: Json): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
	const [r, t, n, u, tokens, money] = values;
	if (values.length !== emptyTally.length || !values.every(isCount)) return undefined;
	const tally = [r, t, n, u, tokens, money] as unknown as Tally;
	return tally[4] <= tally[1] && tally[5] <= tally[2] ? tally : undefined;
}
