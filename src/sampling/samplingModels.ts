import { Emitter } from "../base/event.ts";
import type { Disposable } from "../base/lifecycle.ts";
import { ModelFacts } from "../models/modelFacts.ts";
import type { Prices } from "../models/prices.ts";
import { everyModel, type AllowedModels } from "./allowedModels.ts";
import { chooseModel } from "./chooseModel.ts";
import type { ModelChooser } from "./modelChoice.ts";

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

	/** What is wrong with the settings, one sentence each. */
	get problems(): readonly string[] {
		return [...this.facts.problems, ...this.allowed.problems];
	}

	/** Takes over what the settings say now. */
	update(facts: ModelFacts, allowed: AllowedModels): void {
		this.facts = facts;
		this.allowed = allowed;
		this.changed.fire();
	}

	dispose(): void {
		this.changed.dispose();
	}
}
