import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { SchemaProblem } from "../../../../src/base/schema/schema.ts";
import type { FormContent } from "../../../../src/questions/form/formQuestion.ts";
import { acceptedValue, FormSession } from "../../../../src/questions/form/formSession.ts";
import { until } from "../../features/sampling/fakes.ts";
import { accepted, enter, inputsOf, ownForm, problemsOf, submitWith, textField } from "./formScene.ts";

const frame = { label: "x", isRequired: true };
const content: FormContent = {
	kind: "fields",
	fields: [
		{ ...frame, name: "text", kind: "text", isLong: false },
		{ ...frame, name: "box", kind: "boolean" },
		{ ...frame, name: "several", kind: "choices", options: [{ value: "a", label: "a" }] },
	],
};
const initial = { box: false, several: [] };

function setUp(validate: (value: JsonObject) => Promise<readonly SchemaProblem[]> = async () => [], canDecline = true) {
	return new FormSession({
		subject: { kind: "elicitation", server: "travel", title: "details", during: "tools/call book" },
		heading: "travel (server) asks for your input",
		quote: "Please",
		content,
		initial,
		submitLabel: "Send",
		canDecline,
		validate,
	});
}

describe("FormSession", () => {
	it("keeps the entered values and settles with the submitted ones", async () => {
		const session = setUp();
		enter(session, "half", true, ["0"]);
		expect(session.document).toMatchObject({ during: "tools/call book", quote: "Please" });
		expect(inputsOf(session)).toEqual(["half", true, ["0"]]);
		expect(session.value).toEqual({ text: "half", box: true, several: ["a"] });
		await submitWith(session, "whole", true, []);
		expect(session.decision.outcome).toEqual(accepted({ text: "whole", box: true, several: [] }));
		await submitWith(session, "late", true, []);
		session.decline();
		expect(session.decision.outcome).toEqual(accepted({ text: "whole", box: true, several: [] }));
	});

	it("has in its value no empty fields, and the members in the order of the fields", async () => {
		const optional = { label: "x", isRequired: false };
		const options = [
			{ value: "", label: "none" },
			{ value: "b", label: "b" },
		];
		const session = ownForm([
			textField("a"),
			{ ...optional, name: "number", kind: "number" },
			{ ...optional, name: "one", kind: "choice", options },
			{ ...optional, name: "several", kind: "choices", options },
			textField("__proto__"),
		]);
		enter(session, "", "", "", [], "last");
		expect(JSON.stringify(session.value)).toBe('{"__proto__":"last"}');
		enter(session, "text", "1e3", "0", ["1", "0"]);
		expect(JSON.stringify(session.value)).toBe(
			'{"a":"text","number":1000,"one":"","several":["b",""],"__proto__":"last"}',
		);
		expect(inputsOf(session)).toEqual(["text", "1e3", "0", ["0", "1"], "last"]);
		enter(session, "", "", "", [], "");
		expect(session.state.isEdited).toBe(false);
		expect(session.value).toBe(session.question.initial);
	});

	it("keeps a text that is not a number, explains why, and sends nothing while it is there", async () => {
		const session = ownForm([{ label: "n", name: "n", kind: "number", isRequired: false }], { initial: { n: 2 } });
		for (const [text, problem] of [
			["2x", "n: Enter a number."],
			["0x3", "n: Enter a number."],
			["9007199254740993", "n: This number cannot be sent exactly; it would become 9007199254740992."],
		] as const) {
			await submitWith(session, text);
			expect(session.decision.outcome).toBeUndefined();
			expect([inputsOf(session), problemsOf(session)]).toEqual([[text], [problem]]);
		}
		await submitWith(session, "3");
		expect(await acceptedValue(session)).toEqual({ n: 3 });
	});

	it("distinguishes decline, cancel and closing", () => {
		const declined = setUp();
		declined.decline();
		expect(declined.decision.outcome).toEqual({ by: "user", answer: { action: "decline" } });
		const cancelled = setUp();
		cancelled.cancel();
		expect(cancelled.decision.outcome).toEqual({ by: "user", answer: { action: "cancel" } });
		const closed = setUp();
		closed.decision.lapse("closed");
		expect(closed.state.end).toBe("You closed the panel without answering. Nothing was sent to the server.");
		const editor = setUp(undefined, false);
		editor.decline();
		expect(editor.decision.outcome).toBeUndefined();
	});

	it("does not accept invalid values, and counts the attempts", async () => {
		const problem = { path: ["text"], message: "Fill in this field." };
		const session = setUp(async ({ text }) => (text === undefined ? [problem] : []));
		await submitWith(session, "", true, []);
		expect(session.decision.outcome).toBeUndefined();
		expect(session.state).toMatchObject({ problems: [], failures: 1 });
		expect(problemsOf(session)).toEqual(["x: Fill in this field."]);
	});

	it("shows the error of a field once the user was there, and of the whole once they tried to submit", async () => {
		const session = ownForm([textField("a"), textField("b")], {
			validate: async () => [
				{ path: ["a"], message: "problem a" },
				{ path: ["b"], message: "problem b" },
				{ path: [], message: "both" },
			],
		});
		await until(() => session.state.problems.length === 0);
		enter(session, "", "typed");
		await until(() => problemsOf(session).length > 0);
		expect(problemsOf(session)).toEqual(["b: problem b"]);
		await session.submit();
		expect(problemsOf(session)).toEqual(["both", "a: problem a", "b: problem b"]);
	});

	it("shows the problems of the latest value, however long checks take", async () => {
		const gates: { readonly text: string; readonly open: () => void }[] = [];
		const session = setUp(
			({ text }) =>
				new Promise((resolve) => {
					const message = JSON.stringify(text);
					gates.push({ text: message, open: () => resolve([{ path: ["text"], message }]) });
				}),
		);
		enter(session, "first");
		enter(session, "second");
		gates[0]?.open();
		await until(() => gates.length === 2);
		expect(problemsOf(session), "nothing is said of a value that is no longer shown").toEqual([]);
		gates[1]?.open();
		await until(() => problemsOf(session).length > 0);
		expect([gates.at(-1)?.text, problemsOf(session)]).toEqual(['"second"', ['x: "second"']]);
	});

	it.each([
		undefined,
		{ kind: "json", text: '{"text": "x"}' },
		{ kind: "tab", tab: "json" },
		{ kind: "input" },
		{ kind: "input", id: 0 },
		{ kind: "input", id: 0, input: 1 },
		{ kind: "input", id: 0, input: true },
		{ kind: "input", id: 0, input: ["0"] },
		{ kind: "input", id: 1, input: "yes" },
		{ kind: "input", id: 2, input: "0" },
		{ kind: "input", id: 2, input: [1] },
		{ kind: "input", id: 2, input: ["1"] },
		{ kind: "input", id: 2, input: ["0", "0"] },
		{ kind: "input", id: 3, input: "x" },
		{ kind: "action", id: 0, action: "null" },
		{ kind: "addMember", id: 3, name: "x" },
	])("ignores the change %j, which does not match the form", async (raw) => {
		const session = setUp();
		session.change(raw, 1);
		expect(session.value).toBe(initial);
		expect(inputsOf(session)).toEqual(["", false, []]);
	});
});

describe("a form of the user's own", () => {
	it("is distinguished from a server's question, and shows the result of its value", () => {
		const session = ownForm([textField("a")], {
			preview: ({ a }) => `trips://${typeof a === "string" ? a : ""}`,
			previewLabel: "URI",
		});
		expect(session.document).toMatchObject({ asker: "user", previewLabel: "URI" });
		expect(setUp().document).toMatchObject({ asker: "server", previewLabel: "Preview" });
		enter(session, "a\u202Eb");
		expect(session.state.preview).toBe("trips://a\\u202Eb");
		enter(session, "x".repeat(6000));
		expect(session.state.preview).toMatch(/^trips:\/\/x{4992}… \(1,008 more characters\)$/);
	});

	it("ends without an answer when it is cancelled or closed", async () => {
		const cancelled = ownForm([textField("a")]);
		cancelled.cancel();
		expect(await acceptedValue(cancelled)).toBeUndefined();
		const closed = ownForm([textField("a")]);
		closed.decision.lapse("closed");
		expect(await acceptedValue(closed)).toBeUndefined();
		const submitted = ownForm([textField("a")]);
		void submitWith(submitted, "done");
		expect(await acceptedValue(submitted)).toEqual({ a: "done" });
	});

	it("resets to the first values and can undo that until the next input", () => {
		const session = ownForm([textField("a"), textField("b")], { initial: { a: "default" } });
		expect(session.state).toMatchObject({ isEdited: false, canUndoReset: false });
		enter(session, "default", "typed");
		expect(session.state.isEdited).toBe(true);
		session.change({ kind: "reset" }, 2);
		expect([inputsOf(session), session.state.canUndoReset]).toEqual([["default", ""], true]);
		session.change({ kind: "reset" }, 3);
		expect(inputsOf(session)).toEqual(["default", "typed"]);
		session.change({ kind: "reset" }, 4);
		enter(session, "other");
		expect(session.state.canUndoReset).toBe(false);
	});
});
