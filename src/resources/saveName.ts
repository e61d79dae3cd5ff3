import { shownName } from "./shownName.ts";

/** How many bytes of UTF-8 a suggested name may have; file systems take 255. */
const nameLimit = 150;

/** Names that Windows keeps for devices, whatever extension they have. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A name to suggest for a file with these contents: the last piece of the URI's path, made one that every system takes and
 * that leads nowhere else (specification, "Resources", security; security.md RES-02). The person picks the place.
 */
export function saveName(uri: string, mimeType: string | undefined, bytes: Uint8Array): string {
	const [path = ""] = uri.split(/[?#]/, 1);
	// A scheme or a drive is no part of the name, and neither is an encoded separator.
	const last = decoded(path)
		.split(/[/\\:]/)
		.findLast((piece) => cleaned(piece) !== "");
	const name = shownName(cleaned(last ?? "") || "resource", mimeType, bytes);
	const short = shortened(name);
	return deviceName.test(short) ? `_${short}` : short;
}

/** Without what a system forbids or drops in names, and without what nobody could see. */
function cleaned(piece: string): string {
	return piece
		.toWellFormed()
		.replace(/[<>:"/\\|?*\uFFFD]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
		.replace(/\s+/g, " ")
		.replace(/^ +|[. ]+$/g, "");
}

/** At most `nameLimit` bytes, with the extension kept. */
function shortened(name: string): string {
	if (Buffer.byteLength(name) <= nameLimit) return name;
	const extension = /\.[A-Za-z0-9-]{1,20}$/.exec(name)?.[0] ?? "";
	let stem = "";
	for (const character of name.slice(0, name.length - extension.length)) {
		if (Buffer.byteLength(stem + character) > nameLimit - extension.length) break;
		stem += character;
	}
	return stem.replace(/[. ]+$/, "") + extension;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
