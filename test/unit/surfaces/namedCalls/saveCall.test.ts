import { describe, expect, it } from "vitest";
import { applySchema } from "../../../../src/base/schema/schema.ts";
import { checkAnswer } from "../../../../src/surfaces/namedCalls/checkAnswer.ts";
import { answerOf } from "../../../../src/surfaces/namedCalls/callEntry.ts";
import { parseCalls } from "../../../../src/surfaces/namedCalls/parseCalls.ts";
import {
	hasCall,
	proposeExpectations,
	type SavedCall,
	withCall,
} from "../../../../src/surfaces/namedCalls/saveCall.ts";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../src/permissions/catalog/catalog.ts";

const saved: SavedCall = {
	server: "travel",
	tool: "echo",
	arguments: { text: "hi" },
	expect: { text: { equals: "hi" } },
};

describe("a call that is saved from a run (CAL-08)", () => {
	it("makes a file if there is none, which is read as intended", () => {
		const { text, inputs } = withCall("", "Says hi", saved);
		expect(inputs).toEqual([]);
		const { calls, problems } = parseCalls(text);
		expect(problems).toEqual([]);
		expect(calls).toEqual([
			{
				name: "Says hi",
				server: "travel",
				target: { kind: "tool", name: "echo", arguments: { text: "hi" } },
				expect: saved.expect,
			},
		]);
	});

	it("is added to a file whose other content is unchanged, in place of one of its name", () => {
		const before = '{\n\t"version": 1, // ours\n\t"calls": {\n\t\t"a": { "server": "s", "tool": "t" },\n\t},\n}\n';
		const { text } = withCall(before, "b", { ...saved, expect: {} });
		expect(text).toContain('"version": 1, // ours');
		expect(text).toContain('"a": { "server": "s", "tool": "t" },');
		expect(text).not.toContain("expect");
		expect(parseCalls(text).calls.map(({ name }) => name)).toEqual(["a", "b"]);
		expect([hasCall(text, "b"), hasCall(before, "b")]).toEqual([true, false]);
		const again = withCall(text, "b", { ...saved, tool: "other" }).text;
		expect(parseCalls(again).calls.map(({ target }) => target)).toMatchObject([{ name: "t" }, { name: "other" }]);
	});

	it("is not added to a file with a fault", () => {
		expect(() => withCall("{", "a", saved)).toThrow(/has an error, so nothing was added: Not valid JSON/);
		expect(() => withCall('{ "version": 7 }', "a", saved)).toThrow(/Version 7/);
	});

	it("holds no secret: text that looks like one becomes an input, which is requested", () => {
		const args = { text: "hi", apiKey: "abc", deep: [{ url: "https://x/?token=abc" }], id: "sk-abcdefghijklmnop" };
		const first = withCall("", "one", { ...saved, arguments: args });
		expect(first.text).not.toMatch(/"abc"|token=abc|sk-abc/);
		expect(first.inputs).toEqual(["travel-apikey", "travel-token", "travel-id"]);
		const second = withCall(first.text, "two", { ...saved, arguments: args });
		const { problems, inputs, calls } = parseCalls(second.text);
		expect(problems).toEqual([]);
		expect(inputs.map(({ id, isPassword }) => [id, isPassword])).toEqual(first.inputs.map((id) => [id, true]));
		expect(calls[1]?.target).toMatchObject({ arguments: { text: "hi", apiKey: "${input:travel-apikey}" } });
	});
});

describe("the proposed expectation of a call (CAL-08)", () => {
	const labels = (raw: RawToolResult): readonly string[] =>
		proposeExpectations(readResult(raw)).map(({ label }) => label);

	it.each<[string, RawToolResult, readonly string[]]>([
		["nothing", {}, ["An Answer without an Error"]],
		["a text", { content: [{ type: "text", text: "hi" }] }, ["The Whole Text", "An Answer without an Error"]],
		[
			"a long text",
			{ content: [{ type: "text", text: `\n12 flights\n${"x".repeat(2000)}` }] },
			["A Line of the Text", "An Answer without an Error"],
		],
		[
			"a value",
			{ structuredContent: { a: [{ b: 1, c: null }] } },
			["The Shape of the Structured Content", "The Whole Structured Content", "An Answer without an Error"],
		],
		["an error", { isError: true, content: [{ type: "text", text: "no" }] }, ["The Error", "The Error and Its Text"]],
	])("of %s matches the same answer", async (_what, raw, expected) => {
		expect(labels(raw)).toEqual(expected);
		const result = readResult(raw);
		const answer = answerOf({ kind: "tool", name: "", arguments: {} }, result);
		for (const { expect: wanted } of proposeExpectations(result)) expect(await checkAnswer(wanted, answer)).toEqual([]);
	});

	it("is a shape that an answer of other types does not have", async () => {
		const [shape] = proposeExpectations(readResult({ structuredContent: { a: [{ b: 1 }], "": true } }));
		const schema = shape?.expect.structuredContent?.schema ?? {};
		expect(await applySchema(schema, { a: [], "": false, more: 1 })).toEqual({ kind: "applied", problems: [] });
		for (const other of [{ a: [{ b: "1" }], "": true }, { a: [] }, [], { a: {}, "": true }]) {
			expect(await applySchema(schema, other)).not.toEqual({ kind: "applied", problems: [] });
		}
	});
});
