/** Addresses in rules (TOL-22): denials and `allow` rules cover all readings of a value by address parsers. */
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readValue } from "../../../src/base/readings.ts";
import { globOf } from "../permissions/policy/scene.ts";

const fitValue = (pattern: string, value: string): string => globOf(pattern)(readValue(value));

describe("the URI of a denied file", () => {
	it.each([
		["a tab in its name", "**/.env", "file:///home/me/.e\tnv"],
		["a line break in its name", "**/.env", "file:///home/me/.e\nnv"],
		["a tab in a folder's name", "/home/me/.env", "file:///home/\tme/.env"],
		["a tab in its scheme", "/home/me/.env", "fi\tle:///home/me/.env"],
		["a tab within an encoding", "/home/me/.env", "file:///home/me/%2\tEenv"],
		["no slash behind the scheme", "/home/me/.env", "file:home/me/.env"],
	])("is denied with %s", (_what, pattern, value) => {
		expect(fileURLToPath(value)).toBe("/home/me/.env");
		expect(fitValue(pattern, value)).toMatch(/all|some/);
	});

	it("is denied with an encoded tab, which programs that decode first accept", () => {
		expect(fitValue("/home/me/.env", "fi%09le:///home/me/.env")).toBe("some");
	});
});

describe("an address at a denied host", () => {
	it.each([
		["a tab", "https://evil.example/**", "https://ev\til.example/a"],
		["a line break", "*evil.example*", "https://ev\nil.example/a"],
		["no slashes", "https://evil.example/**", "https:evil.example/a"],
		["a user", "https://evil.example/**", "https://x@evil.example/a"],
		["a user and a password", "https://evil.example/**", "https://good.example:x@evil.example/a"],
		["the default port", "https://evil.example/**", "https://evil.example:443/a"],
		["a full stop of another script", "*evil.example*", "https://evil\u3002example/a"],
		["an encoded letter", "https://evil.example/**", "https://%65vil.example/a"],
	])("is denied with %s", (_what, pattern, value) => {
		expect(new URL(value).hostname).toBe("evil.example");
		expect(fitValue(pattern, value)).toMatch(/all|some/);
	});

	it("is denied with other cases and equivalent letters", () => {
		for (const host of ["m\u00FCnchen.example", "xn--mnchen-3ya.example"])
			for (const other of ["m\u00FCnchen.example", "xn--mnchen-3ya.example"])
				expect(fitValue(`https://${host}/**`, `https://${other}/a`)).toMatch(/all|some/);
	});
});

describe("an allow", () => {
	it.each([
		["file:///work/**", "file:///work/.\t./etc/passwd", "file:///etc/passwd"],
		["file:///work/**", "file:///work/.\t./.\t./etc/passwd", "file:///etc/passwd"],
		["https://good.example/api/**", "https://good.example/api/.\t./admin", "https://good.example/admin"],
		["https://*.good.example/", "https://evil.example?.good.example/", "https://evil.example/?.good.example/"],
		["https://*.good.example/**", "https://evil.example?.good.example/a", "https://evil.example/?.good.example/a"],
		["https://*.good.example/", "https://evil.example#.good.example/", "https://evil.example/#.good.example/"],
		["https://*.good.example/**", "https://evil.example\\.good.example/a", "https://evil.example/.good.example/a"],
		["https://good.example:*/**", "https://good.example:x@evil.example/a", "https://good.example:x@evil.example/a"],
		["https://good.example*/**", "https://good.example@evil.example/a", "https://good.example@evil.example/a"],
	])("of %s does not cover %j", (pattern, value, href) => {
		expect(new URL(value).href).toBe(href);
		expect(fitValue(pattern, value)).toMatch(/some|none/);
	});

	it.each([
		["https://good.example", "https://good.example"],
		["https://good.example:443/**", "https://good.example:443/a"],
		["https://good.example:8443/**", "https://good.example:8443/a/"],
		["ssh://git@host.example/**", "ssh://git@host.example/me/repository"],
		["https://m\u00FCnchen.example/**", "https://m\u00FCnchen.example/stra\u00DFe"],
		["https://xn--mnchen-3ya.example/**", "https://xn--mnchen-3ya.example/a"],
		["https://good.example/search?q=*", "https://good.example/search?q=a b|c"],
		["https://good.example/**", "https://good.example/a?b#c"],
		["mailto:*", "mailto:me@good.example"],
		["note: *", "note: any\ttext"],
		["file:///work/**", "file:///work/a%20b"],
	])("of %s still covers %j", (pattern, value) => {
		expect(fitValue(pattern, value)).toBe("all");
	});
});

describe("a path", () => {
	it("is resolved like Node does", () => {
		const parts = ["/", ".", "..", "a", "/../", "b/"];
		const texts = parts.flatMap((a) => parts.flatMap((b) => parts.flatMap((c) => parts.map((d) => a + b + c + d))));
		for (const text of texts) expect([text, readValue(text).plain[0]]).toEqual([text, posix.normalize(text)]);
	});

	it.each([
		["steps up", "../".repeat(300_000)],
		["steps up and down", `/a${"/../a".repeat(200_000)}`],
		["steps up in a file's URI", `file:///${"../".repeat(300_000)}`],
		["encoded steps up", `file:///${"%2e%2e/".repeat(100_000)}`],
		["addresses", "https://".repeat(100_000)],
		["users", `https://${"a@".repeat(400_000)}host/`],
		[
			"letters in a host",
			`https://${Array.from({ length: 100_000 }, (_, index) => String.fromCharCode(0x4e00 + (index % 20_000))).join("")}`,
		],
		["tabs", `https://${"\t".repeat(1_000_000)}`],
	])("of many %s is read in time proportional to their number (TRN-56)", (_what, value) => {
		expect(fitValue("/home/**", value)).toBe("none");
	});
});
