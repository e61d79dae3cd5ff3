import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { compile, escapeGlob } from "../../../src/base/globs.ts";
import { readName, readValue } from "../../../src/base/readings.ts";
import { globOf, library } from "../permissions/policy/scene.ts";

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
	])("matches some readings of a name with %s: enough to deny, not to allow (TOL-08)", (_what, pattern, name) => {
		expect(fitName(pattern, name)).toBe("some");
	});

	it("matches the exact name that was escaped", () => {
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
		["a denial of everything outside a folder", "!/home/me/**", "/HOME/me/../you"],
	])("denies a value with %s", (_what, pattern, value) => {
		expect(["all", "some"]).toContain(fitValue(pattern, value));
	});

	it.each([
		["a fragment behind a file URI", "**/.env", "file:///home/me/.env#"],
		["a fragment behind a path", "**/.env", "/home/me/.env#x"],
		["a query behind a file URI", "/home/me/.env", "file:///home/me/.env?x=1"],
		["a query behind a name", ".env", ".env?"],
		["an encoded dot and a fragment", "**/.env", "file:///home/me/%2eenv#"],
		["an encoded fragment", "**/.env", "file:///home/me/.env%23"],
		["a fragment behind another address", "https://host/admin", "https://host/admin#top"],
		["a query behind another address", "https://host/admin", "https://host/admin?x=1"],
		["two encodings", "**/.env", "/home/me/%252eenv"],
		["nine encodings", "**/.env", `/home/me/%${"25".repeat(8)}2eenv`],
		["encodings of parts of an encoding", "**/.env", "/home/me/%25%32%65env"],
		["an encoded invisible character", "**/.env", "/home/me/.e%E2%80%8Bnv"],
		["an encoded backslash", "**/.env", "/home/me%5C.env"],
		["an encoded letter of full width", "**/.env", "/home/me/%EF%BC%8Eenv"],
		["an encoded end of text", "**/.env", "/home/me/.env%00.txt"],
		["an end of text", "**/.env", "/home/me/.env\0.txt"],
		["parameters of a path", "**/.env", "/home/me/.env;v=1"],
		["dots and blanks at the end, as Windows ignores them", "**/.env", "C:\\Users\\me\\.env. ."],
		["a stream of Windows", "**/.env", "C:\\Users\\me\\.env::$DATA"],
		["a drive in a file URI", "C:/Users/**", "file:///C:/Users/me/a"],
		["a long path of Windows", "C:/Users/**", "\\\\?\\C:\\Users\\me\\a"],
		["a file URI without slashes", ".env", "file:.env"],
		["a file URI with two slashes", "**/.env", "file://.env"],
		["a file URI in another address", "/home/me/.env", "view-source:file:///home/me/.env"],
		["a slash at the end", "**/.env", "/home/me/.env/"],
		["the path of a denied file URI", "file:///home/me/a%20b/**", "/home/me/a b/c"],
		["the home folder by its sign", `${homedir()}/.ssh/**`, "~/.ssh/id"],
		["the home folder by its variable", `${homedir()}/.ssh/**`, "$HOME/.ssh/id"],
	])("denies a value with %s (TOL-22)", (_what, pattern, value) => {
		expect(["all", "some"]).toContain(fitValue(pattern, value));
	});

	it.each([
		["a fragment that ends as the pattern does", "/home/me/*.txt", "/home/me/.env#.txt"],
		["a query that ends as the pattern does", "/home/me/*.txt", "/home/me/.env?.txt"],
		["the same behind a file URI", "file:///home/me/*.txt", "file:///home/me/.env?.txt"],
		["a fragment of another address", "https://host/**.txt", "https://host/secret#.txt"],
		["an encoded end of text", "/home/me/*.txt", "/home/me/.env%00.txt"],
		["a detour of two encodings", "/home/me/**", "/home/me/%252e%252e/you/a"],
		["a detour of many encodings", "/home/me/**", `/home/me/%${"25".repeat(9)}2e./you/a`],
		["an encoded backslash and a detour", "/home/me/**", "/home/me/..%5C..%5Cetc"],
	])("does not allow a value with %s (TOL-22)", (_what, pattern, value) => {
		expect(["some", "none"]).toContain(fitValue(pattern, value));
	});

	it.each([
		[
			"a query that is part of an address",
			"https://api.example.com/search?q=*",
			"https://api.example.com/search?q=a%20b",
		],
		["a fragment and a query below a folder", "/home/me/**", "/home/me/a?b#c"],
		["a percent sign", "/home/me/**", "/home/me/100%"],
		["a text", "Is it *", "Is it true?"],
	])("still allows %s", (_what, pattern, value) => {
		expect(fitValue(pattern, value)).toBe("all");
	});

	it("reads a megabyte of encodings in linear time", () => {
		for (const value of ["%25".repeat(350_000), `%${"25".repeat(500_000)}2eenv`, "%".repeat(1_000_000)]) {
			expect(fitValue("/home/**", value)).toBe("none");
		}
	});

	it("reads a whole megabyte, with patterns that would make a backtracking matcher loop for ever", () => {
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

describe("an invalid pattern", () => {
	it.each([
		["a".repeat(1001), "more than 1000"],
		["book\u200B*", "hidden characters"],
		["a\nb", "hidden characters"],
		["!!a", "only one ! is"],
		["!", "only one ! is"],
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
