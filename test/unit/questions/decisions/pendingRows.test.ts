import { describe, expect, it } from "vitest";
import { Decision, type DecisionKind } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import {
	asks,
	contextOf,
	descriptionOf,
	labelOf,
	tooltipOf,
	waitingServers,
} from "../../../../src/questions/decisions/pendingRows.ts";
import { describeWaiting } from "../../../../src/questions/decisions/announcer.ts";

function listOf(...asked: readonly (readonly [DecisionKind, string, boolean?])[]) {
	const pending = new PendingDecisions();
	for (const [kind, server, canRefuse = true] of asked) {
		pending.add(new Decision<string>({ kind, server, title: "x" }, ...(canRefuse ? ["no"] : [])), () => undefined);
	}
	return pending.all;
}

describe("describeWaiting", () => {
	const asking = (...servers: readonly string[]) =>
		servers.map((server) => ({ kind: "sampling" as const, server, title: "x" }));

	it("names the first servers and counts the others", () => {
		expect(describeWaiting(asking("a", "b", "b", "c", "d", "e", "f"))).toBe(
			"7 requests are waiting for you: a, b (2), c, d and 2 more servers",
		);
		expect(describeWaiting(asking("a", "b", "c", "d", "e"))).toMatch(/a, b, c, d and 1 more server$/);
	});

	it("keeps a hostile name to one short line, without hidden characters", () => {
		const name = `evil\n\u202E${"x".repeat(500)}`;
		for (const text of [describeWaiting(asking(name)), describeWaiting(asking(name, "b"))]) {
			expect(text).not.toMatch(/[\n\u202E]/);
			expect(text.length).toBeLessThan(160);
		}
	});
});

describe("rows of the Pending view", () => {
	it("offer to reject rejectable questions, and all of a server only if the server itself asks", () => {
		const all = listOf(
			["sampling", "a"],
			["elicitation", "a"],
			["url", "a"],
			["tool", "a"],
			["start", "a"],
			["tool", "a", false],
		);
		expect(all.map(contextOf)).toEqual([
			"pending refusable request",
			"pending refusable request",
			"pending refusable request",
			"pending refusable",
			"pending refusable",
			"pending",
		]);
	});

	it("describe a call in short, in the hover with everything that is sent, and to a screen reader with both (UI-21)", () => {
		const pending = new PendingDecisions();
		const call = { about: "hotel: Arts, 1 more", exactly: 'hotel: "Arts"\nnights: 3', fitsIn: "row" } as const;
		const title = "bookHotel";
		pending.add(
			new Decision({ kind: "tool", server: "travel", title, during: "your chat turn", call }, "no"),
			() => {},
		);
		pending.add(
			new Decision({ kind: "tool", server: "travel", title, call: { ...call, fitsIn: "chat" } }, "no"),
			() => {},
		);
		const [row, other] = pending.all;
		if (row === undefined || other === undefined) throw new Error("no rows");
		expect([row, other].map(contextOf)).toEqual(["pending call allowable", "pending call"]);
		expect(descriptionOf(row)).toBe("bookHotel · hotel: Arts, 1 more");
		expect(tooltipOf(row)).toBe('travel: bookHotel\nhotel: "Arts"\nnights: 3\nDuring: your chat turn');
		expect(labelOf(row)).toBe('Tool call for travel: bookHotel. hotel: "Arts". nights: 3. During: your chat turn');
		const [request] = listOf(["sampling", "a"]);
		expect(request === undefined ? "" : labelOf(request)).toBe("a asks for a completion: x. Not during a call.");
	});

	it("show once that a start waits, and not that the server asks", () => {
		const pending = new PendingDecisions();
		pending.add(new Decision({ kind: "start", server: "a", title: asks.start }), () => undefined);
		expect(pending.all.map(labelOf)).toEqual(["a needs your approval to start."]);
		expect(pending.all.map(tooltipOf)).toEqual(["a: needs your approval to start"]);
	});

	it("show the call of a question, and when there is none", () => {
		const pending = new PendingDecisions();
		pending.add(
			new Decision({ kind: "sampling", server: "a", title: "t\nu", during: "tools/call x" }),
			() => undefined,
		);
		pending.add(new Decision({ kind: "sampling", server: "a", title: "t" }), () => undefined);
		expect(pending.all.map(tooltipOf)).toEqual(["a: t u\nDuring: tools/call x", "a: t\nNot during a call."]);
	});

	it("count the requests of each server that can be rejected, and never a start or a call", () => {
		const all = listOf(
			["sampling", "a"],
			["start", "b"],
			["elicitation", "c"],
			["sampling", "a"],
			["tool", "d"],
			["url", "e", false],
		);
		expect(waitingServers(all)).toEqual([
			{ id: "a", name: "a", count: 2 },
			{ id: "c", name: "c", count: 1 },
		]);
	});
});
