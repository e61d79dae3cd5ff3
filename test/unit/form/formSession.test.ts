import { describe, expect, it } from "vitest";
import type { FormBody, FormInput, FormProblem } from "../../../src/form/formProtocol.ts";
import { acceptedInput, FormSession } from "../../../src/form/formSession.ts";
import { ownForm, textField } from "./formScene.ts";

const frame = { label: "x", isRequired: true };
const body: FormBody = {
	kind: "fields",
	fields: [
		{ ...frame, kind: "text", isLong: false },
		{ ...frame, kind: "boolean" },
		{ ...frame, kind: "choices", options: [{ value: "a", label: "a" }] },
	],
};
const fields = (...values: (string | boolean | string[])[]): FormInput => ({ kind: "fields", values });

function setUp(validate: (input: FormInput) => Promise<readonly FormProblem[]> = async () => [], canDecline = true) {
	return new FormSession({
		subject: { kind: "elicitation", server: "travel", title: "details", during: "tools/call book" },
		heading: "travel (server) asks you for an answer",
		quote: "Please",
		body,
		initial: fields("", false, []),
		submitLabel: "Send",
		canDecline,
		validate,
	});
}

describe("FormSession", () => {
	it("keeps what was entered and settles with what was submitted", async () => {
		const session = setUp();
		await session.change(fields("half", true, ["a"]));
		expect(session.document).toMatchObject({
			input: fields("half", true, ["a"]),
			during: "tools/call book",
			quote: "Please",
		});
		await session.submit(fields("whole", true, []));
		expect(session.decision.outcome).toEqual({
			by: "person",
			answer: { action: "accept", input: fields("whole", true, []) },
		});
		await session.submit(fields("late", true, []));
		session.decline();
		expect(session.decision.outcome).toMatchObject({ answer: { action: "accept" } });
	});

	it("tells decline, cancel and closing apart", () => {
		const declined = setUp();
		declined.decline();
		expect(declined.decision.outcome).toEqual({ by: "person", answer: { action: "decline" } });
		const cancelled = setUp();
		cancelled.cancel();
		expect(cancelled.decision.outcome).toEqual({ by: "person", answer: { action: "cancel" } });
		const closed = setUp();
		closed.decision.lapse("closed");
		expect(closed.state.end).toBe("You closed the panel without answering. Nothing was sent to the server.");
		const editor = setUp(undefined, false);
		editor.decline();
		expect(editor.decision.outcome).toBeUndefined();
	});

	it("does not accept what is not valid, and says how often that was tried", async () => {
		const problem = { field: 0, message: "Fill in this field." };
		const session = setUp(async (input) => (input.kind === "fields" && input.values[0] === "" ? [problem] : []));
		await session.submit(fields("", true, []));
		expect(session.decision.outcome).toBeUndefined();
		expect(session.state).toEqual({ problems: [problem], attempts: 1 });
	});

	it("shows the problems of the latest input, whichever check ends last", async () => {
		const gates = new Map<string, () => void>();
		const session = setUp(
			(input) =>
				new Promise((resolve) => {
					const name = input.kind === "fields" ? String(input.values[0]) : "";
					gates.set(name, () => resolve([{ message: name }]));
				}),
		);
		const first = session.change(fields("first", true, []));
		const second = session.change(fields("second", true, []));
		gates.get("second")?.();
		await second;
		gates.get("first")?.();
		await first;
		expect(session.state.problems).toEqual([{ message: "second" }]);
	});

	it.each([
		undefined,
		{ kind: "json", text: "x" },
		{ kind: "url" },
		{ kind: "fields" },
		{ kind: "fields", values: ["x"] },
		{ kind: "fields", values: [1, true, []] },
		{ kind: "fields", values: ["x", "yes", []] },
		{ kind: "fields", values: ["x", true, "a"] },
		{ kind: "fields", values: ["x", true, [1]] },
		{ kind: "fields", values: ["x", true, ["a", "a"]] },
	])("ignores the input %j, which does not fit the form", async (raw) => {
		const session = setUp();
		await session.change(raw);
		await session.submit(raw);
		expect(session.decision.outcome).toBeUndefined();
		expect(session.document.input).toEqual(fields("", false, []));
	});
});

describe("a form of the person's own", () => {
	it("is told apart from a server's question, and shows what its input makes", async () => {
		const session = ownForm([textField("a")], {
			preview: (input) => (input.kind === "fields" ? `trips://${String(input.values[0])}` : undefined),
			previewLabel: "URI",
		});
		expect(session.document).toMatchObject({ asker: "person", previewLabel: "URI", initial: fields("") });
		expect(setUp().document).toMatchObject({ asker: "server", previewLabel: "Preview" });
		await session.change(fields("a\u202Eb"));
		expect(session.state.preview).toBe("trips://a\\u202Eb");
		await session.change(fields("x".repeat(6000)));
		expect(session.state.preview).toMatch(/^trips:\/\/x{4992}… \(1,008 more characters\)$/);
	});

	it("is over without an answer when it is cancelled or closed", async () => {
		const cancelled = ownForm([textField("a")]);
		cancelled.cancel();
		expect(await acceptedInput(cancelled)).toBeUndefined();
		const closed = ownForm([textField("a")]);
		closed.decision.lapse("closed");
		expect(await acceptedInput(closed)).toBeUndefined();
		const submitted = ownForm([textField("a")]);
		void submitted.submit(fields("done"));
		expect(await acceptedInput(submitted)).toEqual(fields("done"));
	});
});
