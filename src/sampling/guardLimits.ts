/** Limits of the person's on what servers ask, and how long it waits. */
export interface GuardLimits {
	/** See `GuardDependencies.loopLimit`. */
	readonly loopLimit: number;
	/** After how long without the person's doing a review expires, in milliseconds; 0 is never. */
	readonly expiresMs: number;
}

const defaults = { loopLimit: 25, reviewMinutes: 60 };
/** A week; a timer of Node takes no more than some 24 days. */
const longestMinutes = 7 * 24 * 60;

/** Reads the settings `loopLimit` and `reviewTimeout` (in minutes); what makes no sense counts as not set. */
export function guardLimits(loopLimit: unknown, reviewTimeout: unknown): GuardLimits {
	const minutes = isNumber(reviewTimeout, 0) ? Math.min(reviewTimeout, longestMinutes) : defaults.reviewMinutes;
	return {
		loopLimit: isNumber(loopLimit, 1) ? Math.floor(loopLimit) : defaults.loopLimit,
		expiresMs: minutes * 60_000,
	};
}

function isNumber(value: unknown, least: number): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= least;
}
