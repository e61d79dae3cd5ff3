import { describe, expect, expectTypeOf, it } from "vitest";
import { RpcEndpoint, RpcError, type MessagePort } from "../../../src/base/rpc.ts";
import { toDisposable } from "../../../src/base/lifecycle.ts";

interface HostApi {
	double: (value: number) => number;
	fail: () => void;
	later: () => Promise<string>;
	note: (text: string) => void;
}
interface ViewApi {
	title: () => string;
}

interface TestPort extends MessagePort {
	readonly sent: unknown[];
	receive(message: unknown): void;
}

/** Two connected ports; messages are cloned and arrive in a later task, as they do in a webview. */
function portPair(): [TestPort, TestPort] {
	const make = (other: () => TestPort): TestPort => {
		const listeners = new Set<(message: unknown) => void>();
		const sent: unknown[] = [];
		return {
			sent,
			send(message) {
				sent.push(message);
				const copy: unknown = structuredClone(message);
				queueMicrotask(() => other().receive(copy));
			},
			listen(listener) {
				listeners.add(listener);
				return toDisposable(() => listeners.delete(listener));
			},
			receive(message) {
				for (const listener of listeners) listener(message);
			},
		};
	};
	const pair: [TestPort, TestPort] = [make(() => pair[1]), make(() => pair[0])];
	return pair;
}

function connect() {
	const [hostPort, viewPort] = portPair();
	const gate = Promise.withResolvers<string>();
	const notes: unknown[] = [];
	const host = new RpcEndpoint<ViewApi, HostApi>(hostPort, {
		double: (value) => Number(value) * 2,
		fail: () => {
			throw new Error("no such luck");
		},
		later: () => gate.promise,
		note: (text) => void notes.push(text),
	});
	const view = new RpcEndpoint<HostApi, ViewApi>(viewPort, { title: () => "Review" });
	return { host, view, hostPort, viewPort, gate, notes };
}

describe("RpcEndpoint", () => {
	it("calls in both directions, with the result type of the method", async () => {
		const { host, view } = connect();
		const doubled = view.call("double", 21);
		expectTypeOf(doubled).toEqualTypeOf<Promise<number>>();
		expect(await doubled).toBe(42);
		expect(await host.call("title")).toBe("Review");
		// @ts-expect-error -- a wrong parameter is a compile error
		expect(await view.call("double", "x")).toBeNaN();
	});

	it("answers calls out of order", async () => {
		const { view, gate } = connect();
		const late = view.call("later");
		expect(await view.call("double", 1)).toBe(2);
		gate.resolve("done");
		expect(await late).toBe("done");
	});

	it("returns a handler's error", async () => {
		const { view } = connect();
		await expect(view.call("fail")).rejects.toThrow(new RpcError("no such luck"));
	});

	it.each(["nothing", "constructor", "__proto__", "toString"])("answers an error for the method %s", async (method) => {
		const { view } = connect();
		await expect(view.call(method as "fail")).rejects.toThrow(`Unknown method: ${method}`);
	});

	it("notifies without an answer, whatever the handler does", async () => {
		const { view, hostPort, notes } = connect();
		view.notify("note", "hello");
		view.notify("fail");
		await view.call("double", 1);
		expect(notes).toEqual(["hello"]);
		expect(hostPort.sent).toHaveLength(1);
	});

	it("ignores what is not a message of the conversation", async () => {
		const { view, hostPort, viewPort, gate } = connect();
		const strange = [
			undefined,
			null,
			7,
			"call",
			[],
			{},
			{ rpc: "call" },
			{ rpc: "call", id: 1, method: 5, args: [] },
			{ rpc: "call", id: 1, method: "double", args: { length: 1 } },
			{ rpc: "call", id: "1", method: "double", args: [] },
			{ rpc: "call", id: 1.5, method: "double", args: [] },
			{ rpc: "reply", id: 1 },
		];
		for (const message of strange) hostPort.receive(message);
		expect(hostPort.sent).toEqual([]);

		const late = view.call("later");
		for (const message of [
			{ rpc: "value", id: 99, value: "forged" },
			{ rpc: "value", id: "1", value: "forged" },
			{ rpc: "error", id: 1 },
		]) {
			viewPort.receive(message);
		}
		gate.resolve("true");
		expect(await late).toBe("true");
	});

	it("ignores an answer to a request of the previous page on the same port", async () => {
		const { view, viewPort, gate } = connect();
		const lost = view.call("later");
		const [{ id }] = viewPort.sent as [{ readonly id: number }];
		view.dispose();
		await expect(lost).rejects.toThrow(RpcError);
		const next = new RpcEndpoint<HostApi, ViewApi>(viewPort, { title: () => "Review" });
		const answer = next.call("later");
		viewPort.receive({ rpc: "value", id, value: "of the page before" });
		gate.resolve("of this one");
		expect(await answer).toBe("of this one");
	});

	it("rejects open and later calls when disposed, and answers no more", async () => {
		const { host, view, gate, hostPort } = connect();
		const open = view.call("later");
		view.dispose();
		view.dispose();
		await expect(open).rejects.toThrow(RpcError);
		await expect(view.call("double", 1)).rejects.toThrow("was not called");

		host.dispose();
		gate.resolve("late");
		await gate.promise;
		hostPort.receive({ rpc: "call", id: 5, method: "double", args: [1] });
		expect(hostPort.sent).toEqual([]);
	});
});
