import { cap } from "./text.ts";

/** The same text on its own: a piece of a text keeps the whole of it in memory. */
export function ownText(text: string): string {
	return Buffer.from(text, "utf16le").toString("utf16le");
}

/** At most `limit` characters of a text that is kept, with the number of those left out. */
export function ownCap(text: string, limit: number): string {
	return text.length <= limit ? text : ownText(cap(text, limit));
}
