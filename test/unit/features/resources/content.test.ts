import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { digestOfParts, partsOf, wholeOf } from "../../../../src/features/resources/content.ts";
import { readableSize } from "../../../../src/base/amounts.ts";
import { iconOf, isTextType, languageOf, withExtension } from "../../../../src/features/resources/mediaTypes.ts";

const asked = { server: "memo", uri: "x://a" };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The error for reading these contents. */
function refusal(contents: unknown, limit?: number): unknown {
	try {
		partsOf({ contents } as Parameters<typeof partsOf>[0], { server: "memo", uri: "x://y" }, limit);
	} catch (error) {
		return error;
	}
	return undefined;
}

describe("partsOf", () => {
	test("returns texts as UTF-8 and blobs as their bytes", () => {
		const [a, b] = partsOf(
			{
				contents: [
					{ uri: "x://a", mimeType: "text/plain", text: "größe" },
					{ uri: "x://b", mimeType: "image/png", blob: "AAEC/w==" },
				],
			},
			asked,
		);
		expect(a).toMatchObject({ uri: "x://a", mimeType: "text/plain", isText: true });
		expect(text(a?.bytes ?? new Uint8Array())).toBe("größe");
		expect(b).toMatchObject({ uri: "x://b", mimeType: "image/png", isText: false });
		expect([...(b?.bytes ?? [])]).toEqual([0, 1, 2, 255]);
	});

	test("an empty text and an empty blob are contents", () => {
		expect(partsOf({ contents: [{ uri: "x://a", text: "" }] }, asked)[0]?.bytes.length).toBe(0);
		expect(partsOf({ contents: [{ uri: "x://a", blob: "" }] }, asked)[0]?.bytes.length).toBe(0);
	});

	test("a blob of a text type is a text", () => {
		expect(partsOf({ contents: [{ uri: "x://a", mimeType: "text/csv", blob: "YSxi" }] }, asked)[0]?.isText).toBe(true);
	});

	test("accepts base64 in lines, without padding and in the URL alphabet", () => {
		const bytesOf = (blob: string): number[] => [
			...(partsOf({ contents: [{ uri: "x://a", blob }] }, asked)[0]?.bytes ?? []),
		];
		expect(bytesOf("AAEC\n/w==\n")).toEqual([0, 1, 2, 255]);
		expect(bytesOf("AAEC/w")).toEqual([0, 1, 2, 255]);
		expect(bytesOf("AAEC_w")).toEqual([0, 1, 2, 255]);
	});

	test.each([
		["no contents", [], "invalid"],
		["neither text nor blob", [{ uri: "x://y" }], "invalid"],
		["a text that is none", [{ uri: "x://y", text: 5 }], "invalid"],
		["characters outside base64", [{ uri: "x://y", blob: "AA*A" }], "invalid"],
		["base64 that breaks off", [{ uri: "x://y", blob: "AAECA" }], "invalid"],
		["padding in the middle", [{ uri: "x://y", blob: "AA==AAAA" }], "invalid"],
	])("refuses %s and names the resource (RES-06, RES-07)", (_what, contents, code) => {
		const error = refusal(contents);
		expect(HostError.is(error, code as "invalid")).toBe(true);
		expect(error).toMatchObject({ message: expect.stringMatching(/^memo .*"x:\/\/y"/) as string });
	});

	test("refuses contents beyond the limit, all together, with their size", () => {
		const contents = [
			{ uri: "x://y", text: "x".repeat(600) },
			{ uri: "x://z", blob: "A".repeat(800) },
		];
		expect(refusal(contents, 1200)).toBeUndefined();
		const error = refusal(contents, 1199);
		expect(HostError.is(error, "limit")).toBe(true);
		expect(error).toMatchObject({ message: '"x://y" of memo is too large to open: 1.2 KB. The limit is 1.2 KB.' });
	});
});

describe("wholeOf", () => {
	test("one content is shown unchanged, under any URI", () => {
		expect(
			text(wholeOf(partsOf({ contents: [{ uri: "x://other", text: "hello" }] }, { server: "memo", uri: "x://y" }))),
		).toBe("hello");
	});

	test("several contents are all shown, each under its own URI (BLT-21 to BLT-23)", () => {
		const parts = partsOf(
			{
				contents: [
					{ uri: "x://y", mimeType: "text/plain", text: "FIRST" },
					{ uri: "x://y", text: "SECOND" },
					{ uri: "x://y/child\u202E", mimeType: "image/png", blob: "AAEC/w==" },
				],
			},
			{ server: "memo", uri: "x://y" },
		);
		expect(text(wholeOf(parts))).toBe(
			[
				"──── 1 of 3 · x://y · text/plain ────",
				"FIRST",
				"",
				"──── 2 of 3 · x://y ────",
				"SECOND",
				"",
				"──── 3 of 3 · x://y/child\\u202E · image/png ────",
				"(4 bytes of binary data)",
				"",
			].join("\n"),
		);
	});
});

test("a digest distinguishes contents of equal size, other types and other divisions", () => {
	const digest = (...contents: Parameters<typeof partsOf>[0]["contents"]): string =>
		digestOfParts(partsOf({ contents }, asked));
	const a = digest({ uri: "x://a", text: "v1" });
	expect(digest({ uri: "x://a", text: "v1" })).toBe(a);
	expect(digest({ uri: "x://a", text: "v2" })).not.toBe(a);
	expect(digest({ uri: "x://a", mimeType: "text/plain", text: "v1" })).not.toBe(a);
	expect(digest({ uri: "x://a", text: "v" }, { uri: "x://a", text: "1" })).not.toBe(a);
});

test.each([
	[0, "0 bytes"],
	[1, "1 byte"],
	[1023, "1023 bytes"],
	[1024, "1.0 KB"],
	[200 * 1024, "200 KB"],
	[52_428_800, "50.0 MB"],
	[3 * 1024 ** 4, "3.0 TB"],
])("%d bytes are %s", (bytes, words) => {
	expect(readableSize(bytes)).toBe(words);
});

describe("media types", () => {
	test("have languages, by their essence and by their suffix", () => {
		expect(languageOf("Application/JSON; charset=utf-8")).toBe("json");
		expect(languageOf("application/vnd.api+json")).toBe("json");
		expect(languageOf("application/atom+xml")).toBe("xml");
		expect(languageOf("text/plain")).toBeUndefined();
		expect(languageOf("image/png")).toBeUndefined();
		expect(languageOf(undefined)).toBeUndefined();
		expect(languageOf("constructor")).toBeUndefined();
	});

	test("that are text are known as text", () => {
		expect(["text/x-unknown", "application/json", "image/svg+xml"].every(isTextType)).toBe(true);
		expect(["image/png", "application/octet-stream", "", undefined].some(isTextType)).toBe(false);
	});

	test("never turn HTML into anything except text", () => {
		expect(withExtension("page", "text/html")).toBe("page.html");
		expect(withExtension("photo.png", "text/html")).toBe("photo.png");
	});

	test("give names an extension only if one is missing", () => {
		expect(withExtension("notes", "text/markdown")).toBe("notes.md");
		expect(withExtension("notes.MD", "text/markdown")).toBe("notes.MD");
		expect(withExtension("v1.2", "text/markdown")).toBe("v1.2.md");
		expect(withExtension("notes", "text/plain")).toBe("notes");
		expect(withExtension("notes", "application/x-made-up")).toBe("notes");
		expect(withExtension("movie.ts", "video/mp2t")).toBe("movie.ts");
	});

	test("have icons", () => {
		expect(
			["image/gif", "text/markdown", "application/json", "text/css", "application/octet-stream", undefined].map(iconOf),
		).toEqual(["file-media", "markdown", "json", "file-code", "file-binary", "file"]);
	});
});
