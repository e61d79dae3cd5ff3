import type { Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ToolEntry } from "../catalog/catalog.ts";

/** The reason that settled a call without a question, or why the user is asked. */
export interface DecidedBy {
	/** `default`: no rule or grant applies to the call. `changed`: the tool differs from the approved one. */
	readonly kind: "rule" | "grant" | "trust" | "changed" | "default";
	/** One line fit to show, such as `rule 2 of .vscode/mcp-policy.json: deny travel · book*`. */
	readonly label: string;
	/** The same in fewer words, for where the call itself is named beside it. */
	readonly brief?: string;
}

/** The policy's decision about one call with exactly these arguments. Only a rule or grant of the user allows. */
export interface Verdict {
	readonly decision: "allow" | "ask" | "deny";
	readonly by: DecidedBy;
}

/** Decides about calls before the user is asked. */
export interface ToolPolicy {
	/** Pure and immediate. Asked again for arguments that the user changed: a rule that denies those counts. */
	decide(entry: ToolEntry, args: JsonObject): Verdict;
	/** Rules, grants or the pinned definitions changed. */
	readonly onDidChange: Event<void>;
}

/** A grant that the user chose but that does not count yet: it is saved when their answer to the call counts. */
export interface ChosenGrant {
	/** Its scope and duration, in our words, such as `bookHotel of travel in this workspace`. */
	readonly label: string;
	save(): Promise<void>;
}

/** Asks the user what to allow from now on, and for how long. Undefined without a choice. */
export type ChooseGrant = (entry: ToolEntry, args: JsonObject, signal: AbortSignal) => Promise<ChosenGrant | undefined>;
