import type { Event } from "../base/event.ts";
import type { Session, Tool } from "../servers/session.ts";

/** One field of a definition that is not what it was when the person approved it. Texts are the server's: untrusted. */
export interface PinChange {
	readonly field: "title" | "description" | "inputSchema" | "outputSchema" | "annotations" | "instructions";
	readonly before: string;
	readonly after: string;
}

/** How a definition stands to what was approved (issue 5, "Pinning"; security.md TOL-02). */
export type PinState =
	/** The person has not approved it yet. */
	| { readonly kind: "new" }
	| { readonly kind: "same" }
	| { readonly kind: "changed"; readonly changes: readonly PinChange[] };

/** What the person approved of servers' tools and instructions, and what became of it. */
export interface DefinitionPins {
	stateOf(session: Session, tool: Tool): PinState;
	/** The person allowed a call, granted it, or accepted a change: what the tool is now counts as approved. */
	accept(session: Session, tool: Tool): Promise<void>;
	/** The server's instructions as models may be told; undefined while a change of them waits for the person. */
	instructionsOf(session: Session): string | undefined;
	/** What people should look at, in our words: hidden characters, the same name on two servers. Empty for most. */
	warningsOf(session: Session, tool: Tool): readonly string[];
	readonly onDidChange: Event<void>;
}
