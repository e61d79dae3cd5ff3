import type { ActivityJournal } from "./activityJournal.ts";
import { type ActivityItem, recordsOf, stepsOf } from "./items.ts";

/** The part to clear: all, including hidden entries; the results; or the sampling requests. */
export type ClearScope = "all" | "found" | "sampling";

/** Where items are. */
export interface ClearServices {
	readonly journal: Pick<ActivityJournal, "remove">;
	/** The record of sampling requests: deletes all, or those of some ids, except open ones. Rejects as the disk does. */
	readonly sampling: { clear(ids?: ReadonlySet<string>): Promise<void> };
}

/**
 * Deletes items, with the contents of sampling requests; the deletion is recorded. Later entries stay. Rejects as the
 * disk does.
 */
export async function clearItems(
	items: readonly ActivityItem[],
	scope: ClearScope,
	{ journal, sampling }: ClearServices,
): Promise<void> {
	const latest = Math.max(...items.flatMap(stepsOf).map(({ at }) => at));
	const chosen = new Set(recordsOf(items).map(({ window, n }) => `${window} ${n}`));
	await journal.remove(({ window, n, at }) => chosen.has(`${window} ${n}`) || (scope === "all" && at <= latest));
	const held = items.flatMap((item) => item.sampling?.id ?? []);
	if (scope !== "found") await sampling.clear();
	else if (held.length > 0) await sampling.clear(new Set(held));
}
