import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { canUnpack } from "../../../../src/base/imageSize.ts";
import {
	isMisnamed,
	isShowableImage,
	isUnshowable,
	shownName,
	whatInstead,
} from "../../../../src/features/resources/fileNames.ts";
import { looksLikeText, typeOfBytes } from "../../../../src/base/media.ts";

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(" ", ""), "hex");
const text = (value: string): Buffer => Buffer.from(value);

/** The header of a PNG of this size, and a little data. */
function png(width: number, height: number): Buffer {
	const header = hex("89504e470d0a1a0a 0000000d 49484452 00000000 00000000 08 06 000000 00000000");
	header.writeUInt32BE(width, 16);
	header.writeUInt32BE(height, 20);
	return Buffer.concat([header, deflateSync(Buffer.alloc(100))]);
}

function gif(width: number, height: number): Buffer {
	const data = Buffer.concat([text("GIF89a"), Buffer.alloc(20)]);
	data.writeUInt16LE(width, 6);
	data.writeUInt16LE(height, 8);
	return data;
}

/** A JPEG with an application segment and a fill byte before its frame. */
function jpeg(width: number, height: number): Buffer {
	const frame = hex("ffc2 000b 08 0000 0000 01 011100 0000");
	frame.writeUInt16BE(height, 5);
	frame.writeUInt16BE(width, 7);
	return Buffer.concat([hex("ffd8 ffe0 0006 4a464946 ff"), frame]);
}

function webp(kind: "VP8X" | "VP8L" | "VP8 ", width: number, height: number): Buffer {
	const data = Buffer.concat([text("RIFF"), Buffer.alloc(4), text(`WEBP${kind}`), Buffer.alloc(24)]);
	if (kind === "VP8X") {
		data.writeUIntLE(width - 1, 24, 3);
		data.writeUIntLE(height - 1, 27, 3);
	} else if (kind === "VP8L") data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
	else {
		data.writeUInt16LE(width, 26);
		data.writeUInt16LE(height, 28);
	}
	return data;
}

function bmp(width: number, height: number): Buffer {
	const data = Buffer.alloc(54);
	data.write("BM");
	data.writeUInt32LE(40, 14);
	data.writeInt32LE(width, 18);
	// The height of a bitmap that is written from the top is negative.
	data.writeInt32LE(-height, 22);
	return data;
}

const images = {
	"image/png": png(10, 10),
	"image/jpeg": jpeg(10, 10),
	"image/gif": gif(10, 10),
	"image/webp": webp("VP8X", 10, 10),
	"image/bmp": bmp(10, 10),
	"image/x-icon": hex("00000100 0100 1010 0000 0100 2000 0000"),
	"image/avif": Buffer.concat([hex("0000001c"), text("ftypavif"), Buffer.alloc(8)]),
};

describe("the type of bytes", () => {
	test.each(Object.entries(images))("is %s for one of those", (mimeType, bytes) => {
		expect(typeOfBytes(bytes)).toBe(mimeType);
		expect(isShowableImage(bytes)).toBe(true);
	});

	test.each([
		["audio/wav", Buffer.concat([text("RIFF"), Buffer.alloc(4), text("WAVE")])],
		["audio/mpeg", Buffer.concat([text("ID3"), Buffer.alloc(8)])],
		["audio/ogg", Buffer.concat([text("OggS"), Buffer.alloc(8)])],
		["video/mp4", Buffer.concat([hex("00000018"), text("ftypmp42")])],
		["video/webm", hex("1a45dfa3 00")],
		["application/pdf", Buffer.concat([text("%PDF-1.7\n"), hex("e2e3cfd3")])],
		["application/zip", hex("504b0304 1400 0000")],
		["application/gzip", hex("1f8b08 00 00")],
	])("is %s for one of those", (mimeType, bytes) => {
		expect(typeOfBytes(bytes)).toBe(mimeType);
		expect(isShowableImage(bytes)).toBe(false);
	});

	test("is SVG for such a document only", () => {
		for (const svg of [
			"<svg/>".replace("/", " /"),
			'\uFEFF<?xml version="1.0"?>\n<!-- a -->\n<svg>',
			'<!DOCTYPE svg PUBLIC "x" "y">\n<SVG xmlns="x">',
		]) {
			expect(typeOfBytes(text(svg))).toBe("image/svg+xml");
		}
		for (const other of ["<html><svg></svg></html>", "svg", "<svgx>", "<!-- <svg> -->"]) {
			expect(typeOfBytes(text(other))).toBeUndefined();
		}
	});

	test("is none for texts that begin like another type", () => {
		for (const value of ["GIF89a is a format", "ID3 tags", "BM", "%PDF-1.7", "", "plain", "\u00ff\u00d8"]) {
			expect(typeOfBytes(text(value))).toBeUndefined();
		}
		expect(typeOfBytes(hex("424d 00 01 02 03"))).toBeUndefined();
		expect(typeOfBytes(hex("00010203"))).toBeUndefined();
	});

	test("a text is distinguished from bytes, even if a character is cut", () => {
		expect(looksLikeText(text("größe"))).toBe(true);
		expect(looksLikeText(Buffer.concat([Buffer.alloc(64 * 1024 - 1, "a"), text("é")]))).toBe(true);
		expect(looksLikeText(hex("61 00 62"))).toBe(false);
		expect(looksLikeText(hex("ff fe"))).toBe(false);
		expect(looksLikeText(hex("61 c3"))).toBe(false);
	});
});

describe("the size of images", () => {
	test.each([
		["image/png", png],
		["image/gif", gif],
		["image/jpeg", jpeg],
		["image/bmp", bmp],
		["image/webp", (width: number, height: number) => webp("VP8X", width, height)],
		["image/webp", (width: number, height: number) => webp("VP8L", width, height)],
		["image/webp", (width: number, height: number) => webp("VP8 ", width, height)],
	])("of %s is read, so that a bomb is not unpacked (RES-06)", (mimeType, make) => {
		expect(canUnpack(mimeType, make(8000, 8000))).toBe(true);
		expect(canUnpack(mimeType, make(16_000, 16_000))).toBe(false);
	});

	test("that cannot be read is too large", () => {
		expect(canUnpack("image/png", png(1, 1).subarray(0, 18))).toBe(false);
		expect(canUnpack("image/jpeg", hex("ffd8 ffe0 0006 4a464946"))).toBe(false);
		expect(canUnpack("image/jpeg", hex("ffd8 00 ff ff ff ff ff ff ff ff ff ff"))).toBe(false);
	});

	test("of other types is not read", () => {
		expect(canUnpack("audio/wav", hex(""))).toBe(true);
	});
});

describe("the shown name", () => {
	test.each([
		["a picture that is one", "a.png", "image/png", images["image/png"], "a.png"],
		["a picture without an extension", "a", "image/png", images["image/png"], "a.png"],
		["a picture without a type", "a", undefined, images["image/png"], "a.png"],
		["a picture of another type", "a.png", "image/png", images["image/jpeg"], "a.png.jpg"],
		["a picture declared as text", "a.md", "text/markdown", images["image/gif"], "a.md.gif"],
		["HTML declared as a picture", "a.png", "image/png", text("<html><script>"), "a.png.txt"],
		["HTML declared as a picture, without an extension", "a", "image/png", text("<html>"), "a.png.txt"],
		["HTML with a picture's name", "a.svg", "text/html", text("<html>"), "a.svg.txt"],
		["HTML", "a", "text/html", text("<html>"), "a.html"],
		["bytes declared as a picture", "a.png", "image/png", hex("00 01 02"), "a.png.bin"],
		["bytes declared as a sound", "a.mp3", "audio/mpeg", hex("00 01 02"), "a.mp3.bin"],
		["a picture that is a bomb", "a.png", "image/png", png(60_000, 60_000), "a.png.bin"],
		["a picture that is a bomb, without a type", "a", undefined, png(60_000, 60_000), "a.bin"],
		["SVG", "a", "image/svg+xml", text("<svg></svg>"), "a.svg"],
		["a notebook, which would render HTML", "a.ipynb", "application/json", text("{}"), "a.ipynb.json"],
		["a notebook in other letters", "a.IPYNB", undefined, text("{}"), "a.IPYNB.json"],
		[
			"a workspace file, which would offer to be opened",
			"a.code-workspace",
			undefined,
			text("{}"),
			"a.code-workspace.json",
		],
		["a document that no viewer shows", "a.pdf", "application/pdf", hex("255044462d312e37 0a e2e3"), "a.pdf"],
		["a document with a picture's name", "a.png", "image/png", hex("255044462d312e37 0a e2e3"), "a.png.bin"],
		["a program", "main.rs", "text/plain", text("fn main() {}"), "main.rs"],
		["bytes of no known kind", "a", "application/octet-stream", hex("00 01"), "a"],
		["nothing", "a.png", "image/png", hex(""), "a.png.txt"],
	] as const)("of %s (RES-05)", (_what, name, mimeType, bytes, shown) => {
		expect(shownName(name, mimeType, bytes)).toBe(shown);
		// Stable: a tab under it is not reopened repeatedly.
		expect(shownName(shown, undefined, bytes)).toBe(shown);
		expect(isMisnamed(shown, bytes)).toBe(false);
	});

	test.each([
		["image/png", images["image/png"], undefined],
		["image/vnd.microsoft.icon", images["image/x-icon"], undefined],
		["text/markdown", images["image/png"], undefined],
		[undefined, images["image/png"], undefined],
		["image/png", images["image/jpeg"], "image/jpeg"],
		["image/png; x=y", text("<html>"), "text"],
		["audio/mpeg", hex("00 01"), "binary data of another type"],
		["image/png", png(60_000, 60_000), "an image too large to be shown"],
	])("a name declared as %s has a remark if that is wrong (RES-05)", (mimeType, bytes, instead) => {
		expect(whatInstead(mimeType, bytes)).toBe(instead);
	});

	test("a name that does not match the bytes is recognised", () => {
		expect(isMisnamed("a.png", text("<html>"))).toBe(true);
		expect(isMisnamed("a", images["image/png"])).toBe(true);
		expect(isMisnamed("a.md", text("# A"))).toBe(false);
		expect(isUnshowable(png(60_000, 60_000))).toBe(true);
		expect(isUnshowable(png(60, 60))).toBe(false);
		expect(isUnshowable(text("x"))).toBe(false);
	});
});
