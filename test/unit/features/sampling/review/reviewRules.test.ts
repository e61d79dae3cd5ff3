import { describe, expect, it } from "vitest";
import type { ReviewSession } from "../../../../../src/features/sampling/review/review.ts";
import { until } from "../fakes.ts";
import { FakeAdmission, type ReviewSetUp, setUpReview } from "../reviewFakes.ts";

const label = "Review the request only, until tomorrow";

describe("a rule that returns the completion unseen", () => {
	it("is shown, and returns the completion when it ends well", async () => {
		const admission = new FakeAdmission("request-only", label);
		const { review, qwen, draft, step } = await setUpReview({ admission });
		expect(review.document.rule).toContain(label);
		expect(qwen.requests).toEqual([]);
		review.approve(draft());
		qwen.answer("Socks.");
		expect(await review.settled).toMatchObject({
			answer: { kind: "return", rule: label, completion: { parts: [{ text: "Socks." }] } },
		});
		expect(step()).toMatchObject({ kind: "done", end: `The rule “${label}” returned the completion.` });
		expect(admission.sends).toMatchObject([{ by: "user" }]);
		expect(review.recordedCompletion).toEqual([{ place: "text", original: "Socks." }]);
	});

	it.each([
		["is empty", "", "endTurn"],
		["is a refusal", "I cannot.", "refusal"],
		["is a tool call written as text", "<tool_call>", "writtenCall"],
		["ends for an unknown reason", "So", "content_filter"],
	])("brings a completion that %s to the user", async (_what, text, stopReason) => {
		const { review, qwen, draft, reach } = await setUpReview({ admission: new FakeAdmission("request-only", label) });
		review.approve(draft());
		qwen.answer(text, stopReason);
		await reach("completion");
		expect(review.decision.outcome).toBeUndefined();
	});

	it.each([
		["stops an answer of which nothing came", true, (review: ReviewSession) => review.stop()],
		["writes one by hand", false, (review: ReviewSession) => review.answerByHand()],
	])("is over for this request when the user %s, and the view is notified", async (_what, isSent, deed) => {
		const { review, qwen, draft, step } = await setUpReview({ admission: new FakeAdmission("request-only", label) });
		let loads = 0;
		review.onDidLoad(() => loads++);
		if (isSent) review.approve(draft());
		deed(review);
		await until(() => step().kind !== "generating");
		expect(loads).toBe(1);
		expect(review.document).not.toHaveProperty("rule");
		review.approve(draft());
		qwen.answer("Socks.");
		await until(() => review.state.attempts.length > 0 && step().kind === "completion");
		expect(review.decision.outcome).toBeUndefined();
	});

	it("leaves the completions to the user once they have stopped one", async () => {
		const { review, qwen, llama, draft, reach, step } = await setUpReview({
			admission: new FakeAdmission("request-only", label),
		});
		review.approve(draft());
		qwen.say({ type: "text", text: "So" });
		await until(() => (step() as { text?: string }).text === "So");
		review.stop();
		await reach("completion");
		review.approve(draft({ modelId: "test/llama", isModelByHand: true }));
		llama.answer("Boots.");
		await until(() => review.state.attempts.length === 2);
		expect(review.decision.outcome).toBeUndefined();
		expect(review.document).not.toHaveProperty("rule");
	});
});

describe("a rule that answers unseen", () => {
	const auto = "Auto-approve under budget, in this workspace";
	const setUp = async (given: ReviewSetUp = {}) => {
		const admission = given.admission ?? new FakeAdmission("auto", auto);
		return setUpReview({ ...given, admission });
	};

	it("sends the request with its secrets as marks and without context, and returns the answer", async () => {
		let collected = 0;
		const { review, qwen, admission, written } = await setUp({
			secrets: { password: "hunter2" },
			collect: async () => {
				collected++;
				return [];
			},
			request: { messages: [{ role: "user", content: [{ type: "text", text: "It is hunter2." }] }] },
		});
		const answered = review.answerByRule();
		qwen.answer("Fine.");
		await answered;
		expect(await review.settled).toMatchObject({ answer: { kind: "return", rule: auto } });
		expect(qwen.requests[0]?.messages.at(-1)?.content).toEqual([{ type: "text", text: "It is [password]." }]);
		expect(qwen.requests[0]?.options.metadata).toBeUndefined();
		expect(collected).toBe(0);
		expect(admission.sends).toMatchObject([{ by: "rule" }]);
		expect(admission.settled).toHaveLength(1);
		expect(written.attempts).toMatchObject([
			{ model: { name: "qwen" }, why: expect.stringContaining("qwen") as string },
		]);
	});

	it.each<[string, ReviewSetUp, RegExp]>([
		["there is no model", { models: [] }, /No model is available/],
		["secrets could not be looked for", { unsearched: "The key store cannot be read." }, /key store/],
	])("leaves it to the user with all of their rights when %s", async (_what, given, why) => {
		const { review, step } = await setUp(given);
		await review.answerByRule();
		expect(review.decision.outcome).toBeUndefined();
		expect(step().kind).toBe("request");
		expect(review.document.notices.at(-1)).toMatch(why);
		expect(review.document.notices.at(-1)).toContain(auto);
	});

	it("leaves it to the user when a budget is used up, and still lets them send", async () => {
		const admission = new FakeAdmission("auto", auto);
		admission.problem = "The rule's budget is used up.";
		const { review, qwen, draft, reach } = await setUp({ admission });
		await review.answerByRule();
		expect(review.document.notices.at(-1)).toContain("The rule's budget is used up.");
		expect(qwen.requests).toEqual([]);
		admission.problem = undefined;
		review.approve(draft());
		qwen.answer("Socks.");
		await reach("completion");
		expect(admission.sends).toMatchObject([{ by: "user" }]);
		expect(review.decision.outcome).toBeUndefined();
	});

	it("leaves a failure and an odd end to the user", async () => {
		const failed = await setUp();
		const first = failed.review.answerByRule();
		failed.qwen.say(new Error("cut"));
		await first;
		expect(failed.review.decision.outcome).toBeUndefined();
		expect(failed.review.document.notices.at(-1)).toMatch(/qwen did not answer: cut/);
		expect(failed.step().kind).toBe("request");
		expect(failed.admission.settled).toHaveLength(1);

		const refused = await setUp();
		const second = refused.review.answerByRule();
		refused.qwen.answer("I cannot.", "refusal");
		await second;
		expect(refused.review.decision.outcome).toBeUndefined();
		expect(refused.completion().note).toMatch(/refused/);
	});

	it("ends with the request", async () => {
		const { review, qwen, admission } = await setUp();
		const answered = review.answerByRule();
		await until(() => qwen.requests.length === 1);
		review.decision.lapse("cancelled");
		await answered;
		expect(qwen.requests[0]?.options.signal.aborted).toBe(true);
		expect(admission.settled).toHaveLength(1);
		expect(await review.settled).toMatchObject({ reason: "cancelled" });
	});
});
