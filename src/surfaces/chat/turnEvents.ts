import type { HostError } from "../../base/errors.ts";
import type { QuestionGroup } from "../../features/tools/approval.ts";
import type { ToolCallEvent, ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";

/** Why a turn ended before the model was done, for the user. */
export type TurnLimit =
	| "rounds"
	| "calls"
	| "time"
	| "turn-tokens"
	| "repetition"
	| "tokens" // of the one answer
	| "refusal"
	| "written-call" // as text, so that it was not made
	| "empty";

/** Which call of an answer something belongs to. */
export interface CallPlace {
	/** Distinguishes it from all others. */
	readonly id: string;
	/** Counted from 1. */
	readonly number: number;
	/** How many calls the answer holds. */
	readonly of: number;
	/** The id that the model's call has within the answer. */
	readonly callId?: string;
	/** The user called by a slash command: there is no model to inform. */
	readonly isDirect?: true;
}

/** The events of a turn, in order. Texts of the model are untrusted. */
export type TurnEvent =
	| { readonly type: "text"; readonly text: string }
	/** The model's thoughts before its answer, or between its calls. */
	| { readonly type: "reasoning"; readonly text: string }
	/** The model's endpoint is asked again in a moment; `message` is ours. */
	| { readonly type: "waiting"; readonly message: string }
	| { readonly type: "call"; readonly place: CallPlace; readonly event: ToolCallEvent }
	/** The questions just shown may be decided together. */
	| { readonly type: "group"; readonly group: QuestionGroup }
	| {
			readonly type: "finished";
			readonly place: CallPlace;
			/** The name that the model used; the tool may not exist. */
			readonly name: string;
			readonly entry: ToolEntry | undefined;
			readonly outcome: ToolOutcome;
	  }
	/** The result of a tool of the host's own. */
	| { readonly type: "note"; readonly message: string }
	| TurnLimitReached
	| { readonly type: "failed"; readonly error: HostError };

/** The turn ends here, and why. */
export interface TurnLimitReached {
	readonly type: "limit";
	readonly limit: TurnLimit;
	readonly message: string;
}
