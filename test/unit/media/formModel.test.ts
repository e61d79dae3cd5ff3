import { describe, expect, it } from "vitest";
import { FormModel } from "../../../media/form/formModel.ts";
import type { FieldInput, FormField, FormInput, FormState } from "../../../src/form/formProtocol.ts";
import { fieldsInput, ownForm, textField } from "../form/formScene.ts";

const noProblem: FormState = { problems: [], attempts: 0 };

function setUp(fields: readonly FormField[], initial: readonly FieldInput[], entered = initial) {
	const sent: FormInput[] = [];
	const { document } = ownForm(fields, { initial: fieldsInput(...initial) });
	const model = new FormModel(
		{ ...document, input: fieldsInput(...entered) },
		{ change: (input) => sent.push(input), complete: () => undefined, fill: () => undefined },
		() => undefined,
	);
	return { model, sent };
}

describe("FormModel", () => {
	it("shows the problem of a field once the person changed it or tried to submit, also when the view is loaded anew", () => {
		const { model } = setUp([textField("a"), textField("b"), textField("c")], ["", "", ""], ["", "typed", ""]);
		const problems = [0, 1, 2].map((field) => ({ field, message: `problem ${field}` }));
		expect(model.receive({ problems, attempts: 0 })).toBe(false);
		expect([0, 1, 2].map((index) => model.problem(index))).toEqual([undefined, "problem 1", undefined]);
		model.setShown(2, "x");
		expect(model.problem(2)).toBe("problem 2");
		expect(model.receive({ problems, attempts: 1 })).toBe(true);
		expect(model.problem(0)).toBe("problem 0");
		expect(model.receive({ problems, attempts: 1 })).toBe(false);
	});

	it("keeps line breaks as they came, and gives them back with the text that had them", () => {
		const { model, sent } = setUp([textField("a")], ["one\r\ntwo"]);
		expect(model.isTall(0)).toBe(true);
		model.setShown(0, "one\ntwo!");
		expect(sent.at(-1)).toEqual(fieldsInput("one\r\ntwo!"));
		model.expectText(0, "filled\r\ntext");
		model.setShown(0, "filled\ntext");
		expect(sent.at(-1)).toEqual(fieldsInput("filled\r\ntext"));
		model.setShown(0, "by hand");
		model.setShown(0, "filled\ntext");
		expect(sent.at(-1), "redone").toEqual(fieldsInput("filled\r\ntext"));
		expect(model.isTall(0)).toBe(true);
	});

	it("resets to the first values and takes that back until something else is entered", () => {
		const { model, sent } = setUp([textField("a"), textField("b")], ["default", ""]);
		expect(model.isPristine).toBe(true);
		model.setShown(1, "typed");
		expect(model.isPristine).toBe(false);
		model.toggleReset();
		expect(sent.at(-1)).toEqual(fieldsInput("default", ""));
		expect(model.canUndoReset).toBe(true);
		model.toggleReset();
		expect(sent.at(-1)).toEqual(fieldsInput("default", "typed"));
		model.toggleReset();
		model.setShown(0, "other");
		expect(model.canUndoReset).toBe(false);
	});

	it("offers the text of before a filling while that is what the field holds", () => {
		const { model } = setUp([textField("a")], ["old"]);
		model.rememberBeforeFill(0);
		model.setShown(0, "filled");
		expect(model.canUndoFill(0)).toBe(false);
		model.receive({ ...noProblem, fill: { field: 0, step: "done", message: "Filled from Clipboard." } });
		expect(model.canUndoFill(0)).toBe(true);
		expect(model.takeBeforeFill(0)).toBe("old");
		model.receive(noProblem);
		expect(model.canUndoFill(0)).toBe(false);
	});
});
