import { bytesOfBase64, decodeBase64 } from "../../../base/base64.ts";
import { canUnpack, imageSize } from "../../../base/imageSize.ts";
import { oneLine } from "../../../base/text.ts";
import { sniffAudio, sniffImage } from "../../../base/media.ts";
import { readableSize } from "../../../base/amounts.ts";
import { contentOf, type ResultPart, toResultPart } from "./result.ts";
import type { RawToolResult } from "../../../permissions/catalog/catalog.ts";
import type { ResultBlock } from "./resultProtocol.ts";

/** How many images and recordings one view holds, and how many characters of base64 of each and of all. */
export interface MediaRoom {
	count: number;
	characters: number;
}

/** The room of one view. */
export function mediaRoom(): MediaRoom {
	return { count: 24, characters: 24_000_000 };
}

/** The type of an image or a recording. */
export interface MediaFacts {
	/** The type in which it can be shown; absent if it cannot, with the reason in the label. */
	readonly kind?: "image" | "audio";
	/** By its bytes (RES-05). */
	readonly type?: string;
	readonly label: string;
}

/**
 * The type of an image or a recording by its bytes, not by the server's declaration, and whether it can be shown
 * (RES-06).
 */
export function mediaFacts({ data, uri, mimeType }: Extract<ResultPart, { kind: "media" }>): MediaFacts {
	const place = uri === undefined ? "" : ` · ${oneLine(uri, 300)}`;
	if (data === undefined)
		return { label: `${typeWords(mimeType, undefined)}${place}: not shown: its data is not valid base64` };
	const type = sniffImage(data) ?? sniffAudio(data);
	const size = readableSize(bytesOfBase64(data));
	const label = `${typeWords(mimeType, type)}, ${size}`;
	if (type === undefined) {
		return { label: `${label}${place}: not shown: its data is not a supported image or recording` };
	}
	if (type.startsWith("audio/")) return { kind: "audio", type, label: `${label}${place}` };
	const pixels = pixelsOf(type, data);
	if (pixels === undefined) return { type, label: `${label}${place}: not shown: it has too many pixels or no size` };
	return { kind: "image", type, label: `${label}, ${pixels}${place}` };
}

/** An image or a recording to show, otherwise the reason in words. Takes its size from `room`. */
export function mediaBlock(part: Extract<ResultPart, { kind: "media" }>, room: MediaRoom): ResultBlock {
	const { kind, type, label } = mediaFacts(part);
	const { data } = part;
	if (kind === undefined || type === undefined || data === undefined) return { kind: "media", label };
	if (data.length > room.characters || room.count <= 0) {
		return { kind: "media", label: `${label}: not shown: there is too much to show at once` };
	}
	room.count--;
	room.characters -= data.length;
	return { kind, label, source: `data:${type};base64,${data}` };
}

/** The bytes of a block to save, with their actual type, otherwise the type that the server declares. */
export function bytesOfBlock(
	raw: RawToolResult,
	index: number,
): { readonly bytes: Uint8Array; readonly mimeType: string | undefined; readonly uri: string | undefined } | undefined {
	const block = contentOf(raw).find((one) => one.index === index)?.block;
	if (block === undefined) return undefined;
	const part = toResultPart(block);
	if (part.kind === "media") {
		const { data, uri } = part;
		if (data === undefined) return undefined;
		return { bytes: Buffer.from(data, "base64"), mimeType: sniffImage(data) ?? sniffAudio(data) ?? part.mimeType, uri };
	}
	if (part.kind === "text") return { bytes: Buffer.from(part.text), mimeType: "text/plain", uri: undefined };
	if (part.kind !== "resource" || block.type !== "resource") return undefined;
	const { resource } = block;
	const bytes = "blob" in resource ? decodeBase64(resource.blob) : Buffer.from(resource.text);
	return bytes && { bytes, mimeType: part.mimeType, uri: part.uri };
}

/** The address that a block has, exactly as the server wrote it; undefined for blocks without one. */
export function uriOfBlock(raw: RawToolResult, index: number): string | undefined {
	const block = contentOf(raw).find((one) => one.index === index)?.block;
	const part = block === undefined ? undefined : toResultPart(block);
	return part !== undefined && "uri" in part ? part.uri : undefined;
}

function typeWords(stated: string, actual: string | undefined): string {
	const words = oneLine(stated, 60);
	return actual === undefined || actual === stated.toLowerCase() ? words : `${actual} (the server says ${words})`;
}

/** Width and height; undefined for an image that no viewer should decode. */
function pixelsOf(type: string, data: string): string | undefined {
	// The size is in the first bytes of every format but JPEG, where comments and previews may precede it.
	const bytes = Buffer.from(data.slice(0, 400_000), "base64");
	const size = canUnpack(type, bytes) ? imageSize(type, bytes) : undefined;
	return size === undefined ? undefined : `${size.width} × ${size.height}`;
}
