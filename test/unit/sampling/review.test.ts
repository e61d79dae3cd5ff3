import { describe, expect, it } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import type { ModelPart } from "../../../src/models/model.ts";
import type { SamplingRequest } from "../../../src/sampling/request.ts";
import { ReviewSession } from "../../../src/sampling/review.ts";
import type { RequestDraft } from "../../../src/sampling/reviewProtocol.ts";
import { FakeDirectory, FakeModel, until } from "./fakes.ts";

const subject = { kind: "sampling", server: "weather", title: "a completion" } as const;
const request: SamplingRequest = {
	systemPrompt: "Be kind.",
	messages: [
		{
			role: "user",
			content: [
				{ type: "text", text: "What to pack?" },
				{ type: "image", data: "AAAA", mimeType: "image/png" },
			],
		},
		{ role: "assistant", content: [{ type: "text", text: "Where to?" }] },
	],
	maxTokens: 400,
	temperature: 0.5,
	stopSequences: ["END", "\n\n"],
	modelHints: ["qwen"],
	includeContext: "allServers",
	metadata: { user: "x" },
};

function setUp(overrides: Partial<SamplingRequest> = {}) {
	const llama = new FakeModel("llama");
	const qwen = new FakeModel("qwen");
	const directory = new FakeDirectory(llama, qwen);
	const review = new ReviewSession(subject, { ...request, ...overrides }, directory);
	const step = () => review.state.step;
	const reach = (kind: string) => until(() => step().kind === kind);
	const draft = (change: Partial<RequestDraft> = {}): RequestDraft => ({ ...review.document.draft, ...change });
	return { llama, qwen, directory, review, step, reach, draft };
}

/** A review at each step, for tests of what a step ignores. */
async function setUpAt(kind: "request" | "generating" | "completion" | "done") {
	const parts = setUp();
	const { review, qwen, reach, draft } = parts;
	if (kind === "done") review.reject();
	if (kind === "generating" || kind === "completion") review.approve(draft());
	if (kind === "completion") qwen.answer("Socks.");
	await reach(kind);
	return parts;
}

describe("ReviewSession", () => {
	it("shows the request, with the model that the hints choose and why", () => {
		const { review } = setUp();
		expect(review.document).toMatchObject({
			heading: "weather (server) asks for a completion",
			draft: {
				systemPrompt: "Be kind.",
				texts: ["What to pack?", "Where to?"],
				maxTokens: "400",
				temperature: "0.5",
				stopSequences: '"END", "\\n\\n"',
				modelId: "test/qwen",
			},
			messages: [{ parts: [{ kind: "text" }, { kind: "image", url: "data:image/png;base64,AAAA" }] }, {}],
			state: { step: { kind: "request" }, chosen: { reason: "matches the server's hint “qwen”" } },
		});
		expect(review.document.notices.join(" ")).toMatch(/Nothing is included.*metadata/);
	});

	it("sends what was approved, streams, and returns what was edited", async () => {
		const { review, qwen, llama, step, reach, draft } = setUp();
		review.approve(
			draft({ texts: ["What to wear?", "Where to?"], maxTokens: "100", temperature: "", stopSequences: "" }),
		);
		expect(step()).toEqual({ kind: "generating", text: "", model: "qwen" });
		qwen.say({ type: "text", text: "So" });
		await until(() => step().kind === "generating" && (step() as { text: string }).text === "So");
		qwen.answer("cks.");
		await reach("completion");
		expect(step()).toMatchObject({
			original: "Socks.",
			text: "Socks.",
			model: "qwen-1",
			note: "The model ended its answer.",
		});
		expect(llama.requests).toEqual([]);
		expect(qwen.requests).toHaveLength(1);
		const [{ messages, options }] = qwen.requests as [(typeof qwen.requests)[0]];
		expect(messages).toEqual([
			{ role: "system", content: [{ type: "text", text: "Be kind." }] },
			{ role: "user", content: [{ type: "text", text: "What to wear?" }, request.messages[0]?.content[1]] },
			request.messages[1],
		]);
		expect({ ...options, signal: undefined }).toEqual({ maxTokens: 100 });

		review.editCompletion("Wool socks.");
		expect(step()).toMatchObject({ text: "Wool socks.", original: "Socks." });
		review.returnToServer("Two wool socks.\r\n");
		expect(await review.decision.settled).toEqual({
			by: "person",
			answer: { kind: "return", text: "Two wool socks.\r\n", model: "qwen-1", stopReason: "endTurn" },
		});
		expect(step()).toEqual({ kind: "done", end: "You returned the completion." });
	});

	it.each(["request", "generating", "completion"] as const)("can be rejected at the step %s", async (kind) => {
		const { review, qwen, step } = await setUpAt(kind);
		review.reject();
		expect(review.decision.outcome).toEqual({ by: "person", answer: { kind: "reject" } });
		expect(step()).toEqual({ kind: "done", end: "You rejected the request." });
		await until(() => qwen.requests.every(({ options }) => kind === "completion" || options.signal.aborted));
	});

	it.each(["request", "generating", "completion"] as const)(
		"says what happened when the server dies at %s",
		async (kind) => {
			const { review, step } = await setUpAt(kind);
			review.decision.lapse("server-gone");
			expect(step()).toEqual({
				kind: "done",
				end: "weather stopped before you answered. Nothing was sent to the server.",
			});
		},
	);

	it("cannot return a completion that was never made", async () => {
		for (const kind of ["request", "generating", "done"] as const) {
			const { review } = await setUpAt(kind);
			const before = review.decision.outcome;
			review.returnToServer("forged");
			review.editCompletion("forged");
			expect(review.decision.outcome).toBe(before);
		}
	});

	it("sends nothing twice and nothing late", async () => {
		for (const kind of ["generating", "done"] as const) {
			const { review, qwen, draft } = await setUpAt(kind);
			const sent = qwen.requests.length;
			review.approve(draft());
			review.approve(draft());
			expect(qwen.requests).toHaveLength(sent);
		}
	});

	it("settles once: later answers change nothing", async () => {
		const { review } = await setUpAt("completion");
		review.returnToServer("first");
		review.returnToServer("second");
		review.reject();
		review.decision.lapse("closed");
		expect(review.decision.outcome).toMatchObject({ by: "person", answer: { text: "first" } });
	});

	it.each([
		undefined,
		null,
		"draft",
		{},
		{ texts: ["one"] },
		{ systemPrompt: 5, texts: ["a", "b"], maxTokens: "1", temperature: "", stopSequences: "", modelId: "test/qwen" },
		{ systemPrompt: "", texts: ["a", 7], maxTokens: "1", temperature: "", stopSequences: "", modelId: "test/qwen" },
		{ systemPrompt: "", texts: ["a", "b"], maxTokens: 1, temperature: "", stopSequences: "", modelId: "test/qwen" },
		{ texts: ["a", "b"], maxTokens: "1", temperature: "", stopSequences: "", modelId: "test/qwen" },
	])("ignores the draft %j, which does not fit the request", (raw) => {
		const { review, qwen, step } = setUp();
		const before = review.document.draft;
		review.edit(raw);
		review.approve(raw);
		expect(qwen.requests).toEqual([]);
		expect(step()).toEqual({ kind: "request" });
		expect(review.document.draft).toEqual(before);
	});

	it.each([
		[{ maxTokens: "401" }, /from 1 to 400/],
		[{ maxTokens: "0" }, /from 1 to 400/],
		[{ maxTokens: "1e2" }, /from 1 to 400/],
		[{ maxTokens: "" }, /from 1 to 400/],
		[{ temperature: "hot" }, /Temperature/],
		[{ temperature: "-1" }, /Temperature/],
		[{ stopSequences: "END" }, /Stop sequences/],
		[{ stopSequences: '""' }, /Stop sequences/],
		[{ stopSequences: "1" }, /Stop sequences/],
		[{ modelId: "gone" }, /Choose a model/],
	])("does not send %j and says why", (change, problem) => {
		const { review, qwen, step, draft } = setUp();
		review.approve(draft(change));
		expect(qwen.requests).toEqual([]);
		expect(step().kind).toBe("request");
		expect(review.state.problem).toMatch(problem);
	});

	it("keeps the draft over a failure of the model, and sends it again on retry", async () => {
		const { review, qwen, reach, draft } = setUp();
		review.approve(draft({ maxTokens: "7" }));
		qwen.say(new HostError("model", "Nothing answers at 127.0.0.1."));
		await until(() => review.state.problem !== undefined);
		expect(review.state).toMatchObject({
			step: { kind: "request" },
			problem: "qwen did not answer: Nothing answers at 127.0.0.1.",
		});
		expect(review.document.draft.maxTokens).toBe("7");
		review.approve(draft());
		qwen.answer("Now.");
		await reach("completion");
		expect(review.state.problem).toBeUndefined();
		expect(qwen.requests[1]?.options.maxTokens).toBe(7);
	});

	it("goes back to the completion when another one fails", async () => {
		const { review, qwen, step, draft } = await setUpAt("completion");
		review.editCompletion("mine");
		review.approve(draft());
		qwen.say({ type: "text", text: "par" }, new Error("cut"));
		await until(() => review.state.problem !== undefined);
		expect(step()).toMatchObject({ kind: "completion", text: "mine", attempt: 1 });
	});

	it("makes another completion, with another model", async () => {
		const { review, llama, reach, step, draft } = await setUpAt("completion");
		review.approve(draft({ modelId: "test/llama" }));
		llama.answer("Boots.", "maxTokens");
		await reach("completion");
		expect(step()).toMatchObject({
			text: "Boots.",
			model: "llama-1",
			attempt: 2,
			note: expect.stringContaining("cut off") as string,
		});
	});

	it("keeps what has come when the person stops the answer", async () => {
		const { review, qwen, reach, step } = await setUpAt("generating");
		qwen.say({ type: "text", text: "So far" });
		await until(() => (step() as { text: string }).text === "So far");
		review.stop();
		expect(step()).toMatchObject({ kind: "completion", text: "So far", note: "You stopped the answer here." });
		expect(qwen.requests[0]?.options.signal.aborted).toBe(true);
		qwen.answer(" and more");
		review.returnToServer("So far");
		expect(await review.decision.settled).toMatchObject({ answer: { stopReason: undefined } });
		await reach("done");
	});

	it("goes back to the request when it is stopped before anything came", async () => {
		const { review, step } = await setUpAt("generating");
		review.stop();
		review.stop();
		expect(step()).toEqual({ kind: "request" });
		expect(review.state.problem).toBeUndefined();
	});

	it.each([
		["asks for a tool", { type: "tool-call", callId: "1", name: "rm", arguments: {} }, /asked for a tool/],
		["answers endlessly", { type: "text", text: "x".repeat(4_000_001) }, /too long/],
	] as const)("takes a model that %s for a failure", async (_what, event, problem) => {
		const { review, qwen } = await setUpAt("generating");
		qwen.say(event, { type: "done", stopReason: "endTurn", model: "" });
		await until(() => review.state.problem !== undefined);
		expect(review.state.problem).toMatch(problem);
	});

	it("follows the models that come and go", () => {
		const { review, directory, draft } = setUp();
		directory.set();
		expect(review.state).toMatchObject({ models: [] });
		expect(review.state.chosen).toBeUndefined();
		review.approve(draft());
		expect(review.state.problem).toBe("No model is available.");
		directory.set(new FakeModel("qwen2"));
		expect(review.document.draft.modelId).toBe("test/qwen2");
	});

	it("shows what cannot be seen in request and completion", async () => {
		const { review, qwen, reach, step, draft } = setUp({ systemPrompt: "a\u202Eb" });
		expect(review.document.escaped).toEqual({ system: "a\\u202Eb" });
		review.approve(draft());
		qwen.answer("zero\u200Bwidth\r\nline");
		await reach("completion");
		expect(step()).toMatchObject({ escaped: "zero\\u200Bwidth\nline" });
	});

	it.each([
		["image/svg+xml", "AAAA"],
		["image/png", 'A" onerror="x'],
		["text/html", "AAAA"],
	])("makes no URL of an image of type %s with the data %s", (mimeType, data) => {
		const content: ModelPart[] = [{ type: "image", data, mimeType }];
		const { review } = setUp({ messages: [{ role: "user", content }] });
		expect(review.document.messages[0]?.parts[0]).not.toHaveProperty("url");
	});
});
