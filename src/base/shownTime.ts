/** Times as they are shown everywhere: by the clock of 24 hours, as in the logs of VS Code and the trace. */
const clock = { hourCycle: "h23" } as const;

/** A time of the day: `14:05:09`; with `isShort` `14:05`. */
export function timeOfDay(milliseconds: number, isShort = false): string {
	const precision = isShort ? ({ hour: "2-digit", minute: "2-digit" } as const) : {};
	return new Date(milliseconds).toLocaleTimeString(undefined, { ...clock, ...precision });
}

/** A date and a time of the day, to the minute. */
export function momentOf(milliseconds: number): string {
	return new Date(milliseconds).toLocaleString(undefined, { ...clock, dateStyle: "medium", timeStyle: "short" });
}
