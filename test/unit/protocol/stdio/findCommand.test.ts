import { describe, expect, it } from "vitest";
import {
	commandCandidates,
	folderOfPath,
	interpreterIn,
	variableIn,
} from "../../../../src/protocol/stdio/findCommand.ts";
import { setVariable } from "../../../../src/protocol/stdio/serverEnvironment.ts";

const pathExt = ".COM;.EXE;.BAT;.CMD;.VBS;.JS";

/** The files that Windows is searched for, by the documentation of its command processor. */
function onWindows(command: string, path: string, cwd = String.raw`C:\work`, ext: string | undefined = pathExt) {
	return commandCandidates(command, cwd, path, "win32", ext);
}

describe("The files that a command may mean on Windows (CFG-15)", () => {
	it.each([
		["npx", ["npx.COM", "npx.EXE", "npx.BAT", "npx.CMD", "npx.VBS", "npx.JS"]],
		["npx.cmd", ["npx.cmd"]],
		["UVX.EXE", ["UVX.EXE"]],
		["python3.11", [".COM", ".EXE", ".BAT", ".CMD", ".VBS", ".JS"].map((ending) => `python3.11${ending}`)],
		["tool.ps1", ["tool.ps1"]],
	])("has the extensions of PATHEXT for %s, never the script of sh beside it", (command, names) => {
		expect(onWindows(command, String.raw`C:\Program Files\nodejs`)).toEqual(
			names.map((name) => String.raw`C:\Program Files\nodejs` + `\\${name}`),
		);
	});

	it.each([
		["ends with a separator", ".EXE;.CMD;"],
		["has blanks and empty parts", ";.EXE;;.CMD; "],
	])("has none without an extension where PATHEXT %s", (_what, ext) => {
		expect(onWindows("npx", String.raw`C:\n`, undefined, ext)).toEqual([
			String.raw`C:\n\npx.EXE`,
			String.raw`C:\n\npx.CMD`,
		]);
	});

	it.each([
		["a folder in quotes", String.raw`"C:\Program Files\nodejs"`, [String.raw`C:\Program Files\nodejs\a.exe`]],
		["a network folder", String.raw`\\server\share`, [String.raw`\\server\share\a.exe`]],
		["slashes", "D:/tools", [String.raw`D:\tools\a.exe`]],
		["a folder without a drive", String.raw`\tools`, []],
		["a folder of the drive's working directory", "C:tools", []],
		["a relative folder", String.raw`.;..\bin;bin;`, []],
	])("reads %s in PATH", (_what, path, wanted) => {
		expect(onWindows("a.exe", path)).toEqual(wanted);
	});

	it.each([
		[String.raw`.\bin\server.exe`, [String.raw`C:\work\bin\server.exe`]],
		["./bin/server.exe", [String.raw`C:\work\bin\server.exe`]],
		[String.raw`D:\a\server.cmd`, [String.raw`D:\a\server.cmd`]],
		[String.raw`\\server\share\a.exe`, [String.raw`\\server\share\a.exe`]],
		[
			String.raw`C:\Program Files\nodejs\npx`,
			[".EXE", ".CMD", ""].map((ending) => String.raw`C:\Program Files\nodejs\npx` + ending),
		],
		[String.raw`.\script.py`, [".EXE", ".CMD", ""].map((ending) => String.raw`C:\work\script.py` + ending)],
	])("of the path %s are against the working directory", (command, wanted) => {
		expect(onWindows(command, String.raw`C:\n`, undefined, ".EXE;.CMD")).toEqual(wanted);
	});

	it("are the command alone elsewhere", () => {
		expect(commandCandidates("npx", "/work", "/usr/bin:bin::/bin", "linux")).toEqual(["/usr/bin/npx", "/bin/npx"]);
		expect(commandCandidates("./a", "/work", "/bin", "linux")).toEqual(["/work/a"]);
		expect(folderOfPath('"/bin"', "linux")).toBeUndefined();
	});
});

describe("The variables of Windows, whose names have no case (CFG-14)", () => {
	it("are found however they are written", () => {
		expect(variableIn({ Path: "a" }, "PATH", "win32")).toBe("a");
		expect(variableIn({ path: "b" }, "PATH", "win32")).toBe("b");
		expect(variableIn({ Path: "a" }, "PATH", "linux")).toBeUndefined();
	});

	it("are replaced by a definition that writes them in another case, since Windows would take one of both", () => {
		const environment = { Path: "C:\\inherited", APPDATA: "x" };
		setVariable(environment, "PATH", "C:\\own", "win32");
		setVariable(environment, "AppData", "y", "win32");
		expect(environment).toEqual({ PATH: "C:\\own", AppData: "y" });
		const posix = { Path: "a" };
		setVariable(posix, "PATH", "b", "linux");
		expect(posix).toEqual({ Path: "a", PATH: "b" });
	});
});

it.each([
	["#!/usr/bin/env node\n", "node", "node"],
	["#!/usr/bin/env -S deno run\n", "deno", "deno"],
	["#!/usr/bin/python3\n", undefined, "python3"],
	["#! C:\\Python\\python.exe\r\n", undefined, "python.exe"],
	["MZ\u0090", undefined, undefined],
])("The interpreter of a script that begins with %j is found on Windows too", (text, elsewhere, onWindows) => {
	expect(interpreterIn(text, "linux")).toBe(elsewhere);
	expect(interpreterIn(text, "win32")).toBe(onWindows);
});
