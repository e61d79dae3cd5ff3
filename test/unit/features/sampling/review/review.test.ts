import { describe, expect, it } from "vitest";
import type { ModelPart } from "../../../../../src/models/model.ts";
import { FakeModel, until } from "../fakes.ts";
import { FakeAdmission, request, setUpAt, setUpReview } from "../reviewFakes.ts";

describe("ReviewSession", () => {
	it("shows the request, with the model that the hints choose and why (BLT-07)", async () => {
		const { review } = await setUpReview();
		expect(review.document).toMatchObject({
			heading: "weather (server) asks for a completion",
			system: { place: "system", original: "Be kind." },
			messages: [
				{ role: "user", parts: [{ kind: "field", field: { place: "message.0.part.0", original: "What to pack?" } }] },
				{ role: "assistant", parts: [{ kind: "field", field: { original: "Where to?" } }] },
			],
			parameters: [
				{ place: "maxTokens", original: "400" },
				{ place: "temperature", original: "0.5" },
				{ place: "stopSequences", original: '"END", "\\n\\n"' },
			],
			tools: [],
			metadata: { place: "metadata" },
			context: { asked: "allServers" },
			draft: {
				changes: {},
				removed: [],
				modelId: "test/qwen",
				isModelByHand: false,
				context: "none",
				sendsMetadata: false,
			},
			state: { step: { kind: "request" }, chosen: { id: "test/qwen" }, budget: ["0 requests sent"] },
		});
		expect(review.state.chosen?.reason).toContain("“qwen”");
		expect(review.document).not.toHaveProperty("rule");
	});

	it("sends the approved request, streams, and returns the edited completion (SMP-10, BLT-09)", async () => {
		const { review, qwen, llama, step, reach, changed, completionDraft, completion } = await setUpReview();
		review.approve(
			changed({ "message.0.part.0": "What to wear?", maxTokens: "100", temperature: "", stopSequences: "" }),
		);
		expect(step()).toEqual({ kind: "generating", text: "", model: "qwen" });
		qwen.say({ type: "text", text: "So" });
		await until(() => step().kind === "generating" && (step() as { text: string }).text === "So");
		qwen.answer("cks.");
		await reach("completion");
		expect(completion()).toMatchObject({
			attempt: 1,
			model: "qwen-1",
			fields: [{ place: "text", original: "Socks." }],
			note: "The model ended its answer.",
		});
		expect(llama.requests).toEqual([]);
		expect(qwen.requests).toHaveLength(1);
		const [{ messages, options }] = qwen.requests as [(typeof qwen.requests)[0]];
		expect(messages).toEqual([
			{ role: "system", content: [{ type: "text", text: "Be kind." }] },
			{ role: "user", content: [{ type: "text", text: "What to wear?" }] },
			request.messages[1],
		]);
		expect({ ...options, signal: undefined }).toMatchObject({ isApprovedOnce: true, maxTokens: 100 });
		expect(Object.keys(options).sort()).toEqual(["isApprovedOnce", "maxTokens", "scope", "signal"]);

		review.editCompletion(completionDraft({ text: "Wool socks." }));
		expect(completion().draft.changes).toEqual({ text: "Wool socks." });
		review.returnToServer(completionDraft({ text: "Two wool socks.\r\n" }));
		expect(await review.settled).toEqual({
			by: "user",
			answer: {
				kind: "return",
				completion: { parts: [{ type: "text", text: "Two wool socks.\r\n" }], model: "qwen-1", stopReason: "endTurn" },
				rule: undefined,
			},
		});
		expect(step()).toMatchObject({ kind: "done", end: "You returned the completion.", completion: { attempt: 1 } });
		expect(review.recordedCompletion).toEqual([{ place: "text", original: "Socks.", edited: "Two wool socks.\r\n" }]);
	});

	it.each(["request", "generating", "completion"] as const)(
		"can be rejected at the step %s, with a reason",
		async (kind) => {
			const { review, qwen, step, admission } = await setUpAt(kind);
			review.reject("  Not this one. ");
			expect(review.decision.outcome).toEqual({ by: "user", answer: { kind: "reject", reason: "Not this one." } });
			expect(step()).toMatchObject({ kind: "done", end: "You rejected the request." });
			await review.settled;
			expect(qwen.requests.every(({ options }) => options.signal.aborted)).toBe(true);
			expect(admission.settled).toHaveLength(kind === "request" ? 0 : 1);
		},
	);

	it.each(["request", "generating", "completion"] as const)(
		"reports when the server dies at %s, and where the request had gone (SMP-09, SMP-20)",
		async (kind) => {
			const { review, step } = await setUpAt(kind);
			review.decision.lapse("server-gone");
			expect(step()).toMatchObject({
				kind: "done",
				end: `weather stopped before you answered. Nothing was sent to the server.${kind === "request" ? "" : " The request had already been sent to qwen."}`,
			});
		},
	);

	it("cannot return a completion that does not exist (UI-06)", async () => {
		for (const kind of ["request", "generating", "done"] as const) {
			const { review } = await setUpAt(kind);
			const before = review.decision.outcome;
			const forged = { attempt: 1, changes: { text: "forged" }, removed: [] };
			review.returnToServer(forged);
			review.editCompletion(forged);
			review.showAttempt(1);
			expect(review.decision.outcome).toBe(before);
		}
	});

	it("sends nothing twice and nothing late (UI-07)", async () => {
		for (const kind of ["generating", "done"] as const) {
			const { review, qwen, draft } = await setUpAt(kind);
			const sent = qwen.requests.length;
			review.approve(draft());
			review.approve(draft());
			expect(qwen.requests).toHaveLength(sent);
		}
	});

	it("settles once: later answers change nothing (UI-07)", async () => {
		const { review, completionDraft } = await setUpAt("completion");
		const draft = completionDraft({ text: "first" });
		review.returnToServer(draft);
		review.returnToServer({ ...draft, changes: { text: "second" } });
		review.reject("");
		review.decision.lapse("closed");
		expect(review.decision.outcome).toMatchObject({ answer: { completion: { parts: [{ text: "first" }] } } });
	});

	it.each<unknown>([
		undefined,
		null,
		"draft",
		{},
		{ changes: { system: 5 } },
		{ changes: { "message.7.part.0": "elsewhere" } },
		{ changes: { __proto__: null, constructor: "x" } },
		{ removed: ["system"] },
		{ removed: ["maxTokens"] },
		{ revision: "1" },
		{ context: "everything" },
		{ sendsMetadata: "yes" },
		{ modelId: 5 },
	])("ignores the draft %j, which does not match the request (UI-06)", async (raw) => {
		const { review, qwen, step, draft } = await setUpReview();
		const before = review.document.draft;
		const forged =
			typeof raw === "object" && raw !== null && Object.keys(raw).length > 0 ? { ...draft(), ...raw } : raw;
		review.edit(forged);
		review.approve(forged);
		expect(qwen.requests).toEqual([]);
		expect(step()).toEqual({ kind: "request" });
		expect(review.document.draft).toEqual(before);
	});

	it.each<unknown>([
		undefined,
		"text",
		{ attempt: 1 },
		{ attempt: 2, changes: { text: "x" }, removed: [] },
		{ attempt: 1, changes: { text: 5 }, removed: [] },
		{ attempt: 1, changes: { "call.0": "{}" }, removed: [] },
		{ attempt: 1, changes: {}, removed: ["text"] },
	])("ignores the completion %j, which is not part of this review (UI-06)", async (raw) => {
		const { review, completion } = await setUpAt("completion");
		review.editCompletion(raw);
		review.returnToServer(raw);
		expect(review.decision.outcome).toBeUndefined();
		expect(completion().draft).toEqual({ attempt: 1, changes: {}, removed: [] });
	});

	it.each([
		[{ maxTokens: "401" }, "maxTokens"],
		[{ maxTokens: "0" }, "maxTokens"],
		[{ maxTokens: "1e2" }, "maxTokens"],
		[{ maxTokens: "" }, "maxTokens"],
		[{ temperature: "hot" }, "temperature"],
		[{ temperature: "-1" }, "temperature"],
		[{ stopSequences: "END" }, "stopSequences"],
		[{ stopSequences: '""' }, "stopSequences"],
		[{ stopSequences: "1" }, "stopSequences"],
	])("does not send %j, with the reason and the place (SMP-07)", async (changes, place) => {
		const { review, qwen, step, draft } = await setUpReview();
		review.approve(draft({ changes }));
		expect(qwen.requests).toEqual([]);
		expect(step().kind).toBe("request");
		expect(review.state.problem?.place).toBe(place);
	});

	it("does not return arguments that are not JSON, and shows where", async () => {
		const tools = [{ name: "pack", description: "", inputSchema: { type: "object" } }];
		const qwen = new FakeModel("qwen", "Test", { supportsTools: true });
		const { review, reach, draft, completionDraft } = await setUpReview({
			models: [qwen],
			request: { tools, answersWithArray: true },
		});
		review.approve(draft());
		qwen.say(
			{ type: "tool-call", callId: "c1", name: "pack", arguments: { item: "socks" } },
			{ type: "done", stopReason: "toolUse", model: "" },
		);
		await reach("completion");
		review.returnToServer(completionDraft({ "call.0": "{" }));
		expect(review.decision.outcome).toBeUndefined();
		expect(review.state.problem?.place).toBe("call.0");
		review.returnToServer(completionDraft({ "call.0": '{"item":"boots"}' }));
		expect(await review.settled).toMatchObject({
			answer: { completion: { parts: [{ type: "tool-use", id: "c1", name: "pack", input: { item: "boots" } }] } },
		});
	});

	it("starts with the user's limit on tokens as a visible change, which is not exceeded (SMP-07)", async () => {
		const admission = new FakeAdmission();
		admission.mostTokens = 50;
		const { review, qwen, draft } = await setUpReview({ admission });
		expect(review.document.draft.changes).toEqual({ maxTokens: "50" });
		review.approve(draft({ changes: {} }));
		expect(review.state.problem?.place).toBe("maxTokens");
		review.approve(draft({ changes: { maxTokens: "50" } }));
		await until(() => qwen.requests.length > 0);
		expect(qwen.requests[0]?.options.maxTokens).toBe(50);
	});

	it("sends metadata only when the user ticks it", async () => {
		for (const sendsMetadata of [false, true]) {
			const { review, qwen, draft } = await setUpReview();
			review.approve(draft({ sendsMetadata }));
			await until(() => qwen.requests.length > 0);
			expect(qwen.requests[0]?.options.metadata).toEqual(sendsMetadata ? { user: "x" } : undefined);
		}
	});

	it("shows invisible characters in request and completion", async () => {
		const { review, qwen, reach, completion, draft } = await setUpReview({ request: { systemPrompt: "a\u202Eb" } });
		expect(review.document.system).toMatchObject({ original: "a\u202Eb", escaped: "a\\u202Eb" });
		review.approve(draft());
		qwen.answer("zero\u200Bwidth\r\nline");
		await reach("completion");
		expect(completion().fields[0]).toMatchObject({ escaped: "zero\\u200Bwidth\nline" });
	});

	it("counts the other requests of the server that wait", async () => {
		const { review, waiting } = await setUpReview();
		let fired = 0;
		review.onDidChange(() => fired++);
		waiting.count = 3;
		waiting.changed.fire();
		expect([review.state.alsoWaiting, fired]).toEqual([3, 1]);
	});
});

const png = Buffer.from("89504e470d0a1a0a0000", "hex").toString("base64");
const wav = Buffer.from("524946460000000057415645", "hex").toString("base64");

describe("images and sounds in a review", () => {
	const partOf = async (part: ModelPart) => {
		const { review } = await setUpReview({ request: { messages: [{ role: "user", content: [part] }] } });
		return review.document.messages[0]?.parts[0];
	};

	it("shows an image and plays a sound by their first bytes", async () => {
		expect(await partOf({ type: "image", data: png, mimeType: "image/jpeg" })).toEqual({
			kind: "image",
			place: "message.0.part.0",
			mimeType: "image/jpeg",
			size: "12 bytes",
			url: `data:image/png;base64,${png}`,
		});
		expect(await partOf({ type: "audio", data: wav, mimeType: "audio/x-wav" })).toMatchObject({
			kind: "audio",
			url: `data:audio/wav;base64,${wav}`,
		});
	});

	it.each([
		["image", "image/svg+xml", Buffer.from("<svg onload='x'/>").toString("base64")],
		["image", "image/png", `${png}" onerror="x`],
		["image", "text/html", Buffer.from("<html>").toString("base64")],
		["audio", "audio/wav", Buffer.from("<html>").toString("base64")],
		["image", "image/png", ""],
	] as const)("makes no URL of the %s of type %s with the data %s (UI-05, UI-10)", async (type, mimeType, data) => {
		expect(await partOf({ type, data, mimeType })).not.toHaveProperty("url");
	});

	it("lists images within tool results, and sends those that the user keeps", async () => {
		const messages = [
			{ role: "assistant", content: [{ type: "tool-call", callId: "a", name: "look", arguments: {} }] },
			{
				role: "user",
				content: [
					{
						type: "tool-result",
						callId: "a",
						content: [
							{ type: "text", text: "seen" },
							{ type: "image", data: png, mimeType: "image/png" },
						],
						isError: false,
					},
				],
			},
		] as const;
		const qwen = new FakeModel("qwen", "Test", { supportsTools: true });
		const { review, draft } = await setUpReview({ models: [qwen], request: { messages } });
		expect(review.document.messages[1]?.parts).toMatchObject([
			{ kind: "field", field: { place: "message.1.part.0.content.0", original: "seen" } },
			{ kind: "image", place: "message.1.part.0.content.1" },
		]);
		review.approve(draft({ removed: ["message.1.part.0.content.1"] }));
		await until(() => qwen.requests.length > 0);
		expect(qwen.requests[0]?.messages.at(-1)?.content).toEqual([
			{ type: "tool-result", callId: "a", content: [{ type: "text", text: "seen" }], isError: false },
		]);
	});
});
