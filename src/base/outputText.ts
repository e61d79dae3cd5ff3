import { codePage, textOrLines } from "./codePage.ts";

/** Most bytes of a character of UTF-8 of which the last one is missing. */
const mostOfCharacter = 3;

/**
 * Reads the output of a program piece by piece: UTF-8, and on Windows lines in the code page of the system, in which many
 * programs write their messages. A character may be cut between two pieces.
 */
export class OutputText {
	private readonly page: string | undefined;
	private rest: Uint8Array = new Uint8Array();

	constructor(page: string | undefined = codePage()) {
		this.page = page;
	}

	/** The text of the next piece, without a character that is not whole yet. */
	read(piece: Uint8Array): string {
		const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
		const end = bytes.length - unfinished(bytes);
		this.rest = Uint8Array.from(bytes.subarray(end));
		return textOrLines(bytes.subarray(0, end), this.page);
	}
}

/** How many bytes at the end begin a character of UTF-8 that is not whole. */
function unfinished(bytes: Uint8Array): number {
	for (let count = 1; count <= Math.min(mostOfCharacter, bytes.length); count++) {
		const byte = bytes[bytes.length - count] ?? 0;
		const length = byte >= 0xf5 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		if (length > 1) return length > count ? count : 0;
		if (byte < 0x80) return 0;
	}
	return 0;
}
