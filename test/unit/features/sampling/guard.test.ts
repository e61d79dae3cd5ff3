import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { Repetition } from "../../../../src/questions/decisions/repetition.ts";
import type { Asker } from "../../../../src/permissions/budgets/asker.ts";
import {
	type AdmittedRequest,
	type GuardEnd,
	guardLimits,
	SamplingGuard,
} from "../../../../src/features/sampling/guard.ts";

const minute = 60_000;

function asker(id: string): Asker {
	return { id, name: id, definition: { id, name: id }, during: undefined } as unknown as Asker;
}

function paramsOf(text: string, more: object = {}): CreateMessageRequestParams {
	return { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 10, ...more };
}

function setUp(loopLimit = 25) {
	let now = 1_000_000;
	const repetition = new Repetition(() => now);
	const guard = new SamplingGuard({ repetition, loopLimit: () => loopLimit, now: () => now });
	let count = 0;
	const enter = (server: string, text = `question ${++count}`, calls: readonly object[] = []): AdmittedRequest =>
		guard.enter(asker(server), paramsOf(text), calls);
	/** Enters and ends at once. */
	const ask = (end: GuardEnd, server = "weather", text?: string, calls?: readonly object[]): void =>
		enter(server, text, calls).note(end);
	const pass = (ms: number): void => void (now += ms);
	return { guard, repetition, enter, ask, pass };
}

const limit = { code: "limit", rpcCode: -32603 };
const denied = { code: "denied", rpcCode: -1 };

describe("SamplingGuard", () => {
	it("admits a first request at once", () => {
		const { enter } = setUp();
		expect(enter("weather").heldMs).toBe(0);
	});

	it("refuses the same request while it waits a few times, for any progress token and order of its members", () => {
		const { guard, enter } = setUp();
		const [first] = Array.from({ length: 5 }, () => enter("weather", "same")) as [AdmittedRequest];
		const again: CreateMessageRequestParams = {
			_meta: { progressToken: 7 },
			maxTokens: 10,
			messages: [{ content: { text: "same", type: "text" }, role: "user" }],
		};
		expect(() => guard.enter(asker("weather"), again)).toThrow(expect.objectContaining(limit));
		// Another server's, another text, and the same after its end are other requests.
		for (const admitted of [enter("travel", "same"), enter("weather", "other")]) admitted.note("answered");
		first.note("answered");
		expect(guard.enter(asker("weather"), again).heldMs).toBe(0);
	});

	it("refuses excess waiting requests of one server at once, and admits other servers' (SMP-01)", () => {
		const { enter } = setUp(1000);
		const admitted = Array.from({ length: 20 }, () => enter("weather"));
		expect(() => enter("weather")).toThrow(expect.objectContaining(limit));
		enter("travel");
		admitted[3]?.note("rejected");
		enter("weather");
		expect(() => enter("weather")).toThrow(expect.objectContaining(limit));
	});

	it("ends a loop within one call at its limit, however its requests end; the next call starts again (SMP-14)", () => {
		const { ask } = setUp(5);
		const call = {};
		for (const end of ["answered", "auto", "rejected", "ended", "withdrawn"] as const) {
			ask(end, "weather", undefined, [call]);
		}
		for (let count = 0; count < 100; count++) {
			expect(() => ask("answered", "weather", undefined, [call])).toThrow(
				/^Iteration limit: at most 5 .* within one call$/,
			);
		}
		ask("answered", "weather", undefined, [{}]);
		// Which of two calls it belongs to is unknown.
		ask("answered", "weather", undefined, [call, {}]);
	});

	it("ends a loop outside of calls that rules answer, until a user or an hour allows it again (SMP-14)", () => {
		const { ask, pass } = setUp(5);
		const loop = (): number => {
			for (let count = 0; ; count++) {
				try {
					ask("auto");
				} catch (error) {
					expect(error).toMatchObject(limit);
					return count;
				}
			}
		};
		expect(loop()).toBe(5);
		expect(loop()).toBe(0);
		ask("auto", "travel");
		pass(60 * minute);
		expect(loop()).toBe(5);
		pass(20 * minute);
		expect(loop()).toBe(0);
	});

	it("restarts the count when a user has answered", () => {
		const { enter, ask } = setUp(2);
		ask("auto");
		const open = enter("weather");
		ask("auto");
		expect(() => ask("auto")).toThrow(expect.objectContaining(limit));
		open.note("answered");
		ask("auto");
	});

	it("does not limit requests that a user answers one by one outside of calls", () => {
		const { ask } = setUp(3);
		for (let count = 0; count < 50; count++) ask("answered");
	});

	it("keeps a rejection: the same request is refused at once in that call, and outside of calls for a while (SMP-06, BLT-08)", () => {
		const { ask, enter, pass } = setUp();
		const call = {};
		ask("rejected", "weather", "again?", [call]);
		expect(() => enter("weather", "again?", [call])).toThrow(expect.objectContaining(denied));
		// A new call of the user, or another server: those are asked about.
		enter("weather", "again?", [{}]).note("ended");
		ask("rejected", "weather", "again?");
		for (let count = 0; count < 3; count++) {
			expect(() => enter("weather", "again?")).toThrow(expect.objectContaining(denied));
		}
		enter("travel", "again?");
		pass(5 * minute);
		enter("weather", "again?");
	});

	it("never lets a rejection approve another request: it is checked like the first (SMP-06, BLT-08)", () => {
		const { ask, enter } = setUp();
		ask("rejected", "weather", "one");
		expect(enter("weather", "two")).toMatchObject({ heldMs: 0 });
	});

	it("slows a server whose requests are rejected or withdrawn repeatedly, and no other (SMP-13, ELC-05)", () => {
		const { ask, enter } = setUp(1000);
		const ends = ["rejected", "withdrawn", "rejected", "rejected", "withdrawn", "rejected"] as const;
		const holds = ends.map((end) => {
			const admitted = enter("weather");
			admitted.note(end);
			return admitted.heldMs;
		});
		expect(holds).toEqual([0, 0, 0, 1000, 2000, 4000]);
		expect(enter("travel").heldMs).toBe(0);
		ask("answered");
		expect(enter("weather").heldMs).toBe(0);
	});

	it("ignores requests that ended on their own, or were answered by a rule", () => {
		const { ask, enter } = setUp(1000);
		for (let count = 0; count < 10; count++) ask("ended");
		for (let count = 0; count < 4; count++) ask("rejected");
		ask("auto");
		expect(enter("weather").heldMs).toBe(2000);
	});

	it("refuses a server that the user rejects for now at once, until the time is over", () => {
		const { repetition, enter, pass } = setUp();
		repetition.mute("weather");
		for (let count = 0; count < 50; count++) expect(() => enter("weather")).toThrow(expect.objectContaining(denied));
		enter("travel");
		pass(10 * minute);
		enter("weather");
	});

	it("accepts the end of a request once", () => {
		const { repetition, enter } = setUp();
		const [first] = Array.from({ length: 5 }, () => enter("weather", "same")) as [AdmittedRequest];
		for (let count = 0; count < 9; count++) first.note("withdrawn");
		expect(repetition.holdMs("weather")).toBe(0);
		enter("weather", "same");
		first.note("ended");
		expect(() => enter("weather", "same")).toThrow(expect.objectContaining(limit));
	});

	it("remembers a limited number of rejected requests, the latest", () => {
		const { repetition, enter } = setUp();
		const reject = (text: string): void => {
			enter("weather", text).note("rejected");
			repetition.unmute("weather");
		};
		for (let count = 0; count <= 500; count++) reject(`rejected ${count}`);
		enter("weather", "rejected 0");
		expect(() => enter("weather", "rejected 1")).toThrow(expect.objectContaining(denied));
		expect(() => enter("weather", "rejected 500")).toThrow(expect.objectContaining(denied));
	});

	it("informs the server's author without data of the user", () => {
		const { ask, enter } = setUp();
		for (let count = 0; count < 5; count++) enter("weather", "a secret text");
		ask("rejected", "travel", "a secret text");
		for (const server of ["weather", "travel"]) {
			expect(() => enter(server, "a secret text")).toThrow(/^(?!.*secret)(?=.*sampling request)/);
		}
	});
});

describe("guardLimits", () => {
	it.each([
		[undefined, undefined, 25, 60 * minute],
		[3.7, 0.5, 3, minute / 2],
		[0, 0, 25, 0],
		["9", -1, 25, 60 * minute],
		[Number.NaN, Number.POSITIVE_INFINITY, 25, 60 * minute],
		[1, 1e9, 1, 7 * 24 * 60 * minute],
	])("reads %s and %s", (loop, timeout, loopLimit, expiresMs) => {
		expect(guardLimits(loop, timeout)).toEqual({ loopLimit, expiresMs });
	});
});
