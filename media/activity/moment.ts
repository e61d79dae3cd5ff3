import { timeOfDay } from "../../src/base/shownTime.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** When something was, as one reads it in a list: `09:41`, `Yesterday 09:41`, `Mon 09:41`, `Nov 16, 09:41`. */
export function moment(milliseconds: number, now = Date.now()): string {
	const time = timeOfDay(milliseconds, true);
	const day = dayOf(milliseconds, now);
	return day === "" ? time : `${day} ${time}`;
}

/** The same to the second: for what followed within one. */
export function exactMoment(milliseconds: number, now = Date.now()): string {
	const time = timeOfDay(milliseconds);
	const day = dayOf(milliseconds, now);
	return day === "" ? time : `${day} ${time}`;
}

/** All of it, with the year, for who asks. */
export function wholeMoment(milliseconds: number): string {
	return new Date(milliseconds).toLocaleString([], { hourCycle: "h23", dateStyle: "full", timeStyle: "medium" });
}

/** The day of the user's calendar; empty for today. */
function dayOf(milliseconds: number, now: number): string {
	const date = new Date(milliseconds);
	const ago = Math.round((startOfDay(now) - startOfDay(milliseconds)) / dayMs);
	if (ago === 0) return "";
	if (ago === 1) return "Yesterday";
	if (ago > 1 && ago < 7) return date.toLocaleDateString([], { weekday: "short" });
	const isThisYear = date.getFullYear() === new Date(now).getFullYear();
	const day = { month: "short", day: "numeric" } as const;
	return `${date.toLocaleDateString([], isThisYear ? day : { ...day, year: "numeric" })},`;
}

/** A day may have 23 or 25 hours: the difference of two is rounded to whole ones. */
function startOfDay(milliseconds: number): number {
	return new Date(milliseconds).setHours(0, 0, 0, 0);
}
