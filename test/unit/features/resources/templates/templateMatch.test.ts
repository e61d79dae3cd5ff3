import { describe, expect, test } from "vitest";
import { HostError } from "../../../../../src/base/errors.ts";
import { withinTime } from "../../../../../src/base/timeBudget.ts";
import {
	encodeReserved,
	expandTemplate,
	parseTemplate,
	type TemplateValue,
} from "../../../../../src/features/resources/templates/template.ts";
import { matchEncoded } from "../../../../../src/features/resources/templates/templateMatch.ts";
import { examples } from "./rfc6570.ts";
import { extendedExamples } from "./rfc6570Extended.ts";

/** The values from which a template makes a URI, as an object. */
function match(template: string, uri: string): Readonly<Record<string, TemplateValue>> | undefined {
	const values = matchEncoded(parseTemplate(template), encodeReserved(uri));
	return values && Object.fromEntries(values);
}

/** The URI after it was matched and expanded again. */
function again(template: string, uri: string): string | undefined {
	const parsed = parseTemplate(template);
	const values = matchEncoded(parsed, encodeReserved(uri));
	return values && expandTemplate(parsed, values);
}

describe("every example of RFC 6570 and of the public test suite is matched by values that expand to it again", () => {
	const all = [...Object.values(examples), ...Object.values(extendedExamples).map(({ rows }) => rows)].flat();
	test.each(all)("%s %s", (template, expansion) => {
		expect(again(template, expansion)).toBe(expansion);
	});
});

describe("matchEncoded", () => {
	test("reads the values of paths, queries and lists", () => {
		expect(match("weather://forecast/{city}/{date}", "weather://forecast/S%C3%A3o%20Paulo/2026-07-01")).toEqual({
			city: "São Paulo",
			date: "2026-07-01",
		});
		expect(match("x://search{?q,limit}", "x://search?limit=5")).toEqual({ limit: "5" });
		expect(match("x://{a,b}", "x://1,2,3")).toEqual({ a: "1", b: ["2", "3"] });
		expect(match("x://s{/path*}{?tags*,page}{#top}", "x://s/a/b%2Fc?tags=red&tags=green&page=2#x/y")).toEqual({
			path: ["a", "b/c"],
			tags: ["red", "green"],
			page: "2",
			top: "x/y",
		});
		expect(match("x://s{/path*,name}", "x://s/a/b/c")).toEqual({ path: ["a", "b"], name: "c" });
		expect(match("x://files/{+path}", "x://files/../a%2Fb/c,d")).toEqual({ path: "../a%2Fb/c,d" });
		expect(match("x://q{?filter*}", "x://q?b=1&2=x&b=3")).toEqual({
			filter: {
				pairs: [
					["b", "1"],
					["2", "x"],
					["b", "3"],
				],
			},
		});
		expect(match("www{.dom*}", "www.example.com")).toEqual({ dom: ["example", "com"] });
	});

	test.each([
		["x://a/{b}", "x://b/c"],
		["x://a/{b}", "x://a/b/c"],
		["x://a/{b}", "x://a/b?c"],
		["x://a{?b}", "x://a?c=1"],
		["x://a{?b,c}", "x://a?c=1&b=2"],
		["x://a{?b,c}", "x://a?"],
		["x://a{/b}", "x://a/b/c"],
		["x://{a}/{a}", "x://1/2"],
		["x://{a:2}", "x://abc"],
		["x://a/{b}", "x://a/%FF"],
		["x://a", "x://a/"],
		["X://a", "x://a"],
		["", "x"],
	])("%s cannot make %s", (template, uri) => {
		expect(match(template, uri)).toBeUndefined();
	});

	test("accepts a URI in users' spelling", () => {
		expect(match("x://{city}/{rest}", "x://São Paulo/100%")).toEqual({ city: "São Paulo", rest: "100%" });
		expect(match("x://{a}", "x://%c3%bc%41")).toEqual({ a: "üA" });
	});

	test("a variable that occurs twice has one value, and its prefix does not match", () => {
		expect(match("x://{a}/{a}", "x://1/1")).toEqual({ a: "1" });
		expect(match("x://{/name:1,name}", "x:///v/value")).toEqual({ name: "value" });
		expect(match("{?__proto__}{&constructor}", "?__proto__=1&constructor=2")).toEqual(
			Object.fromEntries([
				["__proto__", "1"],
				["constructor", "2"],
			]),
		);
	});

	test("expansions are matched by values that make the same URI, for ten thousand generated templates", () => {
		const random = generator(6570);
		for (let round = 0; round < 10_000; round++) {
			const text = madeUpTemplate(random);
			const template = parseTemplate(text);
			const values = new Map(
				template.variables.flatMap(({ name }): [string, TemplateValue][] =>
					random(4) === 0 ? [] : [[name, madeUpValue(random)]],
				),
			);
			const uri = expandTemplate(template, values);
			expect([text, uri, again(text, uri)]).toEqual([text, uri, uri]);
		}
	});
});

describe("hostile templates and URIs", () => {
	const many = "{a}{b}{c}{d}{e}{f}{g}{h}";
	test.each([
		["variables without anything between them", many.repeat(4), `${"x".repeat(300)}!`],
		["reserved variables", "{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}~", `${"/,%2F".repeat(60)} {`],
		["lists in lists", "{a*}{b*}{c*}{d*}{e*}", `${",".repeat(300)}/`],
		["dots", "{.a*}{.b*}{.c*}{.d*}", `${".".repeat(300)}/`],
		["pairs", "{?a*}{&b*}{&c*}{&d*}", `?${"a=&".repeat(100)}/`],
		["names that repeat", "{;a,a,a,a,a,a,a,a}", `${";a".repeat(200)}/`],
		["prefixes", "{a:9999}{b:9999}{c:9999}", `${"%F0".repeat(100)}/`],
		["more variables than a pattern takes", "{a}".repeat(2000), "a".repeat(100_000)],
	])("%s: nothing matches, and a time limit can stop it", (_name, text, uri) => {
		const template = parseTemplate(text);
		const stopped = (error: unknown): void => expect(HostError.is(error, "limit")).toBe(true);
		try {
			expect(withinTime(50, () => matchEncoded(template, encodeReserved(uri)))).toBeUndefined();
		} catch (error) {
			stopped(error);
		}
	});
});

/** Whole numbers below a limit, the same ones every time. */
function generator(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

/** Expressions with a separator that shows where they end. */
function madeUpTemplate(random: (limit: number) => number): string {
	const operators = ["", "+", "#", ".", "/", ";", "?", "&"];
	const names = ["a", "b", "c.d", "e-f", "%C3%BC", "g_1"];
	const expressions = Array.from({ length: 1 + random(2) }, (_, index) => {
		const specs = Array.from({ length: 1 + random(3) }, (_, place) => {
			const name = names[(index * 3 + place) % names.length] ?? "a";
			return random(3) === 0 ? `${name}*` : name;
		});
		return `{${operators[random(operators.length)] ?? ""}${specs.join(",")}}`;
	});
	return `x://${expressions.join("\u00fc|")}`;
}

function madeUpValue(random: (limit: number) => number): TemplateValue {
	const pieces = [
		"",
		"a",
		"Z9",
		"-._~",
		"/",
		"?",
		"#",
		"&",
		"=",
		";",
		",",
		" ",
		"%",
		"%2F",
		"%zz",
		"ü",
		"😀",
		"'",
		"{",
		"..",
		"|",
	];
	const text = (): string => Array.from({ length: random(4) }, () => pieces[random(pieces.length)] ?? "").join("");
	if (random(3) > 0) return text();
	if (random(2) === 0) return Array.from({ length: 1 + random(3) }, text);
	// A name that contains a separator is ambiguous: names are not encoded like values (RFC 6570, 3.2.1).
	const name = (): string => text().replace(/[=&;]/g, "");
	return { pairs: Array.from({ length: 1 + random(3) }, () => [name(), text()] as const) };
}
