/** The same text on its own: a piece of a text keeps the whole of it in memory. */
export function ownText(text: string): string {
	return Buffer.from(text, "utf16le").toString("utf16le");
}
