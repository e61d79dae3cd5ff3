import { oneLine } from "../base/text.ts";
import type { ModelFacts } from "../models/modelFacts.ts";
import type { ModelInfo } from "../models/model.ts";
import { natureOf } from "../models/strengths.ts";
import { matchHints, type HintMatch } from "./hints.ts";
import type { ModelChoice, ModelPreferences } from "./modelChoice.ts";
import { rank, type Ranked } from "./priorities.ts";

const sizes = { small: "small, fast", medium: "of middle size", large: "large, capable" } as const;

/**
 * Chooses a model for a server's request, and says why in a few words: its hints count first, its priorities decide
 * between the models that are left, and the person's order between equals (specification, "Model Preferences"; spec.md
 * P3s; built-in.md claim 12). Both only advise, so that there is always a choice; undefined when there is no model.
 * `models` are those that the server may use, in the person's order.
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
	const ranked = rank([first, ...rest], preferences, facts, match === undefined ? "the models at hand" : "them");
	const { model, place } = ranked;
	if (match !== undefined) return { model, reason: reasonOfHint(match, ranked) };
	if (others.length === 0) return { model, reason: `the only model at hand${missing(hints, "it does not fit")}` };
	if (hints.length > 0) return { model, reason: `${place}${missing(hints)}` };
	const isAsked = [cost, speed, intelligence].some((priority) => priority !== undefined && priority > 0);
	return { model, reason: `${place}; the server ${isAsked ? "hints at none" : "has no preference"}` };
}

function reasonOfHint({ fit, hint, models, missed }: HintMatch, { model, place }: Ranked): string {
	const { length } = models;
	if (fit === "name" || fit === "part" || fit === "provider") {
		const verb = fit === "name" ? "names" : "fits";
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
	return `the server's hint ${quote(hint)} is none of the models at hand; ${choice}`;
}

/** Says which hints are part of no name. */
function missing(hints: readonly string[], words = "none fits"): string {
	if (hints.length === 0) return "";
	const shown = hints.slice(0, 2).map(quote);
	const more = hints.length > shown.length ? " and others" : "";
	return `; ${words} ${shown.join(", ")}${more}`;
}

function quote(hint: string): string {
	return `“${oneLine(hint, 40)}”`;
}
