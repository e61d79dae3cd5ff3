import type { Event } from "../base/event.ts";
import { demoModelInfo } from "./demoModelInfo.ts";
import { isHostedOnly } from "./strengths.ts";
import type { ModelInfo, TokenUse } from "./model.ts";

/** The price of a model, in US dollars for a million tokens. */
export interface ModelPrice {
	readonly inputPerMillion: number;
	readonly outputPerMillion: number;
	/** For tokens in the provider's cache of prompts; if unknown, the price of all input. */
	readonly cachedPerMillion?: number;
}

/** The prices of the user's models. */
export interface Prices {
	readonly onDidChange: Event<void>;
	/** Undefined when it is not known: that is not free. */
	of(model: ModelInfo): ModelPrice | undefined;
}

/** The price of tokens, in US dollars; undefined without a price. */
export function costOf(
	price: ModelPrice | undefined,
	{ inputTokens, outputTokens, cachedTokens = 0 }: TokenUse,
): number | undefined {
	if (price === undefined) return undefined;
	const { inputPerMillion, outputPerMillion, cachedPerMillion = inputPerMillion } = price;
	const input = (inputTokens - cachedTokens) * inputPerMillion + cachedTokens * cachedPerMillion;
	return (input + outputTokens * outputPerMillion) / 1_000_000;
}

/**
 * When the table was compiled, from public lists rather than the providers' own pages. Prices change: the provider's
 * page is authoritative, and the setting `mcpHost.modelPrices` takes precedence over the table. Prices for long
 * contexts and batches are not in it.
 */
export const pricesAsOf = "2026-09";

/**
 * Dollars for a million tokens, input, output and, where a list has it, input that was in the cache, of models by their exact
 * names: others may cost anything.
 */
const table: ReadonlyMap<string, readonly [input: number, output: number, cached?: number]> = new Map([
	["gpt-6-astra", [10, 50]],
	["gpt-6-luna", [0.1, 0.5]],
	["gpt-5-6-sol", [5, 30]],
	["gpt-5-6-luna", [0.2, 1.2]],
	["gpt-5-5", [5, 30, 0.5]],
	["gpt-5-4", [2.5, 15, 0.25]],
	["gpt-5-4-mini", [0.75, 4.5, 0.075]],
	["gpt-5-4-nano", [0.2, 1.25, 0.02]],
	["gpt-5-2", [1.75, 14, 0.175]],
	["gpt-5-1", [1.25, 10, 0.125]],
	["gpt-5", [1.25, 10, 0.125]],
	["gpt-5-mini", [0.25, 2, 0.025]],
	["gpt-5-nano", [0.05, 0.4, 0.005]],
	["gpt-5-pro", [15, 120]],
	["gpt-4-1", [2, 8, 0.5]],
	["gpt-4-1-mini", [0.4, 1.6, 0.1]],
	["gpt-4-1-nano", [0.1, 0.4, 0.025]],
	["gpt-4o", [2.5, 10, 1.25]],
	["gpt-4o-mini", [0.15, 0.6, 0.075]],
	["gpt-4-turbo", [10, 30]],
	["gpt-4", [30, 60]],
	["gpt-3-5-turbo", [0.5, 1.5]],
	["o4-mini", [1.1, 4.4, 0.275]],
	["o3", [2, 8, 0.5]],
	["o3-mini", [1.1, 4.4, 0.55]],
	["o3-pro", [20, 80]],
	["o1", [15, 60, 7.5]],
	["claude-fable-5-1", [10, 50]],
	["claude-fable-5", [10, 50, 1]],
	["claude-opus-5-5", [4, 20]],
	["claude-opus-5", [5, 25]],
	["claude-opus-4-8", [5, 25, 0.5]],
	["claude-opus-4-7", [5, 25, 0.5]],
	["claude-opus-4-6", [5, 25, 0.5]],
	["claude-opus-4-5", [5, 25, 0.5]],
	["claude-opus-4-1", [15, 75, 1.5]],
	["claude-opus-4", [15, 75, 1.5]],
	["claude-3-opus", [15, 75, 1.5]],
	["claude-sonnet-5-5", [2, 10]],
	["claude-sonnet-5", [2, 10, 0.2]],
	["claude-sonnet-4-6", [3, 15, 0.3]],
	["claude-sonnet-4-5", [3, 15, 0.3]],
	["claude-sonnet-4", [3, 15, 0.3]],
	["claude-3-7-sonnet", [3, 15, 0.3]],
	["claude-3-5-sonnet", [3, 15, 0.3]],
	["claude-haiku-4-5", [1, 5, 0.1]],
	["claude-3-5-haiku", [0.8, 4]],
	["claude-3-haiku", [0.25, 1.25, 0.03]],
	["gemini-3-5-flash-lite", [0.3, 2.5]],
	["gemini-3-1-pro", [2, 12, 0.2]],
	["gemini-3-1-flash-lite", [0.25, 1.5, 0.025]],
	["gemini-3-pro", [2, 12, 0.2]],
	["gemini-3-flash", [0.5, 3, 0.05]],
	["gemini-2-5-pro", [1.25, 10, 0.125]],
	["gemini-2-5-flash", [0.3, 2.5, 0.03]],
	["gemini-2-5-flash-lite", [0.1, 0.4, 0.01]],
	["gemini-2-0-flash", [0.1, 0.4, 0.025]],
	["mistral-large-2411", [2, 6]],
	["grok-4", [3, 15]],
	["grok-3", [3, 15]],
	["grok-3-mini", [0.3, 0.5]],
	["deepseek-v4-flash", [0.14, 0.28, 0.0028]],
]);

const free: ModelPrice = { inputPerMillion: 0, outputPerMillion: 0 };

/**
 * The known price of a model without a setting. A model on a server in the user's own network is free, and so is the
 * demo; models of VS Code cost what its subscription says, which no API reports. Undefined: not known.
 */
export function knownPrice(model: ModelInfo): ModelPrice | undefined {
	const { id, name, isLocal } = model;
	if (id === demoModelInfo.id) return free;
	if (id.startsWith("editor/")) return undefined;
	const listed = table.get(listName(name));
	// A gateway on this machine passes requests on to paid models.
	if (isLocal === true && listed === undefined && !isHostedOnly(name)) return free;
	if (listed === undefined) return undefined;
	const [inputPerMillion, outputPerMillion, cachedPerMillion] = listed;
	return { inputPerMillion, outputPerMillion, ...(cachedPerMillion === undefined ? {} : { cachedPerMillion }) };
}

/** A name as in the table: without the provider, the date of its release, and differences of punctuation. */
function listName(name: string): string {
	const [tail = ""] = name.toLowerCase().split("/").slice(-1);
	return tail.replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, "").replaceAll(".", "-");
}
