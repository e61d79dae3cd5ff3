import { oneOf } from "./guards.ts";

/** The types of image that are shown and sent: raster formats that every model and VS Code can read. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The kinds of recording that a panel can play. */
export type AudioType = "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac" | "audio/mp4" | "audio/webm";

const imageTypes = new Set<ImageType>(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Types by their signatures. The containers of films hold recordings as well. */
const audioTypes: ReadonlyMap<string, AudioType> = new Map([
	["audio/wav", "audio/wav"],
	["audio/mpeg", "audio/mpeg"],
	["audio/ogg", "audio/ogg"],
	["audio/flac", "audio/flac"],
	["video/mp4", "audio/mp4"],
	["video/webm", "audio/webm"],
]);

/** How much of the data is examined, in characters of base64. */
const headLength = 64;

/**
 * The type of an image by its first bytes, regardless of the type that the server declares (RES-05). `data` is base64.
 */
export function sniffImage(data: string): ImageType | undefined {
	return imageTypeOf(headOf(data));
}

/** The type of an image by its first bytes; undefined for other data. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
	return oneOf(imageTypes, signedType(bytes));
}

/** The kind of a recording by its first bytes. `data` is base64. */
export function sniffAudio(data: string): AudioType | undefined {
	return audioTypes.get(signedType(headOf(data)) ?? "");
}

function headOf(data: string): Uint8Array {
	return Buffer.from(data.slice(0, headLength), "base64");
}

/** A kind of file that is known by the bytes it begins with. */
interface Signature {
	readonly mimeType: string;
	/** Bytes in hexadecimal, each two digits, where `..` is any; at `offset`, the beginning by default. */
	readonly bytes: string;
	readonly offset?: number;
}

const signatures: readonly Signature[] = [
	{ mimeType: "image/png", bytes: "89504e470d0a1a0a" },
	{ mimeType: "image/jpeg", bytes: "ffd8ff" },
	{ mimeType: "image/gif", bytes: "474946383761" },
	{ mimeType: "image/gif", bytes: "474946383961" },
	{ mimeType: "image/webp", bytes: "52494646........57454250" },
	{ mimeType: "image/bmp", bytes: "424d" },
	{ mimeType: "image/x-icon", bytes: "00000100" },
	{ mimeType: "image/avif", bytes: "6674797061766966", offset: 4 },
	{ mimeType: "image/avif", bytes: "6674797061766973", offset: 4 },
	{ mimeType: "audio/wav", bytes: "52494646........57415645" },
	{ mimeType: "audio/ogg", bytes: "4f676753" },
	{ mimeType: "audio/flac", bytes: "664c6143" },
	{ mimeType: "audio/mpeg", bytes: "494433" },
	{ mimeType: "audio/mpeg", bytes: "fffb" },
	{ mimeType: "audio/mpeg", bytes: "fffa" },
	{ mimeType: "audio/mpeg", bytes: "fff3" },
	{ mimeType: "audio/mpeg", bytes: "fff2" },
	{ mimeType: "video/webm", bytes: "1a45dfa3" },
	{ mimeType: "video/mp4", bytes: "66747970", offset: 4 },
	{ mimeType: "application/pdf", bytes: "255044462d" },
	{ mimeType: "application/zip", bytes: "504b0304" },
	{ mimeType: "application/zip", bytes: "504b0506" },
	{ mimeType: "application/gzip", bytes: "1f8b08" },
];

/** The beginning of an SVG document: a declaration, comments and a document type may precede its element. */
const svgBeginning =
	/^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i;

/** How much of the contents is examined to distinguish text from binary data. */
const sampleSize = 64 * 1024;

/**
 * The type of contents by their first bytes, among those for which VS Code has its own viewer; the server's declaration
 * proves nothing (RES-05). Undefined for all others, including texts except SVG.
 */
export function typeOfBytes(bytes: Uint8Array): string | undefined {
	// The beginning of a text is not a signature: `GIF89a` and `ID3` are words as well.
	if (looksLikeText(bytes)) {
		return svgBeginning.test(Buffer.from(bytes.subarray(0, 4096)).toString()) ? "image/svg+xml" : undefined;
	}
	return signedType(bytes);
}

/** As `typeOfBytes`, for bytes that are certainly not text: fewer first bytes are enough. */
function signedType(bytes: Uint8Array): string | undefined {
	const found = signatures.find((signature) => begins(bytes, signature));
	// Two letters are not enough to recognize an image: a bitmap also contains its own size.
	if (found?.mimeType === "image/bmp" && !isBitmap(bytes)) return undefined;
	return found?.mimeType;
}

/** Whether the first bytes are text in UTF-8. */
export function looksLikeText(bytes: Uint8Array): boolean {
	const sample = bytes.subarray(0, sampleSize);
	if (sample.includes(0)) return false;
	try {
		// As a stream: the sample may end within a character.
		new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: bytes.length > sampleSize });
		return true;
	} catch {
		return false;
	}
}

function begins(data: Uint8Array, { bytes, offset = 0 }: Signature): boolean {
	const beginning = Buffer.from(data.subarray(offset, offset + bytes.length / 2)).toString("hex");
	return new RegExp(`^${bytes}$`).test(beginning);
}

function isBitmap(bytes: Uint8Array): boolean {
	if (bytes.length < 26) return false;
	const data = Buffer.from(bytes.subarray(0, 18));
	const headerSize = data.readUInt32LE(14);
	return data.readUInt32LE(6) === 0 && headerSize >= 12 && headerSize <= 124;
}
