/**
 * The text of a file that users and programs write: UTF-8, or UTF-16 with its mark, which PowerShell and old editors of
 * Windows write. The mark itself is left out.
 */
export function textOfBytes(bytes: Uint8Array): string {
	const [first, second] = bytes;
	const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
	return new TextDecoder(isWide ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}
