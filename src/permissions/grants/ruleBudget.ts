import { wordList } from "../../base/wordList.ts";
import { keysOf } from "../../base/guards.ts";
import { counted } from "../../base/words.ts";
import { isJsonObject } from "../../base/json.ts";
import { formatCost } from "../../base/amounts.ts";
import { type Amount, toDollars, toNanodollars } from "./amount.ts";

/** The budget of a rule without questions: per day, or in total. At least one of the three is limited. */
export interface RuleBudget {
	readonly per: "day" | "life";
	readonly requests?: number;
	readonly tokens?: number;
	/** In US dollars. */
	readonly dollars?: number;
}

/** The most that each of the three may be. */
const most = { requests: 100_000, tokens: 1_000_000_000, dollars: 1000 } as const;

/** Whether a stored value is a budget that limits something. */
export function isRuleBudget(value: unknown): value is RuleBudget {
	if (!isJsonObject(value)) return false;
	const { per, requests, tokens, dollars } = value;
	const limits = { requests, tokens, dollars };
	const given = keysOf(limits).filter((key) => limits[key] !== undefined);
	return (per === "day" || per === "life") && given.length > 0 && given.every((key) => isLimit(key, limits[key]));
}

function isLimit(key: keyof typeof most, value: unknown): boolean {
	const isNumber = typeof value === "number" && Number.isFinite(value) && value > 0 && value <= most[key];
	return isNumber && (key === "dollars" || Number.isSafeInteger(value));
}

/** A budget in words: `20 requests and 50,000 tokens a day`. */
export function describeBudget({ per, requests, tokens, dollars }: RuleBudget): string {
	const parts = [
		...(requests === undefined ? [] : [counted(requests, "request")]),
		...(tokens === undefined ? [] : [counted(tokens, "token")]),
		...(dollars === undefined ? [] : [formatDollars(dollars)]),
	];
	return `${wordList(parts)} ${per === "day" ? "a day" : "in all"}`;
}

/** The rest of a budget, in words: `3 requests and 1,200 tokens`. */
export function describeRest(budget: RuleBudget, used: Amount): string {
	const { requests, tokens, nanodollars } = restOf(budget, used);
	return wordList([
		...(requests === Infinity ? [] : [counted(requests, "request")]),
		...(tokens === Infinity ? [] : [counted(tokens, "token")]),
		...(nanodollars === Infinity ? [] : [formatDollars(toDollars(nanodollars))]),
	]);
}

/** Whether nothing more can be sent within a budget. */
export function isUsedUp(budget: RuleBudget, used: Amount): boolean {
	return Object.values(restOf(budget, used)).some((left) => left < 1);
}

/** The rest of a budget, by what it limits; Infinity without a limit. */
export type Rest = Readonly<Record<"requests" | "tokens" | "nanodollars", number>>;

/** The rest of a budget. Nothing is left of a limited amount if the usage is unknown. */
export function restOf(budget: Omit<RuleBudget, "per">, used: Amount | undefined): Rest {
	const { requests = Infinity, tokens = Infinity, dollars = Infinity } = budget;
	const left = (limit: number, spent: number | undefined): number =>
		limit === Infinity ? limit : spent === undefined ? 0 : Math.max(0, limit - spent);
	return {
		requests: left(requests, used?.requests),
		tokens: left(tokens, used?.tokens),
		nanodollars: left(dollars === Infinity ? dollars : toNanodollars(dollars), used?.nanodollars),
	};
}

/**
 * Reads a typed budget: `20 requests, 50,000 tokens, $0.50 a day`. Without `a day` it is for all of the rule's life.
 * Returns a sentence about the problem if it cannot be read.
 */
export function parseBudget(text: string): RuleBudget | { readonly problem: string } {
	const isDaily = /\b(?:a|per)\s+day\s*$/i.test(text);
	const isWhole = /\bin\s+all\s*$/i.test(text);
	const body = text.replace(/\b(?:(?:a|per)\s+day|in\s+all)\s*$/i, "").trim();
	const found: { requests?: number; tokens?: number; dollars?: number } = {};
	// Commas also occur within numbers.
	for (const part of body.split(/,(?!\d{3}\b)|\band\b|;/i).map((one) => one.trim())) {
		const match = /^(\$?)\s*(\d[\d,]*(?:\.\d+)?|\.\d+)\s*(requests?|tokens?|dollars?|usd)?$/i.exec(part);
		const [, sign, number = "", unit = ""] = match ?? [];
		const key =
			sign === "$" || /^[du]/i.test(unit)
				? "dollars"
				: /^r/i.test(unit)
					? "requests"
					: /^t/i.test(unit)
						? "tokens"
						: undefined;
		if (key === undefined || (sign === "$" && /^[rt]/i.test(unit)) || found[key] !== undefined)
			return { problem: example };
		found[key] = Number(number.replaceAll(",", ""));
	}
	const budget = { per: isDaily && !isWhole ? "day" : "life", ...found } as const;
	return isRuleBudget(budget) ? budget : { problem: bounds };
}

const example = "Write a budget such as: 20 requests, 50,000 tokens, $0.50 a day";
const bounds = `At most ${most.requests.toLocaleString("en-US")} requests, ${most.tokens.toLocaleString("en-US")} tokens and $${most.dollars.toLocaleString("en-US")}, each more than 0. Requests and tokens must be whole numbers.`;

/** An amount of money in words; nothing spent is not the same as a model that is free. */
export function formatDollars(dollars: number): string {
	return dollars === 0 ? "$0.00" : formatCost(dollars);
}
