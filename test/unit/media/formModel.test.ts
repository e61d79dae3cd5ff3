import { describe, expect, it } from "vitest";
import { FormModel } from "../../../media/form/formModel.ts";
import type { FormChange } from "../../../src/questions/form/formProtocol.ts";
import { editQuestion } from "../../../src/questions/form/formQuestion.ts";
import { FormSession } from "../../../src/questions/form/formSession.ts";
import { editOf } from "../../view/fixtures/objectEdits.ts";
import { ownForm, textField } from "../questions/form/formScene.ts";

/** A view with a host that answers when the test wants. */
function viewOf(session: FormSession) {
	const waiting: (() => void)[] = [];
	const sent: FormChange[] = [];
	const host = {
		change: (change: FormChange, number: number) => {
			sent.push(change);
			waiting.push(() => session.change(change, number));
		},
		complete: () => undefined,
		fill: () => undefined,
	};
	const model = new FormModel(session.document, host, () => undefined);
	const answer = (): void => {
		waiting.shift()?.();
		model.receive(session.state);
	};
	return { model, session, sent, answer };
}

/** The view of the edit of an object with one text, whose node has the id 1. */
function setUp(initial = { a: "one\r\ntwo" }) {
	const schema = { type: "object", properties: { a: { type: "string" } } };
	return viewOf(new FormSession(editQuestion(editOf({ schema, initial }))));
}

describe("FormModel", () => {
	it("shows typed text until the host has received it, whatever state arrives in between", () => {
		const { model, session, answer } = setUp({ a: "" });
		for (const text of ["x", "xy", "xyz"]) model.setShown(1, text);
		expect(model.text(1)).toBe("xyz");
		answer();
		answer();
		expect(session.state.root).toMatchObject({ children: [{ input: "xy" }] });
		expect(model.text(1), "a state from before the last key").toBe("xyz");
		answer();
		expect(model.text(1)).toBe("xyz");
		model.change({ kind: "reset" });
		answer();
		expect(model.text(1)).toBe("");
	});

	it("is edited from the first key on, before the host has received it", () => {
		const { model, answer } = viewOf(ownForm([textField("a")]));
		expect(model.isEdited).toBe(false);
		model.setShown(0, "x");
		expect(model.isEdited).toBe(true);
		answer();
		expect(model.isEdited).toBe(true);
		model.setShown(0, "");
		answer();
		expect(model.isEdited).toBe(false);
	});

	it("keeps line breaks as received, and restores them with their text", () => {
		const { model, sent } = setUp();
		expect(model.isTall(1)).toBe(true);
		model.setShown(1, "one\ntwo!");
		expect(sent.at(-1)).toEqual({ kind: "input", id: 1, input: "one\r\ntwo!" });
		model.expectText(1, "filled\r\ntext");
		model.setShown(1, "filled\ntext");
		expect(sent.at(-1)).toEqual({ kind: "input", id: 1, input: "filled\r\ntext" });
		model.setShown(1, "by hand");
		model.setShown(1, "filled\ntext");
		expect(sent.at(-1), "redone").toEqual({ kind: "input", id: 1, input: "filled\r\ntext" });
		expect(model.isTall(1)).toBe(true);
	});

	it("continues the count of the previous view, so that an old state does not overwrite typed text", () => {
		const { session, model, answer } = setUp({ a: "" });
		model.setShown(1, "x");
		answer();
		const numbers: number[] = [];
		const next = new FormModel(
			session.document,
			{ change: (_change, number) => numbers.push(number), complete: () => undefined, fill: () => undefined },
			() => undefined,
		);
		next.setShown(1, "xy");
		next.receive(session.state);
		expect(numbers).toEqual([2]);
		expect(next.text(1)).toBe("xy");
	});

	it("runs the next action once the change is shown", () => {
		const { model, answer } = setUp({ a: "" });
		let followed = 0;
		model.change({ kind: "tab", tab: "json" }, () => followed++);
		expect(followed).toBe(0);
		answer();
		expect(followed).toBe(1);
		expect(model.json).toContain('"a": ""');
	});

	it("distinguishes a failed attempt from other news", async () => {
		const { model, session } = setUp({ a: "" });
		expect(model.receive(session.state)).toBe(false);
		session.change({ kind: "tab", tab: "json" }, 1);
		session.change({ kind: "json", text: "{" }, 2);
		await session.submit();
		expect(model.receive(session.state)).toBe(true);
		expect(model.receive(session.state)).toBe(false);
	});

	it("keeps a field that a later state leaves out, because it is the same", () => {
		const { model, session } = viewOf(ownForm([textField("a")]));
		const { root, ...state } = session.state;
		if (root?.kind !== "group") throw new Error("no fields");
		const children = root.children.map((node) => {
			if (node.kind !== "field") return node;
			const { field: _field, ...rest } = node;
			return { ...rest, input: "later" };
		});
		model.receive({ ...state, root: { ...root, children } });
		expect([model.field(0)?.label, model.text(0)]).toEqual(["a", "later"]);
	});

	it("offers the text from before a filling while the field holds the filled one", () => {
		const { model, session } = viewOf(ownForm([textField("a")], { initial: { a: "old" } }));
		model.rememberBeforeFill(0);
		model.setShown(0, "filled");
		expect(model.canUndoFill(0)).toBe(false);
		model.receive({ ...session.state, fill: { field: 0, step: "done", message: "Filled from Clipboard." } });
		expect(model.canUndoFill(0)).toBe(true);
		expect(model.takeBeforeFill(0)).toBe("old");
		model.receive(session.state);
		expect(model.canUndoFill(0)).toBe(false);
	});
});
