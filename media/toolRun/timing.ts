/** The time of day of a moment, in the display language. */
export function clockTime(milliseconds: number): string {
	return new Date(milliseconds).toLocaleTimeString(document.documentElement.lang || undefined);
}
