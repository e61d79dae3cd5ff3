import { describe, expect, test } from "vitest";
import { icons } from "../../../servers/libraryMedia.ts";
import { safePicture } from "../../../../src/surfaces/tree/itemView.ts";

const dataUri = (bytes: Buffer, type = "image/png"): string => `data:${type};base64,${bytes.toString("base64")}`;

/** The beginning of a PNG of this size, as far as it is inspected. */
function png(width: number, height: number): Buffer {
	const bytes = Buffer.alloc(33);
	bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
	bytes.writeUInt32BE(width, 16);
	bytes.writeUInt32BE(height, 20);
	return bytes;
}

/** The same of the other formats. */
function gif(width: number, height: number): Buffer {
	const bytes = Buffer.from("GIF89a\0\0\0\0\0\0\0", "latin1");
	bytes.writeUInt16LE(width, 6);
	bytes.writeUInt16LE(height, 8);
	return bytes;
}
function webp(chunk: "VP8 " | "VP8L" | "VP8X", fill: (bytes: Buffer) => void): Buffer {
	const bytes = Buffer.alloc(40);
	bytes.write(`RIFF\0\0\0\0WEBP${chunk}`, "latin1");
	fill(bytes);
	return bytes;
}
function jpeg(width: number, height: number): Buffer {
	const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3]);
	frame.writeUInt16BE(height, 5);
	frame.writeUInt16BE(width, 7);
	return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 1]), frame]);
}

describe("a server's icon (UI-10)", () => {
	test.each([
		["a PNG", dataUri(png(16, 16)), "png"],
		["a GIF", dataUri(gif(16, 16), "image/gif"), "gif"],
		["a JPEG, progressive, behind other segments", dataUri(jpeg(32, 16), "image/jpeg"), "jpeg"],
		["a lossy WebP", dataUri(webp("VP8 ", (bytes) => bytes.writeUInt32LE(0x0010_0010, 26))), "webp"],
		["a lossless WebP", dataUri(webp("VP8L", (bytes) => bytes.writeUInt32LE(0x0003_c00f, 21))), "webp"],
		["an extended WebP", dataUri(webp("VP8X", (bytes) => bytes.writeUIntLE(15, 24, 3))), "webp"],
		["a picture by what it is, not by what it is called", dataUri(png(16, 16), "text/html"), "png"],
		["the library's", icons.png.src, "png"],
	])("is shown when it is %s", (_what, src, type) => {
		const picture = safePicture([{ src }]);
		expect(picture?.light).toMatch(new RegExp(`^data:image/${type};base64,[A-Za-z0-9+/]+=*$`));
		expect(picture?.dark).toBe(picture?.light);
	});

	test.each([
		["of the web", icons.https.src],
		["an SVG", icons.svg.src],
		["an SVG declared as a PNG", icons.lying.src],
		["too many bytes", icons.oversize.src],
		["a command", icons.command.src],
		["a file", "file:///etc/passwd"],
		["too wide to be unpacked", dataUri(png(20_000, 1))],
		["too high to be unpacked", dataUri(gif(1, 65_535))],
		["huge in another format", dataUri(jpeg(60_000, 60_000))],
		["without a size", dataUri(png(0, 16))],
		["cut off", dataUri(png(16, 16).subarray(0, 12))],
		["a JPEG without a frame", dataUri(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 200, 0, 0, 0, 0, 0]))],
		[
			"a JPEG whose segments have no length",
			dataUri(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0])),
		],
		["not base64", "data:image/png;base64,%89PNG"],
		["not encoded", "data:image/png,PNG"],
		["with more behind it", `${dataUri(png(16, 16))}#"><script>`],
		["nothing", ""],
	])("is replaced by ours when it is %s", (_what, src) => {
		expect(safePicture([{ src }])).toBeUndefined();
	});

	test("is the first good one for each kind of theme", () => {
		const [one, two, three] = [png(1, 1), png(2, 2), png(3, 3)].map((bytes) => dataUri(bytes)) as [
			string,
			string,
			string,
		];
		expect(safePicture([{ src: "https://x" }, { src: one }, { src: two }])).toEqual({ light: one, dark: one });
		expect(safePicture([{ src: one, theme: "dark" }, { src: two }])).toEqual({ light: two, dark: one });
		expect(safePicture([{ src: one }, { src: two, theme: "dark" }, { src: three, theme: "light" }])).toEqual({
			light: three,
			dark: two,
		});
		expect(safePicture([{ src: one, theme: "light" }])).toEqual({ light: one, dark: one });
		expect(safePicture(undefined)).toBeUndefined();
	});

	test("is searched for only among a limited number", () => {
		const many = Array.from({ length: 100 }, () => ({ src: "https://x" }));
		expect(safePicture([...many, { src: dataUri(png(1, 1)) }])).toBeUndefined();
	});
});
