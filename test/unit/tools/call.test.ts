import { describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { runCall, type ToolCallEvent, type ToolOutcome } from "../../../src/tools/call.ts";
import { readCatalog } from "../../../src/tools/catalog.ts";
import { tellModel } from "../../../src/tools/outcome.ts";
import { directoryOf, Person, serve, tool, untilAborted, type ToolSession } from "./toolSession.ts";

const echo = tool("echo", { text: { type: "string" } });

async function call(
	server: ToolSession,
	person: Person,
	args: object = { text: "hi" },
	signal = new AbortController().signal,
): Promise<{ readonly outcome: ToolOutcome; readonly events: readonly ToolCallEvent[] }> {
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const run = runCall({ callId: "c1", entry, arguments: { ...args } }, person.approvals, signal);
	const events: ToolCallEvent[] = [];
	for (;;) {
		const next = await run.next();
		if (next.done === true) return { outcome: next.value, events };
		events.push(next.value);
		person.see(next.value);
	}
}

describe("a call", () => {
	test("is made once after the person allowed it, with exactly what was shown", async () => {
		const server = await serve("s", echo);
		const person = new Person({ kind: "allow" });
		const { outcome, events } = await call(server, person, { text: "exact \u202E bytes" });
		expect(server.received).toEqual([{ name: "echo", text: JSON.stringify(person.asked[0]?.call.arguments) }]);
		expect(outcome).toMatchObject({ kind: "done", isEdited: false, result: { isError: false } });
		expect(events.map(({ type }) => type)).toEqual(["asked", "decided"]);
	});

	test.each([
		["denies", new Person({ kind: "deny", reason: "no" }), { kind: "denied", reason: "no" }],
		["is asked by a closed window", new Person(({ decision }) => void decision.lapse("shutdown")), { kind: "lapsed" }],
	])("is not made when the person %s", async (_name, person, expected) => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, person);
		expect(outcome).toMatchObject(expected);
		expect(server.received).toEqual([]);
	});

	test("is asked for whatever its annotations say, each time anew", async () => {
		const server = await serve("s", tool("echo", {}, { annotations: { readOnlyHint: true, destructiveHint: false } }));
		const person = new Person({ kind: "allow" });
		await call(server, person, {});
		await call(server, person, {});
		expect(person.asked).toHaveLength(2);
		expect(new Set(person.asked.map(({ decision }) => decision.id)).size).toBe(2);
	});

	test("waits in the list of pending decisions under the configured name", async () => {
		const server = await serve("s", echo);
		const person = new Person(({ decision }) => {
			expect(person.pending.all).toMatchObject([
				{ id: decision.id, subject: { kind: "tool", server: "s", title: "echo" } },
			]);
			return { kind: "allow" };
		});
		await call(server, person);
		expect(person.pending.all).toEqual([]);
		expect(person.approvals.get(person.asked[0]?.decision.id ?? "")?.decision.outcome).toBeDefined();
	});

	test("that the person edited is made with their arguments", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new Person({ kind: "edited", arguments: { text: "mine" } }));
		expect(server.received).toEqual([{ name: "echo", text: '{"text":"mine"}' }]);
		expect(JSON.stringify(tellModel("c1", outcome))).toContain("The person changed the arguments");
	});

	test("that the person edited into something that does not fit is not made", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new Person({ kind: "edited", arguments: { text: 7 } }));
		expect(outcome).toMatchObject({ kind: "failed", error: { code: "invalid" } });
		expect(server.received).toEqual([]);
	});

	test("with arguments that do not fit goes back to the model without a question", async () => {
		const server = await serve("s", echo);
		const person = new Person({ kind: "allow" });
		const { outcome } = await call(server, person, { text: 1 });
		expect(outcome).toMatchObject({ kind: "invalid", problems: [expect.stringContaining("text")] });
		expect([person.asked, server.received]).toEqual([[], []]);
	});

	test("tells its progress while it runs", async () => {
		const server = await serve("s", echo);
		server.onCall = async (_name, _args, { onProgress }) => {
			onProgress?.({ progress: 1, total: 2, message: "half" });
			await Promise.resolve();
			onProgress?.({ progress: 2, total: 2 });
			return { content: [] };
		};
		const { events } = await call(server, new Person({ kind: "allow" }));
		expect(events.flatMap((event) => (event.type === "progress" ? [event.progress.progress] : []))).toEqual([1, 2]);
	});

	test.each([
		[
			"an error of its own",
			{ content: [{ type: "text" as const, text: "no rooms" }], isError: true },
			{ kind: "done", result: { isError: true } },
		],
		["a protocol error", new HostError("protocol", "s: unknown tool"), { kind: "failed", error: { code: "protocol" } }],
		["something else", new TypeError("boom"), { kind: "failed", error: { code: "protocol" } }],
	])("may end with %s", async (_name, end, expected) => {
		const server = await serve("s", echo);
		server.onCall = async () => {
			if (end instanceof Error) throw end;
			return end;
		};
		const { outcome } = await call(server, new Person({ kind: "allow" }));
		expect(outcome).toMatchObject(expected);
		expect(tellModel("c1", outcome)).toMatchObject({ type: "tool-result", callId: "c1", isError: true });
	});
});

describe("between the question and the call", () => {
	test.each([
		["removed", () => [], "no longer offers"],
		["changed", () => [{ ...echo, description: "now deletes everything" }], "changed the tool"],
	])("a tool that was %s is not called", async (_name, tools, text) => {
		const server = await serve("s", echo);
		const person = new Person(({ decision }) => {
			void server.run({ tools: tools() }).then(() => decision.answer({ kind: "allow" }));
			return undefined;
		});
		const { outcome } = await call(server, person);
		expect(outcome).toMatchObject({ kind: "failed", error: { message: expect.stringContaining(text) } });
		expect(server.received).toEqual([]);
	});

	test("a server that goes away ends the question", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new Person(() => (server.setState({ kind: "stopped" }), undefined)));
		expect(outcome).toEqual({ kind: "lapsed", reason: "server-gone" });
	});
});

describe("cancelling", () => {
	test("a question withdraws it", async () => {
		const server = await serve("s", echo);
		const controller = new AbortController();
		const person = new Person(() => (controller.abort(), undefined));
		expect((await call(server, person, { text: "x" }, controller.signal)).outcome).toEqual({ kind: "cancelled" });
		expect(person.asked[0]?.decision.answer({ kind: "allow" })).toBe(false);
		expect(server.received).toEqual([]);
	});

	test("a running call reaches the server", async () => {
		const server = await serve("s", echo);
		const controller = new AbortController();
		server.onCall = (_name, _args, { signal }) => {
			queueMicrotask(() => controller.abort());
			return untilAborted(signal);
		};
		const { outcome } = await call(server, new Person({ kind: "allow" }), { text: "x" }, controller.signal);
		expect(outcome).toEqual({ kind: "cancelled" });
	});

	test("before anything asks nobody", async () => {
		const server = await serve("s", echo);
		const person = new Person({ kind: "allow" });
		expect((await call(server, person, { text: "x" }, AbortSignal.abort())).outcome).toEqual({ kind: "cancelled" });
		expect(person.asked).toEqual([]);
	});
});
