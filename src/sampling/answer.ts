import type { JsonObject } from "../base/json.ts";
import type { ModelStopReason } from "../models/model.ts";

/** A part of a completion: text, or the use of a tool that the server offered and runs itself. */
export type CompletionPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "tool-use"; readonly id: string; readonly name: string; readonly input: JsonObject };

/** What goes back to the server, as the person or a rule left it. */
export interface Completion {
	readonly parts: readonly CompletionPart[];
	/** The name of the model that answered; `human` for an answer by hand. */
	readonly model: string;
	readonly stopReason: ModelStopReason | undefined;
}
