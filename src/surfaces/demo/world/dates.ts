const dayMs = 24 * 60 * 60 * 1000;

/** The date of a moment as `YYYY-MM-DD`, in universal time so that the demo reads the same everywhere. */
export function isoDate(moment: Date): string {
	return moment.toISOString().slice(0, 10);
}

/** The date so many days later (or earlier, if negative). Takes and gives `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
	return isoDate(new Date(Date.parse(date) + days * dayMs));
}

/** Whether a text is a date that exists, written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const time = Date.parse(text);
	// Some engines roll 31 February over into March.
	return !Number.isNaN(time) && isoDate(new Date(time)) === text;
}

/** The dates of the next `count` days, the first of them tomorrow. */
export function comingDates(today: string, count: number): string[] {
	return Array.from({ length: count }, (_, index) => addDays(today, index + 1));
}
