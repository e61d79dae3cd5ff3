import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Ajv } from "ajv";
import { readConfigText } from "../../../../src/base/configText.ts";
import { inputsIn, withInputs } from "../../../../src/surfaces/namedCalls/callInputs.ts";
import { parseCalls } from "../../../../src/surfaces/namedCalls/parseCalls.ts";

const whole = `{
	"version": 1, // the form
	"inputs": [{ "id": "token", "type": "promptString", "password": true }],
	"calls": {
		"Finds flights": {
			"description": "For the release",
			"server": "travel",
			"tool": "searchFlights",
			"arguments": { "from": "MAD", "key": "\${input:token}", "__proto__": { "x": 1 } },
			"expect": {
				"isError": false,
				"text": { "equals": "a", "contains": ["b"], "matches": "^c" },
				"structuredContent": { "at": { "/a~1b/0": 1, "": {} }, "includes": { "a": 1 } },
				"result": { "equals": {}, "schema": { "type": "object" } },
			},
		},
		"Plans": { "server": "travel", "prompt": "plan", "arguments": { "city": "Rome" } },
		"Reads": { "server": "travel", "resource": "note://1" },
	},
}`;

/** A file with this one call, and the message and the text of each of its problems. */
function problemsOf(call: string): readonly string[] {
	const text = `{ "version": 1, "calls": { "it": ${call} } }`;
	return parseCalls(text).problems.map(
		({ message, range }) => `${text.slice(range.offset, range.offset + range.length)}: ${message}`,
	);
}

describe("a file of named calls (CAL-01)", () => {
	it("is JSON with comments; its members are read, arguments unchanged", () => {
		const { calls, inputs, problems } = parseCalls(whole);
		expect(problems).toEqual([]);
		expect(inputs.map(({ id, isPassword }) => [id, isPassword])).toEqual([["token", true]]);
		expect(calls.map(({ name, server, target }) => [name, server, target.kind])).toEqual([
			["Finds flights", "travel", "tool"],
			["Plans", "travel", "prompt"],
			["Reads", "travel", "resource"],
		]);
		const [first] = calls;
		expect(JSON.stringify(first?.target)).toBe(
			'{"kind":"tool","name":"searchFlights","arguments":{"from":"MAD","key":"${input:token}","__proto__":{"x":1}}}',
		);
		expect(first?.expect).toEqual({
			isError: false,
			text: { equals: "a", contains: ["b"], matches: "^c" },
			structuredContent: { at: { "/a~1b/0": 1, "": {} }, includes: { a: 1 } },
			result: { equals: {}, schema: { type: "object" } },
		});
	});

	it("reports each fault at its place and keeps the valid calls", () => {
		const text = `{ "version": 1, "calls": { "bad": { "server": 1, "tool": "a" }, "good": { "server": "s", "tool": "a" } } }`;
		const { calls, problems } = parseCalls(text);
		expect(calls.map(({ name }) => name)).toEqual(["good"]);
		expect(problems).toEqual([
			{
				message: '"server" must be the name of a server.',
				severity: "error",
				range: { offset: text.indexOf('1, "tool'), length: 1 },
			},
		]);
	});

	it.each([
		[`[]`, [`[]: A call must be an object.`]],
		[`{ "server": "s" }`, [`"it": A call must have exactly one of "tool", "prompt" and "resource".`]],
		[
			`{ "server": "s", "tool": "a", "prompt": "b" }`,
			[`"it": A call must have exactly one of "tool", "prompt" and "resource".`],
		],
		[`{ "server": "s", "tool": 1 }`, [`1: "tool" must be the name of a tool.`]],
		[`{ "server": "s", "tool": "a", "arguments": [1] }`, [`[1]: "arguments" must be an object.`]],
		[`{ "server": "s", "prompt": "a", "arguments": { "n": 1 } }`, ["1: The arguments of a prompt must be strings."]],
		[`{ "server": "s", "resource": "a:b", "arguments": {} }`, [`"arguments": A resource takes no arguments.`]],
		[
			`{ "server": "s", "tool": "a", "expects": 1 }`,
			[expect.stringMatching(/^1: "expects" is not a known key\. Known keys: description, server, tool, /)],
		],
		[`{ "server": "s", "tool": "a", "expect": 1 }`, [`1: "expect" must be an object.`]],
		[`{ "server": "s", "tool": "a", "expect": { "isError": 1 } }`, [`1: "isError" must be true or false.`]],
		[
			`{ "server": "s", "tool": "a", "expect": { "text": {} } }`,
			[`"text": Add an expectation: one of equals, contains, matches.`],
		],
		[`{ "server": "s", "tool": "a", "expect": { "text": "x" } }`, [expect.stringMatching(/^"x": Add an expectation/)]],
		[
			`{ "server": "s", "tool": "a", "expect": { "text": { "contains": [1] } } }`,
			[`[1]: "contains" must be a string or a list of strings.`],
		],
		[
			`{ "server": "s", "tool": "a", "expect": { "text": { "matches": "(" } } }`,
			[`"(": "(" is not a valid regular expression.`],
		],
		[
			`{ "server": "s", "tool": "a", "expect": { "result": { "at": { "a/b": 1 } } } }`,
			[`1: "a/b" is not a JSON Pointer, which begins with "/", as in /items/0.`],
		],
		[
			`{ "server": "s", "resource": "a:b", "expect": { "structuredContent": { "equals": 1 } } }`,
			[`"structuredContent": "structuredContent" is not a known key. Known keys: text, result.`],
		],
		[
			`{ "server": "s", "tool": "a", "arguments": { "t": "\${input:no}" } }`,
			['"it": ${input:no} is used, but "inputs" does not define it.'],
		],
	])("explains what is wrong with %s", (call, expected) => {
		expect(problemsOf(call)).toEqual(expected);
	});

	it.each([
		["", []],
		["{", [/^Not valid JSON/]],
		["[]", [/is an object with "version" and "calls"/]],
		['{ "calls": {} }', [/"version" is missing: add "version": 1/]],
		['{ "version": 2, "calls": {} }', [/Version 2 of this format is not supported\. Use version 1/]],
		['{ "version": 1 }', [/"calls" must be an object that maps names to calls/]],
		['{ "version": 1, "version": 1, "calls": {} }', [/"version" is given more than once/]],
		["[".repeat(200_000), [/nested too deeply/]],
		[" ".repeat(1_000_001), [/more than 1,000,000 characters/]],
	] as const)("keeps nothing of a text that is not such a file", (text, expected) => {
		const { calls, problems } = parseCalls(text);
		expect(calls).toEqual([]);
		expect(problems.map(({ message }) => message)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
	});

	it("is completed by a schema that accepts what the reader accepts, and has no other keys", () => {
		const schema = JSON.parse(readFileSync(resolve("media/calls.schema.json"), "utf8")) as object;
		// It contains VS Code's own keywords.
		const validate = new Ajv({ strict: false, formats: { regex: true } }).compile(schema);
		const plain = (text: string): unknown => JSON.parse(JSON.stringify(readConfigText(text).value));
		const accepted = plain(whole);
		validate(accepted);
		expect(validate.errors).toBeNull();
		const calls = [
			`{ "server": "s" }`,
			`{ "server": "s", "tool": "a", "expects": 1 }`,
			`{ "server": "s", "tool": "a", "expect": { "text": {} } }`,
			`{ "server": "s", "tool": "a", "expect": { "result": { "at": { "a": 1 } } } }`,
		];
		for (const call of calls) {
			expect(problemsOf(call)).toHaveLength(1);
			expect(validate(plain(`{ "version": 1, "calls": { "it": ${call} } }`)), call).toBe(false);
		}
	});
});

describe("an input of a named call (CAL-06)", () => {
	it("is inserted wherever a text of an argument names it; one without a value, and other variables, stay as text", () => {
		const target = {
			kind: "tool",
			name: "a",
			arguments: { a: ["x${input:one}y${input:two}"], "${input:one}": { b: "${env:HOME} ${input:three}" }, n: 1 },
		} as const;
		expect(inputsIn(target)).toEqual(["one", "two", "three"]);
		const values = new Map([
			["one", "1"],
			["two", "${input:one}$&"],
		]);
		expect(withInputs(target, values)).toEqual({
			kind: "tool",
			name: "a",
			arguments: { a: ["x1y${input:one}$&"], "${input:one}": { b: "${env:HOME} ${input:three}" }, n: 1 },
		});
		expect(withInputs({ kind: "resource", uri: "a:${input:one}" }, values)).toEqual({ kind: "resource", uri: "a:1" });
	});
});
