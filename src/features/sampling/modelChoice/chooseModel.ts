import { Emitter, type Event } from "../../../base/event.ts";
import type { Disposable } from "../../../base/lifecycle.ts";
import { oneLine } from "../../../base/text.ts";
import type { ModelInfo } from "../../../models/model.ts";
import { ModelFacts } from "../../../models/modelFacts.ts";
import type { Prices } from "../../../models/prices.ts";
import { natureOf } from "../../../models/strengths.ts";
import type { Asker } from "../../../permissions/budgets/asker.ts";
import { type AllowedModels, everyModel } from "./allowedModels.ts";
import { type HintMatch, matchHints } from "./hints.ts";

/** A server's preferences for the model: advice only (specification, "Model Preferences"). */
export interface ModelPreferences {
	/** Parts of model names, best first. */
	readonly hints: readonly string[];
	/** How much it matters that the model is cheap, fast, capable: 0 to 1 each; undefined where the server does not say. */
	readonly cost: number | undefined;
	readonly speed: number | undefined;
	readonly intelligence: number | undefined;
}

/** The model that a request would be sent to, and why, in words for the user who may choose another. */
export interface ModelChoice {
	readonly model: ModelInfo;
	readonly reason: string;
}

/** Chooses among the models that the user lets a server use (SMP-08). */
export interface ModelChooser {
	/** Fires when the lists of models that servers may use, or the facts about models, have changed. */
	readonly onDidChange: Event<void>;
	/** Undefined when this server may use none of them, or there is none. */
	choose(models: readonly ModelInfo[], preferences: ModelPreferences, asker: Asker): ModelChoice | undefined;
	/** Why this server may not use a model, in our words; undefined when it may. */
	whyNot(model: ModelInfo, asker: Asker): string | undefined;
}

const sizes = { small: "small, fast", medium: "medium-sized", large: "large, capable" } as const;

/**
 * Chooses a model for a server's request, and says why in a few words: its hints count first, its priorities decide
 * between the remaining models, and the user's order between equals (specification, "Model Preferences"; BLT-12). Both
 * only advise, so that there is always a choice; undefined without any model. `models` are those that the server may
 * use, in the user's order.
 */
export function chooseModel(
	models: readonly ModelInfo[],
	preferences: ModelPreferences,
	facts: Pick<ModelFacts, "priceOf" | "strengthsOf">,
): ModelChoice | undefined {
	const [only, ...others] = models;
	if (only === undefined) return undefined;
	const { hints, cost, speed, intelligence } = preferences;
	const match = matchHints(models, hints);
	const [first = only, ...rest] = match?.models ?? models;
	const ranked = rank([first, ...rest], preferences, facts, match === undefined ? "the available models" : "them");
	const { model, place } = ranked;
	if (match !== undefined) return { model, reason: reasonOfHint(match, ranked) };
	if (others.length === 0) return { model, reason: `the only available model${missing(hints, "it does not match")}` };
	if (hints.length > 0) return { model, reason: `${place}${missing(hints)}` };
	const isAsked = [cost, speed, intelligence].some((priority) => priority !== undefined && priority > 0);
	return { model, reason: `${place}; the server ${isAsked ? "hints at none" : "has no preference"}` };
}

function reasonOfHint({ fit, hint, models, missed }: HintMatch, { model, place }: Ranked): string {
	const { length } = models;
	if (fit === "name" || fit === "part" || fit === "provider") {
		const verb = fit === "name" ? "names" : "matches";
		const which = length === 1 ? `${verb} this model` : `${verb} ${length} models; ${place}`;
		return `the server's hint ${quote(hint)} ${which}${missing(missed)}`;
	}
	const name = oneLine(model.name, 60);
	const { size } = natureOf(hint);
	const words = size === undefined ? "" : ` (${sizes[size]})`;
	const alike =
		fit === "kin"
			? `of its family and class${words}`
			: fit === "family"
				? "of its family"
				: `of the same class${words}`;
	const choice = length === 1 ? `${name} is ${alike}` : `${length} are ${alike}, ${name} is ${place}`;
	return `the server's hint ${quote(hint)} matches none of the available models; ${choice}`;
}

/** Reports the hints that match no name. */
function missing(hints: readonly string[], words = "none matches"): string {
	if (hints.length === 0) return "";
	const shown = hints.slice(0, 2).map(quote);
	const more = hints.length > shown.length ? " and others" : "";
	return `; ${words} ${shown.join(", ")}${more}`;
}

function quote(hint: string): string {
	return `“${oneLine(hint, 40)}”`;
}

/** Chooses among the models for servers and knows their prices, as the settings say at the time. */
export class SamplingModels implements Disposable {
	private readonly changed = new Emitter<void>();
	private facts = new ModelFacts(undefined);
	private allowed: AllowedModels = everyModel;

	readonly chooser: ModelChooser = {
		onDidChange: this.changed.event,
		choose: (models, preferences, asker) => {
			const usable = models.filter((model) => this.allowed.whyNot(model, asker) === undefined);
			return chooseModel(usable, preferences, this.facts);
		},
		whyNot: (model, asker) => this.allowed.whyNot(model, asker),
	};

	readonly prices: Prices = { onDidChange: this.changed.event, of: (model) => this.facts.priceOf(model) };

	/** The problems of the settings, one sentence each. */
	get problems(): readonly string[] {
		return [...this.facts.problems, ...this.allowed.problems];
	}

	/** Applies the current settings. */
	update(facts: ModelFacts, allowed: AllowedModels): void {
		this.facts = facts;
		this.allowed = allowed;
		this.changed.fire();
	}

	dispose(): void {
		this.changed.dispose();
	}
}

/** The best of several models by a server's priorities. */
interface Ranked {
	readonly model: ModelInfo;
	/** Its rank among them: `the cheapest of them`, `the first of the models at hand`. */
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
 * Ranks models by the sum of their strengths, each weighted by its priority for the server. Each model is judged
 * separately, so that others do not change its rank; of equal ones the first in the user's order is best. `whose` is
 * the name of the models in texts: `them`, `the models at hand`.
 */
function rank(
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
	const isDecided = scores.some((score) => score !== scores[best]);
	return { model: models[best] ?? models[0], place: isDecided ? placeOf(weights, whose) : `the first of ${whose}` };
}

/** The priorities that matter to the server, the greatest first. */
function weightsOf(preferences: ModelPreferences): readonly (readonly [Priority, number])[] {
	const all = (["cost", "speed", "intelligence"] as const).map((key) => [key, weightOf(preferences[key])] as const);
	return all.filter(([, weight]) => weight > 0).toSorted(([, a], [, b]) => b - a);
}

/** A server's number from 0 to 1, for any input. */
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

/** From 0, for an unknown price, to 1 for a free model. */
function cheapness(model: ModelInfo, facts: Pick<ModelFacts, "priceOf">): number {
	const price = facts.priceOf(model);
	if (price === undefined) return 0;
	const mixed = inputShare * price.inputPerMillion + (1 - inputShare) * price.outputPerMillion;
	return Math.max(0, 1 - Math.log1p(10 * mixed) / Math.log1p(10 * dearest));
}
