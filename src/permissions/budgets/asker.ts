import type { ServerDefinition, ServerId } from "../../servers/definitions/config.ts";

/** The server that requests a completion, and the user's action. */
export interface Asker {
	readonly id: ServerId;
	/** Its configured name, never its own name for itself. */
	readonly name: string;
	/** The identity that a rule or budget is bound to: another definition under the same name is another server. */
	readonly definition: ServerDefinition;
	/** Absent when it asks on its own. */
	readonly during: string | undefined;
	/** A call of the user or of their model is running: a fact, while `during` is text. */
	readonly isForUser: boolean;
	/** The reference of its exchange in the trace. */
	readonly exchange?: string | undefined;
}
