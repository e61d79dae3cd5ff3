import type { Event } from "../base/event.ts";
import type { ModelInfo } from "../models/model.ts";
import type { Asker } from "./asker.ts";

/** What a server would like of the model: advice only (specification, "Model Preferences"; spec.md P3s). */
export interface ModelPreferences {
	/** Parts of model names, best first. */
	readonly hints: readonly string[];
	/** How much it matters that the model is cheap, fast, capable: 0 to 1 each; undefined where the server does not say. */
	readonly cost: number | undefined;
	readonly speed: number | undefined;
	readonly intelligence: number | undefined;
}

/** The model that a request would be sent to, and why, in words for the person who may choose another. */
export interface ModelChoice {
	readonly model: ModelInfo;
	readonly reason: string;
}

/** Chooses among the models that the person lets a server use (security.md SMP-08). */
export interface ModelChooser {
	/** Fires when the lists of models that servers may use, or what is known of models, have changed. */
	readonly onDidChange: Event<void>;
	/** Undefined when this server may use none of them, or there is none. */
	choose(models: readonly ModelInfo[], preferences: ModelPreferences, asker: Asker): ModelChoice | undefined;
	/** Why this server may not use a model, in words of ours; undefined when it may. */
	whyNot(model: ModelInfo, asker: Asker): string | undefined;
}
