import { describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { expandTemplate, parseTemplate, type TemplateValue } from "../../../src/resources/template.ts";

/** The variables of RFC 6570, section 3.2. `undef` is left out, which is what undefined means. */
const variables = new Map<string, TemplateValue>(
	Object.entries({
		count: ["one", "two", "three"],
		dom: ["example", "com"],
		dub: "me/too",
		hello: "Hello World!",
		half: "50%",
		var: "value",
		who: "fred",
		base: "http://example.com/home/",
		path: "/foo/bar",
		list: ["red", "green", "blue"],
		keys: { semi: ";", dot: ".", comma: "," },
		v: "6",
		x: "1024",
		y: "768",
		empty: "",
		empty_keys: {},
	}),
);

/** Every example of RFC 6570, by its section: a template and what it expands to. */
const examples: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
	"1.2 Level 1": [
		["{var}", "value"],
		["{hello}", "Hello%20World%21"],
	],
	"1.2 Level 2": [
		["{+var}", "value"],
		["{+hello}", "Hello%20World!"],
		["{+path}/here", "/foo/bar/here"],
		["here?ref={+path}", "here?ref=/foo/bar"],
		["X{#var}", "X#value"],
		["X{#hello}", "X#Hello%20World!"],
	],
	"1.2 Level 3": [
		["map?{x,y}", "map?1024,768"],
		["{x,hello,y}", "1024,Hello%20World%21,768"],
		["{+x,hello,y}", "1024,Hello%20World!,768"],
		["{+path,x}/here", "/foo/bar,1024/here"],
		["{#x,hello,y}", "#1024,Hello%20World!,768"],
		["{#path,x}/here", "#/foo/bar,1024/here"],
		["X{.var}", "X.value"],
		["X{.x,y}", "X.1024.768"],
		["{/var}", "/value"],
		["{/var,x}/here", "/value/1024/here"],
		["{;x,y}", ";x=1024;y=768"],
		["{;x,y,empty}", ";x=1024;y=768;empty"],
		["{?x,y}", "?x=1024&y=768"],
		["{?x,y,empty}", "?x=1024&y=768&empty="],
		["?fixed=yes{&x}", "?fixed=yes&x=1024"],
		["{&x,y,empty}", "&x=1024&y=768&empty="],
	],
	"1.2 Level 4": [
		["{var:3}", "val"],
		["{var:30}", "value"],
		["{list}", "red,green,blue"],
		["{list*}", "red,green,blue"],
		["{keys}", "semi,%3B,dot,.,comma,%2C"],
		["{keys*}", "semi=%3B,dot=.,comma=%2C"],
		["{+path:6}/here", "/foo/b/here"],
		["{+list}", "red,green,blue"],
		["{+list*}", "red,green,blue"],
		["{+keys}", "semi,;,dot,.,comma,,"],
		["{+keys*}", "semi=;,dot=.,comma=,"],
		["{#path:6}/here", "#/foo/b/here"],
		["{#list}", "#red,green,blue"],
		["{#list*}", "#red,green,blue"],
		["{#keys}", "#semi,;,dot,.,comma,,"],
		["{#keys*}", "#semi=;,dot=.,comma=,"],
		["X{.var:3}", "X.val"],
		["X{.list}", "X.red,green,blue"],
		["X{.list*}", "X.red.green.blue"],
		["X{.keys}", "X.semi,%3B,dot,.,comma,%2C"],
		["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
		["{/var:1,var}", "/v/value"],
		["{/list}", "/red,green,blue"],
		["{/list*}", "/red/green/blue"],
		["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
		["{/keys}", "/semi,%3B,dot,.,comma,%2C"],
		["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
		["{;hello:5}", ";hello=Hello"],
		["{;list}", ";list=red,green,blue"],
		["{;list*}", ";list=red;list=green;list=blue"],
		["{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"],
		["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
		["{?var:3}", "?var=val"],
		["{?list}", "?list=red,green,blue"],
		["{?list*}", "?list=red&list=green&list=blue"],
		["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
		["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
		["{&var:3}", "&var=val"],
		["{&list}", "&list=red,green,blue"],
		["{&list*}", "&list=red&list=green&list=blue"],
		["{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"],
		["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
	],
	"3.2.1 Variable Expansion": [
		["{count}", "one,two,three"],
		["{count*}", "one,two,three"],
		["{/count}", "/one,two,three"],
		["{/count*}", "/one/two/three"],
		["{;count}", ";count=one,two,three"],
		["{;count*}", ";count=one;count=two;count=three"],
		["{?count}", "?count=one,two,three"],
		["{?count*}", "?count=one&count=two&count=three"],
		["{&count*}", "&count=one&count=two&count=three"],
	],
	"3.2.2 Simple String Expansion": [
		["{var}", "value"],
		["{hello}", "Hello%20World%21"],
		["{half}", "50%25"],
		["O{empty}X", "OX"],
		["O{undef}X", "OX"],
		["{x,y}", "1024,768"],
		["{x,hello,y}", "1024,Hello%20World%21,768"],
		["?{x,empty}", "?1024,"],
		["?{x,undef}", "?1024"],
		["?{undef,y}", "?768"],
		["{var:3}", "val"],
		["{var:30}", "value"],
		["{list}", "red,green,blue"],
		["{list*}", "red,green,blue"],
		["{keys}", "semi,%3B,dot,.,comma,%2C"],
		["{keys*}", "semi=%3B,dot=.,comma=%2C"],
	],
	"3.2.3 Reserved Expansion": [
		["{+var}", "value"],
		["{+hello}", "Hello%20World!"],
		["{+half}", "50%25"],
		["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
		["{+base}index", "http://example.com/home/index"],
		["O{+empty}X", "OX"],
		["O{+undef}X", "OX"],
		["{+path}/here", "/foo/bar/here"],
		["here?ref={+path}", "here?ref=/foo/bar"],
		["up{+path}{var}/here", "up/foo/barvalue/here"],
		["{+x,hello,y}", "1024,Hello%20World!,768"],
		["{+path,x}/here", "/foo/bar,1024/here"],
		["{+path:6}/here", "/foo/b/here"],
		["{+list}", "red,green,blue"],
		["{+list*}", "red,green,blue"],
		["{+keys}", "semi,;,dot,.,comma,,"],
		["{+keys*}", "semi=;,dot=.,comma=,"],
	],
	"3.2.4 Fragment Expansion": [
		["{#var}", "#value"],
		["{#hello}", "#Hello%20World!"],
		["{#half}", "#50%25"],
		["foo{#empty}", "foo#"],
		["foo{#undef}", "foo"],
		["{#x,hello,y}", "#1024,Hello%20World!,768"],
		["{#path,x}/here", "#/foo/bar,1024/here"],
		["{#path:6}/here", "#/foo/b/here"],
		["{#list}", "#red,green,blue"],
		["{#list*}", "#red,green,blue"],
		["{#keys}", "#semi,;,dot,.,comma,,"],
		["{#keys*}", "#semi=;,dot=.,comma=,"],
	],
	"3.2.5 Label Expansion": [
		["{.who}", ".fred"],
		["{.who,who}", ".fred.fred"],
		["{.half,who}", ".50%25.fred"],
		["www{.dom*}", "www.example.com"],
		["X{.var}", "X.value"],
		["X{.empty}", "X."],
		["X{.undef}", "X"],
		["X{.var:3}", "X.val"],
		["X{.list}", "X.red,green,blue"],
		["X{.list*}", "X.red.green.blue"],
		["X{.keys}", "X.semi,%3B,dot,.,comma,%2C"],
		["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
		["X{.empty_keys}", "X"],
		["X{.empty_keys*}", "X"],
	],
	"3.2.6 Path Segment Expansion": [
		["{/who}", "/fred"],
		["{/who,who}", "/fred/fred"],
		["{/half,who}", "/50%25/fred"],
		["{/who,dub}", "/fred/me%2Ftoo"],
		["{/var}", "/value"],
		["{/var,empty}", "/value/"],
		["{/var,undef}", "/value"],
		["{/var,x}/here", "/value/1024/here"],
		["{/var:1,var}", "/v/value"],
		["{/list}", "/red,green,blue"],
		["{/list*}", "/red/green/blue"],
		["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
		["{/keys}", "/semi,%3B,dot,.,comma,%2C"],
		["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
	],
	"3.2.7 Path-Style Parameter Expansion": [
		["{;who}", ";who=fred"],
		["{;half}", ";half=50%25"],
		["{;empty}", ";empty"],
		["{;v,empty,who}", ";v=6;empty;who=fred"],
		["{;v,bar,who}", ";v=6;who=fred"],
		["{;x,y}", ";x=1024;y=768"],
		["{;x,y,empty}", ";x=1024;y=768;empty"],
		["{;x,y,undef}", ";x=1024;y=768"],
		["{;hello:5}", ";hello=Hello"],
		["{;list}", ";list=red,green,blue"],
		["{;list*}", ";list=red;list=green;list=blue"],
		["{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"],
		["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
	],
	"3.2.8 Form-Style Query Expansion": [
		["{?who}", "?who=fred"],
		["{?half}", "?half=50%25"],
		["{?x,y}", "?x=1024&y=768"],
		["{?x,y,empty}", "?x=1024&y=768&empty="],
		["{?x,y,undef}", "?x=1024&y=768"],
		["{?var:3}", "?var=val"],
		["{?list}", "?list=red,green,blue"],
		["{?list*}", "?list=red&list=green&list=blue"],
		["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
		["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
	],
	"3.2.9 Form-Style Query Continuation": [
		["{&who}", "&who=fred"],
		["{&half}", "&half=50%25"],
		["?fixed=yes{&x}", "?fixed=yes&x=1024"],
		["{&x,y,empty}", "&x=1024&y=768&empty="],
		["{&x,y,undef}", "&x=1024&y=768"],
		["{&var:3}", "&var=val"],
		["{&list}", "&list=red,green,blue"],
		["{&list*}", "&list=red&list=green&list=blue"],
		["{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"],
		["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
	],
};

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
		for (const hostile of ["{".repeat(50_000), `{${"a".repeat(50_000)}!}`, `{${"a.".repeat(25_000)}}`, "{a}".repeat(20_000)]) {
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
		expect(expand("x://files/{name}", { name: "../../etc/passwd?a#b" })).toBe("x://files/..%2F..%2Fetc%2Fpasswd%3Fa%23b");
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
