import type { Admission } from "../budgets/samplingPolicy.ts";
import type { ModelDirectory } from "../models/model.ts";
import type { Prices } from "../models/prices.ts";
import type { OpenEntry } from "../record/samplingRecord.ts";
import type { Asker } from "./asker.ts";
import type { CollectContext } from "./context.ts";
import type { ModelChooser } from "./modelChoice.ts";
import type { SamplingRequest } from "./request.ts";
import type { RequestTexts } from "./requestTexts.ts";

/** What a review works with: the request and what was found out about it, and the parts of the host that it asks. */
export interface ReviewParts {
	readonly asker: Asker;
	readonly request: SamplingRequest;
	readonly texts: RequestTexts;
	readonly admission: Admission;
	/** Where each attempt is written down. */
	readonly entry: Pick<OpenEntry, "attempt">;
	readonly models: ModelDirectory;
	readonly chooser: ModelChooser;
	readonly prices: Prices;
	readonly collectContext: CollectContext;
	/** How many other requests of the server wait; `onDidChange` fires when it may be another number. */
	readonly waiting: { others(): number; readonly onDidChange: ModelDirectory["onDidChange"] };
	/** The time in milliseconds. */
	readonly now: () => number;
}
