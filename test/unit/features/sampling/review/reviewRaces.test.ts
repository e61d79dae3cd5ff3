import { describe, expect, it } from "vitest";
import { RequestRefusal } from "../../../../../src/base/refusal.ts";
import { until } from "../fakes.ts";
import { FakeAdmission, setUpReview } from "../reviewFakes.ts";
import { quiet, setUpService } from "../serviceFakes.ts";

const label = "Review the request only, until tomorrow";

describe("simultaneous events", () => {
	it("never send a context that was unticked while it was searched for secrets (SMP-04)", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		let isLooking = false;
		const { review, draft, qwen } = await setUpReview({
			collect: () => Promise.resolve([{ server: "weather", label: "instructions", text: "PRIVATE" }]),
			whenTaken: () => {
				isLooking = true;
				return promise;
			},
		});
		let loads = 0;
		review.onDidLoad(() => loads++);
		review.edit(draft({ context: "thisServer" }));
		await until(() => isLooking);
		review.edit(draft({ context: "none" }));
		await until(() => loads === 1);
		resolve();
		await promise;
		await new Promise((done) => setImmediate(done));
		expect(review.document.context.field).toBeUndefined();
		review.approve(draft());
		expect(JSON.stringify(qwen.requests)).toContain("What to pack?");
		expect(JSON.stringify(qwen.requests)).not.toContain("PRIVATE");
	});

	it("never return a completion unseen by a rule that has ended before it was sent, and show it (SMP-06)", async () => {
		const admission = new FakeAdmission("request-only", label);
		const { review, qwen, draft, reach } = await setUpReview({ admission });
		admission.stands = false;
		let loads = 0;
		review.onDidLoad(() => loads++);
		review.approve(draft());
		expect(loads).toBe(1);
		expect(review.document.rule).toBeUndefined();
		qwen.answer("Socks.");
		await reach("completion");
		expect(review.decision.outcome).toBeUndefined();
	});

	it.each(["request-only", "auto"] as const)(
		"never return a completion unseen by a rule (%s) that was revoked while the model answered",
		async (mode) => {
			const admission = new FakeAdmission(mode, label);
			const { review, qwen, draft, reach } = await setUpReview({ admission });
			const isOver = mode === "auto" ? review.answerByRule() : review.approve(draft());
			await reach("generating");
			admission.stands = false;
			qwen.answer("Socks.");
			await isOver;
			await reach("completion");
			expect(review.decision.outcome).toBeUndefined();
			expect(review.document.notices.join()).toContain(label);
		},
	);

	it("refuse requests that a rule answers together with all others of their server, and stop the model (SMP-01, SMP-14)", async () => {
		const { ask, pending, model, record, admission } = setUpService(new FakeAdmission("auto", "Auto-approve"));
		const answer = quiet(ask());
		await until(() => model.requests.length === 1);
		// It does not wait for a user.
		expect(pending.all).toEqual([]);
		expect(pending.stoppable).toHaveLength(1);
		expect([pending.refuseServer("another"), pending.refuseServer("weather")]).toEqual([0, 1]);
		await expect(answer).rejects.toMatchObject({ rpcCode: -1, message: "User rejected sampling request" });
		expect(model.requests[0]?.options.signal.aborted).toBe(true);
		expect([pending.stoppable.length, admission.ends]).toEqual([0, 1]);
		expect(record.entries[0]?.ends).toMatchObject([{ kind: "rejected", by: "you" }]);
	});

	it("settle a request that is withdrawn during the search for secrets, and free its place", async () => {
		const { ask, refusals, controller, notes, admission, model, shown, pending } = setUpService();
		refusals.findSecrets = new Promise(() => undefined);
		const answer = quiet(ask());
		controller.abort();
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603, code: "cancelled" });
		expect([notes, admission.ends, model.requests, shown, pending.all]).toEqual([["ended"], 1, [], [], []]);
	});

	it("record few of a server's refusals, however often their reasons change (SMP-01)", async () => {
		const { ask, refusals, record, clock } = setUpService();
		for (let second = 0; second < 100; second++) {
			refusals.policy = new RequestRefusal(
				-32603,
				"limit",
				`Too many; try again in ${second} seconds, ${"x".repeat(second)}`,
			);
			await quiet(ask()).catch(() => undefined);
		}
		await until(() => record.entries.length > 0);
		expect(record.entries.length).toBeLessThanOrEqual(5);
		clock.now += 11_000;
		await quiet(ask()).catch(() => undefined);
		await until(() => record.entries.length > 5);
	});
});
