/** Roots on Windows, by https://learn.microsoft.com/windows/win32/fileio/naming-a-file. */
import { describe, expect, it } from "vitest";
import { holdsHome, pathOf } from "../../../../src/servers/roots/offer.ts";
import { folders, told } from "./world.ts";

describe("A root", () => {
	it.each([
		[String.raw`C:\Users\Me`, true],
		["c:/users/ME/", true],
		[String.raw`\\?\C:\Users\Me`, true],
		[String.raw`C:\Users\Me.`, true],
		[String.raw`C:\Users`, true],
		["C:\\", true],
		[String.raw`C:\Users\Meow`, false],
		[String.raw`C:\Users\Me\app`, false],
		[String.raw`D:\Users\Me`, false],
		[String.raw`\\server\Users\Me`, false],
		// The short name of the home folder, and a junction to the folder around it.
		[String.raw`C:\Users\ME~1`, true],
		[String.raw`D:\everyone`, true],
		[String.raw`D:\everyone\Me\app`, false],
	])("on Windows %s holds the home folder: %s (ROOT-01)", (path, isHeld) => {
		const behind: Record<string, string> = {
			[String.raw`C:\Users\ME~1`]: String.raw`C:\Users\Me`,
			[String.raw`D:\everyone`]: String.raw`C:\Users`,
			[String.raw`D:\everyone\Me\app`]: String.raw`C:\Users\Me\app`,
		};
		const machine = { isWindows: true, home: String.raw`C:\Users\Me`, real: (one: string) => behind[one] ?? one };
		expect(holdsHome(path, machine)).toBe(isHeld);
		expect(told({}, { ...machine, folders: folders(path) })).toHaveLength(isHeld ? 0 : 1);
	});

	it.each([
		["file:///c%3A/work/app", String.raw`c:\work\app`],
		["file:///C:/Work/App", String.raw`C:\Work\App`],
		["file://server/share/app", String.raw`\\server\share\app`],
		["file:///c%3A/50%25%20%231", String.raw`c:\50% #1`],
		["file:///home/me", "file:///home/me"],
	])("on Windows the URI %s means the path %s", (uri, path) => {
		expect(pathOf(uri, { isWindows: true })).toBe(path);
	});

	it("on Windows a folder is one root however it is written, also in a stored choice", () => {
		const machine = { isWindows: true, home: String.raw`C:\Users\Me` };
		const open = folders(String.raw`c:\work\App`, "C:/work/app/", String.raw`d:\b`);
		expect(told({}, { ...machine, folders: open })).toEqual(["/c:/work/App", "/d:/b"]);
		const choice = { folders: ["file:///C%3A/Work/app"], extra: ["file:///d:/B", "file:///D:/b"] };
		expect(told({ choice }, { ...machine, folders: open })).toEqual(["/c:/work/App", "/d:/B"]);
	});
});
