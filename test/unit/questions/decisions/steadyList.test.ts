import { expect, test } from "vitest";
import { Decision } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { SteadyList } from "../../../../src/questions/decisions/steadyList.ts";

/** A list, a monitor of whether its questions are steady, and a stopped clock. */
function scene() {
	const pending = new PendingDecisions();
	const clock = { ms: 10_000 };
	const list = new SteadyList(pending, () => clock.ms);
	const ask = (): Decision<string> => {
		const decision = new Decision<string>({ kind: "tool", server: "s", title: "t" });
		pending.add(decision, () => undefined);
		return decision;
	};
	return { list, clock, ask };
}

test("a question that has just arrived cannot be decided by a key (UI-20)", () => {
	const { list, clock, ask } = scene();
	const { id } = ask();
	expect(list.isSteady(id)).toBe(false);
	clock.ms += 699;
	expect(list.isSteady(id)).toBe(false);
	clock.ms += 1;
	expect(list.isSteady(id)).toBe(true);
	expect(list.isSteady("another")).toBe(false);
});

test("a question that moves to the place of another one restarts, and those before it do not", async () => {
	const { list, clock, ask } = scene();
	const [first, second, third] = [ask(), ask(), ask()];
	clock.ms += 5000;
	second.answer("no");
	await second.settled;
	expect([first, third].map(({ id }) => list.isSteady(id))).toEqual([true, false]);
	ask();
	clock.ms += 700;
	expect([first, third].map(({ id }) => list.isSteady(id))).toEqual([true, true]);
});

test("while the window does not have the focus nothing counts as read", () => {
	const { list, clock, ask } = scene();
	const { id } = ask();
	clock.ms += 60_000;
	list.noteFocus();
	expect(list.isSteady(id)).toBe(false);
	clock.ms += 700;
	expect(list.isSteady(id)).toBe(true);
});
