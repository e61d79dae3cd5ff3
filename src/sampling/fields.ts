import type { JsonObject } from "../base/json.ts";
import type { ModelMessage, ModelTool } from "../models/model.ts";
import type { ModelPreferences } from "./modelChoice.ts";
import type { Place } from "./reviewProtocol.ts";

/** What goes out to a model: the request as the person left it, text for text. */
export interface ApprovedRequest {
	readonly messages: readonly ModelMessage[];
	readonly maxTokens: number;
	readonly temperature: number | undefined;
	readonly stopSequences: readonly string[];
	readonly tools: readonly ModelTool[];
	readonly toolChoice: "auto" | "required" | "none" | undefined;
	readonly metadata: JsonObject | undefined;
}

/** Why a draft cannot be sent, in a sentence that says what to change, and where. */
export interface DraftProblem {
	readonly problem: string;
	readonly place?: Place;
}

/** What the draft's preferences ask for, for choosing the model again; undefined while they cannot be read. */
export type DraftPreferences = ModelPreferences | undefined;
