import type { Event } from "../../base/event.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";

/** One field of a definition that is not what it was when the user approved it. Texts are the server's: untrusted. */
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
	 * Schemas and annotations as JSON in one line; empty where there was nothing; a remark of ours where too much was there to
	 * keep.
	 */
	readonly before: string;
	readonly after: string;
}

/** How a definition stands to what was approved (TOL-02). */
export type PinState =
	/** The user has not approved it yet. */
	| { readonly kind: "new" }
	| { readonly kind: "same" }
	| { readonly kind: "changed"; readonly changes: readonly PinChange[] };

/** Something about a tool that people should look at before they rely on it. */
export interface DefinitionWarning {
	/** Two or three words of ours, for a row. */
	readonly word: string;
	/** A sentence of ours, plain text in one line; what it quotes of servers has its hidden characters shown. */
	readonly text: string;
	/** Nothing wrong in itself, such as two servers that offer a tool of the same name. */
	readonly isNote: boolean;
}

/** What the user approved of servers' tools and instructions, and what became of it. */
export interface DefinitionPins {
	/** How a tool stands to what was approved under its name at its server. Cheap enough for every row and every call. */
	stateOf(session: Session, tool: Tool): PinState;
	/**
	 * A call of the tool was allowed, or its change accepted: exactly this definition counts as approved from now on. To be
	 * called for every call that is made, whoever allowed it; does nothing when the tool is pinned as it is.
	 */
	accept(session: Session, tool: Tool): Promise<void>;
	/**
	 * The tools of a running server that changed since the user approved them, each with what models are told in its place
	 * until they accept it: as it was approved, or undefined where that was too long to be kept (TOL-23).
	 */
	approvedTools(session: Session): ReadonlyMap<Tool, Tool | undefined>;
	/** The server's instructions as models may be told; undefined while a change of them waits for the user. */
	instructionsOf(session: Session): string | undefined;
	/** The change of a running server's instructions that the user has not accepted yet. */
	instructionChange(session: Session): PinChange | undefined;
	/** What people should look at, in our words: hidden characters, the same name on two servers. Empty for most. */
	warningsOf(session: Session, tool: Tool): readonly DefinitionWarning[];
	/** Something was accepted, changed, or another tool came that warnings speak of. */
	readonly onDidChange: Event<void>;
}
