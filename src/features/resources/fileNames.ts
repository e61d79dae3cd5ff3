import { decoded } from "../../base/words.ts";
import { canUnpack } from "../../base/imageSize.ts";
import { looksLikeText, typeOfBytes } from "../../base/media.ts";
import { extensionOf, isViewedType, preferredExtension, viewedTypesOf, withExtension } from "./mediaTypes.ts";

/**
 * Names for which editors do more than show a text: notebooks render HTML and run scripts of it, a workspace file offers
 * to be opened as a workspace, profiles have viewers of their own.
 */
const actingExtensions: ReadonlySet<string> = new Set([
	"ipynb",
	"code-workspace",
	"cpuprofile",
	"heapprofile",
	"heapsnapshot",
]);

/**
 * The file name for contents. It decides the viewer, so it follows the bytes if the server's type, or the name itself,
 * is wrong. An image is shown as one only if it has a known type and a size that can be decoded; everything else is a
 * text, or bytes (RES-05, RES-06). HTML is always shown as text.
 */
export function shownName(name: string, mimeType: string | undefined, bytes: Uint8Array): string {
	const actual = typeOfBytes(bytes);
	const stated = withExtension(name, mimeType);
	const extension = extensionOf(stated);
	if (extension !== undefined && actingExtensions.has(extension)) return `${stated}.json`;
	const as = (wanted: string): string => (extension === wanted ? stated : `${stated}.${wanted}`);
	const viewed = extension === undefined ? [] : viewedTypesOf(extension);
	const canBeShown = actual !== undefined && isViewedType(actual) && !isUnshowable(bytes);
	if (canBeShown) return viewed.includes(actual) ? stated : as(preferredExtension(actual) ?? "bin");
	if (actual !== undefined) {
		// Archives or printed documents: VS Code has no viewer, and says so itself unless the name promises another type.
		return isViewedType(actual) || viewed.length > 0 ? as("bin") : stated;
	}
	if (viewed.length === 0) return stated;
	return as(looksLikeText(bytes) ? "txt" : "bin");
}

/**
 * The actual type of contents that a server declares as an image, sound or video, to follow "is"; undefined if the
 * declaration is correct, or for another type.
 */
export function whatInstead(mimeType: string | undefined, bytes: Uint8Array): string | undefined {
	const stated = preferredExtension(mimeType ?? "");
	if (stated === undefined || viewedTypesOf(stated).length === 0) return undefined;
	if (isUnshowable(bytes)) return "an image too large to be shown";
	const actual = typeOfBytes(bytes);
	if (actual !== undefined) return viewedTypesOf(stated).includes(actual) ? undefined : actual;
	return looksLikeText(bytes) ? "text" : "binary data of another type";
}

/** Whether contents are an image that its viewer can show. */
export function isShowableImage(bytes: Uint8Array): boolean {
	return typeOfBytes(bytes)?.startsWith("image/") === true && !isUnshowable(bytes);
}

/** Whether contents are an image that no viewer should decode. */
export function isUnshowable(bytes: Uint8Array): boolean {
	const actual = typeOfBytes(bytes);
	return actual !== undefined && isViewedType(actual) && !canUnpack(actual, bytes);
}

/** Whether a name would make an editor misinterpret the contents; see `shownName`. */
export function isMisnamed(name: string, bytes: Uint8Array): boolean {
	return shownName(name, undefined, bytes) !== name;
}

/** How many bytes of UTF-8 a suggested name may have; file systems take 255. */
const nameLimit = 150;

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A suggested file name for these contents: the last segment of the URI's path, made valid on every system and without
 * a path (specification, "Resources", security; RES-02). The user picks the place.
 */
export function saveName(uri: string, mimeType: string | undefined, bytes: Uint8Array): string {
	const [path = ""] = uri.split(/[?#]/, 1);
	// A scheme or a drive is not part of the name, and neither is an encoded separator.
	const last = decoded(path)
		.split(/[/\\:]/)
		.findLast((piece) => cleaned(piece) !== "");
	const name = shownName(cleaned(last ?? "") || "resource", mimeType, bytes);
	const short = shortened(name);
	// A name that begins with a dot is hidden, and programs read many such files as their own settings.
	return deviceName.test(short) || short.startsWith(".") ? `_${short}` : short;
}

/** Without characters that a system forbids or drops in names, and without invisible ones. */
function cleaned(piece: string): string {
	return piece
		.toWellFormed()
		.replace(/[<>:"/\\|?*\uFFFD]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
		.replace(/\s+/g, " ")
		.replace(/^ +/, "")
		.replace(/(?<![. ])[. ]+$/, "");
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
	return stem.replace(/(?<![. ])[. ]+$/, "") + extension;
}
