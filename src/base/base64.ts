/** The part of a `data:` URI before its base64 (RFC 2397). */
const dataPrefix = /^\s*data:[^,]{0,200};base64,/i;

/**
 * A base64 text in the form that every reader accepts: the standard alphabet, padded (RFC 4648, section 4). Accepts
 * every usual spelling: URL-safe, unpadded, with white space, as a `data:` URI. Undefined for text that is not base64.
 */
export function ordinaryBase64(text: string): string | undefined {
	const prefix = dataPrefix.exec(text.slice(0, 300))?.[0];
	const body = prefix === undefined ? text : percentDecoded(text.slice(prefix.length));
	// Searches for invalid characters: matching all of a long text would exhaust the stack of the expression.
	const compact = /\s/.test(body) ? body.replace(/\s+/g, "") : body;
	const bare = compact.replace(/={1,2}$/, "");
	if (/[^A-Za-z0-9+/_-]/.test(bare) || bare.length % 4 === 1) return undefined;
	if (bare.length % 4 === 0 && !/[-_]/.test(bare)) return bare;
	// Not by replacing: millions of single matches take seconds. Bits beyond the last byte mean nothing, but strict readers
	// refuse them; the encoder leaves them out.
	return Buffer.from(bare, "base64").toString("base64");
}

/** The bytes of a base64 text in any usual spelling; undefined for other text. */
export function decodeBase64(text: string): Buffer | undefined {
	const ordinary = ordinaryBase64(text);
	return ordinary === undefined ? undefined : Buffer.from(ordinary, "base64");
}

/** How many bytes a text in the form of {@link ordinaryBase64} encodes. */
export function bytesOfBase64(ordinary: string): number {
	const padding = ordinary.endsWith("==") ? 2 : ordinary.endsWith("=") ? 1 : 0;
	return (ordinary.length / 4) * 3 - padding;
}

/** Addresses write `+`, `/` and `=` with percent signs. */
function percentDecoded(text: string): string {
	if (!text.includes("%")) return text;
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
