import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { cap } from "../../base/text.ts";

/** How much of the arguments is kept to be shown, in characters. */
const shownLength = 300;
/** What is shown in place of a secret. */
const hidden = "\u2022\u2022\u2022";
/** The beginning of the arguments, without what looks like a secret (SEC-03). */
export function preview(args: JsonObject): string {
	return cap(JSON.stringify(withoutSecrets(args, false, 0)), shownLength);
}

/** A value without what looks like a secret in it; all of it where its name says that it is one. */
function withoutSecrets(value: Json | undefined, isHidden: boolean, depth: number): Json | undefined {
	// What is deeper than the preview is long is not shown anyway.
	if (depth > shownLength) return hidden;
	if (Array.isArray(value))
		return (value as readonly Json[]).map((item) => withoutSecrets(item, isHidden, depth + 1) ?? null);
	if (!isJsonObject(value)) return isHidden || (typeof value === "string" && isTelling(value)) ? hidden : value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			isTelling(name) ? hidden : name,
			withoutSecrets(inner, isHidden || isSecret(name, undefined, "asked"), depth + 1),
		]),
	);
}

/** Whether a secret stands where the preview may show it; also one that only begins there. */
function isTelling(text: string): boolean {
	return isSecret("", text.slice(0, 2 * shownLength), "data");
}
