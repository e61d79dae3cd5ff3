import { signedType } from "../resources/signatures.ts";

/** The kinds of image that are shown and sent: raster formats that every model and the editor can read. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The kinds of recording that a panel can play. */
export type AudioType = "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac" | "audio/mp4" | "audio/webm";

const imageTypes = new Set<string>(["image/png", "image/jpeg", "image/gif", "image/webp"] satisfies ImageType[]);

/** By what signatures are called. The containers of films hold recordings as well. */
const audioTypes: ReadonlyMap<string, AudioType> = new Map([
	["audio/wav", "audio/wav"],
	["audio/mpeg", "audio/mpeg"],
	["audio/ogg", "audio/ogg"],
	["audio/flac", "audio/flac"],
	["video/mp4", "audio/mp4"],
	["video/webm", "audio/webm"],
]);

/** How much of the data is looked at, in characters of base64. */
const headLength = 64;

/** The kind of an image by its first bytes, whatever the server calls it (security.md RES-05). `data` is base64. */
export function sniffImage(data: string): ImageType | undefined {
	return imageTypeOf(headOf(data));
}

/** The kind of an image by its first bytes; undefined for others and for what is no image. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
	const type = signedType(bytes);
	return type !== undefined && imageTypes.has(type) ? (type as ImageType) : undefined;
}

/** The kind of a recording by its first bytes. `data` is base64. */
export function sniffAudio(data: string): AudioType | undefined {
	return audioTypes.get(signedType(headOf(data)) ?? "");
}

function headOf(data: string): Uint8Array {
	return Buffer.from(data.slice(0, headLength), "base64");
}
