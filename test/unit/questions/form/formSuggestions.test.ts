import { describe, expect, it } from "vitest";
import type { Completions } from "../../../../src/questions/completion/feed.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { FieldSuggestions } from "../../../../src/questions/form/formProtocol.ts";
import type { QuestionField } from "../../../../src/questions/form/formQuestion.ts";
import { enter, ownForm, textField } from "./formScene.ts";

type Complete = (name: string, value: JsonObject, signal: AbortSignal, text: string) => Promise<Completions>;

function setUp(fields: readonly QuestionField[], complete: Complete = async () => ({ values: [] })) {
	const asked: { name: string; value: JsonObject; text: string; signal: AbortSignal }[] = [];
	const session = ownForm(fields, {
		complete: (name, value, signal, text) => {
			asked.push({ name, value, text, signal });
			return complete(name, value, signal, text);
		},
	});
	const shown: FieldSuggestions[] = [];
	session.onDidSuggest((suggestions) => shown.push(suggestions));
	return { session, asked, shown };
}

const values = (suggestions: FieldSuggestions | undefined) =>
	suggestions?.groups.map(({ label, rows }) => [label, ...rows.map(({ value }) => value)]);

describe("suggestions of a form", () => {
	it("come with all entered values as their context, recent values first and none twice", async () => {
		const { session, asked, shown } = setUp(
			[textField("a", { suggests: true, recent: ["Bergen", "Lisbon", "Bergen"] }), textField("b")],
			async () => ({ values: ["Berlin", "Bergen", "", "Berlin", "Be"], total: 1234 }),
		);
		enter(session, "Be", "other");
		session.complete(0, 0);
		expect(values(shown.at(-1))).toEqual([["Recently used", "Bergen"]]);
		expect(shown.at(-1)?.isBusy).toBe(true);
		await expect.poll(() => shown.at(-1)?.isBusy === false).toBe(true);
		expect(asked).toMatchObject([{ name: "a", value: { a: "Be", b: "other" }, text: "Be" }]);
		expect(values(shown.at(-1))).toEqual([
			["Recently used", "Bergen"],
			["Suggestions", "Berlin"],
		]);
		expect(shown.at(-1)?.note).toMatch(/of 1,234 values, type to narrow$/);
	});

	it("of an outdated answer keep the matching values, without a note that counts the others", async () => {
		const { session, shown } = setUp([textField("a", { suggests: true })], async (_name, _value, _signal, text) => ({
			values: ["Basel", "Berlin", "Bern"].filter((city) => city.startsWith(text)),
			total: 1234,
		}));
		enter(session, "B");
		session.complete(0, 0);
		await expect.poll(() => shown.at(-1)?.note).toBe("3 of 1,234 values, type to narrow");
		enter(session, "Be");
		session.complete(0, 0);
		expect(values(shown.at(-1))).toEqual([["Suggestions", "Berlin", "Bern"]]);
		expect(shown.at(-1)).toMatchObject({ isBusy: true });
		expect(shown.at(-1)).not.toHaveProperty("note");
		await expect.poll(() => shown.at(-1)?.note).toBe("2 of 1,234 values, type to narrow");
	});

	it("are shown only for the last request, and only that is sent", async () => {
		const answers = new Map<string, (values: readonly string[]) => void>();
		const { session, asked, shown } = setUp(
			[textField("a", { suggests: true })],
			(_field, _input, _signal, text) => new Promise((resolve) => answers.set(text, (values) => resolve({ values }))),
		);
		enter(session, "a");
		session.complete(0, 0);
		await expect.poll(() => answers.has("a")).toBe(true);
		enter(session, "ab");
		session.complete(0, 0);
		enter(session, "abc");
		session.complete(0, 0);
		await expect.poll(() => answers.has("abc")).toBe(true);
		expect(asked.map(({ text }) => text)).toEqual(["a", "abc"]);
		expect(asked[0]?.signal.aborted).toBe(true);
		answers.get("a")?.(["late"]);
		answers.get("abc")?.(["abcd"]);
		await expect.poll(() => shown.at(-1)?.isBusy === false).toBe(true);
		expect(shown.map((suggestions) => JSON.stringify(suggestions)).join()).not.toContain("late");
		expect(values(shown.at(-1))).toEqual([["Suggestions", "abcd"]]);
	});

	it("for a field without a server are the earlier values", () => {
		const { session, asked, shown } = setUp([textField("a", { recent: ["one", "two", "one more"] })]);
		enter(session, "ONE");
		session.complete(0, 0);
		expect(shown).toEqual([
			{
				field: 0,
				groups: [
					{
						label: "Recently used",
						rows: [
							{ value: "one", label: "one" },
							{ value: "one more", label: "one more" },
						],
					},
				],
				isBusy: false,
			},
		]);
		expect(asked).toEqual([]);
	});

	it("are empty after a failure", async () => {
		const { session, shown } = setUp([textField("a", { suggests: true })], () => Promise.reject(new Error("down")));
		enter(session, "a");
		session.complete(0, 0);
		await expect.poll(() => shown.at(-1)?.isBusy === false).toBe(true);
		expect(shown.at(-1)).toEqual({ field: 0, groups: [], isBusy: false });
	});

	it("are limited to a hundred, with hidden characters as escapes, on one line, none endless (PRM-05, TOL-08)", async () => {
		const many = Array.from({ length: 100_000 }, (_item, index) => `value ${index}`);
		const { session, shown } = setUp([textField("a", { suggests: true })], async () => ({
			values: ["a\u202Eb\nc", "x".repeat(500), "y".repeat(20_000), ...many],
		}));
		enter(session, "");
		session.complete(0, 0);
		await expect.poll(() => shown.at(-1)?.isBusy === false).toBe(true);
		const rows = shown.at(-1)?.groups[0]?.rows ?? [];
		expect(rows.length).toBeLessThanOrEqual(100);
		expect(rows[0]).toEqual({ value: "a\u202Eb\nc", label: "a\\u202Eb⏎c" });
		expect(rows[1]?.label).toBe(`${"x".repeat(200)}… (300 more characters)`);
		expect(rows.every(({ value }) => value.length <= 10_000)).toBe(true);
		expect(shown.at(-1)?.note).toMatch(/type to narrow$/);
	});

	it("are for the line of the caret in a list, and for no text of several lines", async () => {
		const { session, asked } = setUp([
			textField("a", { suggests: true, isLong: true, isList: true }),
			textField("b", { suggests: true }),
		]);
		enter(session, "one\r\ntwo\nthree", "");
		session.complete(0, 1);
		await expect.poll(() => asked.length === 1).toBe(true);
		enter(session, "one", "one\ntwo");
		session.complete(0, 3);
		enter(session, "one", "one\ntwo");
		session.complete(1, 0);
		enter(session, "one", "last");
		session.complete(1, 0);
		await expect.poll(() => asked.length === 2).toBe(true);
		expect(asked.map(({ name, text }) => [name, text])).toEqual([
			["a", "two"],
			["b", "last"],
		]);
	});

	it("are removed once the text has several lines, whatever is answered then", async () => {
		const waiting: ((values: readonly string[]) => void)[] = [];
		const { session, shown } = setUp(
			[textField("a", { suggests: true })],
			() => new Promise((resolve) => waiting.push((found) => resolve({ values: found }))),
		);
		enter(session, "one");
		session.complete(0, 0);
		await expect.poll(() => waiting.length === 1).toBe(true);
		enter(session, "one\ntwo");
		session.complete(0, 1);
		const none = { field: 0, groups: [], isBusy: false };
		expect(shown.at(-1)).toEqual(none);
		waiting[0]?.(["one more"]);
		await new Promise((resolve) => setImmediate(resolve));
		expect(shown.at(-1)).toEqual(none);
	});

	it("of several lines are no values for a line of a list", async () => {
		const { session, shown } = setUp(
			[textField("a", { suggests: true, isLong: true, isList: true, recent: ["one\nmore"] })],
			async () => ({ values: ["one\r\nmore", "one by one"] }),
		);
		enter(session, "one");
		session.complete(0, 0);
		await expect.poll(() => shown.at(-1)?.isBusy === false).toBe(true);
		expect(values(shown.at(-1))).toEqual([["Suggestions", "one by one"]]);
	});

	it.each([1, 2, 3, -1, "0", undefined, null, {}])("are for fields that have them: not for %j (UI-06)", (field) => {
		const { session, asked, shown } = setUp([
			textField("a", { suggests: true }),
			textField("b"),
			{ name: "c", kind: "boolean", label: "c", isRequired: false, suggests: true, recent: ["x"] },
		]);
		enter(session, "x");
		session.complete(field, 0);
		// An accepted request is announced at once.
		expect(shown).toEqual([]);
		expect(asked).toEqual([]);
	});

	it("end with the form", async () => {
		const { session, asked, shown } = setUp([textField("a", { suggests: true })], () => new Promise(() => undefined));
		enter(session, "a");
		session.complete(0, 0);
		await expect.poll(() => asked.length === 1).toBe(true);
		session.cancel();
		await session.decision.settled;
		await expect.poll(() => asked[0]?.signal.aborted === true).toBe(true);
		const before = shown.length;
		enter(session, "ab");
		session.complete(0, 0);
		expect(shown).toHaveLength(before);
	});
});
