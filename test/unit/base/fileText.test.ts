import { describe, expect, it } from "vitest";
import { codePage, textOrLines } from "../../../src/base/codePage.ts";
import { textOfBytes } from "../../../src/base/fileText.ts";
import { OutputText } from "../../../src/base/outputText.ts";

const text = '{"größe": "日本"}\r\n';
const wide = Buffer.from(`\uFEFF${text}`, "utf16le");

it.each([
	["UTF-8", Buffer.from(text)],
	["UTF-8 with its mark, as Notepad writes", Buffer.from(`\uFEFF${text}`)],
	["UTF-16, as PowerShell 5 writes with >", wide],
	["UTF-16 in the other order of bytes", Buffer.from(wide).swap16()],
])("A file in %s has the same text", (_encoding, bytes) => {
	expect(textOfBytes(bytes)).toBe(text);
	expect(textOfBytes(bytes, "windows-1252")).toBe(text);
});

/** Words in the code pages of https://learn.microsoft.com/windows/win32/intl/code-page-identifiers, as programs write them. */
const written: readonly (readonly [locale: string, bytes: readonly number[], words: string])[] = [
	["de-DE", [0x47, 0x72, 0xfc, 0xdf, 0x65], "Grüße"],
	["en-US", [0x80, 0x20, 0x93, 0x61, 0x94], "€ “a”"],
	["pl-PL", [0xbf, 0xf3, 0xb3, 0x77], "żółw"],
	["ru-RU", [0xcd, 0xe5, 0xf2], "Нет"],
	["el-GR", [0xcd, 0xe1, 0xe9], "Ναι"],
	["tr-TR", [0xfe, 0x69], "şi"],
	["he-IL", [0xf9, 0xec], "של"],
	["ar-EG", [0xe4, 0xe1], "نل"],
	["lv-LV", [0xe2, 0xec], "āģ"],
	["vi-VN", [0xf5, 0xfd], "ơư"],
	["th-TH", [0xa1, 0xd2], "กา"],
	["ja-JP", [0x93, 0xfa, 0x96, 0x7b], "日本"],
	["ko-KR", [0xc7, 0xd1], "한"],
	["zh-CN", [0xd6, 0xd0, 0xce, 0xc4], "中文"],
	["zh-TW", [0xa4, 0xa4, 0xa4, 0xe5], "中文"],
	["zh-Hant-HK", [0xa4, 0xa4], "中"],
];

describe("A text in the code page of Windows", () => {
	it.each(written)("is read for %s, beside lines in UTF-8", (locale, bytes, words) => {
		const page = codePage(locale, "win32");
		const file = Buffer.concat([Buffer.from("größe\r\n"), Buffer.from(bytes), Buffer.from("\r\nend")]);
		expect(textOfBytes(file, page)).toBe(`größe\r\n${words}\r\nend`);
		expect(new OutputText(page).read(file)).toBe(`größe\r\n${words}\r\nend`);
	});

	it("is not guessed on other systems", () => {
		expect(codePage("de-DE", "linux")).toBeUndefined();
		expect(textOrLines(Buffer.from([0x61, 0xfc]), undefined)).toBe("a\uFFFD");
	});
});

describe("Output that comes in pieces", () => {
	it.each([undefined, "windows-1252", "shift_jis"])("has whole characters, with the code page %s", (page) => {
		const whole = Buffer.from("a é 日 🎉\n");
		for (let size = 1; size <= whole.length; size++) {
			const output = new OutputText(page);
			let read = "";
			for (let at = 0; at < whole.length; at += size) read += output.read(whole.subarray(at, at + size));
			expect([size, read]).toEqual([size, "a é 日 🎉\n"]);
		}
	});

	it("does not wait for the end of a character that never comes", () => {
		const output = new OutputText("windows-1252");
		expect(output.read(Buffer.from([0x47, 0x72, 0xfc]))).toBe("Grü");
		expect(output.read(Buffer.from([0xe9]))).toBe("");
		expect(output.read(Buffer.from("a\n"))).toBe("éa\n");
	});
});
