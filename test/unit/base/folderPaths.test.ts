import { describe, expect, it } from "vitest";
import { comparedPath, isWithin } from "../../../src/base/folderPaths.ts";

/** Texts and the folder that they lie in or not, by https://learn.microsoft.com/windows/win32/fileio/naming-a-file. */
const onWindows: readonly (readonly [path: string, folder: string, isInside: boolean])[] = [
	[String.raw`C:\work\app`, String.raw`C:\work\app`, true],
	[String.raw`c:\work\app\a.js`, String.raw`C:\work\app`, true],
	[String.raw`C:\WORK\App\a.js`, String.raw`c:\work\app`, true],
	["C:/work/app/a.js", String.raw`C:\work\app`, true],
	[String.raw`C:\work\app\a.js`, "C:/work/app/", true],
	[String.raw`C:\work\application\a.js`, String.raw`C:\work\app`, false],
	[String.raw`D:\work\app\a.js`, String.raw`C:\work\app`, false],
	[String.raw`C:\work`, String.raw`C:\work\app`, false],
	[String.raw`C:\a`, "C:\\", true],
	[String.raw`\\server\share\app\a`, String.raw`\\SERVER\share\app`, true],
	["//server/share/app/a", String.raw`\\server\share\app`, true],
	[String.raw`\\other\share\app\a`, String.raw`\\server\share\app`, false],
	[String.raw`\\?\C:\work\app\a`, String.raw`C:\work\app`, true],
	[String.raw`\\.\C:\work\app\a`, String.raw`C:\work\app`, true],
	[String.raw`\\?\UNC\server\share\app\a`, String.raw`\\server\share\app`, true],
	[String.raw`C:\work\app.\a`, String.raw`C:\work\app`, true],
	["C:\\work \\app. .\\a", String.raw`C:\work\app`, true],
	[String.raw`C:\work\app::$INDEX_ALLOCATION\a`, String.raw`C:\work\app`, true],
	[String.raw`C:\work\app\a.js::$DATA`, String.raw`C:\work\app\a.js`, true],
	[String.raw`C:\work\app:a`, String.raw`C:\work\app`, true],
	[String.raw`C:\work\.app\a`, String.raw`C:\work\app`, false],
	[String.raw`C:\Straße\a`, String.raw`c:\straße`, true],
];

describe("A path of Windows", () => {
	it.each(onWindows)("%s in the folder %s: %s", (path, folder, isInside) => {
		expect(isWithin(path, folder, "win32")).toBe(isInside);
	});

	it("of any length is compared in linear time", () => {
		const long = `C:\\${"a. ".repeat(200_000)}x`;
		expect(comparedPath(long, "win32")).toBe(long.toLowerCase());
		expect(isWithin(`C:\\${"b\\".repeat(20_000)}x`, String.raw`C:\b`, "win32")).toBe(true);
	});
});

it("Other systems compare paths as they are, macOS without case", () => {
	expect(isWithin("/work/App/a", "/work/app", "linux")).toBe(false);
	expect(isWithin("/work/App/a", "/work/app", "darwin")).toBe(true);
	expect(isWithin("/work/app./a", "/work/app", "linux")).toBe(false);
	expect(isWithin("/work/app\\a", "/work/app", "linux")).toBe(false);
	expect(isWithin("/a", "/", "linux")).toBe(true);
});
