import type { ActivityJournal } from "./activityJournal.ts";
import { type ActivityItem, recordsOf, standingOf } from "./items.ts";

/** The items that can be cleared: all but the sampling requests that are under review. */
export function clearable(items: readonly ActivityItem[]): readonly ActivityItem[] {
	return items.filter((item) => item.group !== "sampling" || standingOf(item) !== "open");
}

/**
 * Deletes items; with `isAll` also the entries of windows up to then, which nobody looks for. The deletion is recorded.
 * Later entries stay. Rejects as the disk does.
 */
export async function clearItems(
	items: readonly ActivityItem[],
	isAll: boolean,
	journal: Pick<ActivityJournal, "remove">,
): Promise<void> {
	const records = recordsOf(items);
	const latest = records.at(-1)?.at ?? 0;
	const chosen = new Set(records.map(({ window, n }) => `${window} ${n}`));
	await journal.remove(({ window, n, at, entry }) => {
		return chosen.has(`${window} ${n}`) || (isAll && entry.kind === "journal" && at <= latest);
	});
}
