import { describe, expect, it, vi } from "vitest";
import type { Completions } from "../../../src/completion/feed.ts";
import type { FieldSuggestions, FormField, FormInput } from "../../../src/form/formProtocol.ts";
import { fieldsInput, ownForm, textField } from "./formScene.ts";

type Complete = (field: number, input: FormInput, signal: AbortSignal, text: string) => Promise<Completions>;

function setUp(fields: readonly FormField[], complete: Complete = async () => ({ values: [] })) {
	const asked: { field: number; input: FormInput; text: string; signal: AbortSignal }[] = [];
	const session = ownForm(fields, {
		complete: (field, input, signal, text) => {
			asked.push({ field, input, text, signal });
			return complete(field, input, signal, text);
		},
	});
	const shown: FieldSuggestions[] = [];
	session.onDidSuggest((suggestions) => shown.push(suggestions));
	return { session, asked, shown };
}

const values = (suggestions: FieldSuggestions | undefined) =>
	suggestions?.groups.map(({ label, rows }) => [label, ...rows.map(({ value }) => value)]);

describe("suggestions of a form", () => {
	it("come with all that is entered as their context, recent values first and none twice", async () => {
		const { session, asked, shown } = setUp(
			[textField("a", { suggests: true, recent: ["Bergen", "Lisbon", "Bergen"] }), textField("b")],
			async () => ({ values: ["Berlin", "Bergen", "", "Berlin", "Be"], total: 1234 }),
		);
		session.complete(0, fieldsInput("Be", "other"), 0);
		expect(values(shown.at(-1))).toEqual([["Recently used", "Bergen"]]);
		expect(shown.at(-1)?.isBusy).toBe(true);
		await vi.waitUntil(() => shown.at(-1)?.isBusy === false);
		expect(asked).toMatchObject([{ field: 0, input: fieldsInput("Be", "other"), text: "Be" }]);
		expect(values(shown.at(-1))).toEqual([
			["Recently used", "Bergen"],
			["Suggestions", "Berlin"],
		]);
		expect(shown.at(-1)?.note).toMatch(/of 1,234 values, type to narrow$/);
	});

	it("only the answer to the last request is shown, and only that is asked for", async () => {
		const answers = new Map<string, (values: readonly string[]) => void>();
		const { session, asked, shown } = setUp(
			[textField("a", { suggests: true })],
			(_field, _input, _signal, text) => new Promise((resolve) => answers.set(text, (values) => resolve({ values }))),
		);
		session.complete(0, fieldsInput("a"), 0);
		await vi.waitUntil(() => answers.has("a"));
		session.complete(0, fieldsInput("ab"), 0);
		session.complete(0, fieldsInput("abc"), 0);
		await vi.waitUntil(() => answers.has("abc"));
		expect(asked.map(({ text }) => text)).toEqual(["a", "abc"]);
		expect(asked[0]?.signal.aborted).toBe(true);
		answers.get("a")?.(["late"]);
		answers.get("abc")?.(["abcd"]);
		await vi.waitUntil(() => shown.at(-1)?.isBusy === false);
		expect(shown.map((suggestions) => JSON.stringify(suggestions)).join()).not.toContain("late");
		expect(values(shown.at(-1))).toEqual([["Suggestions", "abcd"]]);
	});

	it("what a field without a server suggests is what was entered there before", () => {
		const { session, asked, shown } = setUp([textField("a", { recent: ["one", "two", "one more"] })]);
		session.complete(0, fieldsInput("ONE"), 0);
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

	it("a failure means none", async () => {
		const { session, shown } = setUp([textField("a", { suggests: true })], () => Promise.reject(new Error("down")));
		session.complete(0, fieldsInput("a"), 0);
		await vi.waitUntil(() => shown.at(-1)?.isBusy === false);
		expect(shown.at(-1)).toEqual({ field: 0, groups: [], isBusy: false });
	});

	it("a hundred are shown, hidden characters as escapes, on one line, none that is endless (PRM-05, TOL-08)", async () => {
		const many = Array.from({ length: 100_000 }, (_item, index) => `value ${index}`);
		const { session, shown } = setUp([textField("a", { suggests: true })], async () => ({
			values: ["a\u202Eb\nc", "x".repeat(500), "y".repeat(20_000), ...many],
		}));
		session.complete(0, fieldsInput(""), 0);
		await vi.waitUntil(() => shown.at(-1)?.isBusy === false);
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
		session.complete(0, fieldsInput("one\r\ntwo\nthree", ""), 1);
		await vi.waitUntil(() => asked.length === 1);
		session.complete(0, fieldsInput("one", "one\ntwo"), 3);
		session.complete(1, fieldsInput("one", "one\ntwo"), 0);
		session.complete(1, fieldsInput("one", "last"), 0);
		await vi.waitUntil(() => asked.length === 2);
		expect(asked.map(({ field, text }) => [field, text])).toEqual([
			[0, "two"],
			[1, "last"],
		]);
	});

	it("of before are taken back once the text has several lines, whatever is answered then", async () => {
		const waiting: ((values: readonly string[]) => void)[] = [];
		const { session, shown } = setUp(
			[textField("a", { suggests: true })],
			() => new Promise((resolve) => waiting.push((found) => resolve({ values: found }))),
		);
		session.complete(0, fieldsInput("one"), 0);
		await vi.waitUntil(() => waiting.length === 1);
		session.complete(0, fieldsInput("one\ntwo"), 1);
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
		session.complete(0, fieldsInput("one"), 0);
		await vi.waitUntil(() => shown.at(-1)?.isBusy === false);
		expect(values(shown.at(-1))).toEqual([["Suggestions", "one by one"]]);
	});

	it.each([
		[1, fieldsInput("x", "", "")],
		[2, fieldsInput("x", "", "")],
		[-1, fieldsInput("x", "", "")],
		["0", fieldsInput("x", "", "")],
		[undefined, fieldsInput("x", "", "")],
		[0, fieldsInput("x")],
		[0, { kind: "json", text: "x" }],
		[0, undefined],
	])("are for fields that have them: not for %j with %j (UI-06)", (field, input) => {
		const { session, asked, shown } = setUp([
			textField("a", { suggests: true }),
			textField("b"),
			{ kind: "boolean", label: "c", isRequired: false, suggests: true, recent: ["x"] },
		]);
		session.complete(field, input, 0);
		// A request that is taken is announced at once.
		expect(shown).toEqual([]);
		expect(asked).toEqual([]);
	});

	it("end with the form", async () => {
		const { session, asked, shown } = setUp([textField("a", { suggests: true })], () => new Promise(() => undefined));
		session.complete(0, fieldsInput("a"), 0);
		await vi.waitUntil(() => asked.length === 1);
		session.cancel();
		await session.decision.settled;
		await vi.waitUntil(() => asked[0]?.signal.aborted === true);
		const before = shown.length;
		session.complete(0, fieldsInput("ab"), 0);
		expect(shown).toHaveLength(before);
	});
});
