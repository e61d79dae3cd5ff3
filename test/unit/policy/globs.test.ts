import { describe, expect, it } from "vitest";
import { compile, escapeGlob } from "../../../src/policy/globs.ts";
import { readName, readValue } from "../../../src/policy/readings.ts";
import { globOf, library } from "./scene.ts";

const fitName = (pattern: string, name: string): string => globOf(pattern, "name")(readName(name));
const fitValue = (pattern: string, value: string): string => globOf(pattern)(readValue(value));

describe("a glob on a name", () => {
	it.each([
		["book*", "bookHotel", "all"],
		["book*", "book", "all"],
		["book?", "book", "none"],
		["{create,delete}_*", "delete_all", "all"],
		["[a-c]*", "badge", "all"],
		["*", "any/thing", "all"],
		["*", "..", "all"],
		["*.list", "admin/tools.list", "all"],
		["resources/*", "resources/read/deep", "all"],
		["!read*", "write", "all"],
		["!read*", "readFile", "none"],
		["!(a|b)", "c", "all"],
		["delete", "deleteAll", "none"],
		["", "x", "none"],
	])("%s and %s: %s", (pattern, name, fit) => {
		expect(fitName(pattern, name)).toBe(fit);
	});

	it.each([
		["another case", "delete_all", "DELETE_all"],
		["full-width letters", "delete_all", "\uFF44elete_all"],
		["a zero-width space", "delete_all", "delete\u200B_all"],
		["tag characters", "delete_all", "delete_all\u{E0041}"],
		["a bidirectional control", "delete_all", "\u202Edelete_all"],
		["a decomposed letter", "caf\u00E9", "cafe\u0301"],
		["a long s", "delete_files", "delete_file\u017F"],
		["a pattern in another case", "Delete_*", "delete_all"],
		["blanks around", "delete_all", " delete_all\n"],
		["a hidden character and any name", "*", "a\u200Bb"],
	])("fits some readings of a name with %s: enough to deny, not to allow (TOL-08)", (_what, pattern, name) => {
		expect(fitName(pattern, name)).toBe("some");
	});

	it("is about the very name that was escaped", () => {
		for (const name of [
			"a*b",
			"a?",
			"[x]",
			"{a,b}",
			"!a",
			"+(a)",
			"back\\slash",
			"a|b",
			"@(x)",
			"#a",
			"resources/read",
		]) {
			expect([name, fitName(escapeGlob(name), name)]).toEqual([name, "all"]);
			expect([name, fitName(escapeGlob(name), `${name}x`)]).toEqual([name, "none"]);
		}
		expect(fitName(escapeGlob("a*b"), "axb")).toBe("none");
	});
});

describe("a glob on an argument", () => {
	it.each([
		["/home/me/**", "/home/me/notes/a.txt", "all"],
		["/home/me/**", "/home/me/.ssh/id", "all"],
		["/home/me/**", "/home/you/a", "none"],
		["/home/me/*", "/home/me/a.txt", "all"],
		["src/**", "src/a/b.ts", "all"],
		["https://api.example.com/**", "https://api.example.com/v1/x", "all"],
		["git status", "git status", "all"],
		["file:///ws/**", "file:///ws/a.txt", "all"],
		["*", "any\nthing /at all", "all"],
		["**", "", "all"],
		["true", "true", "all"],
	])("%s and %s: %s", (pattern, value, fit) => {
		expect(fitValue(pattern, value)).toBe(fit);
	});

	it.each([
		["a detour", "/home/me/**", "/home/me/../../etc/passwd"],
		["an encoded detour", "/home/me/**", "/home/me/%2e%2e/%2e%2e/etc/passwd"],
		["backslashes", "/home/me/**", "/home/me/..\\..\\etc\\passwd"],
		["full-width slashes and dots", "/home/me/**", "/home/me/\uFF0E\uFF0E\uFF0F\uFF0E\uFF0E\uFF0Fetc"],
		["a star that would have to pass a slash", "git *", "git log a/b"],
		["a detour in a file URI", "file:///ws/**", "file:///ws/../etc/passwd"],
		["an encoded detour in a file URI", "file:///ws/**", "file:///ws/%2E%2E/etc/passwd"],
		["the path of a file URI in place of the URI", "/ws/**", "file:///ws/a.txt"],
		["a hidden character", "*.txt", "a\u200B.txt"],
		["a second line", "ls *", "ls a\nrm b"],
		["another case", "/home/me/*", "/home/ME/a"],
	])("does not allow a value with %s", (_what, pattern, value) => {
		expect(["some", "none"]).toContain(fitValue(pattern, value));
	});

	it.each([
		["another case", "/etc/**", "/ETC/passwd"],
		["a detour", "/etc/**", "/home/../etc/passwd"],
		["an encoded path", "/etc/**", "/%65tc/passwd"],
		["encoded slashes", "/etc/**", "%2Fetc%2Fpasswd"],
		["a file URI", "/etc/**", "file:///etc/passwd"],
		["a file URI with a host", "/etc/**", "file://localhost/etc/passwd"],
		["a short file URI", "/etc/**", "FILE:/etc/passwd"],
		["doubled slashes", "/etc/**", "//etc///passwd"],
		["backslashes", "**/.ssh/**", "C:\\Users\\me\\.ssh\\id"],
		["a hidden character", "/etc/**", "/e\u00ADtc/passwd"],
		["blanks", "/etc/**", "  /etc/passwd"],
		["full-width letters", "/etc/**", "\uFF0Fetc\uFF0Fpasswd"],
		["a star that passes slashes", "rm *", "rm -rf /a/b"],
		["a denial of all else", "!/home/me/**", "/HOME/me/../you"],
	])("denies a value with %s", (_what, pattern, value) => {
		expect(["all", "some"]).toContain(fitValue(pattern, value));
	});

	it("reads a megabyte whole, with patterns that would send a backtracking matcher round for ever", () => {
		const long = "a".repeat(1024 * 1024);
		const slashes = "a/".repeat(512 * 1024);
		const readings = [readValue(long), readValue(slashes)];
		for (const pattern of [
			"*a*a*a*a*a*a*b",
			"+(+(a|aa)*)b",
			"*(*(*(a)))b",
			"**/*a*/**/*a*/**/*b",
			"@(a*|b*)@(a*|b*)c",
		]) {
			expect(readings.map(globOf(pattern))).toEqual(["none", "none"]);
		}
		expect(fitValue("*secret*", `${long}secret${slashes}`)).toBe("some");
		expect(fitValue("*secret*", `${long}secret`)).toBe("all");
	}, 60_000);
});

describe("a pattern that cannot be used", () => {
	it.each([
		["a".repeat(1001), "more than 1000"],
		["book\u200B*", "cannot be seen"],
		["a\nb", "cannot be seen"],
		["!!a", "one leading !"],
		["!", "one leading !"],
		["C:\\Users\\**", "slashes"],
		["C:\\*", "slashes"],
		["a\\", "slashes"],
		["**/a/".repeat(11), "more than 10 **"],
		["{1..100000}", "100 alternatives"],
		["{a,b}".repeat(20), "100 alternatives"],
	])("%s", (pattern, problem) => {
		const compiled = compile(pattern, "value", library);
		expect("problem" in compiled ? compiled.problem : "usable").toContain(problem);
	});
});
