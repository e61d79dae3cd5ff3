import type { Event } from "../base/event.ts";
import type { ModelInfo } from "./model.ts";

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
	readonly inputPerMillion: number;
	readonly outputPerMillion: number;
}

/** What the person's models cost. */
export interface Prices {
	readonly onDidChange: Event<void>;
	/** Undefined when it is not known: that is not free. */
	of(model: ModelInfo): ModelPrice | undefined;
}

/** Tokens of a request and its answer. */
export interface TokenUse {
	readonly inputTokens: number;
	readonly outputTokens: number;
}

/** What tokens cost, in US dollars; undefined without a price. */
export function costOf(price: ModelPrice | undefined, { inputTokens, outputTokens }: TokenUse): number | undefined {
	if (price === undefined) return undefined;
	return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000;
}

/** The smallest cost that is told in digits. */
const leastShown = 0.0001;

/** A cost for people: `$0.0012`, `$1.20`, `less than $0.0001`, `free`, or `price unknown`. */
export function formatCost(dollars: number | undefined): string {
	if (dollars === undefined || !Number.isFinite(dollars) || dollars < 0) return "price unknown";
	if (dollars === 0) return "free";
	if (dollars < leastShown) return `less than $${leastShown}`;
	// From a dollar on, cents; below, two digits that say something.
	const digits = dollars >= 0.995 ? 2 : Math.max(2, 1 - Math.floor(Math.log10(dollars)));
	const format = { minimumFractionDigits: 2, maximumFractionDigits: digits };
	return `$${dollars.toLocaleString("en-US", format)}`;
}
