import type { ModelInfo } from "./model.ts";
import { parsePrices, type ParsedPrices } from "./parsePrices.ts";
import type { ModelPrice } from "./prices.ts";
import { knownPrice } from "./priceTable.ts";
import { natureOf, type ModelStrengths } from "./strengths.ts";

/** What is known of models for choosing among them: what the person says goes before what their names tell. */
export class ModelFacts {
	private readonly said: ParsedPrices;

	/** Takes the setting `mcpHost.modelPrices`, unchecked. */
	constructor(setting: unknown) {
		this.said = parsePrices(setting);
	}

	/** What is wrong with the setting, one sentence each. */
	get problems(): readonly string[] {
		return this.said.problems;
	}

	/** Undefined when it is not known, or known in part: that is not free. */
	priceOf(model: ModelInfo): ModelPrice | undefined {
		const { input, output } = this.said.of(model);
		const known = knownPrice(model);
		const inputPerMillion = input ?? known?.inputPerMillion;
		const outputPerMillion = output ?? known?.outputPerMillion;
		if (typeof inputPerMillion !== "number" || typeof outputPerMillion !== "number") return undefined;
		return { inputPerMillion, outputPerMillion };
	}

	strengthsOf(model: ModelInfo): ModelStrengths {
		const { speed, intelligence } = this.said.of(model);
		const told = natureOf(model.name);
		return { speed: speed ?? told.speed, intelligence: intelligence ?? told.intelligence };
	}
}
