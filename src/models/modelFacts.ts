import { isJsonObject, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { ModelInfo } from "./model.ts";
import { knownPrice, type ModelPrice } from "./prices.ts";
import { matchesName } from "./profile.ts";
import { type ModelStrengths, natureOf } from "./strengths.ts";

/** The facts about models for choosing among them: the user's settings take precedence over their names. */
export class ModelFacts {
	private readonly said: ParsedPrices;

	/** Takes the setting `mcpHost.modelPrices`, unchecked. */
	constructor(setting: unknown) {
		this.said = parsePrices(setting);
	}

	/** The problems of the setting, one sentence each. */
	get problems(): readonly string[] {
		return this.said.problems;
	}

	/** Undefined when it is not known, or known in part: that is not free. */
	priceOf(model: ModelInfo): ModelPrice | undefined {
		const { input, output, cachedInput } = this.said.of(model);
		const known = knownPrice(model);
		const inputPerMillion = input ?? known?.inputPerMillion;
		const outputPerMillion = output ?? known?.outputPerMillion;
		if (typeof inputPerMillion !== "number" || typeof outputPerMillion !== "number") return undefined;
		// The price of a list belongs to the input of that list.
		const cachedPerMillion = cachedInput ?? (input === undefined ? known?.cachedPerMillion : undefined);
		const isCachedKnown = typeof cachedPerMillion === "number";
		return { inputPerMillion, outputPerMillion, ...(isCachedKnown ? { cachedPerMillion } : {}) };
	}

	strengthsOf(model: ModelInfo): ModelStrengths {
		const { speed, intelligence } = this.said.of(model);
		const usual = natureOf(model.name);
		return { speed: speed ?? usual.speed, intelligence: intelligence ?? usual.intelligence };
	}
}

/** The setting for the prices, speed and capability of models. */
export const pricesKey = "mcpHost.modelPrices";

/** The setting that says which models which servers may use. */
export const allowedModelsKey = "mcpHost.sampling.models";

/** The user's data about models: their prices, and how fast and capable they are. */
interface SaidOfModels {
	/** Dollars for a million tokens. `unreadable`: a configured value is not a price, so that no other source is used. */
	readonly input?: number | "unreadable";
	readonly output?: number | "unreadable";
	readonly cachedInput?: number | "unreadable";
	/** From 0 to 1. */
	readonly speed?: number;
	readonly intelligence?: number;
}

/** The setting as it was read, and one readable sentence for each fault. */
interface ParsedPrices {
	/** The traits by all patterns that a model matches; the last one decides. */
	of(model: ModelInfo): SaidOfModels;
	readonly problems: readonly string[];
}

const mostPatterns = 1000;

/**
 * Reads the setting `mcpHost.modelPrices`. Patterns are held against names and ids, without differences of case. A price
 * that cannot be read makes the price unknown, never lower. Never throws.
 */
function parsePrices(setting: unknown): ParsedPrices {
	if (setting === undefined || setting === null) return { of: () => ({}), problems: [] };
	if (!isJsonObject(setting)) {
		const problem =
			"mcpHost.modelPrices must be an object that maps model patterns to prices. Until you fix it, all prices are unknown.";
		return { of: () => ({ input: "unreadable", output: "unreadable" }), problems: [problem] };
	}
	const problems: string[] = [];
	const entries = Object.entries(setting).map(([pattern, entry]) => {
		const report = (problem: string): void => {
			problems.push(`mcpHost.modelPrices, "${oneLine(pattern, 60)}": ${problem}`);
		};
		return { pattern: pattern.toLowerCase(), said: readEntry(entry, report) };
	});
	if (entries.length > mostPatterns) problems.push(`mcpHost.modelPrices: only ${mostPatterns} patterns are used.`);
	const used = entries.slice(0, mostPatterns);
	return {
		of({ id, name }) {
			const names = [name.toLowerCase(), id.toLowerCase()];
			const fitting = used.filter(({ pattern }) => names.some((text) => matchesName(pattern, text)));
			return Object.assign({}, ...fitting.map(({ said }) => said));
		},
		problems,
	};
}

function readEntry(entry: unknown, report: (problem: string) => void): SaidOfModels {
	if (!isJsonObject(entry)) {
		report('it must be an object such as { "input": 3, "output": 15 }. Until you fix it, the price is unknown.');
		return { input: "unreadable", output: "unreadable" };
	}
	for (const key of Object.keys(entry)) {
		if (!["input", "output", "cachedInput", "speed", "intelligence"].includes(key))
			report(`"${oneLine(key, 40)}" is not a known key.`);
	}
	return {
		...readPrice(entry, "input", report),
		...readPrice(entry, "output", report),
		...readPrice(entry, "cachedInput", report),
		...readShare(entry, "speed", report),
		...readShare(entry, "intelligence", report),
	};
}

function readPrice(
	entry: JsonObject,
	key: "input" | "output" | "cachedInput",
	report: (problem: string) => void,
): SaidOfModels {
	const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
	if (value === undefined) return {};
	if (typeof value === "number" && Number.isFinite(value) && value >= 0) return { [key]: value };
	report(`${key} must be a price in dollars per million tokens, such as 2.5. Until you fix it, the price is unknown.`);
	return { [key]: "unreadable" };
}

function readShare(entry: JsonObject, key: "speed" | "intelligence", report: (problem: string) => void): SaidOfModels {
	const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
	if (value === undefined) return {};
	if (typeof value === "number" && value >= 0 && value <= 1) return { [key]: value };
	report(`${key} must be a number from 0 to 1, so it is not used.`);
	return {};
}
