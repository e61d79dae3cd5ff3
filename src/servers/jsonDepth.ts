const quote = 0x22;
const backslash = 0x5c;

/** How many bytes of a string are looked at one by one before the native search, which only pays for long ones, takes over. */
const shortString = 32;

/**
 * Watches how deep a JSON text nests, piece by piece, in linear time and without parsing it: trees, previews and
 * validators recurse over what servers send (security.md TRN-08).
 */
export class JsonDepth {
	private readonly max: number;
	private depth = 0;
	private isInString = false;
	/** The next byte belongs to an escape sequence. */
	private isEscaped = false;

	/** `max`: the deepest nesting of arrays and objects that is still good. */
	constructor(max: number) {
		this.max = max;
	}

	/** Takes the next bytes of a text in UTF-8, cut anywhere. False once it nests too deep. */
	accept(bytes: Uint8Array): boolean {
		let at = 0;
		while (at < bytes.length) {
			if (this.isInString) {
				at = this.skipString(bytes, at);
				continue;
			}
			const byte = bytes[at++];
			if (byte === quote) this.isInString = true;
			// `[` and `{`, then `]` and `}`.
			else if (byte === 0x5b || byte === 0x7b) {
				if (++this.depth > this.max) return false;
			} else if (byte === 0x5d || byte === 0x7d) this.depth--;
		}
		return true;
	}

	/** Begins with another text. */
	reset(): void {
		this.depth = 0;
		this.isInString = false;
		this.isEscaped = false;
	}

	/** Where the string ends that the position is in, or the bytes do. */
	private skipString(bytes: Uint8Array, from: number): number {
		let at = from;
		for (const near = Math.min(bytes.length, from + shortString); at < near; at++) {
			if (this.isEscaped) this.isEscaped = false;
			else if (bytes[at] === backslash) this.isEscaped = true;
			else if (bytes[at] === quote) {
				this.isInString = false;
				return at + 1;
			}
		}
		if (at === bytes.length) return at;
		if (this.isEscaped) {
			this.isEscaped = false;
			at++;
		}
		const found = bytes.indexOf(quote, at);
		const end = found === -1 ? bytes.length : found;
		// Of the backslashes right before it, each second one stands for itself.
		let backslashes = 0;
		while (end - backslashes > at && bytes[end - backslashes - 1] === backslash) backslashes++;
		const isEscaped = backslashes % 2 === 1;
		if (found === -1) {
			this.isEscaped = isEscaped;
			return end;
		}
		this.isInString = isEscaped;
		return end + 1;
	}
}

/** Whether a JSON text nests deeper than `max` arrays and objects. */
export function isTooDeep(text: string | Uint8Array, max: number): boolean {
	// Too short to nest that deep, as most messages are.
	if (text.length <= max) return false;
	return !new JsonDepth(max).accept(typeof text === "string" ? Buffer.from(text) : text);
}
