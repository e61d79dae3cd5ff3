import { describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { expandTemplate, parseTemplate, type TemplateValue } from "../../../src/resources/template.ts";
import { examples, variables } from "./rfc6570.ts";

for (const [section, rows] of Object.entries(examples)) {
	describe(`RFC 6570, ${section}`, () => {
		test.each(rows)("%s", (template, expansion) => {
			expect(expandTemplate(parseTemplate(template), variables)).toBe(expansion);
		});
	});
}

/** Expands a template with texts. */
function expand(template: string, values: Readonly<Record<string, TemplateValue>> = {}): string {
	return expandTemplate(parseTemplate(template), new Map(Object.entries(values)));
}

describe("parseTemplate", () => {
	test.each([
		"{",
		"}",
		"{}",
		"{+}",
		"{var",
		"/id*}",
		"{/id*",
		"{/?id}",
		"{var:prefix}",
		"{var:0}",
		"{var:12345}",
		"{hello:2*}",
		"{??hello}",
		"{!hello}",
		"{=path}",
		"{$var}",
		"{|var*}",
		"{*keys?}",
		"{?empty=default,var}",
		"{var}{-prefix|/-/|var}",
		"?q={searchTerms}&amp;c={example:color?}",
		"x{?empty|foo=none}",
		"/h{#hello+}",
		"/h#{hello+}",
		"{;keys:1*}",
		"?{-join|&|var,list}",
		"/people/{~thing}",
		"/sparql{?query){&default-graph-uri*}",
		"/resolution{?x, y}",
		"{a{b}c}",
		"{a,,b}",
	])("refuses %s", (template) => {
		expect(() => parseTemplate(template)).toThrow(HostError);
		expect(() => parseTemplate(template)).toThrow(template);
	});

	test("lists each variable once, in order, and tells lists and optional ones", () => {
		expect(parseTemplate("x://{a}/{b}{/rest*}{?a,q,tags*}{#part}").variables).toEqual([
			{ name: "a", isList: false, isOptional: false },
			{ name: "b", isList: false, isOptional: false },
			{ name: "rest", isList: true, isOptional: true },
			{ name: "q", isList: false, isOptional: true },
			{ name: "tags", isList: true, isOptional: true },
			{ name: "part", isList: false, isOptional: true },
		]);
	});

	test("takes names with dots, percent-encoding, hyphens, and names of the prototype", () => {
		const names = parseTemplate("{a.b}{%41x}{user-id}{__proto__}{constructor}").variables.map(({ name }) => name);
		expect(names).toEqual(["a.b", "%41x", "user-id", "__proto__", "constructor"]);
		expect(expand("{__proto__}{constructor}{toString}")).toBe("");
	});

	test("a text without expressions is its own expansion", () => {
		expect(expand("urn:isbn:0451450523")).toBe("urn:isbn:0451450523");
		expect(expand("")).toBe("");
	});

	test("literals are encoded where a URI needs it and only there", () => {
		expect(expand("x://größe/a b/%20/100%/[::1]")).toBe("x://gr%C3%B6%C3%9Fe/a%20b/%20/100%25/[::1]");
	});

	test("takes time linear in the length, whatever the text (no catastrophic matching)", () => {
		for (const hostile of [
			"{".repeat(50_000),
			`{${"a".repeat(50_000)}!}`,
			`{${"a.".repeat(25_000)}}`,
			"{a}".repeat(20_000),
		]) {
			const start = performance.now();
			try {
				parseTemplate(hostile);
			} catch {
				// Malformed ones are refused; only the time counts here.
			}
			expect(performance.now() - start).toBeLessThan(1000);
		}
	});
});

describe("expandTemplate", () => {
	test("a value cannot leave its place, except by reserved expansion (RES-12)", () => {
		expect(expand("x://files/{name}", { name: "../../etc/passwd?a#b" })).toBe(
			"x://files/..%2F..%2Fetc%2Fpasswd%3Fa%23b",
		);
		expect(expand("x://files/{+name}", { name: "../a" })).toBe("x://files/../a");
	});

	test("a prefix counts characters, not code units", () => {
		expect(expand("{v:1}", { v: "😀x" })).toBe("%F0%9F%98%80");
	});

	test("reserved expansion keeps what is encoded already and encodes a stray percent sign", () => {
		expect(expand("{+v}", { v: "%2F%zz%" })).toBe("%2F%25zz%25");
	});

	test("lone surrogates become the replacement character instead of an error", () => {
		expect(expand("{v}{+v}", { v: "\ud800" })).toBe("%EF%BF%BD%EF%BF%BD");
	});

	test("empty lists are undefined, empty members are not", () => {
		expect(expand("{?l}{?m*}", { l: [], m: {} })).toBe("");
		expect(expand("{?l*}", { l: ["", "a"] })).toBe("?l=&l=a");
		expect(expand("{;m*}", { m: { a: "", b: "1" } })).toBe(";a;b=1");
	});

	test("a prefix of several values is an error", () => {
		expect(() => expand("{v:3}", { v: ["a"] })).toThrow(HostError);
		expect(() => expand("{+v:1}", { v: { a: "b" } })).toThrow(HostError);
	});
});
