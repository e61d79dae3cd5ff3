import { expect, test } from "vitest";
import { hasHiddenCharacters } from "../../../../src/base/text.ts";
import { saveName } from "../../../../src/features/resources/fileNames.ts";

const text = Buffer.from("text");

test.each([
	["memo://notes/today", "text/markdown", "today.md"],
	["file:///small/read%20me.md?v=1#top", undefined, "read me.md"],
	["urn:isbn:0451450523", "text/plain", "0451450523"],
	["../../x", undefined, "x"],
	["memo://a/../..", undefined, "a"],
	["memo://a/%2e%2e%2f%2e%2e%2fetc%2fpasswd", undefined, "passwd"],
	["C:\\x", undefined, "x"],
	["file:///C:/x/y.txt", undefined, "y.txt"],
	["x://a\0b", undefined, "ab"],
	["x://CON", undefined, "_CON"],
	["x://con.txt", undefined, "_con.txt"],
	["x://COM¹", undefined, "_COM¹"],
	["x://console", undefined, "console"],
	["x://aux.h.txt", undefined, "_aux.h.txt"],
	["x://a<b>|c*?.txt", undefined, "abc"],
	["x://trailing. . ", undefined, "trailing"],
	["x://a/.gitignore", undefined, "_.gitignore"],
	["file:///home/me/.bashrc", undefined, "_.bashrc"],
	["x://a/%2ebashrc", undefined, "_.bashrc"],
	["x://a/ .bashrc", undefined, "_.bashrc"],
	["x://a/\u200B.npmrc", undefined, "_.npmrc"],
	["x://a/..env", undefined, "_..env"],
	["x://evil\u202Etxt.exe", undefined, "eviltxt.exe"],
	["x://\ud800", undefined, "x"],
	["x://%zz", undefined, "%zz"],
	["", undefined, "resource"],
	["...", undefined, "resource"],
	["x://日本/é.txt", undefined, "é.txt"],
] as const)("of %j with the type %j is %j (RES-02)", (uri, mimeType, name) => {
	expect(saveName(uri, mimeType, text)).toBe(name);
});

test("follows the bytes, like that of an editor (RES-05)", () => {
	expect(saveName("x://photo.png", "image/png", Buffer.from("<html>"))).toBe("photo.png.txt");
});

test("is short enough for every file system and keeps its extension (RES-02)", () => {
	for (const piece of ["a", "é", "日", "😀"]) {
		const name = saveName(`x://${piece.repeat(400)}.tar.gz`, undefined, text);
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
		expect(name).toMatch(/\.gz$/);
		expect(name.isWellFormed()).toBe(true);
	}
	expect(Buffer.byteLength(saveName(`x://${"a".repeat(400)}`, "text/markdown", text))).toBeLessThanOrEqual(150);
});

test("never leads elsewhere, for any URI (RES-02)", () => {
	const pieces = [
		"/",
		"\\",
		"..",
		".",
		":",
		"%2f",
		"%5c",
		"%2e",
		"\0",
		"NUL",
		"nul.",
		" ",
		"\u202e",
		"~",
		"a",
		"?",
		"#",
		"|",
		"\n",
	];
	let seed = 5;
	for (let round = 0; round < 20_000; round++) {
		let uri = "";
		for (let length = round % 9; length > 0; length--) {
			seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
			uri += pieces[(seed >>> 8) % pieces.length] ?? "";
		}
		const name = saveName(uri, undefined, text);
		expect(name).not.toMatch(/[/\\:*?"<>|]|^\.*$|[. ]$|^(?:con|prn|aux|nul)(?:\.|$)/i);
		expect(hasHiddenCharacters(name)).toBe(false);
	}
});
