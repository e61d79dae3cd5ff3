import { expect, it } from "vitest";
import { exchangeOf, FakeTrace } from "./fakeTrace.ts";

it("A reader of the trace returns the changes since a revision", () => {
	const trace = new FakeTrace();
	trace.put(exchangeOf({ id: 1 }), exchangeOf({ id: 2, outcome: { kind: "waiting" } }));
	const { revision, exchanges } = trace.snapshot(0);
	expect(exchanges.map(({ id }) => id)).toEqual([1, 2]);
	trace.put(exchangeOf({ id: 2 }));
	expect(trace.snapshot(revision).exchanges).toEqual([exchangeOf({ id: 2 })]);
	trace.clear();
	expect(trace.snapshot(0)).toMatchObject({ exchanges: [], gone: 2, dropped: 0 });
});
