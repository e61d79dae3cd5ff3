import { describe, expect, test, vi } from "vitest";
import type { Json } from "../../../../../src/base/json.ts";
import { loadSchemaChecks } from "../../../../../src/base/schema/schema.ts";
import {
	contentOf,
	outputProblems,
	readResult,
	toResultPart,
} from "../../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../../src/permissions/catalog/catalog.ts";
import { repetitionOf } from "../../../../../src/features/tools/results/resultRepetition.ts";
import { ogg, png, wav, webp } from "../media.ts";

const modelTexts = (raw: RawToolResult): readonly string[] =>
	readResult(raw).forModel.map((part) => (part.type === "text" ? part.text : part.type));

const text = (value: string, audience?: ("user" | "assistant")[]) => ({
	type: "text" as const,
	text: value,
	...(audience === undefined ? {} : { annotations: { audience } }),
});

describe("a result", () => {
	test("of every kind reaches model and user", () => {
		const raw: RawToolResult = {
			content: [
				text("Hello"),
				{ type: "image", data: png, mimeType: "image/png" },
				{ type: "audio", data: wav, mimeType: "audio/wav" },
				{ type: "resource_link", uri: "file:///etc/passwd", name: "passwords" },
				{ type: "resource", resource: { uri: "x://text", mimeType: "text/plain", text: "inside" } },
				{ type: "resource", resource: { uri: "x://image", mimeType: "image/webp", blob: webp } },
				{ type: "resource", resource: { uri: "x://zip", mimeType: "application/zip", blob: "DDDD" } },
			],
		};
		expect(contentOf(raw).map(({ block }) => toResultPart(block).kind)).toEqual([
			"text",
			"media",
			"media",
			"link",
			"resource",
			"media",
			"resource",
		]);
		expect(modelTexts(raw)).toEqual([
			"Hello",
			"image",
			"audio",
			'(Link to the resource file:///etc/passwd, named "passwords". It has not been read.)',
			"Resource x://text:\ninside",
			"image",
			"Resource x://zip:\n(binary, application/zip: left out)",
		]);
	});

	test.each([[["x"]], ["text"], [null], [0], [false]])("may be structured as %j", (structuredContent) => {
		const raw = { content: [], structuredContent };
		expect(modelTexts(raw)).toEqual([JSON.stringify(structuredContent)]);
	});

	test("goes to its audience", () => {
		const { forModel } = readResult({
			content: [
				text("for you", ["user"]),
				text("for the model", ["assistant"]),
				text("for both", ["user", "assistant"]),
			],
		});
		expect(JSON.stringify(forModel)).not.toContain("for you");
		expect(JSON.stringify(forModel)).toContain("was shown to them");
	});

	test("with a false image is described in words, since an endpoint would refuse the conversation", () => {
		const image = (data: string, mimeType: string) => ({ type: "image" as const, data, mimeType });
		expect(modelTexts({ content: [image("AAAA", "image/png"), image("!!!", "image/png")] })).toEqual([
			expect.stringContaining("image/png left out"),
			expect.stringContaining("image/png left out"),
		]);
		expect(readResult({ content: [image(png, "image/jpeg")] }).forModel).toMatchObject([{ mimeType: "image/png" }]);
		expect(readResult({ content: [{ type: "audio", data: ogg, mimeType: "text/html" }] }).forModel).toMatchObject([
			{ type: "audio", mimeType: "audio/ogg" },
		]);
	});

	test("cannot contain text that only a model reads, and keeps emoji whole (TOL-08)", () => {
		expect(modelTexts({ content: [text("ok\u{E0049}\u202E\u200B 👩‍🚀 ❤️")] })).toEqual([
			"ok\\u{E0049}\\u{202E}\\u{200B} 👩‍🚀 ❤️",
		]);
	});
});

describe("invalid results (TOL-13)", () => {
	test.each([
		["nothing", {}, "The result is empty"],
		["an empty list", { content: [] }, "The result is empty"],
		["no list", { content: "text" }, "The result is empty"],
		["a list of what are no blocks", { content: [null, 7, "x", []] }, "The result is empty"],
		["an unknown kind", { content: [{ type: "hologram", data: "x" }] }, "hologram"],
		["no kind", { content: [{}] }, "does not understand"],
		["a text that is none", { content: [{ type: "text", text: 7 }] }, "does not understand"],
		["a text without text", { content: [{ type: "text" }] }, "does not understand"],
		["an image without data", { content: [{ type: "image" }] }, "does not understand"],
		["an image with an object as type", { content: [{ type: "image", data: "AAAA", mimeType: {} }] }, "left out"],
		["audio that is null", { content: [{ type: "audio", data: null, mimeType: "audio/wav" }] }, "does not understand"],
		["a link without address", { content: [{ type: "resource_link", name: "x" }] }, "does not understand"],
		["a link without name", { content: [{ type: "resource_link", uri: "a:b" }] }, "a:b"],
		["a resource that is none", { content: [{ type: "resource" }] }, "does not understand"],
		["a resource of numbers", { content: [{ type: "resource", resource: { uri: 1 } }] }, "does not understand"],
		[
			"a resource without contents",
			{ content: [{ type: "resource", resource: { uri: "a:b" } }] },
			"does not understand",
		],
		[
			"an audience that nobody knows",
			{ content: [{ type: "text", text: "hi", annotations: { audience: ["Assistant"] } }] },
			"hi",
		],
		["an audience of numbers", { content: [{ type: "text", text: "hi", annotations: { audience: [5] } }] }, "hi"],
		["an audience that is none", { content: [{ type: "text", text: "hi", annotations: { audience: "user" } }] }, "hi"],
		["annotations that are null", { content: [{ type: "text", text: "hi", annotations: null }] }, "hi"],
	])("with %s are sent to the model and shown", (_name, raw, words) => {
		const { forModel, isError } = readResult(raw as unknown as RawToolResult);
		expect(JSON.stringify(forModel)).toContain(words);
		expect(isError).toBe(false);
	});

	test.each([
		[true, true],
		["true", false],
		[1, false],
		[undefined, false],
	])("with isError %j are errors: %j", (isError, expected) => {
		expect(readResult({ content: [], isError } as unknown as RawToolResult).isError).toBe(expected);
	});
});

describe("structured content", () => {
	const value = {
		flights: [
			{ id: 1, to: "Rome" },
			{ id: 2, to: "Oslo" },
		],
		currency: "EUR",
	};
	const whole = JSON.stringify(value);

	test.each([
		["the same JSON", value, [whole]],
		["the same in another order", value, ['{"currency":"EUR","flights":[{"to":"Rome","id":1},{"to":"Oslo","id":2}]}']],
		["the same, indented", value, [JSON.stringify(value, undefined, 4)]],
		["a part of it", value, [JSON.stringify({ currency: "EUR" })]],
		["a part of a member", value, [JSON.stringify(value.flights, undefined, 2)]],
		["one text for each item", value, value.flights.map((flight) => JSON.stringify(flight))],
		["the wrapped value", { result: 5 }, ["5"]],
	])("replaces texts that are %s", (_name, structuredContent, texts) => {
		expect(modelTexts({ content: texts.map((one) => text(one)), structuredContent })).toEqual([
			JSON.stringify(structuredContent),
		]);
	});

	test.each([
		["words", "All booked."],
		["digits", "5"],
		["a file of many lines", '# Wishes\n\n- "quiet"\n'],
	])("is replaced by a text that it only wraps: %s", (_name, words) => {
		expect(modelTexts({ content: [text(words)], structuredContent: { content: words } })).toEqual([words]);
	});

	test.each([
		["other words", value, "Two flights found"],
		["a word that it contains", value, "Rome"],
		["more than it", value, JSON.stringify({ ...value, more: true })],
		["a different value", value, JSON.stringify({ currency: "USD" })],
		["nothing", value, ""],
		["an empty object", value, "{}"],
	])("is beside a text that is %s", (_name, structuredContent, words) => {
		expect(modelTexts({ content: [text(words)], structuredContent })).toEqual([
			words,
			JSON.stringify(structuredContent),
		]);
	});

	test("is in the place of the first text that repeats it", () => {
		expect(
			modelTexts({ content: [text("Before"), text(whole), text("After"), text(whole)], structuredContent: value }),
		).toEqual(["Before", whole, "After"]);
	});

	test("is not sent to the model if its text is meant for the user only", () => {
		expect(modelTexts({ content: [text(whole, ["user"])], structuredContent: value }).join()).not.toContain("Rome");
	});
});

describe("the output schema (TOL-14, BLT-39)", () => {
	const schema = {
		type: "object",
		properties: { n: { type: "number" } },
		required: ["n"],
		additionalProperties: false,
	};

	test.each([
		["a valid value", schema, { structuredContent: { n: 1 } }, undefined],
		["a wrong type", schema, { structuredContent: { n: "not a number" } }, /^structuredContent\/n: .*number/],
		["more members", schema, { structuredContent: { n: 1, extra: 1 } }, /extra/],
		["a missing member", schema, { structuredContent: {} }, /"n"/],
		["another kind of value", schema, { structuredContent: [1] }, /object.*list/],
		["no structured content", schema, { content: [text("1")] }, /no structured content/],
		["null where an object should be", schema, { structuredContent: null }, /null/],
		["a list, with a schema of lists", { type: "array" }, { structuredContent: [] }, undefined],
		["an error", schema, { isError: true, content: [text("no rooms")] }, undefined],
		["an error with data that do not fit", schema, { isError: true, structuredContent: { n: "x" } }, undefined],
		["an unknown dialect", { $schema: "x:mine" }, { structuredContent: { n: 1 } }, /not checked: .*dialect/],
		["a broken keyword", { properties: { n: { pattern: "(" } } }, { structuredContent: { n: "1" } }, undefined],
		[
			"an endless expression (TRN-53)",
			{ properties: { n: { pattern: "^(a+)+$" } } },
			{ structuredContent: { n: `${"a".repeat(100)}!` } },
			/not checked: .*250 ms/,
		],
		["no schema", undefined, { structuredContent: { n: "x" } }, undefined],
	])("with %s", async (_name, outputSchema, raw, problem) => {
		const problems = outputProblems(await loadSchemaChecks(), outputSchema, raw);
		if (problem === undefined) expect(problems).toEqual([]);
		else expect(problems.join("\n")).toMatch(problem);
	});

	test("whose violation is reported to the model beside the result, which stays whole", () => {
		const raw = { content: [text("Seven it is")], structuredContent: { n: "seven" } };
		const { forModel, problems } = readResult(raw, ["n is no number"]);
		expect(problems).toEqual(["n is no number"]);
		expect(forModel).toEqual([
			{ type: "text", text: expect.stringContaining("n is no number") },
			{ type: "text", text: "Seven it is" },
			{ type: "text", text: '{"n":"seven"}' },
		]);
	});

	test("that compares every item with every other is stopped in time", async () => {
		const items = Array.from({ length: 20_000 }, (_, index) => ({ index, tag: `t${index}` }));
		const checks = await loadSchemaChecks();
		const problems = outputProblems(checks, { type: "array", uniqueItems: true }, { structuredContent: items });
		expect(problems.join()).toMatch(/250 ms|^$/);
	});
});

describe("texts beside structured content that are made to be hard to compare", () => {
	test("are sent unchanged when they are nested too deep", () => {
		const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
		const told = modelTexts({ content: [text(deep), text('{"a":1}')], structuredContent: { a: 1 } });
		expect(told).toEqual([deep, '{"a":1}']);
	});

	test("do not keep copies of its parts", () => {
		let chain: Json = "x".repeat(100_000);
		for (let depth = 0; depth < 200; depth++) chain = { a: chain };
		const stringify = vi.spyOn(JSON, "stringify");
		try {
			repetitionOf(chain);
			const made = stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
			expect(made).toBeLessThan(3_000_000);
		} finally {
			stringify.mockRestore();
		}
	});
});

describe("TOL-08: characters that no user can read in a text for the model", () => {
	const smuggled = (base: number): string =>
		[..."ignore all"].map((character) => String.fromCodePoint(base + (character.codePointAt(0) ?? 0))).join("");

	test.each([
		["tags", smuggled(0xe0000)],
		["variation selectors that no writing needs", smuggled(0xe0100)],
		["variation selectors in a row", "\uFE0F\uFE0E\uFE0F\uFE0E"],
		["one of the others after a letter", "\uFE03"],
		["joiners in a row", "\u200C\u200D\u200C\u200C"],
		["old format characters", "\u206A\u206B"],
	])("are shown as escapes: %s", (_name, hidden) => {
		const [told = ""] = modelTexts({ content: [text(`a${hidden}b`)] });
		expect(told).toMatch(/^a(?:\\u\{[0-9A-F]+\})+b$/);
	});

	test("are replaced in a text of little else, in time independent of their number", () => {
		for (const [hidden, most] of [
			["\u200B", 100_000],
			["\u200D", 3000],
		] as const) {
			const [told = ""] = modelTexts({ content: [text(`a${hidden.repeat(100_000)}b`)] });
			expect(told.replace(/(?:\uFFFD|\\u\{200D\})+/g, "…")).toBe("a…b");
			expect(told.match(/\uFFFD|\\u/g)?.length).toBeGreaterThan(most / 1000);
		}
	});

	test.each(["❤️‍🔥 👩‍👩‍👧‍👦 ☎︎ 🏳️‍🌈", "می‌خواهم", "क्‍ष", "one\r\ntwo\ttabs", "a lone \u001B and \u001B[31"])(
		"leave %j unchanged",
		(plain) => {
			expect(modelTexts({ content: [text(plain)] })).toEqual([plain]);
		},
	);
});
