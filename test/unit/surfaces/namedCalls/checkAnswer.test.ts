import { describe, expect, it } from "vitest";
import { type CallAnswer, checkAnswer } from "../../../../src/surfaces/namedCalls/checkAnswer.ts";
import type { Expectations } from "../../../../src/surfaces/namedCalls/namedCall.ts";

const data = {
	id: 7,
	city: "Rome",
	nights: [
		{ date: "1", price: 10 },
		{ date: "2", price: 20 },
	],
};

function answer(more: Partial<CallAnswer> = {}): CallAnswer {
	return { isError: false, text: "Two nights\nin Rome", structuredContent: data, result: {}, problems: [], ...more };
}

async function failuresOf(expected: Expectations, more?: Partial<CallAnswer>): Promise<readonly string[]> {
	const failures = await checkAnswer(expected, answer(more));
	return failures.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the expectation of an answer (CAL-02)", () => {
	it.each<[string, Expectations]>([
		["the whole text", { text: { equals: "Two nights\nin Rome" } }],
		["parts of the text", { text: { contains: ["Two", "Rome"] } }],
		["a pattern", { text: { matches: "^Two.*\\n" } }],
		[
			"a value, whatever the order of its members",
			{ structuredContent: { equals: { city: "Rome", nights: data.nights, id: 7 } } },
		],
		["a part of a value", { structuredContent: { includes: { nights: [{ price: 10 }, {}] } } }],
		["values by pointer", { structuredContent: { at: { "/nights/1/price": 20, "": data } } }],
		["a schema", { structuredContent: { schema: { required: ["id"] } } }],
		["the whole result", { result: { equals: {} } }],
	])("is met: %s", async (_name, expected) => {
		expect(await failuresOf(expected)).toEqual([]);
	});

	it("is not met, with the reasons and places, all at once", async () => {
		const expected: Expectations = {
			text: { equals: "x", contains: ["Two", "Paris"], matches: "^Rome" },
			structuredContent: {
				equals: [],
				includes: { nights: [{ price: 10 }] },
				at: { "/id": 8, "/nights/01": 1, "/none": null },
				schema: { properties: { id: { type: "string" } } },
			},
			result: { includes: { a: 1 } },
		};
		expect(await failuresOf(expected)).toEqual([
			"text.equals: The text is different.",
			'text.contains: The text does not contain "Paris".',
			"text.matches: The text does not match ^Rome.",
			"structuredContent.equals: The value is different.",
			"structuredContent.includes: The value does not include what is expected.",
			"structuredContent.at./id: The value at /id is different.",
			"structuredContent.at./nights/01: There is nothing at /nights/01.",
			"structuredContent.at./none: There is nothing at /none.",
			expect.stringMatching(/^structuredContent\.schema: id: /),
			"result.includes: The value does not include what is expected.",
		]);
	});

	it("is shown beside the actual result: members in one order, and only relevant ones, every character visible", async () => {
		const [whole] = await checkAnswer({ structuredContent: { equals: { city: "Roma\u202E", id: 7 } } }, answer());
		expect(whole?.difference?.expected).toBe('{\n  "city": "Roma\\u202E",\n  "id": 7\n}');
		expect(whole?.difference?.actual).toMatch(/^\{\n {2}"city": "Rome",\n {2}"id": 7,\n {2}"nights": \[/);
		const [part] = await checkAnswer({ structuredContent: { includes: { nights: [{ price: 1 }, {}] } } }, answer());
		expect(part?.difference).toEqual({
			expected: '{\n  "nights": [\n    {\n      "price": 1\n    },\n    {}\n  ]\n}',
			actual: '{\n  "nights": [\n    {\n      "price": 10\n    },\n    {}\n  ]\n}',
		});
	});

	it("never hangs on a backtracking expression of a file (TRN-53)", async () => {
		const failures = await failuresOf({ text: { matches: "^(a+)+$" } }, { text: `${"a".repeat(60)}b` });
		expect(failures).toEqual(["text.matches: The search for ^(a+)+$ took too long and was stopped."]);
	});

	it("fails if there is no structured content, and if members are inherited", async () => {
		expect(await failuresOf({ structuredContent: { at: { "/a": 1 } } }, { structuredContent: undefined })).toEqual([
			"structuredContent: The result has no structured content.",
		]);
		const inherited = { at: { "/constructor/name": "Object" }, includes: { toString: 1 } };
		expect(await failuresOf({ structuredContent: inherited })).toHaveLength(2);
	});
});

describe("an answer without an expectation (CAL-03)", () => {
	it("must not be an error, and must match its tool's output schema", async () => {
		expect(await failuresOf({})).toEqual([]);
		expect(await failuresOf({}, { isError: true, text: "no seats" })).toEqual([
			": The tool reported an error: no seats",
		]);
		expect(await failuresOf({}, { problems: ["structuredContent/id: wrong"] })).toEqual([
			": Output schema of the tool: structuredContent/id: wrong",
		]);
	});

	it("may be an error if that is expected, and then must be one", async () => {
		expect(await failuresOf({ isError: true }, { isError: true })).toEqual([]);
		expect(await failuresOf({ isError: true })).toEqual([
			"isError: The tool was expected to report an error, but reported none.",
		]);
	});
});
