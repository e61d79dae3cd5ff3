import type { Event } from "../../base/event.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";

/** One field of a definition that differs from the approved one. Texts are the server's: untrusted. */
export interface PinChange {
	readonly field:
		| "title"
		| "description"
		| "inputSchema"
		| "outputSchema"
		| "annotations"
		| "execution"
		| "app"
		| "instructions";
	/**
	 * Schemas and annotations as JSON in one line; empty if there was nothing; our remark if it was too large to keep.
	 */
	readonly before: string;
	readonly after: string;
}

/** The relation of a definition to the approved one (TOL-02). */
export type PinState =
	/** The user has not approved it yet. */
	| { readonly kind: "new" }
	| { readonly kind: "same" }
	| { readonly kind: "changed"; readonly changes: readonly PinChange[] };

/** A point about a tool to check before relying on it. */
export interface DefinitionWarning {
	/** Two or three of our words, for a row. */
	readonly word: string;
	/** Our sentence, plain text in one line; hidden characters in quotes of servers are shown. */
	readonly text: string;
	/** Nothing wrong in itself, such as two servers that offer a tool of the same name. */
	readonly isNote: boolean;
}

/** The user's approvals of servers' tools and instructions, and their states. */
export interface DefinitionPins {
	/**
	 * The relation of a tool to the one that was approved under its name at its server. Cheap enough for every row and
	 * every call.
	 */
	stateOf(session: Session, tool: Tool): PinState;
	/**
	 * A call of the tool was allowed, or its change accepted: exactly this definition counts as approved from now on.
	 * Must be called for every call that is made, for every allowing party; does nothing when the tool is pinned in this
	 * form.
	 */
	accept(session: Session, tool: Tool): Promise<void>;
	/**
	 * The tools of a running server that changed since the user approved them, each with its definition for models until
	 * the change is accepted: the approved one, or undefined if that was too long to be kept (TOL-23).
	 */
	approvedTools(session: Session): ReadonlyMap<Tool, Tool | undefined>;
	/** The server's instructions for models; undefined while a change of them waits for the user. */
	instructionsOf(session: Session): string | undefined;
	/** The change of a running server's instructions that the user has not accepted yet. */
	instructionChange(session: Session): PinChange | undefined;
	/**
	 * The points that the user should check, in our words: hidden characters, the same name on two servers. Empty for
	 * most.
	 */
	warningsOf(session: Session, tool: Tool): readonly DefinitionWarning[];
	/** Something was accepted or changed, or a tool was added that affects warnings. */
	readonly onDidChange: Event<void>;
}
