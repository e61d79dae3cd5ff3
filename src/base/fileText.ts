import { codePage, textOrLines } from "./codePage.ts";

/**
 * The text of a file that users and programs write: UTF-8, or UTF-16 with its mark, which PowerShell and old editors of
 * Windows write, where lines may also be in the code page `page`. The mark itself is left out.
 */
export function textOfBytes(bytes: Uint8Array, page: string | undefined = codePage()): string {
	const [first, second] = bytes;
	const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
	if (!isWide) return textOrLines(bytes, page);
	return new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
}
