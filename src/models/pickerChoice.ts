/** The facts when our offered models have changed. Models are identified by their ids. */
export interface OfferChange {
	readonly before: readonly string[];
	readonly now: readonly string[];
	/** The model of the last message of this window, if it was one of ours. */
	readonly used: string | undefined;
	/** The model that was used last in any window. */
	readonly remembered: string | undefined;
	/** Whether others than we have models, so that one of them may be selected. */
	readonly hasOthers: boolean;
}

/**
 * The model to which VS Code's picker must be moved, because the selected one is gone; undefined to leave it alone. The
 * removed model is the last used one, or every one that could have been selected. Its replacement is the one used
 * before, or the first.
 */
export function replacementFor({ before, now, used, remembered, hasOthers }: OfferChange): string | undefined {
	const isUsedGone = used !== undefined && !now.includes(used);
	const isAllGone = before.length > 0 && !hasOthers && !before.some((id) => now.includes(id));
	if (!isUsedGone && !isAllGone) return undefined;
	return remembered !== undefined && now.includes(remembered) ? remembered : now[0];
}
