import { describe, expect, it } from "vitest";
import { fieldsOf, removableOf } from "../../../../src/features/sampling/fields.ts";
import { readDraft } from "../../../../src/features/sampling/review/draft.ts";
import { edits } from "./edits.ts";
import { assistant, image, read, result, text, tool, use, user } from "./requests.ts";

const whole = read({
	systemPrompt: "Be brief.",
	messages: [
		user(text, image),
		assistant({ type: "text", text: "Let me see." }, use("a"), use("b"), use("c"), use("d")),
		user(
			result("a"),
			result("b", text, image, text),
			{ ...result("c", image), isError: true },
			{
				type: "tool_result",
				toolUseId: "d",
				content: [],
			},
		),
	],
	temperature: 0.25,
	stopSequences: ["END", '\n"\u202e'],
	tools: [tool("t"), tool("text.shout")],
	modelPreferences: { hints: [{ name: "claude" }, { name: "a, b" }], costPriority: 0.5, intelligencePriority: 1 },
	metadata: { user_id: "u1" },
});

const originals = (request = whole): Readonly<Record<string, string>> =>
	Object.fromEntries(fieldsOf(request).map(({ place, original }) => [place, original]));

describe("fieldsOf", () => {
	it("returns every text that the user can change, with its place, as received", () => {
		expect(originals()).toEqual({
			system: "Be brief.",
			"message.0.part.0": "hi",
			"message.1.part.0": "Let me see.",
			"message.1.part.1": '{\n  "a": 1\n}',
			"message.1.part.2": '{\n  "a": 1\n}',
			"message.1.part.3": '{\n  "a": 1\n}',
			"message.1.part.4": '{\n  "a": 1\n}',
			"message.2.part.0": "hi",
			"message.2.part.1.content.0": "hi",
			"message.2.part.1.content.2": "hi",
			"message.2.part.3": "(the result is empty)",
			maxTokens: "10",
			temperature: "0.25",
			stopSequences: String.raw`"END", "\n\"\u202E"`,
			tools: JSON.stringify([tool("t"), tool("text.shout")], undefined, 2),
			toolChoice: "auto",
			hints: '"claude", "a, b"',
			costPriority: "0.5",
			speedPriority: "",
			intelligencePriority: "1",
			metadata: '{\n  "user_id": "u1"\n}',
		});
	});

	it("has a system prompt to add if there is none, and neither tools nor metadata", () => {
		const places = fieldsOf(read({})).map(({ place }) => place);
		expect(places).toEqual([
			"system",
			"message.0.part.0",
			"maxTokens",
			"temperature",
			"stopSequences",
			"hints",
			"costPriority",
			"speedPriority",
			"intelligencePriority",
		]);
	});

	it("writes JSON in which every character is visible", () => {
		const hidden = { ...use("a"), input: { to: "rome\u202e\u{E0041}" } };
		const { "message.0.part.0": shown = "" } = originals(read({ messages: [assistant(hidden), user(result("a"))] }));
		expect(shown).toBe(String.raw`{
  "to": "rome\u202E\uDB40\uDC41"
}`);
		expect(JSON.parse(shown)).toEqual(hidden.input);
	});

	it("names the parts that the model receives in another form", () => {
		const hintOf = (request = whole): string | undefined =>
			fieldsOf(request).find(({ place }) => place === "tools")?.hint;
		expect(hintOf()).toMatch(/sees "text\.shout" as text_shout_[0-9a-f]{8}\.$/);
		expect(hintOf(read({ tools: [tool("t")] }))).not.toContain("told of");
		const mended = { ...tool("t"), inputSchema: { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] } };
		expect(hintOf(read({ tools: [mended] }))).toContain("t with an equivalent schema");
	});

	it("marks that a model receives an error flag, which is not in the text", () => {
		const failed = { ...result("a"), isError: true };
		const fields = fieldsOf(read({ messages: [assistant(use("a")), user(failed)] }));
		expect(fields.find(({ place }) => place === "message.1.part.0")).toMatchObject({
			label: "Tool result (error)",
			hint: expect.stringContaining("Error:"),
		});
	});
});

describe("removableOf", () => {
	it("names messages, parts, and the images within results", () => {
		expect([...removableOf(whole)]).toEqual([
			"message.0",
			"message.0.part.0",
			"message.0.part.1",
			"message.1",
			"message.1.part.0",
			"message.1.part.1",
			"message.1.part.2",
			"message.1.part.3",
			"message.1.part.4",
			"message.2",
			"message.2.part.0",
			"message.2.part.1",
			"message.2.part.1.content.1",
			"message.2.part.2",
			"message.2.part.2.content.0",
			"message.2.part.3",
		]);
	});

	it("names only parts that readDraft removes", () => {
		const before = JSON.stringify(readDraft(whole, new Map(), edits()));
		for (const place of removableOf(whole)) {
			const after = JSON.stringify(readDraft(whole, new Map(), edits({}, { removed: [place] })));
			expect(after, place).not.toBe(before);
		}
	});
});
