import { sha256 } from "../../base/hash.ts";
import { isJsonObject } from "../../base/json.ts";

/** A text in its stored form: the text itself, or, if it is too long, a hash that distinguishes it from every other. */
export type KeptText = string | { readonly hash: string; readonly length: number };

/** Longer ones are kept by their hash. */
const longestKept = 20_000;

/** The stored form of a text. */
export function keep(text: string, longest = longestKept): KeptText {
	return text.length <= longest ? text : { hash: sha256(text), length: text.length };
}

/** Whether it is this very text that is kept. */
export function isKeptAs(kept: KeptText, text: string): boolean {
	if (typeof kept === "string") return kept === text;
	return kept.length === text.length && kept.hash === sha256(text);
}

/** The text, or our remark in its place. */
export function readKept(kept: KeptText): string {
	if (typeof kept === "string") return kept;
	return `(${kept.length.toLocaleString("en-US")} characters, too many to keep; SHA-256 ${kept.hash})`;
}

/** How much room a kept text takes, in characters. */
export function sizeOfKept(kept: KeptText): number {
	return typeof kept === "string" ? kept.length : kept.hash.length;
}

/** Whether a stored value is a kept text. */
export function isKeptText(value: unknown): value is KeptText {
	if (typeof value === "string") return true;
	return isJsonObject(value) && typeof value["hash"] === "string" && typeof value["length"] === "number";
}
