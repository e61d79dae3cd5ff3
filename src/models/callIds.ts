import { sha256 } from "../base/hash.ts";

/**
 * The id of a tool call for a model: an id that every provider accepts stays (OpenAI accepts 40 characters, Anthropic
 * letters, digits, `_` and `-`), any other becomes a hash of itself, so that a result still matches its call.
 */
export function toModelCallId(id: string): string {
	return /^[a-zA-Z0-9_-]{1,40}$/.test(id) ? id : `call_${sha256(id).slice(0, 32)}`;
}

/** The same for Mistral, which accepts nine letters and digits and refuses the request for any other id. */
export function toShortCallId(id: string): string {
	return /^[a-zA-Z0-9]{9}$/.test(id) ? id : sha256(id).slice(0, 9);
}

/** A new id, which every provider takes that takes any. */
export function newCallId(): string {
	return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}
