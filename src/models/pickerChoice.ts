/** What is known when the models that we offer have changed. Models are told by their ids. */
export interface OfferChange {
	readonly before: readonly string[];
	readonly now: readonly string[];
	/** The model that the last message of this window went to, if it was one of ours. */
	readonly used: string | undefined;
	/** The model that was used last in any window. */
	readonly remembered: string | undefined;
	/** Whether others than we have models, so that one of them may be selected. */
	readonly hasOthers: boolean;
}

/**
 * The model that the editor's picker has to be moved to, since the one that it shows is gone; undefined to leave it alone.
 * Gone is what was used last, or all that could have been selected. What takes its place is what was used before, or the
 * first.
 */
export function replacementFor({ before, now, used, remembered, hasOthers }: OfferChange): string | undefined {
	const isUsedGone = used !== undefined && !now.includes(used);
	const isAllGone = before.length > 0 && !hasOthers && !before.some((id) => now.includes(id));
	if (!isUsedGone && !isAllGone) return undefined;
	return remembered !== undefined && now.includes(remembered) ? remembered : now[0];
}
