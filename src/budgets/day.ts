/** A calendar day where the person is, such as `2026-11-22`: what budgets of a day are counted by. */
export type Day = string & { readonly brand?: "Day" };

/** The day of a moment, in milliseconds since the epoch. */
export function dayOf(time: number): Day {
	const date = new Date(time);
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When the next day begins, whether this one has 23, 24 or 25 hours. */
export function endOfDay(time: number): number {
	const date = new Date(time);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

/** Whether a stored text names a day. */
export function isDay(text: string): text is Day {
	return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
