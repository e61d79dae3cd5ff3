import type { ImageType } from "./media.ts";

/** Width and height in pixels. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** How much of an image is looked at, in base64 characters: a JPEG may hold a good deal before it tells its size. */
const headLimit = 600_000;

/**
 * The size that an image claims, without decoding it: a few bytes may claim more pixels than a window can hold (security.md
 * RES-06). Undefined where it tells none.
 */
export function imageSize(type: ImageType, data: string): ImageSize | undefined {
	const bytes = Buffer.from(data.slice(0, headLimit), "base64");
	switch (type) {
		case "image/png":
			return bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
		case "image/gif":
			return bytes.length < 10 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
		case "image/webp":
			return bytes.length < 30 ? undefined : webpSize(bytes);
		case "image/jpeg":
			return jpegSize(bytes);
	}
}

/** Its three kinds (RFC 9649, section 2): extended, lossless and lossy. */
function webpSize(bytes: Buffer): ImageSize | undefined {
	const kind = bytes.toString("latin1", 12, 16);
	if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
	if (kind === "VP8L") {
		const bits = bytes.readUInt32LE(21);
		return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
	}
	if (kind !== "VP8 ") return undefined;
	return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** Passes over the segments to the frame header (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
	for (let offset = 2; offset + 9 <= bytes.length && bytes[offset] === 0xff;) {
		const marker = bytes.readUInt8(offset + 1);
		if (marker === 0xff) {
			offset++;
			continue;
		}
		const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
		if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) };
		offset += 2 + bytes.readUInt16BE(offset + 2);
	}
	return undefined;
}
