import type { JsonObject } from "../base/json.ts";
import type { DecisionSubject } from "../decisions/decision.ts";
import type { SchemaProblem } from "../schema/schema.ts";

/** An object for the person to edit by the schema that it has to fit, such as the arguments of a tool call. */
export interface ObjectEditRequest {
	readonly subject: DecisionSubject;
	/** What is edited, in our words. */
	readonly heading: string;
	/** The server's description or a warning, shown as a quotation. Untrusted. */
	readonly quote?: string;
	/** What the person should know, in our words, above the form. */
	readonly notes?: readonly string[];
	/** Whether the safe answer has the focus when there is nothing to fill in. */
	readonly isRisky?: boolean;
	/** A JSON Schema of the server: untrusted. What the form cannot show of it is edited as JSON. */
	readonly schema: JsonObject;
	/** What the form starts with; members that the schema does not know stay as they are. */
	readonly initial: JsonObject;
	/** The label of the button that hands the object back, such as `Run with These Arguments`. */
	readonly submitLabel: string;
	/** What is wrong with an object, with the place; empty when it may be submitted. Must not throw. */
	validate(value: JsonObject): Promise<readonly SchemaProblem[]>;
	/** Ends the edit, as when the turn that waits for it is cancelled. */
	readonly signal: AbortSignal;
}

/**
 * Lets the person edit an object in a form made from its schema, or as JSON in the other tab. Gives exactly what was on
 * the screen, which is `initial` itself when nothing was edited; undefined when they cancelled or closed the form, or the
 * signal was aborted.
 */
export type EditObject = (request: ObjectEditRequest) => Promise<JsonObject | undefined>;
