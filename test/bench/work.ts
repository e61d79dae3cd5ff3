import type { SideName } from "./side.ts";
import type { WorkName } from "./workName.ts";

/** A figure of a work: its name and its print format. */
export interface Figure {
	readonly key: string;
	readonly label: string;
	readonly unit: "ms" | "µs" | "KB" | "MB" | "";
}

/** One kind of work, done by every side at three sizes or more. */
export interface Work {
	readonly name: string;
	readonly run: WorkName;
	/** The unit of the sizes. */
	readonly of: string;
	readonly sizes: readonly number[];
	readonly figures: readonly Figure[];
	/** The figure whose growth with the size is shown, per unit. */
	readonly grows?: string;
	/** How often each side does it; fewer if it takes long and varies little. */
	readonly rounds: number;
	/** Whether each side does it in a new process, so that memory and stalls are of this work alone. */
	readonly isFresh?: boolean;
	/** Sides that skip a size, and why. */
	readonly spared?: { readonly size: number; readonly sides: readonly SideName[]; readonly why: string };
	/**
	 * Whether the client and its server share one processor, where the system can bind them to it: on several, a call takes
	 * twice the time or half of it by where the scheduler puts the two, which hides differences of a few per cent.
	 */
	readonly isOnOneProcessor?: boolean;
	/** The only sides that do it; the host and its peers by default. */
	readonly only?: readonly SideName[];
}
