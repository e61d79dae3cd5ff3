import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { problemSentence, problemsOf } from "../../../../src/base/schema/schema.ts";

const text = { type: "string" };

test.each<[JsonObject, Json, string]>([
	[{ type: "number" }, "sold out", "Must be a number, but is text."],
	[{ type: ["string", "null"] }, 5, "Must be text or null, but is a number."],
	[{ type: "integer" }, 0.5, "Must be a whole number, but is a number."],
	[{ properties: { a: { items: text } } }, { a: [1] }, "a/0: Must be text, but is a number."],
	[{ required: ["name"] }, {}, '"name" is missing.'],
	[{ enum: ["a,b", 2] }, "c", 'Must be one of these: "a,b",2.'],
	[{ const: "x" }, "y", 'Must be "x".'],
	[{ minLength: 2 }, "x", "Must have at least 2 characters, but has 1."],
	[{ maxItems: 1 }, [1, 2], "Must have at most 1 item, but has 2."],
	[{ pattern: "^a" }, "b", "Does not match the pattern in the schema."],
	[{ format: "date" }, "x", 'Does not have the format "date".'],
	[{ uniqueItems: true }, [1, 1], "Items 0 and 1 are the same."],
	[{ additionalProperties: false }, { b: 1 }, 'The schema does not allow this value for "b".'],
	[{ minimum: 1 }, 0, "0 is less than 1."],
])(
	"a mismatch with %j is described in plain words: the expected and the actual value (TOL-31)",
	async (schema, value, words) => {
		expect((await problemsOf(schema, value)).map(problemSentence)).toContain(words);
	},
);
