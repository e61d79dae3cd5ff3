import { describe, expect, test } from "vitest";
import { HostError } from "../../../../../src/base/errors.ts";
import {
	expandTemplate,
	parseTemplate,
	previewTemplate,
	type TemplateValue,
} from "../../../../../src/features/resources/templates/template.ts";
import { examples, variables } from "./rfc6570.ts";
import { extendedExamples } from "./rfc6570Extended.ts";

for (const [section, rows] of Object.entries(examples)) {
	describe(`RFC 6570, ${section}`, () => {
		test.each(rows)("%s", (template, expansion) => {
			expect(expandTemplate(parseTemplate(template), variables)).toBe(expansion);
		});
	});
}

for (const [group, { variables: given, rows }] of Object.entries(extendedExamples)) {
	describe(`the public test suite, ${group}`, () => {
		test.each(rows)("%s", (template, expansion) => {
			expect(expand(template, given)).toBe(expansion);
		});
	});
}

/** Expands a template with values. */
function expand(template: string, values: Readonly<Record<string, TemplateValue>> = {}): string {
	return expandTemplate(parseTemplate(template), new Map(Object.entries(values)));
}

/** The URI so far. */
function preview(template: string, values: Readonly<Record<string, TemplateValue>>): string {
	return previewTemplate(parseTemplate(template), new Map(Object.entries(values)));
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

	test("lists each variable once, in order, and distinguishes lists and optional ones", () => {
		expect(parseTemplate("x://{a}/{b}{/rest*}{?a,q,tags*}{#part}").variables).toEqual([
			{ name: "a", isList: false, isOptional: false },
			{ name: "b", isList: false, isOptional: false },
			{ name: "rest", isList: true, isOptional: true },
			{ name: "q", isList: false, isOptional: true },
			{ name: "tags", isList: true, isOptional: true },
			{ name: "part", isList: false, isOptional: true },
		]);
	});

	test("accepts names with dots, percent-encoding, hyphens, and names of the prototype", () => {
		const names = parseTemplate("{a.b}{%41x}{user-id}{__proto__}{constructor}").variables.map(({ name }) => name);
		expect(names).toEqual(["a.b", "%41x", "user-id", "__proto__", "constructor"]);
		expect(expand("{__proto__}{constructor}{toString}")).toBe("");
	});

	test("a text without expressions is its own expansion", () => {
		expect(expand("urn:isbn:0451450523")).toBe("urn:isbn:0451450523");
		expect(expand("")).toBe("");
	});

	test("literals are encoded only where a URI needs it", () => {
		expect(expand("x://größe/a b/%20/100%/[::1]")).toBe("x://gr%C3%B6%C3%9Fe/a%20b/%20/100%25/[::1]");
	});

	test("refuses a template that is too large to be honest, in a short message", () => {
		const names = Array.from({ length: 101 }, (_, index) => `{v${index}}`).join("");
		for (const hostile of ["{".repeat(50_000), `{${"a.".repeat(25_000)}}`, "{a}".repeat(20_000), names]) {
			expect(() => parseTemplate(hostile)).toThrow(/has more than (8192 characters|100 variables) and cannot be used/);
			expect(() => parseTemplate(hostile)).toThrow(/^.{1,500}$/s);
		}
		expect(parseTemplate("{a}".repeat(2000)).variables).toHaveLength(1);
	});

	test("shows no hidden character of a malformed template", () => {
		expect(() => parseTemplate("x://{\u202Ea}")).toThrow("\\u202E");
		expect(() => parseTemplate("x://{a")).toThrow(
			"The URI template x://{a has an opening brace without a closing one and cannot be used (RFC 6570).",
		);
	});
});

describe("expandTemplate (RES-12)", () => {
	test("unset variables leave nothing behind: RFC 6570, 3.2.1", () => {
		expect(expand("x://a/{unset}{/unset,other}{?unset}{&unset*}{#unset}{.unset}{;unset}{+unset}")).toBe("x://a/");
	});

	test("lists and pairs are encoded item by item, so that no item can look like two", () => {
		const values = { list: ["a,b", "c/d"], pairs: { pairs: [["k=", "v&w"]] } } satisfies Record<string, TemplateValue>;
		expect(expand("{list}{/list*}{?list*}", values)).toBe("a%2Cb,c%2Fd/a%2Cb/c%2Fd?list=a%2Cb&list=c%2Fd");
		expect(expand("{pairs}{?pairs}", values)).toBe("k%3D,v%26w?pairs=k%3D,v%26w");
	});

	test("a value cannot leave its place, except by reserved expansion, which the preview shows", () => {
		expect(expand("x://files/{name}", { name: "../../etc/passwd?a#b" })).toBe(
			"x://files/..%2F..%2Fetc%2Fpasswd%3Fa%23b",
		);
		expect(expand("x://files{/name*}", { name: ["..", "a/.."] })).toBe("x://files/../a%2F..");
		const traversal = { name: "../../etc/passwd" };
		expect(expand("x://files/{+name}", traversal)).toBe("x://files/../../etc/passwd");
		expect(preview("x://files/{+name}", traversal)).toBe("x://files/../../etc/passwd");
	});

	test("pairs keep their order, and a name may come twice", () => {
		const pairs: TemplateValue = {
			pairs: [
				["b", "1"],
				["2", "x"],
				["b", "3"],
				["__proto__", "4"],
			],
		};
		expect(expand("{?pairs*}", { pairs })).toBe("?b=1&2=x&b=3&__proto__=4");
	});

	test("a prefix counts characters, not code units", () => {
		expect(expand("{v:1}", { v: "😀x" })).toBe("%F0%9F%98%80");
	});

	test("reserved expansion keeps encoded characters and encodes a stray percent sign", () => {
		expect(expand("{+v}", { v: "%2F%zz%" })).toBe("%2F%25zz%25");
	});

	test("lone surrogates become the replacement character instead of an error", () => {
		expect(expand("{v}{+v}", { v: "\ud800" })).toBe("%EF%BF%BD%EF%BF%BD");
	});

	test("empty lists are undefined, empty members are not", () => {
		expect(expand("{?l}{?m*}", { l: [], m: { pairs: [] } })).toBe("");
		expect(expand("{?l*}", { l: ["", "a"] })).toBe("?l=&l=a");
		expect(
			expand("{;m*}", {
				m: {
					pairs: [
						["a", ""],
						["b", "1"],
					],
				},
			}),
		).toBe(";a;b=1");
	});

	test("a prefix of several values is an error", () => {
		expect(() => expand("{v:3}", { v: ["a"] })).toThrow(HostError);
		expect(() => expand("{+v:1}", { v: { pairs: [["a", "b"]] } })).toThrow(HostError);
	});
});

describe("previewTemplate (RES-12: shown before it is read)", () => {
	test("leaves an expression as written where the URI would have a hole", () => {
		expect(preview("x://{a}/{b,c}{/d}{?e}", {})).toBe("x://{a}/{b,c}");
		expect(preview("x://{a}/{b,c}{/d}{?e}", { a: "1/2", b: "3", e: "5" })).toBe("x://1%2F2/{b,c}?e=5");
	});

	test("is the exact expansion once all required values are given", () => {
		const values = { a: "ü", b: "3", c: "4" };
		expect(preview("x://{a}/{b,c}{/d}", values)).toBe(expand("x://{a}/{b,c}{/d}", values));
	});
});
