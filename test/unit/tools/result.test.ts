import { describe, expect, test } from "vitest";
import { modelLimits, readResult, type RawToolResult } from "../../../src/tools/result.ts";

const modelTexts = (raw: RawToolResult): readonly string[] =>
	readResult(raw).forModel.map((part) => (part.type === "text" ? part.text : part.type));

describe("a result", () => {
	test("of every kind reaches model and person", () => {
		const raw: RawToolResult = {
			content: [
				{ type: "text", text: "Hello" },
				{ type: "image", data: "AAAA", mimeType: "image/png" },
				{ type: "audio", data: "BBBB", mimeType: "audio/wav" },
				{ type: "resource_link", uri: "file:///etc/passwd", name: "passwords" },
				{ type: "resource", resource: { uri: "x://text", mimeType: "text/plain", text: "inside" } },
				{ type: "resource", resource: { uri: "x://image", mimeType: "image/png", blob: "CCCC" } },
				{ type: "resource", resource: { uri: "x://zip", mimeType: "application/zip", blob: "DDDD" } },
			],
		};
		const { forPerson } = readResult(raw);
		expect(forPerson.map(({ kind }) => kind)).toEqual([
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

	test("with structured content tells it once", () => {
		const value = { b: [1, 2], a: "x" };
		expect(
			modelTexts({ content: [{ type: "text", text: '{ "a": "x", "b": [1,2] }' }], structuredContent: value }),
		).toHaveLength(1);
		expect(modelTexts({ content: [{ type: "text", text: "Done" }], structuredContent: value })).toEqual([
			"Done",
			JSON.stringify(value),
		]);
	});

	test.each([[["x"]], ["text"], [null], [0], [false]])("may be structured as %j", (structuredContent) => {
		const raw = { content: [], structuredContent };
		expect(readResult(raw).forPerson).toEqual([{ kind: "structured", value: structuredContent }]);
		expect(modelTexts(raw)).toEqual([JSON.stringify(structuredContent)]);
	});

	test("goes to whom it is meant for", () => {
		const { forModel, forPerson } = readResult({
			content: [
				{ type: "text", text: "for you", annotations: { audience: ["user"] } },
				{ type: "text", text: "for the model", annotations: { audience: ["assistant"] } },
				{ type: "text", text: "for both", annotations: { audience: ["user", "assistant"] } },
			],
		});
		expect(forPerson).toEqual([
			{ kind: "text", text: "for you" },
			{ kind: "text", text: "for both" },
		]);
		expect(JSON.stringify(forModel)).not.toContain("for you");
		expect(JSON.stringify(forModel)).toContain("was shown to them");
	});

	test.each([
		["nothing", {}],
		["no list", { content: "text" }],
		["nulls", { content: [null, 7] }],
		["an unknown kind", { content: [{ type: "hologram", data: "x" }] }],
	])("with %s breaks nothing", (_name, raw) => {
		expect(() => readResult(raw as unknown as RawToolResult)).not.toThrow();
	});

	test("that is long is cut for the model with a note, and whole for the person", () => {
		const long = "x".repeat(modelLimits.characters + 1000);
		const raw: RawToolResult = {
			content: [
				{ type: "text", text: long },
				{ type: "text", text: "more" },
			],
		};
		const said = modelTexts(raw).join("");
		expect(said.length).toBeLessThan(modelLimits.characters + 300);
		expect(said).toContain("The result was cut here");
		expect(readResult(raw).forPerson).toEqual([
			{ kind: "text", text: long },
			{ kind: "text", text: "more" },
		]);
	});

	test("with 200 images sends a few and names the rest", () => {
		const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
		const parts = readResult({ content: Array.from({ length: 200 }, () => image) }).forModel;
		expect(parts.filter(({ type }) => type === "image")).toHaveLength(modelLimits.media);
	});

	test("cannot smuggle what only a model reads, and keeps emoji whole", () => {
		expect(modelTexts({ content: [{ type: "text", text: "ok\u{E0049}\u202E\u200B 👩‍🚀 ❤️" }] })).toEqual([
			"ok\\u{E0049}\\u{202E}\\u{200B} 👩‍🚀 ❤️",
		]);
	});
});
