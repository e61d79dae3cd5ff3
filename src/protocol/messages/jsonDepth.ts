const quote = 0x22;
const backslash = 0x5c;

/** How far into a string its bytes are looked at one by one, before the native search takes over: it pays for long ones. */
const nearby = 64;

/**
 * Watches how deep a JSON text nests, piece by piece, in linear time and without parsing it: trees, previews and
 * validators recurse over what servers send (TRN-08).
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
		const { length } = bytes;
		let { depth } = this;
		let at = this.isInString ? this.skipString(bytes, 0) : 0;
		while (at < length) {
			const byte = bytes[at++];
			if (byte === quote) {
				this.isInString = true;
				at = this.skipString(bytes, at);
			} else if (byte === 0x5b || byte === 0x7b) {
				// `[` and `{`, then `]` and `}`.
				if (++depth > this.max) return false;
			} else if (byte === 0x5d || byte === 0x7d) depth--;
		}
		this.depth = depth;
		return true;
	}

	/** Begins with another text. */
	reset(): void {
		this.depth = 0;
		this.isInString = false;
		this.isEscaped = false;
	}

	/** Where the string goes on to that the position is in: behind its end, or to the end of the bytes. */
	private skipString(bytes: Uint8Array, from: number): number {
		let at = from;
		if (this.isEscaped && at < bytes.length) {
			this.isEscaped = false;
			at++;
		}
		for (const near = Math.min(bytes.length, at + nearby); at < near; at++) {
			const byte = bytes[at];
			if (byte === quote) {
				this.isInString = false;
				return at + 1;
			}
			// The following byte belongs to it.
			if (byte === backslash) at++;
		}
		while (at < bytes.length) {
			const found = bytes.indexOf(quote, at);
			const end = found === -1 ? bytes.length : found;
			// Of the backslashes directly before it, each second one is escaped.
			let backslashes = 0;
			while (end - backslashes > at && bytes[end - backslashes - 1] === backslash) backslashes++;
			const isEscaped = backslashes % 2 === 1;
			if (found === -1) {
				this.isEscaped = isEscaped;
				return end;
			}
			at = end + 1;
			if (isEscaped) continue;
			this.isInString = false;
			return at;
		}
		// The byte that belongs to a backslash has not arrived.
		this.isEscaped = at > bytes.length;
		return bytes.length;
	}
}

/** Whether a JSON text nests deeper than `max` arrays and objects. */
export function isTooDeep(text: string | Uint8Array, max: number): boolean {
	// Too short to nest that deep, as most messages are.
	if (text.length <= max) return false;
	return !new JsonDepth(max).accept(typeof text === "string" ? Buffer.from(text) : text);
}
