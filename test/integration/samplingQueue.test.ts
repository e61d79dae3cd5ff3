/** What many servers ask at once, what they ask in loops, and how every request ends: real servers, the host's core, and its queue and guard. */
import type { CreateMessageResult } from "@modelcontextprotocol/client";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { Decision } from "../../src/decisions/decision.ts";
import { DecisionQueue, lapseWithRequest } from "../../src/decisions/queue.ts";
import { rejectedByPerson, RequestRefusal } from "../../src/decisions/refusal.ts";
import { Repetition } from "../../src/decisions/repetition.ts";
import { SamplingGuard, type GuardEnd } from "../../src/sampling/guard.ts";
import type { ServerSession } from "../../src/servers/serverSession.ts";
import type { ServerRequestHandler } from "../../src/servers/session.ts";
import { answersOf, samplingConfig, samplingReaches } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";

type Answer = "return" | "reject";

/** Answers sampling requests as the service does, with nothing between the queue and the person. */
class Desk implements AsyncDisposable {
	readonly test = new TestHost();
	readonly repetition = new Repetition();
	readonly queue = new DecisionQueue(this.test.host.pending);
	/** The questions by the order in which they came before the person. */
	readonly shown: { readonly server: string; readonly decision: Decision<Answer> }[] = [];
	/** How each ended. */
	readonly ends: string[] = [];
	/** Answers each question as soon as its turn comes. */
	onShown: (decision: Decision<Answer>) => void = () => undefined;
	private readonly guard: SamplingGuard;

	constructor(loopLimit = 25) {
		this.guard = new SamplingGuard({ repetition: this.repetition, loopLimit: () => loopLimit });
		const refuse = (): never => {
			throw new Error("Nobody asks for that here.");
		};
		this.test.host.answerWith({ createMessage: (...request) => this.createMessage(...request), elicit: refuse });
	}

	private readonly createMessage: ServerRequestHandler["createMessage"] = async (session, params, context) => {
		const { id, name } = session.definition;
		const { during, calls, signal } = context;
		const passage = this.guard.enter({ id, name, definition: session.definition, during }, params, calls);
		const decision = new Decision<Answer>(
			{ kind: "sampling", server: name, serverId: id, title: "x", ...(during === undefined ? {} : { during }) },
			"reject",
		);
		let end: GuardEnd = "ended";
		try {
			lapseWithRequest(decision, session, signal);
			const { heldMs } = passage;
			const show = (): void => {
				this.shown.push({ server: name, decision });
				this.onShown(decision);
			};
			this.queue.enter(decision, show, { heldMs });
			const settled = await decision.settled;
			this.ends.push(settled.by === "person" ? settled.answer : settled.reason);
			if (settled.by === "lapse") throw new RequestRefusal(-32603, "cancelled", "It ended.");
			end = settled.answer === "return" ? "answered" : "rejected";
			if (settled.answer === "reject") throw rejectedByPerson();
			return { model: "m", role: "assistant", content: { type: "text", text: "yes" } } satisfies CreateMessageResult;
		} finally {
			passage.note(end);
		}
	};

	/** Calls a tool of a server. */
	call(server: string, tool: string, args: JsonObject, signal?: AbortSignal): ReturnType<ServerSession["callTool"]> {
		const call = this.test.session(server).callTool(tool, args, signal === undefined ? {} : { signal });
		// A test that fails does not come to await it.
		call.catch(() => undefined);
		return call;
	}

	async start(...servers: readonly string[]): Promise<void> {
		await this.test.configure(Object.fromEntries(servers.map((name) => [name, samplingConfig("legacy")])));
		await this.test.host.startApproved();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.test[Symbol.asyncDispose]();
	}
}

let desk: Desk;
afterEach(() => desk[Symbol.asyncDispose]());

const patience = { timeout: 15_000 };

it.each(samplingReaches)(
	"$name: a server that asks again on each completion is stopped at the limit (SMP-14)",
	async ({ reach, era }) => {
		await using server = await reach();
		desk = new Desk(5);
		desk.onShown = (decision) => void decision.answer("return");
		await desk.test.run("looping", server.config);
		for (const round of [1, 2]) {
			const call = desk.call("looping", "loop", {});
			if (era === "modern") {
				// A refused request ends the call at the client, as the protocol has it.
				await expect(call).rejects.toThrow(/Iteration limit: at most 5/);
			} else {
				const answers = answersOf(await call);
				expect(answers).toHaveLength(6);
				expect(answers.at(-1)).toMatchObject({
					error: { code: -32603, message: expect.stringMatching(/^Iteration limit/) as string },
				});
			}
			// A new call of the person's may ask as often again.
			expect(desk.shown).toHaveLength(5 * round);
		}
	},
);

it("ten at once from three servers come before the person in turn, and each is answered (SMP-01, built-in.md claim 17)", async () => {
	desk = new Desk();
	await desk.start("a", "b", "c");
	const calls = [
		desk.call("a", "sampleMany", { count: 6, text: "question {n}" }),
		desk.call("b", "sampleMany", { count: 3, text: "question {n}" }),
		desk.call("c", "sampleMany", { count: 1, text: "question {n}" }),
	];
	await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(10), patience);
	const order: string[] = [];
	for (let count = 0; count < 10; count++) {
		await vi.waitFor(() => expect(desk.shown).toHaveLength(count + 1), patience);
		const next = desk.shown[count] as (typeof desk.shown)[number];
		order.push(next.server);
		next.decision.answer("return");
	}
	// Whichever came first: no server has a second turn before every other had its first.
	expect(new Set(order.slice(0, 3))).toEqual(new Set(["a", "b", "c"]));
	expect(order.slice(3, 7).filter((server) => server === "b")).toHaveLength(2);
	const answers = (await Promise.all(calls)).map(answersOf);
	expect(answers.map((all) => all.filter((answer) => "result" in answer).length)).toEqual([6, 3, 1]);
});

it("more than may wait are refused at once, and rejecting all answers every other with the specified error (SMP-13)", async () => {
	desk = new Desk(100);
	await desk.start("a", "b");
	const flood = desk.call("a", "sampleMany", { count: 30, text: "question {n}" });
	const other = desk.call("b", "sampleMany", { count: 2, text: "question {n}" });
	await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(22), patience);
	expect(desk.test.host.pending.refuseServer(desk.test.session("a").definition.id)).toBe(20);
	const codes = answersOf(await flood).map((answer) => ("error" in answer ? answer.error.code : 0));
	expect([codes.filter((code) => code === -1).length, codes.filter((code) => code === -32603).length]).toEqual([
		20, 10,
	]);
	await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(2), patience);
	desk.onShown = (decision) => void decision.answer("return");
	for (const { decision } of desk.shown) decision.answer("return");
	expect(answersOf(await other).every((answer) => "result" in answer)).toBe(true);
});

it("a rejection lasts: the same request in the same call is not asked again, and none counts as allowed (SMP-06, built-in.md claim 8)", async () => {
	desk = new Desk();
	await desk.start("a");
	desk.onShown = (decision) => void decision.answer("reject");
	const params = { messages: [{ role: "user", content: { type: "text", text: "same" } }], maxTokens: 5 };
	for (let count = 1; count <= 3; count++) {
		const [answer] = answersOf(await desk.call("a", "sample", { params }));
		expect(answer).toMatchObject({ error: { code: -1 } });
		expect(desk.shown).toHaveLength(count);
	}
});

it.each(samplingReaches)(
	"$name: a cancelled call ends its reviews, each once, and no answer follows (SMP-09)",
	async ({ reach }) => {
		await using server = await reach();
		desk = new Desk();
		await desk.test.run("a", server.config);
		const controller = new AbortController();
		const call = desk.call("a", "sampleMany", { count: 3, text: "question {n}" }, controller.signal);
		await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(3), patience);
		controller.abort();
		await expect(call).rejects.toMatchObject({ code: "cancelled" });
		await vi.waitFor(() => expect(desk.ends).toEqual(["cancelled", "cancelled", "cancelled"]), patience);
		expect(desk.shown[0]?.decision.answer("return")).toBe(false);
		expect(desk.test.host.pending.all).toEqual([]);
	},
);

it("a server that dies ends its reviews and no other's (SMP-09)", async () => {
	desk = new Desk();
	await desk.start("a", "b");
	const dying = desk.call("a", "sampleMany", { count: 3, text: "question {n}" });
	const other = desk.call("b", "sampleMany", { count: 1, text: "question {n}" });
	await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(4), patience);
	await Promise.allSettled([dying, desk.call("a", "exit", {})]);
	await vi.waitFor(() => expect(desk.ends).toEqual(["server-gone", "server-gone", "server-gone"]), patience);
	await vi.waitFor(() => expect(desk.shown.at(-1)?.server).toBe("b"), patience);
	desk.shown.at(-1)?.decision.answer("return");
	expect(answersOf(await other)).toMatchObject([{ result: {} }]);
});

it.each(samplingReaches)(
	"$name: a window that closes ends every review, and none comes after it (SMP-09)",
	async ({ reach }) => {
		await using server = await reach();
		desk = new Desk();
		await desk.test.run("a", server.config);
		const call = desk.call("a", "sampleMany", { count: 3, text: "question {n}" });
		await vi.waitFor(() => expect(desk.test.host.pending.all).toHaveLength(3), patience);
		await desk.test.host.shutdown();
		await expect(call).rejects.toMatchObject({ name: "HostError" });
		expect(desk.ends).toEqual(["shutdown", "shutdown", "shutdown"]);
		const { decision } = desk.shown[0] as (typeof desk.shown)[number];
		expect([decision.answer("return"), decision.outcome]).toEqual([false, { by: "lapse", reason: "shutdown" }]);
		expect(desk.test.host.pending.all).toEqual([]);
	},
);
