/**
 * Simultaneous requests of many servers, requests in loops, and the end of every request: real servers, the host's
 * core, and its queue and guard.
 */
import { afterEach, expect, it, vi } from "vitest";
import { Desk } from "./samplingDesk.ts";
import { answersOf, samplingReaches } from "./samplingReach.ts";
import { startRepeatingServer } from "../servers/repeatingServer.ts";

let desk: Desk;
afterEach(() => desk[Symbol.asyncDispose]());

const patience = { timeout: 60_000 };

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
				// A refused request ends the call at the client, as the protocol requires.
				await expect(call).rejects.toThrow(/Iteration limit: at most 5/);
			} else {
				const answers = answersOf(await call);
				expect(answers).toHaveLength(6);
				expect(answers.at(-1)).toMatchObject({
					error: { code: -32603, message: expect.stringMatching(/^Iteration limit/) as string },
				});
			}
			// A new call of the user may ask equally often.
			expect(desk.shown).toHaveLength(5 * round);
		}
	},
);

it("ten requests at once from three servers reach the user in turn, and each is answered (SMP-01, BLT-17)", async () => {
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
	// Whatever the order: no server has a second turn before every other had its first.
	expect(new Set(order.slice(0, 3))).toEqual(new Set(["a", "b", "c"]));
	expect(order.slice(3, 7).filter((server) => server === "b")).toHaveLength(2);
	const answers = (await Promise.all(calls)).map(answersOf);
	expect(answers.map((all) => all.filter((answer) => "result" in answer).length)).toEqual([6, 3, 1]);
});

it("excess requests are refused at once, and rejecting all answers every other with the specified error (SMP-13)", async () => {
	desk = new Desk(100);
	await desk.start("a", "b");
	const flood = desk.call("a", "sampleMany", { count: 30, text: "question {n}" });
	const other = desk.call("b", "sampleMany", { count: 2, text: "question {n}" });
	// One that arrived after the others were rejected would wait instead of being refused.
	await vi.waitFor(() => expect(desk.requests).toBe(32), patience);
	expect(desk.test.host.pending.all).toHaveLength(22);
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

it("a rejection applies to that request only: the same one in a new call asks again, and none counts as allowed (SMP-06, BLT-08)", async () => {
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
		// Withdrawn by the user, who stopped the call, not by the server.
		await vi.waitFor(() => expect(desk.ends).toEqual(["stopped", "stopped", "stopped"]), patience);
		expect(desk.shown[0]?.decision.answer("return")).toBe(false);
		expect(desk.test.host.pending.all).toEqual([]);
	},
);

it("a server that dies ends only its own reviews (SMP-09)", async () => {
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
	"$name: a window that closes ends every review, and none follows (SMP-09)",
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

it("a remote server that sends its request again after a broken stream has one review and gets one answer (SMP-09)", async () => {
	await using server = await startRepeatingServer();
	desk = new Desk();
	await desk.test.run("repeating", { url: server.url });
	// It breaks the stream after each request, and the host listens again.
	await vi.waitFor(() => expect(server.sent).toBeGreaterThan(2), patience);
	expect(desk.shown).toHaveLength(1);
	expect(desk.test.host.pending.all).toHaveLength(1);
	desk.shown[0]?.decision.answer("return");
	await vi.waitFor(() => expect(server.answers).toHaveLength(1), patience);
	expect(server.answers).toMatchObject([{ id: "once", result: { content: { text: "yes" } } }]);
	expect(desk.ends).toEqual(["return"]);
});
