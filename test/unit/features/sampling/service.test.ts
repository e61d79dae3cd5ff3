import { describe, expect, it } from "vitest";
import { HostError, StoppedHere } from "../../../../src/base/errors.ts";
import { RequestRefusal } from "../../../../src/base/refusal.ts";
import type { ReviewSession } from "../../../../src/features/sampling/review/review.ts";
import { until } from "./fakes.ts";
import { FakeAdmission } from "./reviewFakes.ts";
import { quiet, setUpService } from "./serviceFakes.ts";

describe("SamplingService", () => {
	it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
		"answers a server of revision %s with one block, the model and the reason it stopped (BLT-10)",
		async (revision) => {
			const { ask, whenShown, model, pending, notes, record, admission } = setUpService();
			const answer = ask({}, revision);
			const { review, draft, reach, completionDraft } = await whenShown();
			expect(pending.all).toMatchObject([
				{ subject: { kind: "sampling", server: "weather", during: "tools/call pack", exchange: "here-1" } },
			]);
			review.approve(draft());
			model.answer("Socks.", "stopSequence");
			await reach("completion");
			review.returnToServer(completionDraft({ text: "Wool socks." }));
			expect(await answer).toEqual({
				model: "qwen-1",
				role: "assistant",
				content: { type: "text", text: "Wool socks." },
				stopReason: "stopSequence",
			});
			expect(pending.all).toEqual([]);
			expect(notes).toEqual(["answered"]);
			expect(admission.ends).toBe(1);
			expect(record.entries).toMatchObject([
				{
					server: "weather",
					during: "tools/call pack",
					parameters: { maxTokens: 10, includeContext: "none" },
					attempts: [{ model: { name: "qwen" }, stopReason: "stopSequence" }],
					ends: [
						{ kind: "returned", by: "you", returned: [{ place: "text", original: "Socks.", edited: "Wool socks." }] },
					],
				},
			]);
		},
	);

	it("returns a rejection, its reason, and a closed panel, with the specified error (SMP-09)", async () => {
		for (const [end, message, recorded] of [
			[(review: ReviewSession) => review.reject(""), "User rejected sampling request", {}],
			[
				(review: ReviewSession) => review.reject("Too private."),
				"User rejected sampling request: Too private.",
				{ reason: "Too private." },
			],
			[
				(review: ReviewSession) => review.decision.lapse("closed"),
				"User rejected sampling request",
				{ reason: expect.stringContaining("closed") as string },
			],
			[(review: ReviewSession) => review.decision.refuse(), "User rejected sampling request", {}],
		] as const) {
			const { ask, whenShown, model, notes, record } = setUpService();
			const answer = quiet(ask());
			end((await whenShown()).review);
			await expect(answer).rejects.toMatchObject({ rpcCode: -1, code: "denied", message });
			expect(model.requests).toEqual([]);
			expect(notes).toEqual(["rejected"]);
			expect(record.entries[0]?.ends).toMatchObject([{ kind: "rejected", by: "you", ...recorded }]);
		}
	});

	it("never shows or sends an invalid request, and records it without its texts (SMP-12)", async () => {
		const { ask, shown, pending, notes, record, admission } = setUpService();
		await expect(ask({ messages: [] })).rejects.toMatchObject({ rpcCode: -32602 });
		expect(shown).toEqual([]);
		expect(pending.all).toEqual([]);
		expect(notes).toEqual(["ended"]);
		expect(admission.ends).toBe(0);
		expect(record.entries).toMatchObject([{ request: [], ends: [{ kind: "refused", by: "MCP Host" }] }]);
	});

	it("refuses at once any request that the guard or the policy refuses, and records it, a flood once (SMP-01)", async () => {
		const { ask, shown, refusals, record, notes, admission, clock } = setUpService(new FakeAdmission(), {
			password: "hunter2",
		});
		refusals.policy = new RequestRefusal(-32603, "limit", "The budget of today is used up");
		for (let count = 0; count < 100; count++) {
			await expect(ask({ systemPrompt: "hunter2" })).rejects.toBe(refusals.policy);
		}
		await until(() => record.entries.length === 1);
		expect(record.entries[0]?.ends).toMatchObject([{ kind: "refused", reason: "The budget of today is used up" }]);
		expect(record.entries[0]?.request).toContainEqual({ place: "system", original: "[password]" });
		clock.now += 60_000;
		await expect(ask()).rejects.toBe(refusals.policy);
		await until(() => record.entries.length === 2);
		expect(notes).toHaveLength(101);

		refusals.guard = new RequestRefusal(-1, "denied", "User rejected all sampling requests for now");
		await expect(ask()).rejects.toBe(refusals.guard);
		expect(record.entries).toHaveLength(3);
		expect(record.entries[2]?.request).toEqual([]);
		expect([shown, admission.ends, notes.length]).toEqual([[], 0, 101]);
	});

	it("refuses a request that could not be searched for secrets, and frees its place", async () => {
		const { ask, shown, refusals, admission, notes } = setUpService();
		refusals.findSecrets = new Error("broken");
		await expect(ask()).rejects.toThrow("broken");
		expect([shown, admission.ends, notes]).toEqual([[], 1, ["ended"]]);
	});

	it("refuses when too many of the server's wait, and records it", async () => {
		const { ask, pending, record, admission, notes } = setUpService();
		const answers = Array.from({ length: 20 }, () => quiet(ask()));
		await until(() => pending.all.length === 20);
		await expect(ask()).rejects.toMatchObject({ rpcCode: -32603, code: "limit" });
		expect(record.entries.at(-1)?.ends).toMatchObject([{ kind: "refused" }]);
		expect([admission.ends, notes]).toEqual([1, ["ended"]]);
		pending.dispose();
		await Promise.allSettled(answers);
		expect(admission.ends).toBe(21);
	});

	it.each([
		["running", /^weather cancelled the request/, "withdrawn"],
		["failed", /^weather stopped before you answered/, "ended"],
	] as const)("ends when the request is aborted while the server is %s (SMP-09)", async (kind, end, note) => {
		const { ask, whenShown, controller, session, notes, record } = setUpService();
		const answer = quiet(ask());
		const { review } = await whenShown();
		controller.abort();
		session.state = { kind, message: "", stderr: [], facts: undefined } as unknown as typeof session.state;
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603 });
		expect(review.state.step).toMatchObject({ kind: "done", end: expect.stringMatching(end) as string });
		expect(review.decision.answer({ kind: "reject", reason: "" })).toBe(false);
		expect(notes).toEqual([note]);
		expect(record.entries[0]?.ends).toMatchObject([{ kind: "lapsed", by: "weather" }]);
	});

	it("reports that the user stopped its call, and where it had gone (SMP-20)", async () => {
		const { ask, whenShown, controller, model, record } = setUpService();
		const answer = quiet(ask());
		const { review } = await whenShown();
		review.approve(review.document.draft);
		await until(() => review.asked.length === 1);
		controller.abort(new StoppedHere("tools/call x was cancelled."));
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603 });
		const { end } = review.state.step as { readonly end?: string };
		expect(end).toBe(
			`The call that the request of weather belongs to was stopped. Nothing was sent to the server. The request had already been sent to ${model.info.name}.`,
		);
		expect(record.entries[0]?.ends).toMatchObject([{ kind: "lapsed", by: "MCP Host", reason: end }]);
	});

	it("reports that the server is gone when the user stopped it, although its process still ends", async () => {
		const { ask, whenShown, controller } = setUpService();
		const answer = quiet(ask());
		const { review } = await whenShown();
		controller.abort(new HostError("not-connected", "The server was stopped."));
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603 });
		expect(review.state.step).toMatchObject({ end: expect.stringMatching(/^weather stopped/) as string });
	});

	it("informs the server when the time to answer ran out", async () => {
		const { ask, whenShown } = setUpService();
		const answer = quiet(ask());
		(await whenShown()).review.decision.lapse("expired");
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603, message: "The user did not answer in time" });
	});

	it("ends a request that was aborted before it was shown, and shows nothing", async () => {
		for (const mode of ["review", "auto"] as const) {
			const { ask, controller, pending, shown, model, notes, admission } = setUpService(
				new FakeAdmission(mode, "Auto"),
			);
			controller.abort();
			await expect(ask()).rejects.toMatchObject({ code: "cancelled" });
			expect([pending.all, shown, model.requests]).toEqual([[], [], []]);
			expect([notes, admission.ends]).toEqual([["ended"], 1]);
		}
	});

	it("shows no secret in the pending list, and records none", async () => {
		const { ask, whenShown, pending, record } = setUpService(new FakeAdmission(), {
			password: "hunter2",
			call: "pack",
		});
		const answer = quiet(ask({ messages: [{ role: "user", content: { type: "text", text: "It is hunter2." } }] }));
		const { review } = await whenShown();
		expect(pending.all[0]?.subject.title).toBe("completion of “It is [password].”");
		expect(record.entries[0]?.during).toBe("tools/call [call]");
		expect(JSON.stringify(record.entries)).not.toContain("hunter2");
		review.reject("");
		await expect(answer).rejects.toMatchObject({ rpcCode: -1 });
	});

	it("records the parameters whatever a pattern of the user matches", async () => {
		const { ask, whenShown, record } = setUpService(new FakeAdmission(), { number: "100000", word: "END" });
		const answer = quiet(ask({ maxTokens: 100_000, stopSequences: ["END"], temperature: 0.5 }));
		(await whenShown()).review.reject("");
		await expect(answer).rejects.toMatchObject({ rpcCode: -1 });
		expect(record.entries[0]?.parameters).toEqual({
			maxTokens: 100_000,
			temperature: 0.5,
			stopSequences: ["[word]"],
			preferences: { hints: [] },
			includeContext: "none",
		});
	});

	it("has a rule answer without a question, and records which", async () => {
		const { ask, model, pending, shown, notes, record, admission } = setUpService(
			new FakeAdmission("auto", "Auto-approve"),
		);
		const answer = ask();
		await until(() => model.requests.length === 1);
		expect(pending.all).toEqual([]);
		model.answer("Socks.");
		expect(await answer).toMatchObject({ content: { text: "Socks." } });
		expect([shown, notes, admission.ends]).toEqual([[], ["auto"], 1]);
		expect(record.entries[0]?.ends).toMatchObject([{ kind: "returned", by: "Auto-approve" }]);
	});

	it("asks the user when a rule cannot answer, and follows their answer", async () => {
		const { ask, model, whenShown, notes, admission } = setUpService(new FakeAdmission("auto", "Auto-approve"));
		const answer = quiet(ask());
		await until(() => model.requests.length === 1);
		model.say(new Error("cut"));
		const { review } = await whenShown();
		expect(review.document.notices.at(-1)).toMatch(/“Auto-approve” could not complete this request automatically.*cut/);
		review.reject("");
		await expect(answer).rejects.toMatchObject({ rpcCode: -1 });
		expect([notes, admission.ends, admission.settled.length]).toEqual([["rejected"], 1, 1]);
	});

	it("a denial stays one: the next request asks again (SMP-06, BLT-08)", async () => {
		const { ask, whenShown, shown, model } = setUpService();
		const first = quiet(ask());
		(await whenShown()).review.reject("");
		await expect(first).rejects.toMatchObject({ rpcCode: -1 });
		const second = quiet(ask());
		await until(() => shown.length === 2);
		expect(model.requests).toEqual([]);
		shown[1]?.review.reject("");
		await expect(second).rejects.toMatchObject({ rpcCode: -1 });
	});
});
