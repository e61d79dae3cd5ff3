import { describe, expect, it } from "vitest";
import { HostError } from "../../../../../src/base/errors.ts";
import { ModelFailure } from "../../../../../src/models/failure.ts";
import { until } from "../fakes.ts";
import { setUpAt, setUpReview } from "../reviewFakes.ts";

describe("answers of models in a review", () => {
	it("keeps the draft after a failure of the model, and sends it again only when the user does (SMP-11)", async () => {
		const { review, qwen, reach, changed, draft, admission, written } = await setUpReview();
		review.approve(changed({ maxTokens: "7" }));
		qwen.say(new ModelFailure("unreachable", "Nothing answers at 127.0.0.1.", { isUnused: true }));
		await until(() => review.state.problem !== undefined);
		expect(review.state).toMatchObject({
			step: { kind: "request" },
			problem: { text: "qwen did not answer: Nothing answers at 127.0.0.1." },
		});
		expect(qwen.requests).toHaveLength(1);
		// A request that was never processed is not counted.
		expect(admission.settled).toEqual([{ number: 1, inputTokens: 0, outputTokens: 0 }]);
		expect(written.attempts).toMatchObject([{ failure: "Nothing answers at 127.0.0.1.", model: { name: "qwen" } }]);
		expect(review.document.draft.changes).toEqual({ maxTokens: "7" });
		review.approve(draft());
		qwen.answer("Now.");
		await reach("completion");
		expect(review.state.problem).toBeUndefined();
		expect(qwen.requests[1]?.options.maxTokens).toBe(7);
	});

	it.each([
		["a refused key", new ModelFailure("refused", "The key was refused.")],
		["a rate limit", new ModelFailure("blocked", "Too many requests.")],
		["a fault of the server", new HostError("model", "The server failed.")],
		["a time-out", new HostError("model", "It said nothing for two minutes.")],
		["a stream that is cut", new Error("terminated")],
	])("goes back to the completion, with the user's edits, after %s (SMP-11)", async (_what, failure) => {
		const { review, qwen, draft, completion, completionDraft, admission } = await setUpAt("completion");
		review.editCompletion(completionDraft({ text: "mine" }));
		review.approve(draft());
		qwen.say({ type: "text", text: "par" }, failure);
		await until(() => review.state.problem !== undefined);
		expect(review.state.problem?.text).toBe(`qwen did not answer: ${failure.message}`);
		expect(completion()).toMatchObject({ attempt: 1, draft: { changes: { text: "mine" } } });
		// The partial answer is visible, and was paid for.
		expect(review.state.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
		expect(admission.settled[1]?.outputTokens).toBeGreaterThan(0);
		review.showAttempt(2);
		expect(completion()).toMatchObject({ fields: [{ original: "par" }], note: "The answer was interrupted here." });
	});

	it("MDL-14: shows the thoughts of a model to the user, and neither returns nor records them", async () => {
		const { review, qwen, reach, completion, completionDraft, draft, written } = await setUpReview();
		review.approve(draft());
		qwen.say({ type: "reasoning", text: "They mean " }, { type: "reasoning", text: "feet.\u202E" });
		qwen.answer("Socks.");
		await reach("completion");
		expect(completion().thoughts).toBe("They mean feet.\\u202E");
		review.returnToServer(completionDraft());
		const settled = await review.settled;
		expect(settled).toMatchObject({
			by: "user",
			answer: { kind: "return", completion: { parts: [{ text: "Socks." }] } },
		});
		expect(JSON.stringify([settled, review.recordedCompletion, written])).not.toContain("They mean");
	});

	it("treats an answer without an end as broken off", async () => {
		const { review, qwen, text } = await setUpAt("generating");
		qwen.say({ type: "text", text: "half" });
		await until(() => (review.state.step as { text?: string }).text === "half");
		qwen.say("end");
		await until(() => review.state.problem !== undefined);
		expect(review.state.problem?.text).toMatch(/was interrupted/);
		expect(text()).toBe("half");
	});

	it.each([
		["is empty", "", "endTurn", /The answer is empty/],
		["is blank", " \n", "endTurn", /The answer is empty/],
		["is a refusal", "I cannot.", "refusal", /refused/],
		["is cut at the most tokens", "So", "maxTokens", /cut off/],
		["ends for a reason of its own", "So", "__proto__", /The model stopped: __proto__/],
	])("brings an answer that %s into review and reports it (SMP-11)", async (_what, answer, stopReason, note) => {
		const { qwen, reach, completion } = await setUpAt("generating");
		qwen.answer(answer, stopReason);
		await reach("completion");
		expect(completion().note).toMatch(note);
	});

	it("keeps every completion to go back to, also of other models", async () => {
		const { review, llama, reach, draft, completion, completionDraft } = await setUpAt("completion");
		review.editCompletion(completionDraft({ text: "Red socks." }));
		review.approve(draft({ modelId: "test/llama", isModelByHand: true }));
		llama.answer("Boots.", "maxTokens");
		await reach("completion");
		expect(completion()).toMatchObject({ attempt: 2, model: "llama-1", fields: [{ original: "Boots." }] });
		expect(review.state.attempts).toEqual([
			{ attempt: 1, label: "1 · qwen · Red socks." },
			{ attempt: 2, label: "2 · llama · Boots." },
		]);
		review.showAttempt(1);
		expect(completion()).toMatchObject({ attempt: 1, model: "qwen-1", draft: { changes: { text: "Red socks." } } });
		// A draft of a completion that is not shown to the user returns nothing.
		review.returnToServer({ attempt: 2, changes: {}, removed: [] });
		expect(review.decision.outcome).toBeUndefined();
		review.returnToServer(completion().draft);
		expect(await review.settled).toMatchObject({
			answer: { completion: { parts: [{ text: "Red socks." }], model: "qwen-1" } },
		});
	});

	it.each([0, 3, 1.5, "1", null, undefined, {}])("has no completion %j (UI-06)", async (number) => {
		const { review, completion } = await setUpAt("completion");
		review.showAttempt(number);
		expect(completion().attempt).toBe(1);
	});

	it("keeps the partial answer when the user stops it, and counts it", async () => {
		const { review, qwen, reach, step, completion, completionDraft, admission, written } = await setUpAt("generating");
		qwen.say({ type: "text", text: "So far" });
		await until(() => (step() as { text?: string }).text === "So far");
		review.stop();
		await reach("completion");
		expect(completion()).toMatchObject({ fields: [{ original: "So far" }], note: "You stopped the answer here." });
		expect(qwen.requests[0]?.options.signal.aborted).toBe(true);
		expect(admission.settled).toHaveLength(1);
		expect(admission.settled[0]?.inputTokens).toBeGreaterThan(0);
		expect(admission.settled[0]?.outputTokens).toBeGreaterThan(0);
		expect(written.attempts).toMatchObject([{ failure: "The answer was stopped.", isEstimated: true }]);
		qwen.answer(" and more");
		review.returnToServer(completionDraft());
		expect(await review.settled).toMatchObject({
			answer: { completion: { parts: [{ text: "So far" }], stopReason: undefined } },
		});
	});

	it("goes back to the request when it is stopped before any text arrived", async () => {
		const { review, reach } = await setUpAt("generating");
		review.stop();
		review.stop();
		await reach("request");
		expect(review.state.problem).toBeUndefined();
	});

	it("shows the usage of a model, in tokens, money and time", async () => {
		const { review, qwen, reach, completion, draft, clock, admission, written } = await setUpReview();
		review.approve(draft());
		clock.now += 2100;
		const usage = { inputTokens: 1200, outputTokens: 80 };
		qwen.say({ type: "text", text: "Socks." }, { type: "done", stopReason: "endTurn", model: "", usage });
		await reach("completion");
		expect(completion()).toMatchObject({ model: "qwen", used: "1,200 tokens in, 80 out · $0.002 · 2.1 s" });
		expect(admission.settled).toEqual([{ number: 1, ...usage }]);
		expect(written.attempts).toMatchObject([{ ...usage, isEstimated: false, cost: 0.002, durationMs: 2100 }]);
	});

	it("shows while the answer arrives that the model waits, and its calls", async () => {
		const { qwen, step } = await setUpAt("generating");
		qwen.say({ type: "waiting", reason: "Test is busy", afterMs: 1500, attempt: 1 });
		await until(() => (step() as { note?: string }).note !== undefined);
		expect(step()).toMatchObject({ note: "Test is busy, trying again in 2 s" });
		qwen.say({ type: "text", text: "So" });
		await until(() => (step() as { text?: string }).text === "So");
		expect(step()).not.toHaveProperty("note");
	});

	it("shows the end of a long answer while it arrives, and all of it afterwards", async () => {
		const { qwen, step, reach, text } = await setUpAt("generating");
		const long = `${"x".repeat(1_000_000)} end`;
		qwen.say({ type: "text", text: long });
		await until(() => (step() as { text?: string }).text?.endsWith("end") === true);
		expect((step() as { text: string }).text).toHaveLength(50_000);
		expect(step()).toMatchObject({ note: "950,004 earlier characters are shown when it ends." });
		qwen.answer("");
		await reach("completion");
		expect(text()).toBe(long);
	});

	it.each([
		["calls a tool that was not offered", { type: "tool-call", callId: "1", name: "rm", arguments: {} }, /tool “rm”/],
		["answers endlessly", { type: "text", text: "x".repeat(4_000_001) }, /too long/],
	] as const)("treats a model that %s as a failure (SMP-03)", async (_what, event, problem) => {
		const { review, qwen } = await setUpAt("generating");
		qwen.say(event, { type: "done", stopReason: "endTurn", model: "" });
		await until(() => review.state.problem !== undefined);
		expect(review.state.problem?.text).toMatch(problem);
		expect(review.decision.outcome).toBeUndefined();
	});

	it("lets the user answer without a model, at either stage, once", async () => {
		for (const kind of ["request", "completion"] as const) {
			const { review, completion, completionDraft, qwen, written } = await setUpAt(kind);
			const sent = qwen.requests.length;
			review.answerByHand();
			expect(completion()).toMatchObject({ fields: [{ place: "text", original: "" }] });
			expect(completion().model).toBeUndefined();
			review.editCompletion(completionDraft({ text: "By hand." }));
			review.answerByHand();
			expect(completion().draft.changes).toEqual({ text: "By hand." });
			// An empty answer does not count.
			review.returnToServer(completionDraft({ text: "" }));
			expect(review.state.problem?.place).toBe("text");
			review.returnToServer(completionDraft({ text: "By hand." }));
			expect(await review.settled).toMatchObject({
				answer: { completion: { parts: [{ text: "By hand." }], model: "human", stopReason: "endTurn" } },
			});
			expect(qwen.requests).toHaveLength(sent);
			expect(written.attempts.at(-1)).not.toHaveProperty("model");
		}
	});

	it("does not wait for a model that ignores that it is stopped", async () => {
		const { review, reach, llama, draft } = await setUpAt("generating");
		review.stop();
		await reach("request");
		review.approve(draft({ modelId: "test/llama", isModelByHand: true }));
		llama.answer("Boots.");
		await reach("completion");
	});
});
