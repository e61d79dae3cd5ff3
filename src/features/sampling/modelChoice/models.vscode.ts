import * as vscode from "vscode";
import { isJsonObject } from "../../../base/json.ts";
import { type Disposable, DisposableStore } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import { warnOfSetting } from "../../../base/notices.vscode.ts";
import { ModelFacts, allowedModelsKey, pricesKey } from "../../../models/modelFacts.ts";
import type { Prices } from "../../../models/prices.ts";
import { openModelsSetting } from "../../../models/settings.vscode.ts";
import { type AllowedModels, everyModel, notReadYet, parseAllowedModels } from "./allowedModels.ts";
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
	let reported: readonly string[] = [];
	let reading = 0;
	const update = (facts: ModelFacts, allowed: AllowedModels): void => {
		models.update(facts, allowed);
		const news = models.problems.filter((problem) => !reported.includes(problem));
		reported = models.problems;
		for (const problem of news) log.warn(problem);
		void warnOfSetting(
			"mcpHost.sampling.models",
			news,
			() => reported,
			(first) => openModelsSetting(first.startsWith(allowedModelsKey) ? allowedModelsKey : pricesKey),
		);
	};
	const read = async (): Promise<void> => {
		const now = ++reading;
		const facts = new ModelFacts(ownSetting(pricesKey));
		const setting = ownSetting(allowedModelsKey);
		const isEmpty = setting === undefined || (isJsonObject(setting) && Object.keys(setting).length === 0);
		if (isEmpty) return update(facts, everyModel);
		models.update(facts, notReadYet);
		const library = await import("../../../base/glob.ts");
		// A later change may have been read meanwhile.
		if (now === reading && !store.isDisposed) update(facts, parseAllowedModels(setting, library));
	};
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if ([pricesKey, allowedModelsKey].some((key) => event.affectsConfiguration(key))) void read();
		}),
	);
	void read();
	return {
		chooser: models.chooser,
		prices: models.prices,
		get problems() {
			return models.problems;
		},
		dispose: () => store.dispose(),
	};
}

/** A setting as it applies to this machine, without the workspace's values (BLT-16). */
function ownSetting(key: string): unknown {
	return vscode.workspace.getConfiguration().inspect<unknown>(key)?.globalValue;
}
