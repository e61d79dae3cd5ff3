import { oneLine } from "../base/text.ts";
import type { ModelInfo } from "../models/model.ts";

/** The model that a request would be sent to, and why, in words for the person who may choose another. */
export interface ModelChoice {
	readonly model: ModelInfo;
	readonly reason: string;
}

/**
 * Chooses a model by the server's hints: the first hint that is part of a model's name wins, in the order of the models
 * (specification, "Model Preferences"; spec.md P3s). Hints only advise, so the first model is taken when none fits.
 * Undefined when there is no model.
 */
export function chooseModel(models: readonly ModelInfo[], hints: readonly string[]): ModelChoice | undefined {
	for (const hint of hints) {
		const wanted = hint.trim().toLowerCase();
		if (wanted === "") continue;
		const model = models.find(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted));
		if (model !== undefined) return { model, reason: `matches the server's hint “${oneLine(hint, 40)}”` };
	}
	const [model] = models;
	if (model === undefined) return undefined;
	if (hints.length === 0) return { model, reason: "the first of your models; the server has no preference" };
	const asked = hints.slice(0, 3).map((hint) => `“${oneLine(hint, 40)}”`);
	return { model, reason: `the first of your models; none matches ${asked.join(", ")}` };
}
