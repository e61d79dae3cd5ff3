import { describe, expect, test } from "vitest";
import { appDocument, aroundPage } from "../../../../src/features/apps/appDocument.ts";
import { readDeniedDomains } from "../../../../src/features/apps/appsSetting.ts";
import { appPolicy, domainsNotDenied, noDomains, readDomains } from "../../../../src/features/apps/appPolicy.ts";
import { domainWarnings } from "../../../../src/features/apps/admission.ts";

/** The directives of a policy. */
function directives(policy: string): Record<string, string> {
	return Object.fromEntries(policy.split("; ").map((part) => [part.split(" ", 1)[0], part.replace(/^\S+ /, "")]));
}

describe("the policy of an app", () => {
	test("without domains allows only the page's own content (APP-05)", () => {
		expect(directives(appPolicy(noDomains))).toEqual({
			"default-src": "'none'",
			"script-src": "'unsafe-inline'",
			"style-src": "'unsafe-inline'",
			"img-src": "data:",
			"font-src": "'none'",
			"media-src": "data:",
			"connect-src": "'none'",
			"frame-src": "'none'",
			"base-uri": "'none'",
			"object-src": "'none'",
			"form-action": "'none'",
		});
	});

	test("has each domain where the specification puts it, and nowhere else (APP-05)", () => {
		const { asked, refused } = readDomains({
			connectDomains: ["https://api.example", "wss://*.live.example:8443"],
			resourceDomains: ["https://CDN.example/"],
			frameDomains: ["https://frame.example"],
			baseUriDomains: ["https://base.example"],
		});
		expect(refused).toEqual([]);
		expect(directives(appPolicy(asked))).toMatchObject({
			"script-src": "'unsafe-inline' https://cdn.example",
			"style-src": "'unsafe-inline' https://cdn.example",
			"img-src": "data: https://cdn.example",
			"font-src": "https://cdn.example",
			"media-src": "data: https://cdn.example",
			"connect-src": "https://api.example wss://*.live.example:8443",
			"frame-src": "https://frame.example",
			"base-uri": "https://base.example",
			"object-src": "'none'",
			"form-action": "'none'",
		});
	});

	test.each([
		"https://a.example; script-src *",
		"https://a.example, https://b.example",
		"https://a.example 'unsafe-eval'",
		"*",
		"https:",
		"https://*",
		"https://*.",
		"data:",
		"'self'",
		"https://a.example/path",
		"javascript://a.example",
		"https://a.example\n",
		"https://ａ.example",
		"https://user@a.example",
		`https://${"a".repeat(400)}.example`,
		7,
		{ toString: "https://a.example" },
	])("accepts only origins as domains: %j (APP-05)", (value) => {
		const { asked, refused } = readDomains({ connectDomains: [value] });
		expect(asked).toEqual(noDomains);
		expect(refused).toHaveLength(1);
	});

	test("rejects invalid lists, and accepts at most a hundred domains (APP-05)", () => {
		expect(readDomains({ connectDomains: "https://a.example" })).toEqual({
			asked: noDomains,
			refused: ["connectDomains is not a list"],
		});
		const many = Array.from({ length: 150 }, (_, index) => `https://a${index}.example`);
		const { asked, refused } = readDomains({ connectDomains: many });
		expect([asked.connect.length, refused.length]).toEqual([100, 50]);
		expect(readDomains(undefined)).toEqual({ asked: noDomains, refused: [] });
	});

	test("is before all markup of the page, whose byte order mark is dropped (APP-05)", () => {
		const text = appDocument("\uFEFF<script>early()</script><!doctype html><html><head>", {
			domains: noDomains,
			preamble: "guard()",
			stored: "</script>",
		});
		expect(text).toContain("\\u003c/script>");
		expect(text.indexOf("Content-Security-Policy")).toBeLessThan(text.indexOf("guard()"));
		expect(text.indexOf("guard()")).toBeLessThan(text.indexOf("early()"));
		expect(text).not.toContain("\uFEFF");
	});

	test("of the page around the frame loads our own script and style, and no nonce disables the app's (APP-05)", () => {
		const page = aroundPage({
			domains: noDomains,
			cspSource: "https://files.example",
			script: "https://files.example/app.js",
			styles: ["https://files.example/app.css"],
			title: '"><script>',
			language: "en",
		});
		expect(page).toContain("script-src &#39;unsafe-inline&#39; https://files.example;");
		expect(page).not.toMatch(/nonce|"><script>/);
	});

	test.each([
		["https://ads.example", false],
		["https://ads.example.", false],
		["wss://live.ads.example:443", false],
		["https://*.ads.example", false],
		["https://*.example", false],
		["https://*.live.ads.example", false],
		["https://notads.example", true],
		["https://example", true],
		["https://ads.example.org", true],
	])("leaves out exactly the denied domains: %s (APP-23)", (origin, isKept) => {
		const wanted = { ...noDomains, connect: [origin], frame: [origin] };
		expect(domainsNotDenied(wanted, readDeniedDomains(["*.ADS.example."]))).toEqual(isKept ? wanted : noDomains);
	});
});

describe("domains that are denied to all apps (APP-23)", () => {
	const wanted = readDomains({ connectDomains: ["https://api.evil.example", "https://good.example"] }).asked;

	test.each([
		"evil.example",
		"https://evil.example",
		"https://evil.example/",
		"wss://*.evil.example:443/path?x",
		"//evil.example",
		"EVIL.example.:8443",
		"https://evil.example:*",
		".evil.example",
	])("are understood in any spelling: %s", (entry) => {
		const denied = readDeniedDomains([entry]);
		expect(denied.unread).toEqual([]);
		expect(domainsNotDenied(wanted, denied).connect).toEqual(["https://good.example"]);
	});

	test.each([
		["127.0.0.1", "http://2130706433"],
		["0x7f.1", "http://127.0.0.1"],
		["2130706433", "http://127.1"],
	])("are so in every form of an address: %s and %s", (entry, asked) => {
		const domains = readDomains({ connectDomains: [asked] }).asked;
		expect(domainsNotDenied(domains, readDeniedDomains([entry]))).toEqual(noDomains);
	});

	test.each([
		"evil example",
		"https://",
		5,
		{ host: "evil.example" },
		"a.*.example",
		// Lists, expressions, quotations and networks, which a parser of addresses takes for one odd name.
		"evil.example,other.example",
		"https://evil.example,https://other.example",
		"evil.example;other.example",
		"'evil.example'",
		'"evil.example"',
		"(evil.example)",
		"!evil.example",
		"-evil.example",
		"evil..example",
		"/evil\\.example/",
		"http(s)://evil.example",
		"evil.example@x.example",
		"mailto:a@evil.example",
		"10.0.0.0/8",
		"127.0.0.0/8",
		"file:///evil.example",
	])("are all domains while an entry cannot be read: %j", (entry) => {
		const denied = readDeniedDomains(["other.example", entry]);
		expect(denied.unread).toEqual([JSON.stringify(entry)]);
		expect(domainsNotDenied(wanted, denied)).toEqual(noDomains);
	});

	test("are all domains if the setting is not a list", () => {
		expect(readDeniedDomains("evil.example")).toEqual({ hosts: ["evil.example"], unread: [] });
		expect(readDeniedDomains(undefined)).toEqual({ hosts: [], unread: [] });
	});
});

test.each([
	["https://*.com", /every domain that ends with \.com/],
	["https://169.254.169.254", /metadata service/],
	["http://127.0.0.1:*", /this machine.*/],
	["https://192.168.1.1", /private network/],
	["https://localhost:*", /this machine/],
	["http://plain.example", /not encrypted/],
	["https://github.com.evil.example", /begins with “github\.com”/],
	["https://xn--pple-43d.com", /special characters/],
])("a question about %s warns (APP-06)", (domain, warning) => {
	const { asked } = readDomains({ connectDomains: [domain, "https://good.example"] });
	expect(domainWarnings(asked).join("\n")).toMatch(warning);
	expect(domainWarnings(asked).join("\n")).not.toContain("good.example");
});
