import { afterEach, describe, expect, it, vi } from "vitest";
import { Decision, describeLapse, type DecisionSubject } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";

function subject(server = "travel"): DecisionSubject {
	return { kind: "tool", server, title: "bookHotel" };
}

/** Lets the callbacks of promises that are settled already run. */
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

afterEach(() => void vi.useRealTimers());

describe("Decision", () => {
	it("settles with the user's answer, once", async () => {
		const decision = new Decision<string>(subject());
		expect(decision.outcome).toBeUndefined();
		expect(decision.answer("yes")).toBe(true);
		expect(decision.answer("no")).toBe(false);
		expect(decision.lapse("closed")).toBe(false);
		expect(await decision.settled).toEqual({ by: "user", answer: "yes" });
		expect(decision.outcome).toEqual({ by: "user", answer: "yes" });
	});

	it("accepts no answer after it ended: closing is not consent", async () => {
		const decision = new Decision<boolean>(subject());
		expect(decision.lapse("closed")).toBe(true);
		expect(decision.answer(true)).toBe(false);
		expect(await decision.settled).toEqual({ by: "lapse", reason: "closed" });
	});

	it("ends with a signal, at once when that is aborted already", () => {
		const controller = new AbortController();
		const decision = new Decision<boolean>(subject());
		decision.lapseOn(controller.signal, "server-gone");
		controller.abort();
		expect(decision.outcome).toEqual({ by: "lapse", reason: "server-gone" });
		const late = new Decision<boolean>(subject());
		late.lapseOn(controller.signal);
		expect(late.outcome).toEqual({ by: "lapse", reason: "cancelled" });
	});

	it("leaves no listener on the signal", async () => {
		const { signal } = new AbortController();
		let listeners = 0;
		const add = signal.addEventListener.bind(signal);
		const remove = signal.removeEventListener.bind(signal);
		signal.addEventListener = (...args: Parameters<typeof add>) => {
			listeners++;
			add(...args);
		};
		signal.removeEventListener = (...args: Parameters<typeof remove>) => {
			listeners--;
			remove(...args);
		};
		const decision = new Decision<boolean>(subject());
		decision.lapseOn(signal);
		expect(listeners).toBe(1);
		decision.answer(true);
		await settle();
		expect(listeners).toBe(0);
	});

	it("is refused by its refusing answer, and not at all if there is none", async () => {
		const decision = new Decision<string>(subject(), "no");
		expect([decision.canRefuse, decision.refuse(), decision.refuse(), decision.answer("yes")]).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(await decision.settled).toEqual({ by: "user", answer: "no" });
		const plain = new Decision<string>(subject());
		expect([plain.canRefuse, plain.refuse(), plain.outcome]).toEqual([false, false, undefined]);
		const start = new Decision<boolean>(subject(), false);
		start.refuse();
		expect(start.outcome).toEqual({ by: "user", answer: false });
	});

	it("expires when it is not touched, and never while the user works on it (SMP-09)", () => {
		vi.useFakeTimers();
		const decision = new Decision<boolean>(subject());
		decision.expireAfter(1000);
		for (let count = 0; count < 5; count++) {
			vi.advanceTimersByTime(999);
			decision.touch();
		}
		expect(decision.outcome).toBeUndefined();
		vi.advanceTimersByTime(1000);
		expect(decision.outcome).toEqual({ by: "lapse", reason: "expired" });
		decision.touch();
		expect(vi.getTimerCount()).toBe(0);
	});

	it("leaves no timer behind, and touching one that does not expire starts none", () => {
		vi.useFakeTimers();
		const answered = new Decision<boolean>(subject());
		answered.expireAfter(1000);
		answered.answer(true);
		answered.expireAfter(1000);
		new Decision<boolean>(subject()).touch();
		expect(vi.getTimerCount()).toBe(0);
	});

	it("has an id of its own", () => {
		expect(new Decision(subject()).id).not.toBe(new Decision(subject()).id);
	});
});

describe("PendingDecisions", () => {
	it("lists decisions, oldest first, until they settle", async () => {
		const pending = new PendingDecisions();
		let changes = 0;
		pending.onDidChange(() => changes++);
		const first = new Decision<boolean>(subject());
		const second = new Decision<boolean>(subject("other"));
		let revealed = 0;
		pending.add(first, () => revealed++);
		pending.add(second, () => undefined);
		expect(pending.all.map(({ id }) => id)).toEqual([first.id, second.id]);
		pending.all[0]?.reveal();
		expect(revealed).toBe(1);
		expect(first.outcome).toBeUndefined();
		first.answer(true);
		await settle();
		expect(pending.all.map(({ id }) => id)).toEqual([second.id]);
		expect(changes).toBe(3);
	});

	it("does not list a decision that has ended, and can remove one from the list without ending it", () => {
		const pending = new PendingDecisions();
		const ended = new Decision<boolean>(subject());
		ended.lapse("closed");
		pending.add(ended, () => undefined).dispose();
		expect(pending.all).toEqual([]);
		const open = new Decision<boolean>(subject());
		pending.add(open, () => undefined).dispose();
		expect(pending.all).toEqual([]);
		expect(open.outcome).toBeUndefined();
	});

	it("ends the questions of a server when the server is gone, and nothing else", () => {
		const pending = new PendingDecisions();
		const mine = new Decision<boolean>(subject("travel"));
		const other = new Decision<boolean>(subject("files"));
		pending.add(mine, () => undefined);
		pending.add(other, () => undefined);
		pending.lapseServer("travel");
		expect(mine.outcome).toEqual({ by: "lapse", reason: "server-gone" });
		expect(other.outcome).toBeUndefined();
	});

	it("refuses all questions of a server at once, and nothing else: there is no counterpart (SMP-13)", async () => {
		const pending = new PendingDecisions();
		const add = (server: string, kind: DecisionSubject["kind"], no?: string) => {
			const decision = new Decision<string>({ kind, server, title: "x" }, no);
			pending.add(decision, () => undefined);
			return decision;
		};
		const refused = [add("travel", "sampling", "reject"), add("travel", "elicitation", "decline")];
		const kept = [
			add("travel", "start", "no"),
			add("travel", "tool", "deny"),
			add("travel", "sampling"),
			add("files", "sampling", "reject"),
		];
		expect(pending.refuseServer("travel")).toBe(2);
		expect(refused.map(({ outcome }) => outcome)).toEqual([
			{ by: "user", answer: "reject" },
			{ by: "user", answer: "decline" },
		]);
		expect(kept.every(({ outcome }) => outcome === undefined)).toBe(true);
		await settle();
		expect(pending.refuseServer("travel")).toBe(0);
	});

	it("lets a single one be refused from the list, once", async () => {
		const pending = new PendingDecisions();
		const decision = new Decision<string>(subject(), "no");
		pending.add(decision, () => undefined);
		const [row] = pending.all;
		expect([row?.canRefuse, row?.refuse(), row?.refuse()]).toEqual([true, true, false]);
		await settle();
		expect(pending.all).toEqual([]);
	});

	it("distinguishes servers of the same name by their ids", () => {
		const pending = new PendingDecisions();
		const mine = new Decision<boolean>({ ...subject("travel"), serverId: "user:travel" });
		const other = new Decision<boolean>({ ...subject("travel"), serverId: "workspace:travel" });
		pending.add(mine, () => undefined);
		pending.add(other, () => undefined);
		pending.lapseServer("user:travel");
		expect([mine.outcome?.by, other.outcome]).toEqual(["lapse", undefined]);
	});

	it("ends everything at shutdown, also later questions", async () => {
		const pending = new PendingDecisions();
		const early = new Decision<boolean>(subject());
		pending.add(early, () => undefined);
		pending.dispose();
		const late = new Decision<boolean>(subject());
		pending.add(late, () => undefined);
		await settle();
		for (const { outcome } of [early, late]) expect(outcome).toEqual({ by: "lapse", reason: "shutdown" });
		expect(pending.all).toEqual([]);
	});
});

describe("describeLapse", () => {
	it.each(["closed", "cancelled", "server-gone", "expired", "shutdown"] as const)(
		"reports that %s sent nothing",
		(reason) => {
			expect(describeLapse(reason, "travel")).toMatch(/\. Nothing was sent to the server\.$/);
		},
	);
});
