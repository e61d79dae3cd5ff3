import { duration, readableSize } from "../../src/base/amounts.ts";
import type { TraceRow } from "../../src/surfaces/trace/viewProtocol.ts";

/** The span of time that the axis stands for, in milliseconds since the epoch. */
export interface Axis {
	readonly from: number;
	readonly to: number;
}

/** The axis of the rows in sight: from the first beginning to the last end. */
export function axisOf(rows: readonly TraceRow[], now: number): Axis {
	let from = Infinity;
	let to = -Infinity;
	for (const row of rows) {
		from = Math.min(from, row.at);
		to = Math.max(to, endOf(row, now));
	}
	return from <= to ? { from, to: Math.max(to, from + 1) } : { from: now, to: now + 1 };
}

/** When a row ended, or now while it waits. */
export function endOf({ at, milliseconds, standing }: TraceRow, now: number): number {
	if (milliseconds !== undefined) return at + milliseconds;
	return standing === "waiting" ? Math.max(at, now) : at;
}

/** How long a row took, the time of a person apart: `1.2 s + you 8.0 s`. */
export function tookWords({ at, milliseconds, personMs, standing }: TraceRow, now: number): string {
	if (standing === "waiting") return duration(Math.max(0, now - at));
	if (milliseconds === undefined) return "";
	const machine = duration(Math.max(0, milliseconds - personMs));
	return personMs < 1 ? machine : `${machine} + you ${duration(personMs)}`;
}

/** How a row ended; of one that waits, on whom and for how long: `waiting for you 12 s`. */
export function outcomeOf(row: TraceRow, now: number): string {
	if (row.standing !== "waiting") return row.outcome;
	const seconds = Math.max(0, Math.floor((now - row.at) / 1000));
	const passed = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
	return `${row.outcome} ${passed}`;
}

/** A time of the day with its milliseconds. */
export function clock(milliseconds: number): string {
	const date = new Date(milliseconds);
	const part = (number: number, digits: number): string => String(number).padStart(digits, "0");
	const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((number) => part(number, 2)).join(":");
	return `${time}.${part(date.getMilliseconds(), 3)}`;
}

/** The span of an axis in words. */
export function axisWords({ from, to }: Axis): string {
	return `${clock(from)} + ${duration(to - from)}`;
}

/** Bytes in a few characters; empty for none. */
export function bytesWords(bytes: number): string {
	return bytes === 0 ? "" : readableSize(bytes).replace(" bytes", " B").replace(" byte", " B");
}
