import { isJsonObject } from "./json.ts";

/** Checks whether a value of unknown origin has the expected type. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
export const isFlag: Check = (value) => typeof value === "boolean";

/** Longest name or id that is believed in a stored value, in characters. */
const longestName = 2000;
export const isName: Check = (value) => typeof value === "string" && value !== "" && value.length <= longestName;
/** A time in milliseconds since the epoch. */
export const isTime: Check = (value) => typeof value === "number" && Number.isFinite(value) && value > 0;

/** Checks for a list with only such items. */
export function listOf(item: Check): Check {
	return (value) => Array.isArray(value) && value.every(item);
}

/** Checks for an object with members that it must have, and others that it may have. Further ones are left alone. */
export function shape(needed: Readonly<Record<string, Check>>, possible: Readonly<Record<string, Check>> = {}): Check {
	return (value) =>
		isJsonObject(value) &&
		Object.entries(needed).every(([name, check]) => check(value[name])) &&
		Object.entries(possible).every(([name, check]) => value[name] === undefined || check(value[name]));
}
