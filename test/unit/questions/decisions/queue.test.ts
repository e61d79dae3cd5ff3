import { afterEach, describe, expect, it, vi } from "vitest";
import { Decision } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue, type Entrance, type ShowReason } from "../../../../src/questions/decisions/queue.ts";

function setUp() {
	const pending = new PendingDecisions();
	const queue = new DecisionQueue(pending);
	const shown: string[] = [];
	const enter = (server: string, name: string, during?: string, entrance?: Entrance) => {
		const decision = new Decision<boolean>({
			kind: "sampling",
			server,
			title: name,
			...(during === undefined ? {} : { during }),
		});
		queue.enter(decision, (reason: ShowReason) => shown.push(`${name}:${reason}`), entrance);
		return decision;
	};
	const settle = async (decision: Decision<boolean>) => {
		decision.answer(true);
		await decision.settled;
	};
	return { queue, pending, shown, enter, settle };
}

afterEach(() => void vi.useRealTimers());

describe("DecisionQueue", () => {
	it("shows one at a time, the servers in turn and each in its order", async () => {
		const { pending, shown, enter, settle } = setUp();
		const a1 = enter("a", "a1");
		const a2 = enter("a", "a2");
		const a3 = enter("a", "a3");
		const b1 = enter("b", "b1");
		const c1 = enter("c", "c1");
		const b2 = enter("b", "b2");
		expect(shown).toEqual(["a1:turn"]);
		expect(pending.all.map(({ subject }) => subject.title)).toEqual(["a1", "a2", "a3", "b1", "c1", "b2"]);
		for (const decision of [a1, b1, c1, a2, b2, a3]) await settle(decision);
		expect(shown).toEqual(["a1:turn", "b1:turn", "c1:turn", "a2:turn", "b2:turn", "a3:turn"]);
		expect(pending.all).toEqual([]);
	});

	it("does not delay questions during a call because of those that servers ask on their own", async () => {
		const { shown, enter } = setUp();
		enter("a", "own1");
		enter("b", "own2");
		enter("b", "call1", "tools/call x");
		enter("a", "call2", "tools/call y");
		expect(shown).toEqual(["own1:turn", "call1:turn"]);
	});

	it("lets the user choose any of the waiting ones", async () => {
		const { pending, shown, enter, settle } = setUp();
		const first = enter("a", "first");
		const second = enter("a", "second");
		enter("a", "third");
		pending.all[1]?.reveal();
		await settle(second);
		expect(shown).toEqual(["first:turn", "second:asked"]);
		await settle(first);
		expect(shown.at(-1)).toBe("third:turn");
	});

	it("skips those that ended while they waited", async () => {
		const { pending, shown, enter, settle } = setUp();
		const first = enter("a", "first");
		enter("b", "gone");
		enter("c", "last");
		pending.lapseServer("b");
		await settle(first);
		expect(shown).toEqual(["first:turn", "last:turn"]);
	});

	it("refuses the 21st of one server, and accepts others", async () => {
		const { enter, settle, pending } = setUp();
		const decisions = Array.from({ length: 20 }, (_, index) => enter("a", String(index)));
		expect(() => enter("a", "too many")).toThrow(expect.objectContaining({ code: "limit", rpcCode: -32603 }));
		expect(pending.all).toHaveLength(20);
		enter("b", "other");
		await settle(decisions[5] as Decision<boolean>);
		enter("a", "again");
		expect(pending.all).toHaveLength(21);
	});

	it("lets a chat's questions wait for those of the same chat only", async () => {
		const { shown, enter, settle } = setUp();
		enter("a", "panel", "tools/call x");
		const first = enter("b", "chat1", "tools/call y", { place: "one" });
		enter("b", "chat2", "tools/call y", { place: "one" });
		enter("c", "other", "tools/call z", { place: "two" });
		expect(shown).toEqual(["panel:turn", "chat1:turn", "other:turn"]);
		await settle(first);
		expect(shown.at(-1)).toBe("chat2:turn");
	});

	it("lists a delayed question, shows it later, and lets others pass (ELC-05)", async () => {
		vi.useFakeTimers();
		const { pending, shown, enter, settle } = setUp();
		enter("a", "held", undefined, { heldMs: 5000 });
		const other = enter("b", "other");
		expect([shown, pending.all.length]).toEqual([["other:turn"], 2]);
		pending.all[0]?.reveal();
		expect(shown.at(-1)).toBe("held:asked");
		await settle(other);
		expect(shown).toHaveLength(2);
		vi.advanceTimersByTime(5000);
		expect(shown.at(-1)).toBe("held:turn");
	});

	it("never shows a question that ended while it was delayed", async () => {
		vi.useFakeTimers();
		const { shown, enter, settle } = setUp();
		await settle(enter("a", "held", undefined, { heldMs: 5000 }));
		expect(vi.getTimerCount()).toBe(0);
		expect(shown).toEqual([]);
	});

	it("gives ten simultaneous questions of three servers their turns fairly, however often each asks (BLT-17, SMP-01)", async () => {
		const { shown, enter, settle } = setUp();
		const during = "tools/call x";
		const names = ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "c1", "b3"];
		const decisions = new Map(names.map((name) => [name, enter(name.charAt(0), name, during)]));
		const order: string[] = [];
		while (order.length < names.length) {
			const name = shown.at(-1)?.split(":")[0] ?? "";
			order.push(name);
			// A server that asks again at once does not get ahead.
			if (name === "a1") decisions.set("a7", enter("a", "a7", during));
			await settle(decisions.get(name) as Decision<boolean>);
		}
		expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "b3", "a4", "a5", "a6"]);
		expect(shown.at(-1)).toBe("a7:turn");
	});

	it("never hides a question from the user, who may choose any from the list (BLT-17)", async () => {
		const { pending, shown, enter, settle } = setUp();
		const decisions = ["a", "b", "c", "b"].map((server, index) => enter(server, `${server}${index}`));
		for (const row of pending.all.toReversed()) row.reveal();
		expect(shown).toEqual(["a0:turn", "b3:asked", "c2:asked", "b1:asked", "a0:asked"]);
		for (const decision of decisions.toReversed()) await settle(decision);
		expect(shown).toHaveLength(5);
	});

	it("lists the questions that are not in front of the user, the next one first", async () => {
		const { queue, pending, enter, settle } = setUp();
		const unseen = () => queue.unseen.map(({ subject }) => subject.title);
		enter("a", "a1");
		enter("a", "a2");
		enter("b", "b1");
		enter("c", "held", undefined, { heldMs: 60_000 });
		expect(unseen()).toEqual(["a1", "b1", "a2"]);
		expect([queue.waitingOf("a"), queue.waitingOf("c"), queue.waitingOf("d")]).toEqual([2, 1, 0]);
		const panel = enter("d", "panel", "tools/call x");
		enter("d", "d2");
		expect(unseen()).toEqual(["a1", "b1", "a2"]);
		pending.all[2]?.reveal();
		expect(unseen()).toEqual(["a1", "a2"]);
		await settle(panel);
		expect(unseen()).toEqual(["a1", "d2", "a2"]);
	});

	it("announces when a question is added, removed, or shown", async () => {
		const { queue, enter, settle } = setUp();
		let changes = 0;
		queue.onDidChange(() => changes++);
		const decision = enter("a", "a1");
		expect(changes).toBe(1);
		queue.unseen[0]?.reveal();
		queue.unseen[0]?.reveal();
		expect(changes).toBe(2);
		await settle(decision);
		expect(changes).toBe(3);
	});

	it("lets an untouched question expire", async () => {
		vi.useFakeTimers();
		const { enter } = setUp();
		const decision = enter("a", "a1", undefined, { expiresMs: 60_000 });
		const forever = enter("b", "b1", undefined, { expiresMs: 0 });
		vi.advanceTimersByTime(60_000);
		expect([decision.outcome, forever.outcome]).toEqual([{ by: "lapse", reason: "expired" }, undefined]);
	});
});
