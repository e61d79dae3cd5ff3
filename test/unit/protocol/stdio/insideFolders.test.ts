import { describe, expect, it } from "vitest";
import { insideFolders } from "../../../../src/protocol/stdio/insideFolders.ts";

/** A folder that is open by its short name, and where that and a junction lead. */
const short = String.raw`C:\Users\ANN~1\work`;
const long = String.raw`C:\Users\Ann Smith\work`;
const behind: Readonly<Record<string, string>> = {
	[short]: long,
	[String.raw`D:\junction`]: String.raw`C:\Users\Ann Smith\work`,
};
const real = async (path: string): Promise<string> => behind[path] ?? path;

/**
 * Texts, whether they are paths inside the folder, and whether they name it or something in it
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
const texts: readonly (readonly [text: string, isInside: boolean, names: boolean])[] = [
	[short, true, true],
	[long, true, true],
	[String.raw`c:\users\ann~1\WORK\a.js`, true, true],
	["c:/users/ann smith/work/a.js", true, true],
	[String.raw`\\?\C:\Users\Ann Smith\work\a.js`, true, true],
	[String.raw`C:\Users\Ann Smith\work.\a.js`, true, true],
	[String.raw`C:\Users\Ann Smith\workshop\a.js`, false, false],
	[String.raw`D:\Users\Ann Smith\work\a.js`, false, false],
	[String.raw`\\server\share\Ann Smith\work`, false, false],
	[String.raw`--require=C:\Users\Ann Smith\WORK\a.js`, false, true],
	["-r c:/users/ann~1/work/a.js", false, true],
	[String.raw`C:\Users\Ann Smith`, false, false],
];

describe("A folder of Windows that is open by its short name", () => {
	it.each(texts)("has the text %s: inside %s, named %s", async (text, isInside, isNamed) => {
		const inside = await insideFolders([short], real, "win32");
		expect([inside.isInside(text), inside.names(text)]).toEqual([isInside, isNamed]);
	});

	it("has what is behind a junction", async () => {
		const inside = await insideFolders([String.raw`D:\junction`], real, "win32");
		expect(inside.isInside(String.raw`C:\users\ann smith\work\a.js`)).toBe(true);
		expect(inside.isInside(String.raw`D:\JUNCTION\a.js`)).toBe(true);
	});
});
