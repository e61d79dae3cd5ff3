import { isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json.ts";
import { holdsKey, holdsSecret, looksSecret } from "../../base/secretText.ts";
import { cap } from "../../base/text.ts";
import type { Grant } from "./grant.ts";

/** How much of the arguments is kept to be shown, in characters. */
const shownLength = 300;
/** What is shown in place of a secret. */
const hidden = "\u2022\u2022\u2022";
/** By which rules secrets are left out of a preview: another number when they change, so that what is kept is gone through. */
export const previewRules = 1;

/** The beginning of the arguments, without what looks like a secret (SEC-03). */
export function preview(args: JsonObject): string {
	return cap(JSON.stringify(withoutSecrets(args, false, 0)), shownLength);
}

/** A grant whose preview was made by former rules, which left secrets in, with one by those of today; else undefined. */
export function renewedGrant(grant: Grant): Grant | undefined {
	const { covers } = grant;
	if (covers.kind !== "arguments" || covers.rules === previewRules) return undefined;
	return { ...grant, covers: { ...covers, shown: renewedPreview(covers.shown), rules: previewRules } };
}

/** Of what was cut off, the last word may be the beginning of a secret. What cannot be read is hidden whole. */
function renewedPreview(shown: string): string {
	const text = shown.replace(/… \([\d,]+ more characters\)$/, "");
	const value = text === shown ? parsed(shown) : readBeginning(text);
	if (value === undefined) return hidden;
	const json = JSON.stringify(withoutSecrets(value, false, 0));
	return text === shown ? cap(json, shownLength) : `${json.slice(0, shownLength)}…`;
}

/** What the beginning of a JSON text says; undefined where that cannot be told. */
function readBeginning(text: string): Json | undefined {
	let ends = "";
	/** Where the string begins that has not ended; -1 for none. */
	let open = -1;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		if (open >= 0) {
			if (character === "\\") at++;
			else if (character === '"') open = -1;
		} else if (character === '"') open = at;
		else if (character === "{") ends = `}${ends}`;
		else if (character === "[") ends = `]${ends}`;
		else if (character === "}" || character === "]") ends = ends.slice(1);
	}
	const body = open < 0 ? text : `${text.slice(0, Math.max(open, text.lastIndexOf(" ")) + 1)}${hidden}"`;
	let end = body.length;
	while (/[-+.\w]/.test(body.charAt(end - 1))) end--;
	const bare = body.slice(0, end);
	const endings = [body, `${bare}null`, `${body}:null`, bare.replace(/,$/, "")];
	return endings.map((ending) => parsed(ending + ends)).find((value) => value !== undefined);
}

function parsed(text: string): Json | undefined {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

/** A value without what looks like a secret in it; all of it where its name says that it is one. */
function withoutSecrets(value: Json | undefined, isSecret: boolean, depth: number): Json | undefined {
	// What is deeper than the preview is long is not shown anyway.
	if (depth > shownLength) return hidden;
	if (Array.isArray(value))
		return (value as readonly Json[]).map((item) => withoutSecrets(item, isSecret, depth + 1) ?? null);
	if (!isJsonObject(value)) return isSecret || (typeof value === "string" && isTelling(value)) ? hidden : value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			isTelling(name) ? hidden : name,
			withoutSecrets(inner, isSecret || looksSecret(name), depth + 1),
		]),
	);
}

/** Whether a secret stands where the preview may show it; also one that only begins there. */
function isTelling(text: string): boolean {
	const seen = text.slice(0, 2 * shownLength);
	return holdsSecret(seen) || holdsKey(seen);
}
