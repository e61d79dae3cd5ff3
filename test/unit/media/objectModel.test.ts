import { describe, expect, it } from "vitest";
import { ObjectModel } from "../../../media/objectForm/objectModel.ts";
import type { ObjectChange } from "../../../src/form/objectProtocol.ts";
import { ObjectSession } from "../../../src/form/objectSession.ts";
import { editOf } from "../../e2e/fixtures/objectEdits.ts";

/** A view beside a host that answers when the test says so. */
function setUp(initial = { a: "one\r\ntwo" }) {
	const schema = { type: "object", properties: { a: { type: "string" } } };
	const session = new ObjectSession(editOf({ schema, initial }));
	const waiting: (() => void)[] = [];
	const sent: ObjectChange[] = [];
	const model = new ObjectModel(
		session.document,
		(change, number) => {
			sent.push(change);
			waiting.push(() => session.change(change, number));
		},
		() => undefined,
	);
	const answer = (): void => {
		waiting.shift()?.();
		model.receive(session.state);
	};
	return { model, session, sent, answer };
}

describe("ObjectModel", () => {
	it("shows what is typed until the host knows of it, whatever state comes in between", () => {
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

	it("keeps line breaks as they came", () => {
		const { model, sent } = setUp();
		expect(model.isTall(1)).toBe(true);
		model.setShown(1, "one\ntwo!");
		expect(sent.at(-1)).toEqual({ kind: "input", id: 1, input: "one\r\ntwo!" });
	});

	it("counts on from the view before it, so that an old state does not take away what is typed", () => {
		const { session, model, answer } = setUp({ a: "" });
		model.setShown(1, "x");
		answer();
		const numbers: number[] = [];
		const next = new ObjectModel(
			session.document,
			(_change, number) => numbers.push(number),
			() => undefined,
		);
		next.setShown(1, "xy");
		next.receive(session.state);
		expect(numbers).toEqual([2]);
		expect(next.text(1)).toBe("xy");
	});

	it("does what follows a change once the change is shown", () => {
		const { model, answer } = setUp({ a: "" });
		let followed = 0;
		model.change({ kind: "tab", tab: "json" }, () => followed++);
		expect(followed).toBe(0);
		answer();
		expect(followed).toBe(1);
		expect(model.json).toContain('"a": ""');
	});

	it("tells a failed attempt from other news", async () => {
		const { model, session } = setUp({ a: "" });
		expect(model.receive(session.state)).toBe(false);
		session.change({ kind: "tab", tab: "json" }, 1);
		session.change({ kind: "json", text: "{" }, 2);
		await session.submit();
		expect(model.receive(session.state)).toBe(true);
		expect(model.receive(session.state)).toBe(false);
	});
});
