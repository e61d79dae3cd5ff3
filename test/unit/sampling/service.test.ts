import { describe, expect, it } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { PendingDecisions } from "../../../src/decisions/decision.ts";
import { DecisionQueue, type ShowReason } from "../../../src/decisions/queue.ts";
import { mergeEdit, shownText } from "../../../media/shared/exactText.ts";
import type { ReviewSession } from "../../../src/sampling/review.ts";
import { SamplingService } from "../../../src/sampling/service.ts";
import { FakeDirectory, FakeModel, fakeSession, until } from "./fakes.ts";

function setUp() {
	const model = new FakeModel("qwen");
	const pending = new PendingDecisions();
	const shown: { review: ReviewSession; reason: ShowReason }[] = [];
	const service = new SamplingService({
		models: new FakeDirectory(model),
		queue: new DecisionQueue(pending),
		log: silentLog,
		show: (review, reason) => void shown.push({ review, reason }),
	});
	const session = fakeSession("weather");
	const controller = new AbortController();
	const ask = (params: object = {}, protocolVersion = "2025-11-25") =>
		service.createMessage(
			session,
			{
				messages: [{ role: "user", content: { type: "text", text: "hi" } }],
				maxTokens: 10,
				...params,
			},
			{ signal: controller.signal, protocolVersion, during: "tools/call pack" },
		);
	/** The review that is shown last. */
	const review = () => shown.at(-1)?.review as ReviewSession;
	return { model, pending, shown, service, session, controller, ask, review };
}

describe("SamplingService", () => {
	it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
		"answers a server of revision %s with one block, the model and the reason it stopped",
		async (revision) => {
			const { ask, review, model, pending } = setUp();
			const answer = ask({}, revision);
			expect(pending.all).toMatchObject([
				{ subject: { kind: "sampling", server: "weather", during: "tools/call pack" } },
			]);
			review().approve(review().document.draft);
			model.answer("Socks.", "stopSequence");
			await until(() => review().state.step.kind === "completion");
			review().returnToServer("Wool socks.");
			expect(await answer).toEqual({
				model: "qwen-1",
				role: "assistant",
				content: { type: "text", text: "Wool socks." },
				stopReason: "stopSequence",
			});
			expect(pending.all).toEqual([]);
		},
	);

	it("tells the server of a rejection and of a closed panel alike, with the specified error", async () => {
		for (const end of [
			(review: ReviewSession) => review.reject(),
			(review: ReviewSession) => review.decision.lapse("closed"),
		]) {
			const { ask, review, model } = setUp();
			const answer = ask();
			end(review());
			await expect(answer).rejects.toMatchObject({
				rpcCode: -1,
				code: "denied",
				message: "User rejected sampling request",
			});
			expect(model.requests).toEqual([]);
		}
	});

	it("never shows or sends a request that is not valid", async () => {
		const { ask, shown, pending } = setUp();
		await expect(ask({ tools: [] })).rejects.toMatchObject({ rpcCode: -32602 });
		expect(shown).toEqual([]);
		expect(pending.all).toEqual([]);
	});

	it.each([
		["running", /^weather withdrew the request/],
		["failed", /^weather stopped before you answered/],
	] as const)("ends when the request is aborted while the server is %s", async (kind, end) => {
		const { ask, review, controller, session } = setUp();
		const answer = ask();
		const { decision } = review();
		controller.abort();
		session.state = { kind, message: "", stderr: [], facts: undefined } as unknown as typeof session.state;
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603 });
		expect(review().state.step).toEqual({ kind: "done", end: expect.stringMatching(end) as string });
		expect(decision.answer({ kind: "reject" })).toBe(false);
	});

	it("says that the server is gone when the person stopped it, though its process still ends", async () => {
		const { ask, review, controller } = setUp();
		const answer = ask();
		controller.abort(new HostError("not-connected", "The server was stopped."));
		await expect(answer).rejects.toMatchObject({ rpcCode: -32603 });
		expect(review().state.step).toMatchObject({ end: expect.stringMatching(/^weather stopped/) as string });
	});

	it("ends a request that was aborted before it came up, and shows nothing", async () => {
		const { ask, controller, pending } = setUp();
		controller.abort();
		await expect(ask()).rejects.toMatchObject({ code: "cancelled" });
		expect(pending.all).toEqual([]);
	});

	it("sends and returns exactly what 50 random edits made of the texts", async () => {
		const random = makeRandom(7);
		for (let round = 0; round < 50; round++) {
			const { ask, review, model } = setUp();
			const original = randomText(random);
			const answer = ask({
				systemPrompt: original,
				messages: [{ role: "user", content: { type: "text", text: original } }],
			});
			const prompt = editInTextArea(original, random);
			const message = editInTextArea(original, random);
			// What the panel does on every keystroke, and what it sends on approval.
			const draft = { ...review().document.draft, systemPrompt: prompt.exact, texts: [message.exact] };
			review().edit(draft);
			review().approve(draft);
			const completion = randomText(random);
			model.answer(completion);
			await until(() => review().state.step.kind === "completion");
			const returned = editInTextArea(completion, random);
			review().returnToServer(returned.exact);

			const sent = model.requests[0]?.messages ?? [];
			const text = (exact: string) => [{ type: "text", text: exact }];
			const system = prompt.exact === "" ? [] : [{ role: "system", content: text(prompt.exact) }];
			expect(sent).toEqual([...system, { role: "user", content: text(message.exact) }]);
			expect((await answer).content).toEqual({ type: "text", text: returned.exact });
			for (const edit of [prompt, message, returned]) expect(shownText(edit.exact)).toBe(edit.shown);
		}
	});
});

/** A random number generator that repeats itself for a seed (mulberry32). */
function makeRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const pieces = [
	"a",
	"Zoë ",
	"  ",
	"\t",
	"\n",
	"\r\n",
	"\r",
	"\n\n",
	"日本",
	"👩‍💻",
	"\u202E",
	"\u0000",
	"\uFEFF",
	"\uD800",
	"<b>",
	"&amp;",
	"${x}",
	"`",
];

function randomText(random: () => number): string {
	return Array.from({ length: Math.floor(random() * 20) }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

/** Replaces a random stretch in what a text area shows, and merges it as the view does. */
function editInTextArea(exact: string, random: () => number): { exact: string; shown: string } {
	const before = shownText(exact);
	const [start = 0, end = 0] = [random(), random()]
		.map((part) => Math.floor(part * (before.length + 1)))
		.sort((a, b) => a - b);
	const shown = before.slice(0, start) + shownText(randomText(random)) + before.slice(end);
	return { exact: mergeEdit(exact, shown), shown };
}
