import type { NodePicture } from "./view.ts";

/** An icon as the specification has servers state it. */
interface StatedIcon {
	readonly src: string;
	readonly theme?: string | undefined;
}

/** The most bytes of a picture in a row, and the most pixels of each side: a small file may unfold into a huge picture. */
const sizeLimit = 16 * 1024;
const pixelLimit = 512;

/** How many of a server's icons are looked into. */
const countLimit = 8;

/**
 * The first icons of a server, for light and dark themes, that can be shown without asking anybody for anything: small
 * PNG, JPEG, WebP or GIF pictures as `data:` URIs, by what the data is and not by what it is called. Nothing is ever
 * fetched, and SVG, which may hold scripts and links, is none of them (security.md UI-10). Undefined when there is none.
 */
export function safePicture(icons: readonly StatedIcon[] | undefined): NodePicture | undefined {
	const found = new Map<string, string>();
	for (const { src, theme = "any" } of icons?.slice(0, countLimit) ?? []) {
		const picture = found.has(theme) ? undefined : safeDataUri(src);
		if (picture !== undefined) found.set(theme, picture);
	}
	const light = found.get("light") ?? found.get("any") ?? found.get("dark");
	const dark = found.get("dark") ?? found.get("any") ?? light;
	return light === undefined || dark === undefined ? undefined : { light, dark };
}

/** The picture that a `data:` URI holds, written anew from its bytes; undefined for anything else. */
function safeDataUri(src: string): string | undefined {
	// Base64 is a third longer than what it stands for.
	if (src.length > 2 * sizeLimit) return undefined;
	const encoded = /^data:[^,]{0,100};base64,([A-Za-z0-9+/]+={0,2})$/i.exec(src)?.[1];
	if (encoded === undefined) return undefined;
	const bytes = Buffer.from(encoded, "base64");
	if (bytes.length > sizeLimit) return undefined;
	const picture = pngOf(bytes) ?? gifOf(bytes) ?? webpOf(bytes) ?? jpegOf(bytes);
	if (picture === undefined) return undefined;
	const { type, width, height } = picture;
	const fits = (side: number): boolean => side > 0 && side <= pixelLimit;
	return fits(width) && fits(height) ? `data:image/${type};base64,${bytes.toString("base64")}` : undefined;
}

interface Picture {
	readonly type: "png" | "gif" | "webp" | "jpeg";
	readonly width: number;
	readonly height: number;
}

/** Each of these reads the dimensions where the format has them, after the mark by which it is known. */
function pngOf(bytes: Buffer): Picture | undefined {
	if (bytes.length < 24 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
	return { type: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifOf(bytes: Buffer): Picture | undefined {
	if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
	return { type: "gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpOf(bytes: Buffer): Picture | undefined {
	if (bytes.length < 30 || !/^RIFF....WEBP$/s.test(bytes.toString("latin1", 0, 12))) return undefined;
	const type = "webp";
	switch (bytes.toString("latin1", 12, 16)) {
		case "VP8 ":
			return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
		case "VP8L": {
			const packed = bytes.readUInt32LE(21);
			return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
		}
		case "VP8X":
			return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
		default:
			return undefined;
	}
}

function jpegOf(bytes: Buffer): Picture | undefined {
	if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
	// Segments of a marker and a length, up to the one that describes the frame.
	for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
		const marker = bytes.readUInt8(at + 1);
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { type: "jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
		at += 2 + bytes.readUInt16BE(at + 2);
	}
	return undefined;
}
