import { isWhole } from "../guards.ts";
import { isJsonObject, parseJson } from "../json.ts";

/** One line of a journal: a key got a value, or its value was removed. */
export interface Line {
	readonly key: string;
	/** When, on the clock that the windows share: thousandths of milliseconds since the epoch, never the same twice in a window. */
	readonly at: number;
	/**
	 * The latest removal of the key that its writer knew of; 0 for none. A removal that the writer of a value did not know of
	 * is stronger.
	 */
	readonly knew: number;
	/** Undefined for a removal. Any value of the file: the reader checks its type. */
	readonly value: unknown;
	/** The line itself without its end, kept unchanged by every window and version that rewrites it. */
	readonly text: string;
}

/** The version of the form of lines. A later version must still write removals in this form, so that they count everywhere. */
const version = 1;

/** Fifty years, in milliseconds: no usable clock is further ahead or behind. */
const believedAheadMs = 50 * 365 * 24 * 60 * 60 * 1000;
/** No line is older than the form of lines; a clock that says so was reset, and must not make damage of all lines. */
const earliestNow = Date.UTC(2026, 0, 1);

/**
 * The latest time of a line that is accepted at `now`, in milliseconds since the epoch. After a later line, a writer
 * would have no time left that others accept.
 */
export function latestMoment(now: number): number {
	return (Math.max(Math.floor(now), earliestNow) + believedAheadMs) * 1000;
}

/** Writes a line; without a value it is a removal. */
export function writeLine(key: string, at: number, knew: number, value: unknown): Line {
	const text = JSON.stringify({ v: version, at, ...(knew === 0 ? {} : { knew }), key, value });
	return { key, at, knew, value, text };
}

/**
 * Reads a line. A `foreign` line is from another version of the extension; it is kept and otherwise ignored. A
 * `damaged` line was written by no version: it includes a time later than `latest`, and a writer that knew of later
 * lines, because such a line would outrank all that follow (SEC-11).
 */
export function readLine(text: string, latest: number): Line | "foreign" | "damaged" {
	const read = parseJson(text);
	if (!isJsonObject(read) || !Number.isSafeInteger(read["v"])) return "damaged";
	const { v, key, at, knew = 0, value } = read as Readonly<Record<string, unknown>>;
	if (v !== version) return "foreign";
	return typeof key === "string" && isMoment(at, latest) && (knew === 0 || isMoment(knew, at - 1))
		? { key, at, knew, value, text }
		: "damaged";
}

function isMoment(value: unknown, latest: number): value is number {
	return isWhole(value, 1) && value <= latest;
}

/**
 * Whether a line outranks another one of its key: the one whose writer knew of the later removal, then the later one. A
 * tie, which only damage causes, has the same result in every window.
 */
export function outranks(one: Line, other: Line): boolean {
	if (one.knew !== other.knew) return one.knew > other.knew;
	if (one.at !== other.at) return one.at > other.at;
	return one.text < other.text;
}

/** A key made of parts. */
export function makeKey(...parts: readonly string[]): string {
	return JSON.stringify(parts);
}

/** The parts of a key; none for one that was not made of parts. */
export function readKey(key: string): readonly (string | undefined)[] {
	const parts = parseJson(key);
	return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
}
