import type { Line } from "./line.ts";

/** What is known of one key. */
export interface Register {
	/** The value that stands above all others. */
	readonly best: Line | undefined;
	/** The latest removal. */
	readonly removal: Line | undefined;
}

/** The line of a register that counts: a removal is stronger unless its writer knew of it. */
export function standing({ best, removal }: Register): Line | undefined {
	return best !== undefined && best.knew >= (removal?.at ?? 0) ? best : undefined;
}
