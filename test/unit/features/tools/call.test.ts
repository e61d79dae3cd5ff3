import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { runCall } from "../../../../src/features/tools/call.ts";
import type { CallContext, ToolCallEvent, ToolOutcome } from "../../../../src/features/tools/call.ts";
import { readCatalog, type ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { resultForModel } from "../../../../src/features/tools/outcome.ts";
import type { RunningCall } from "../../../../src/features/tools/runningCall.ts";
import { directoryOf, User, serve, tool, untilAborted, type ToolSession } from "./toolSession.ts";

const echo = tool("echo", { text: { type: "string" } });

async function call(
	server: ToolSession,
	user: User,
	args: object = { text: "hi" },
	signal = new AbortController().signal,
	more: Partial<CallContext> = {},
): Promise<{ readonly outcome: ToolOutcome; readonly events: readonly ToolCallEvent[] }> {
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const { approvals, policy, pins } = user;
	const run = runCall(
		{ callId: "c1", entry, arguments: { ...args } },
		{ approvals, policy, pins, signal, patienceMs: 60_000, ...more },
	);
	const events: ToolCallEvent[] = [];
	for (;;) {
		const next = await run.next();
		if (next.done === true) return { outcome: next.value, events };
		events.push(next.value);
		user.see(next.value);
	}
}

describe("a call", () => {
	test("is made once after the user allowed it, with exactly the shown arguments", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		const { outcome, events } = await call(server, user, { text: "exact \u202E bytes" });
		expect(server.received).toEqual([{ name: "echo", text: JSON.stringify(user.asked[0]?.call.arguments) }]);
		expect(outcome).toMatchObject({ kind: "done", isEdited: false, result: { isError: false } });
		expect(events.map(({ type }) => type)).toEqual(["asked", "decided", "started"]);
	});

	test("whose result violates the output schema is recorded as such, and returns the result (TOL-14, TRC-44)", async () => {
		const outputSchema = { type: "object" as const, required: ["degrees"] };
		const server = await serve("s", { ...tool("forecast"), outputSchema });
		server.onCall = async () => ({ content: [], structuredContent: {} });
		const { outcome } = await call(server, new User({ kind: "allow" }), {});
		expect([outcome.kind, server.unfit]).toEqual(["done", 1]);
	});

	test.each([
		["denies", new User({ kind: "deny", reason: "no" }), { kind: "denied", reason: "no" }],
		["is asked by a closed window", new User(({ decision }) => void decision.lapse("shutdown")), { kind: "lapsed" }],
	])("is not made when the user %s", async (_name, user, expected) => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, user);
		expect(outcome).toMatchObject(expected);
		expect(server.received).toEqual([]);
	});

	test.each([
		{ readOnlyHint: true, destructiveHint: false },
		{ readOnlyHint: true, openWorldHint: true },
		{ readOnlyHint: true, destructiveHint: true },
		{ destructiveHint: true },
	])("asks for any annotations, each time again (TOL-06, BLT-37): %j", async (annotations) => {
		const server = await serve("s", tool("echo", {}, { annotations }));
		const user = new User({ kind: "allow" });
		await call(server, user, {});
		await call(server, user, {});
		expect([user.asked.length, server.received.length]).toEqual([2, 2]);
		expect(new Set(user.asked.map(({ decision }) => decision.id)).size).toBe(2);
	});

	test("waits in the list of pending decisions under the configured name", async () => {
		const server = await serve("s", echo);
		const user = new User(({ decision }) => {
			expect(user.pending.all).toMatchObject([
				{ id: decision.id, subject: { kind: "tool", server: "s", title: "echo" } },
			]);
			return { kind: "allow" };
		});
		await call(server, user);
		expect(user.pending.all).toEqual([]);
		expect(user.approvals.get(user.asked[0]?.decision.id ?? "")?.decision.outcome).toBeDefined();
	});

	test("that the user edited is made with their arguments", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new User({ kind: "edited", arguments: { text: "mine" } }));
		expect(server.received).toEqual([{ name: "echo", text: '{"text":"mine"}' }]);
		expect(JSON.stringify(resultForModel("c1", outcome))).toContain("The user changed the arguments");
	});

	test("that the user edited into invalid arguments is not made", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new User({ kind: "edited", arguments: { text: 7 } }));
		expect(outcome).toMatchObject({ kind: "failed", error: { code: "invalid" } });
		expect(server.received).toEqual([]);
	});

	test("with invalid arguments is returned to the model without a question", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		const { outcome } = await call(server, user, { text: 1 });
		expect(outcome).toMatchObject({ kind: "invalid", problems: [expect.stringContaining("text")] });
		expect([user.asked, server.received]).toEqual([[], []]);
	});

	test("shows its progress while it runs", async () => {
		const server = await serve("s", echo);
		server.onCall = async (_name, _args, { onProgress }) => {
			onProgress?.({ progress: 1, total: 2, message: "half" });
			await Promise.resolve();
			onProgress?.({ progress: 2, total: 2 });
			return { content: [] };
		};
		const { events } = await call(server, new User({ kind: "allow" }));
		expect(events.flatMap((event) => (event.type === "progress" ? [event.progress.progress] : []))).toEqual([1, 2]);
	});

	test.each([
		[
			"an error of its own",
			{ content: [{ type: "text" as const, text: "no rooms" }], isError: true },
			{ kind: "done", result: { isError: true } },
		],
		["a protocol error", new HostError("protocol", "s: unknown tool"), { kind: "failed", error: { code: "protocol" } }],
		["an internal error", new TypeError("boom"), { kind: "failed", error: { code: "protocol" } }],
	])("may end with %s", async (_name, end, expected) => {
		const server = await serve("s", echo);
		server.onCall = async () => {
			if (end instanceof Error) throw end;
			return end;
		};
		const { outcome } = await call(server, new User({ kind: "allow" }));
		expect(outcome).toMatchObject(expected);
		expect(resultForModel("c1", outcome)).toMatchObject({ type: "tool-result", callId: "c1", isError: true });
	});
});

describe("between the question and the call", () => {
	test.each([
		["removed", () => [], "no longer exists"],
		["changed", () => [{ ...echo, description: "now deletes everything" }], "changed the tool"],
	])("a tool that was %s is not called", async (_name, tools, text) => {
		const server = await serve("s", echo);
		const user = new User(({ decision }) => {
			void server.run({ tools: tools() }).then(() => decision.answer({ kind: "allow" }));
			return undefined;
		});
		const { outcome } = await call(server, user);
		expect(outcome).toMatchObject({ kind: "failed", error: { message: expect.stringContaining(text) } });
		expect(server.received).toEqual([]);
	});

	test("a server that goes away ends the question", async () => {
		const server = await serve("s", echo);
		const { outcome } = await call(server, new User(() => (server.setState({ kind: "stopped" }), undefined)));
		expect(outcome).toEqual({ kind: "lapsed", reason: "server-gone" });
	});
});

describe("cancelling", () => {
	test("a question withdraws it", async () => {
		const server = await serve("s", echo);
		const controller = new AbortController();
		const user = new User(() => (controller.abort(), undefined));
		expect((await call(server, user, { text: "x" }, controller.signal)).outcome).toEqual({ kind: "cancelled" });
		expect(user.asked[0]?.decision.answer({ kind: "allow" })).toBe(false);
		expect(server.received).toEqual([]);
	});

	test("a running call reaches the server", async () => {
		const server = await serve("s", echo);
		const controller = new AbortController();
		server.onCall = (_name, _args, { signal }) => {
			queueMicrotask(() => controller.abort());
			return untilAborted(signal);
		};
		const { outcome } = await call(server, new User({ kind: "allow" }), { text: "x" }, controller.signal);
		expect(outcome).toEqual({ kind: "cancelled", isSent: true, exchange: "here-1" });
		// The next turn's model reads it (TRN-57).
		expect(JSON.stringify(resultForModel("c1", outcome))).toMatch(/while it ran\. It may have taken effect\. Do not/);
	});

	test("before any question asks nothing", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		expect((await call(server, user, { text: "x" }, AbortSignal.abort())).outcome).toEqual({ kind: "cancelled" });
		expect(user.asked).toEqual([]);
	});
});

describe("a rule of the user's", () => {
	const by = { kind: "rule", label: "rule 1 of User Settings" } as const;

	test("that allows makes the call without a question, and the call names the rule", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "deny" });
		user.rules.set("echo", { decision: "allow", by });
		const { outcome, events } = await call(server, user);
		expect(outcome).toMatchObject({ kind: "done", sent: { text: "hi" }, isEdited: false });
		expect(events.map(({ type }) => type)).toEqual(["ruled", "started"]);
		expect(events[0]).toMatchObject({ by });
		expect(user.asked).toEqual([]);
	});

	test("that denies makes no call, without a question; the model is informed", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		user.rules.set("echo", { decision: "deny", by });
		const { outcome, events } = await call(server, user);
		expect([outcome, events, server.received]).toEqual([{ kind: "denied", by, arguments: { text: "hi" } }, [], []]);
		expect(JSON.stringify(resultForModel("c1", outcome))).toContain("rule 1 of User Settings");
	});

	test.each([
		["arguments that the user wrote", { kind: "edited", arguments: { text: "mine" } } as const, "mine"],
		["a question from before the rule was made", { kind: "allow" } as const, "hi"],
	])("applies to %s", async (_name, answer, text) => {
		const server = await serve("s", echo);
		const user = new User(() => {
			user.rules.set("echo", { decision: "deny", by });
			return answer;
		});
		const { outcome } = await call(server, user);
		expect([outcome, server.received]).toEqual([{ kind: "denied", by, arguments: { text } }, []]);
	});

	test("does not wait for invalid arguments", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		user.rules.set("echo", { decision: "allow", by });
		expect((await call(server, user, { text: 1 })).outcome).toMatchObject({ kind: "invalid" });
		expect(server.received).toEqual([]);
	});
});

describe("the definition of a tool", () => {
	test("counts as approved when its call was allowed, and not before", async () => {
		const server = await serve("s", echo);
		const [item] = server.tools.items;
		if (item === undefined) throw new Error("no tool");
		const user = new User({ kind: "deny" });
		await call(server, user);
		expect(user.pins.stateOf(server, item)).toEqual({ kind: "new" });
		const other = new User({ kind: "allow" });
		await call(server, other);
		expect(other.pins.stateOf(server, item)).toEqual({ kind: "same" });
	});

	test("that differs from the approved one is marked in the question (TOL-02, BLT-40)", async () => {
		const server = await serve("s", echo);
		const user = new User({ kind: "allow" });
		await call(server, user);
		await server.run({ tools: [{ ...echo, description: "now deletes everything" }] });
		await call(server, user);
		expect(user.asked.map(({ notice }) => notice.pin.kind)).toEqual(["new", "changed"]);
		expect(user.asked[1]?.notice.pin).toMatchObject({ changes: [{ field: "description" }] });
	});
});

describe("a call that takes a while", () => {
	test("can be cancelled separately; the model is informed that it may have taken effect", async () => {
		const server = await serve("s", echo);
		const turn = new AbortController();
		server.onCall = (_name, _args, { signal }) => untilAborted(signal);
		const user = new User({ kind: "allow" });
		const ended: boolean[] = [];
		const see = user.see.bind(user);
		user.see = (event) => {
			see(event);
			if (event.type === "slow" && "run" in event) {
				const run = event.run as RunningCall;
				ended.push(run.cancel(), run.cancel());
			}
		};
		const { outcome } = await call(server, user, { text: "x" }, turn.signal, { patienceMs: 0 });
		expect([outcome, ended]).toEqual([{ kind: "cancelled", isAlone: true, exchange: "here-1" }, [true, false]]);
		expect(JSON.stringify(resultForModel("c1", outcome))).toMatch(/cancelled this call while it ran.*Do not repeat/);
	});

	test("shows the server's log messages meanwhile", async () => {
		const server = await serve("s", echo);
		server.requestLog.log("before");
		server.onCall = async () => {
			server.requestLog.log("reading page 1");
			return { content: [] };
		};
		const { events } = await call(server, new User({ kind: "allow" }));
		server.requestLog.log("after");
		expect(events.flatMap((event) => (event.type === "log" ? [event.line] : []))).toEqual(["reading page 1"]);
	});

	test("and loses its server is not repeated, and its outcome is reported as unknown (TOL-19)", async () => {
		const server = await serve("s", echo);
		server.onCall = async () => {
			server.setState({ kind: "stopped" });
			throw new HostError("outcome-unknown", "s: The server ended. Whether tools/call echo took effect is unknown.");
		};
		const { outcome } = await call(server, new User({ kind: "allow" }));
		expect(outcome).toMatchObject({ kind: "failed", error: { code: "outcome-unknown" } });
		expect(server.received).toHaveLength(1);
	});
});

test("that a rule or grant allowed asks, or is denied, when that ends before it is made (TOL-11)", async () => {
	for (const decision of ["ask", "deny"] as const) {
		const server = await serve("s", echo);
		const user = new User({ kind: "deny" });
		user.rules.set("echo", { decision: "allow", by: { kind: "grant", label: "your grant" } });
		const see = user.see.bind(user);
		// The display meanwhile may be slow: other calls of the answer are checked first.
		user.see = (event) => {
			if (event.type === "ruled") user.rules.set("echo", { decision, by: { kind: "rule", label: "rule 1" } });
			see(event);
		};
		const { outcome } = await call(server, user);
		expect(outcome).toMatchObject({ kind: "denied" });
		expect([server.received, user.asked.length]).toEqual([[], decision === "ask" ? 1 : 0]);
	}
});

test("a request that represents another one is handled the same way: rules, question, exactly the shown arguments", async () => {
	const server = await serve("s");
	const user = new User({ kind: "allow" });
	const sent: object[] = [];
	const entry: ToolEntry = {
		session: server,
		tool: tool("resources/read", { uri: { type: "string" } }),
		modelName: "read_resource",
		hidden: undefined,
		perform: async (args) => {
			sent.push(args);
			return { content: [{ type: "text", text: "contents" }] };
		},
	};
	const { approvals, policy, pins } = user;
	const run = runCall(
		{ callId: "c1", entry, arguments: { uri: "a://b" } },
		{ approvals, policy, pins, signal: new AbortController().signal },
	);
	for (let next = await run.next(); next.done !== true; next = await run.next()) user.see(next.value);
	expect([user.asked.length, sent, server.received]).toEqual([1, [{ uri: "a://b" }], []]);
});
