/** Spellings of a path or a file's URI that evade no rule (TOL-22). */
import { expect, it } from "vitest";
import { entryOf, judged, own } from "./scene.ts";

it.each([
	"FILE://localhost/etc/passwd",
	"file://127.0.0.1/etc/passwd",
	"file:etc/passwd",
	String.raw`file:\\\etc\passwd`,
	"file:////etc/passwd",
	"file:///x/%2E%2E/etc/passwd",
	"file:///%5Cetc%5Cpasswd",
	"file://LOCALHOST./etc/passwd",
	"fi\tle:///etc/passwd",
	"view-source:file:///etc/passwd",
	"jar:file:///etc/passwd!/x",
	"%252Fetc%252Fpasswd",
	"\uFF0Fetc\uFF0Fpasswd",
	"/\u200Betc/passwd",
	"\0/etc/passwd",
	"/etc%00/passwd",
])("a denial of /etc/** applies to %j (TOL-22)", async (path) => {
	const rule = own({ decision: "deny", arguments: { path: "/etc/**" } });
	expect(judged([rule], await entryOf(), { path })).toBe("deny");
});

it.each([
	"/ws/%2e%2e/etc",
	"/ws/.%2e/etc",
	"/ws/%252e%252e/etc",
	"/ws/a%2f..%2f..%2fetc",
	String.raw`/ws/..\..\etc`,
	"/ws/a?/../../etc",
	"/ws/a#/../../etc",
	"/ws/a\0/../etc",
	"/ws/\uFF0E\uFF0E/etc",
	"/ws/.\u200B./etc",
	"file:///ws/../etc",
	"file:///ws/.\t./etc",
])("an allow of /ws/** does not apply to %j (TOL-22)", async (path) => {
	const rule = own({ decision: "allow", server: "*", tool: "*", arguments: { path: "/ws/**" } });
	expect(judged([rule], await entryOf(), { path: "/ws/a" })).toBe("allow");
	expect(judged([rule], await entryOf(), { path })).toBe("none");
});
