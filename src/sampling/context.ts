import type { Asker } from "./asker.ts";
import type { ContextChoice } from "./reviewProtocol.ts";

/** Something of a server that may go along with a request when the person ticks it. */
export interface ContextPiece {
	/** The configured name of the server that it comes from. */
	readonly server: string;
	/** What it is, in our words: `resource trips://history/barcelona`. */
	readonly label: string;
	readonly text: string;
}

/** What the host has of its servers at hand. Reads nothing from a server that the person did not open before. */
export type CollectContext = (
	choice: Exclude<ContextChoice, "none">,
	asker: Asker,
	signal: AbortSignal,
) => Promise<readonly ContextPiece[]>;
