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
