/** Longest text that is believed in a stored value, in characters. */
const longestText = 2000;

/** Whether a member of a stored value is a text that says something. */
export function isStoredText(value: unknown): value is string {
	return typeof value === "string" && value !== "" && value.length <= longestText;
}

/** Whether a member of a stored value is a time in milliseconds since the epoch. */
export function isStoredTime(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value > 0;
}
