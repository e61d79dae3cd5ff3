/** The messages to the view of the trace, and that none holds a secret (TRC-31, TRC-32, SEC-10). */
import { describe, expect, it } from "vitest";
import { type MessagePort, RpcEndpoint } from "../../../../src/base/rpc.ts";
import { bodiesOf } from "../../../../src/surfaces/trace/messages.ts";
import { detailOf } from "../../../../src/surfaces/trace/traceDetail.ts";
import { TracePort } from "../../../../src/surfaces/trace/tracePort.ts";
import type { TraceHostApi, TraceState, TraceViewApi } from "../../../../src/surfaces/trace/viewProtocol.ts";
import { exchange, fillScene, SceneTrace } from "./exchangeScene.ts";

/** A view that only sends. */
function connected(fill: (trace: SceneTrace) => void) {
	const trace = new SceneTrace();
	fill(trace);
	const redactAll = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("s3cret", "⟦key⟧")) as T;
	const port = new TracePort({
		reader: trace,
		notices: () => [],
		redactAll,
		detail: async (place) =>
			detailOf({
				place,
				bodies: bodiesOf(trace, place),
				tokensOf: (text) => text.length,
				notKept: "Its messages were not kept.",
				misfits: [],
				protocol: undefined,
				actions: [],
				copies: [],
			}),
		act: async () => "",
	});
	const [here, there] = pair();
	const shown: { readonly state: TraceState; readonly isAsked: boolean }[] = [];
	port.connect(here);
	const view = new RpcEndpoint<TraceHostApi, TraceViewApi>(there, {
		show: (state, isAsked) => void shown.push({ state: state as TraceState, isAsked: isAsked === true }),
	});
	return { trace, port, view, shown };
}

function pair(): readonly [MessagePort, MessagePort] {
	const listeners: [Set<(message: unknown) => void>, Set<(message: unknown) => void>] = [new Set(), new Set()];
	const end = (mine: 0 | 1, other: 0 | 1): MessagePort => ({
		send: (message) => queueMicrotask(() => listeners[other].forEach((listener) => listener(message))),
		listen: (listener) => {
			listeners[mine].add(listener);
			return { dispose: () => listeners[mine].delete(listener) };
		},
	});
	return [end(0, 1), end(1, 0)];
}

describe("the view of the trace", () => {
	it("keeps the rows of the previous filter while one cannot be read (TRC-31)", async () => {
		const { view } = connected(fillScene);
		expect(await view.call("ready")).toMatchObject({ rows: 12, found: 12, total: 12 });
		expect(await view.call("filter", "status:error")).toMatchObject({ rows: 4 });
		expect(await view.call("filter", "stats:error")).toMatchObject({
			rows: 4,
			problem: expect.stringContaining("status:"),
		});
		expect(await view.call("filter", "status:sign-in")).toMatchObject({ rows: 1 });
		expect(await view.call("filter", "status:retried")).toMatchObject({ rows: 1 });
		expect(await view.call("filter", "status:401,-32002")).toMatchObject({ rows: 2 });
		// Eight of its nine seconds were the user's.
		expect(await view.call("filter", "target:book_hotel >2s")).toMatchObject({ rows: 0 });
	});

	it("receives changes, and dropped rows disappear, folded rows with them (TRC-32)", async () => {
		const { view, trace, port, shown } = connected(fillScene);
		await view.call("ready");
		expect(await view.call("fold", "4", true)).toMatchObject({ rows: 16 });
		expect((await view.call("rows", 4, 2)).rows).toMatchObject([{ key: "4/0", level: 2 }, { key: "4/1" }]);
		trace.drop(4);
		await expect
			.poll(() => shown.at(-1)?.state)
			.toMatchObject({ rows: 8, total: 8, notices: ["4 older entries were dropped."] });
		await expect(view.call("detail", "4/0")).rejects.toThrow("is no longer in the trace");
		port.ask({ filter: "target:slow", toNewest: true });
		await expect.poll(() => shown.at(-1)).toMatchObject({ isAsked: true, state: { chosen: { key: "7", index: 0 } } });
	});

	it("forgets cleared rows, and keeps waiting ones", async () => {
		const { view, trace, shown } = connected((filled) =>
			filled.put(exchange(1, { outcome: { kind: "waiting" } }), exchange(2), exchange(3)),
		);
		expect(await view.call("ready")).toMatchObject({ rows: 3 });
		trace.clear();
		await expect.poll(() => shown.at(-1)?.state).toMatchObject({ rows: 1, total: 1, notices: [] });
		expect((await view.call("rows", 0, 5)).rows).toMatchObject([{ key: "1", standing: "waiting" }]);
	});

	it("receives no secret, at any place (SEC-10)", async () => {
		const { view } = connected((trace) => {
			trace.put(
				exchange(1, {
					target: "s3cret",
					outcome: { kind: "rpc-error", code: -32_000, message: "bad s3cret" },
					children: [{ kind: "stderr", at: 1, label: "key s3cret", count: 1 }],
				}),
			);
			trace.keep(1, { request: { kind: "whole", value: { params: "s3cret" } }, requestHeaders: { "x-key": "s3cret" } });
		});
		await view.call("ready");
		await view.call("fold", "1", true);
		const all = [await view.call("rows", 0, 5), await view.call("detail", "1"), await view.call("detail", "1/0")];
		expect(JSON.stringify(all)).not.toContain("s3cret");
		expect(JSON.stringify(all[0])).toContain("⟦key⟧");
	});
});
