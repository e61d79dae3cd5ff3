import type { ModelFacts } from "../models/modelFacts.ts";
import type { ModelInfo } from "../models/model.ts";
import type { ModelPreferences } from "./modelChoice.ts";

/** The best of several models by a server's priorities. */
export interface Ranked {
	readonly model: ModelInfo;
	/** What it is among them: `the cheapest of them`, `the first of the models at hand`. */
	readonly place: string;
}

type Priority = "cost" | "speed" | "intelligence";

const superlatives: Readonly<Record<Priority, string>> = {
	cost: "the cheapest",
	speed: "the fastest",
	intelligence: "the most capable",
};

/** A price per million tokens that counts as dear as can be. */
const dearest = 1000;
/** Requests are mostly longer than their answers. */
const inputShare = 0.75;

/**
 * Ranks models by the sum of their strengths, each weighed by how much the server says that it matters. Each model is
 * judged by itself, so that others do not change its rank; of equal ones the first in the person's order is best. `whose`
 * is what the models are called: `them`, `the models at hand`.
 */
export function rank(
	models: readonly [ModelInfo, ...(readonly ModelInfo[])],
	preferences: ModelPreferences,
	facts: Pick<ModelFacts, "priceOf" | "strengthsOf">,
	whose: string,
): Ranked {
	const weights = weightsOf(preferences);
	const score = (model: ModelInfo): number => {
		const strengths = facts.strengthsOf(model);
		const values = { ...strengths, cost: cheapness(model, facts) };
		return weights.reduce((sum, [priority, weight]) => sum + weight * values[priority], 0);
	};
	const scored = models.map((model) => ({ model, score: score(model) }));
	const scores = scored.map(({ score }) => score);
	const best = scores.indexOf(Math.max(...scores));
	const isTold = scores.some((score) => score !== scores[best]);
	return { model: models[best] ?? models[0], place: isTold ? placeOf(weights, whose) : `the first of ${whose}` };
}

/** The priorities that matter to the server, the greatest first. */
function weightsOf(preferences: ModelPreferences): readonly (readonly [Priority, number])[] {
	const all = (["cost", "speed", "intelligence"] as const).map((key) => [key, weightOf(preferences[key])] as const);
	return all.filter(([, weight]) => weight > 0).toSorted(([, a], [, b]) => b - a);
}

/** A server's number from 0 to 1, whatever it sent. */
function weightOf(value: number | undefined): number {
	return value === undefined || Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}

function placeOf(weights: readonly (readonly [Priority, number])[], whose: string): string {
	const [first, ...others] = weights;
	if (first === undefined) return `the first of ${whose}`;
	const [only, greatest] = first;
	if (others.length === 0) return `${superlatives[only]} of ${whose}`;
	let before = greatest;
	let order: string = only;
	for (const [priority, weight] of others) {
		order += `${weight === before ? " and" : " before"} ${priority}`;
		before = weight;
	}
	return `the best of ${whose} by the server's priorities (${order})`;
}

/** From 0, for a price that is not known, which may be any, to 1 for what is free. */
function cheapness(model: ModelInfo, facts: Pick<ModelFacts, "priceOf">): number {
	const price = facts.priceOf(model);
	if (price === undefined) return 0;
	const mixed = inputShare * price.inputPerMillion + (1 - inputShare) * price.outputPerMillion;
	return Math.max(0, 1 - Math.log1p(10 * mixed) / Math.log1p(10 * dearest));
}
