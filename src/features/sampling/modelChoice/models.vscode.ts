import { isJsonObject } from "../../../base/json.ts";
import { type Disposable, DisposableStore } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import { followSettings, ownSetting } from "../../../base/ownSettings.vscode.ts";
import { ModelFacts, allowedModelsKey, pricesKey } from "../../../models/modelFacts.ts";
import type { Prices } from "../../../models/prices.ts";
import { openModelsSetting } from "../../../models/settings.vscode.ts";
import { everyModel, notReadYet, parseAllowedModels } from "./allowedModels.ts";
import { SamplingModels, type ModelChooser } from "./chooseModel.ts";

/** The model choice for servers' requests, following the settings until it is disposed. */
export interface SamplingModelRoom extends Disposable {
	readonly chooser: ModelChooser;
	readonly prices: Prices;
	/** The problems of the settings, one sentence each. */
	readonly problems: readonly string[];
}

/**
 * Reads `mcpHost.sampling.models` and `mcpHost.modelPrices` and follows them; reports faults once, as long as they
 * stay.
 */
export function samplingModels({ log }: { readonly log: Log }): SamplingModelRoom {
	const store = new DisposableStore();
	const models = store.add(new SamplingModels());
	const allowed = (): unknown => ownSetting(allowedModelsKey);
	const hasEntries = (): boolean => {
		const setting = allowed() ?? {};
		return !isJsonObject(setting) || Object.keys(setting).length > 0;
	};
	store.add(
		followSettings({
			names: [allowedModelsKey, pricesKey],
			needsLibrary: hasEntries,
			read: (library) => {
				const read = library === undefined ? notReadYet : parseAllowedModels(allowed(), library);
				models.update(new ModelFacts(ownSetting(pricesKey)), hasEntries() ? read : everyModel);
			},
			problems: () => models.problems,
			open: (problem) => openModelsSetting(problem.startsWith(allowedModelsKey) ? allowedModelsKey : pricesKey),
			log,
		}),
	);
	return {
		chooser: models.chooser,
		prices: models.prices,
		get problems() {
			return models.problems;
		},
		dispose: () => store.dispose(),
	};
}
