import type { JsonPath } from "../../base/configText.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CallProblem } from "./namedCall.ts";

/** Reports a problem at a path of keys. */
export type Report = (path: JsonPath, message: string, severity?: CallProblem["severity"]) => void;

/** Reports unknown members of an object: their intended effect would be missing silently. */
export function reportUnknown(value: JsonObject, known: readonly string[], path: JsonPath, report: Report): void {
	for (const key of Object.keys(value)) {
		if (known.includes(key)) continue;
		report([...path, key], `"${oneLine(key, 40)}" is not a known key. Known keys: ${known.join(", ")}.`);
	}
}

/** A member of an object; an inherited one is absent (CFG-19). */
export function member(object: JsonObject, key: string): Json | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}
