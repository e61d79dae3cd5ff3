import { describe, expect, it } from "vitest";
import type { ContextPiece } from "../../../../../src/features/sampling/collectContext.ts";
import type { ModelInfo } from "../../../../../src/models/model.ts";
import { ModelFacts } from "../../../../../src/models/modelFacts.ts";
import { FakeModel, until } from "../fakes.ts";
import { githubToken } from "../redaction/samples.ts";
import { assistant, read, result, use, user } from "../requests.ts";
import { FakeAdmission, setUpReview } from "../reviewFakes.ts";

const pieces: readonly ContextPiece[] = [{ server: "weather", label: "resource w://now", text: "Sun, token hunter2." }];

describe("the context of servers in a review (SMP-04)", () => {
	it("is not collected before the user ticks it, and is sent as shown, secrets as marks", async () => {
		const asked: string[] = [];
		const collect = async (choice: string) => {
			asked.push(choice);
			return pieces;
		};
		const { review, qwen, draft, changed, written, reach } = await setUpReview({
			collect,
			secrets: { password: "hunter2" },
		});
		let loads = 0;
		review.onDidLoad(() => loads++);
		expect(review.document.context).toEqual({ asked: "allServers" });
		expect(asked).toEqual([]);
		review.edit(draft({ context: "thisServer" }));
		await until(() => loads === 1);
		expect(asked).toEqual(["thisServer"]);
		const shown = review.document.context.field?.original ?? "";
		expect(shown).toContain("Sun, token [password].");
		expect(review.document.redactions).toMatchObject([{ id: "password", count: 1, isShown: false }]);
		const edited = shown.replace("Sun", "Rain");
		review.approve(changed({ context: edited }));
		qwen.answer("Boots.");
		await reach("completion");
		const sent = JSON.stringify(qwen.requests[0]?.messages);
		expect(sent).toContain(JSON.stringify(edited).slice(1, -1));
		expect(sent).not.toContain("hunter2");
		expect(written.attempts[0]?.request).toContainEqual({ place: "context", original: "", edited });
	});

	it("is not sent before it was shown, nor after it was replaced", async () => {
		const { promise, resolve } = Promise.withResolvers<readonly ContextPiece[]>();
		const { review, qwen, draft } = await setUpReview({ collect: () => promise });
		let loads = 0;
		review.onDidLoad(() => loads++);
		const ticked = draft({ context: "allServers" });
		review.edit(ticked);
		review.approve(ticked);
		expect(review.state.problem).toMatchObject({ place: "context" });
		resolve(pieces);
		await until(() => loads === 1);
		// Approved at the moment in which the text arrived: the user has not seen it.
		review.approve(ticked);
		expect(review.state.problem?.text).toMatch(/Texts have changed/);
		expect(qwen.requests).toEqual([]);
		review.approve(draft());
		await until(() => qwen.requests.length === 1);
	});

	it("is cancelled when another is chosen, and removed with the tick", async () => {
		const signals: AbortSignal[] = [];
		const answers: PromiseWithResolvers<readonly ContextPiece[]>[] = [];
		const collect = (_choice: string, signal: AbortSignal) => {
			signals.push(signal);
			answers.push(Promise.withResolvers());
			return answers.at(-1)?.promise ?? Promise.resolve([]);
		};
		const { review, draft, qwen } = await setUpReview({ collect });
		let loads = 0;
		review.onDidLoad(() => loads++);
		review.edit(draft({ context: "allServers" }));
		review.edit(draft({ context: "thisServer" }));
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
		answers[0]?.resolve([{ server: "other", label: "x", text: "SECRET OF ANOTHER" }]);
		answers[1]?.resolve(pieces);
		await until(() => loads === 1);
		expect(review.document.context.field?.original).not.toContain("SECRET OF ANOTHER");
		review.edit(draft({ context: "none" }));
		await until(() => loads === 2);
		expect(review.document.context).not.toHaveProperty("field");
		// Not even when a draft still contains its edits.
		review.approve(draft({ changes: { context: "Sun, edited" } }));
		await until(() => qwen.requests.length === 1);
		expect(JSON.stringify(qwen.requests[0]?.messages)).not.toContain("Sun");
	});

	it.each([
		["there is none", () => Promise.resolve([]), /no context/],
		["it fails", () => Promise.reject(new Error("broken")), /broken/],
	])("reports when %s, and unticks it", async (_what, collect, problem) => {
		const { review, draft } = await setUpReview({ collect });
		review.edit(draft({ context: "thisServer" }));
		await until(() => review.state.problem !== undefined);
		expect(review.state.problem?.text).toMatch(problem);
		expect(review.document.draft.context).toBe("none");
	});

	it("is cancelled with the review", async () => {
		let signal: AbortSignal | undefined;
		const collect = (_choice: string, given: AbortSignal) => {
			signal = given;
			return new Promise<never>(() => undefined);
		};
		const { review, draft } = await setUpReview({ collect });
		review.edit(draft({ context: "thisServer" }));
		review.reject("");
		await review.settled;
		expect(signal?.aborted).toBe(true);
	});
});

describe("secrets in a review", () => {
	const secrets = { "GitHub token": "ghp_secret", password: "hunter2" };
	const messages = [
		{ role: "user", content: [{ type: "text", text: "Use ghp_secret, ghp_secret and hunter2." }] },
	] as const;
	const sent = async (setUp: Awaited<ReturnType<typeof setUpReview>>) => {
		await until(() => setUp.qwen.requests.length > 0);
		return setUp.qwen.requests[0]?.messages.at(-1)?.content;
	};

	it("are shown as marks, and sent so", async () => {
		const setUp = await setUpReview({ secrets, request: { messages } });
		const { review, draft } = setUp;
		expect(review.document.messages[0]?.parts).toMatchObject([
			{ field: { original: "Use [GitHub token], [GitHub token] and [password]." } },
		]);
		expect(review.document.redactions).toMatchObject([
			{ id: "GitHub token", count: 2, isShown: false },
			{ id: "password", count: 1, isShown: false },
		]);
		review.approve(draft());
		expect(await sent(setUp)).toEqual([{ type: "text", text: "Use [GitHub token], [GitHub token] and [password]." }]);
	});

	it("are revealed one by one, in edits as well, and are never recorded", async () => {
		const setUp = await setUpReview({ secrets, request: { messages } });
		const { review, changed, draft, written, qwen, reach } = setUp;
		review.edit(changed({ "message.0.part.0": "Only [GitHub token], not [password]!" }));
		review.showRedacted("GitHub token", true);
		expect(review.document.draft.changes).toEqual({ "message.0.part.0": "Only ghp_secret, not [password]!" });
		expect(review.document.redactions).toMatchObject([{ isShown: true }, { isShown: false }]);
		review.showRedacted("GitHub token", false);
		expect(review.document.draft.changes).toEqual({ "message.0.part.0": "Only [GitHub token], not [password]!" });
		review.showRedacted("GitHub token", true);
		review.approve(draft());
		expect(await sent(setUp)).toEqual([{ type: "text", text: "Only ghp_secret, not [password]!" }]);
		qwen.answer("The token is ghp_secret.");
		await reach("completion");
		review.reject("");
		await review.settled;
		expect(JSON.stringify(written.attempts)).not.toMatch(/ghp_secret|hunter2/);
		expect(written.attempts[0]?.request).toContainEqual({
			place: "message.0.part.0",
			role: "user",
			original: "Use [GitHub token], [GitHub token] and [password].",
			edited: "Only [GitHub token], not [password]!",
		});
	});

	it("are not sent by a draft of the texts from before they were revealed or hidden", async () => {
		const { review, qwen, draft } = await setUpReview({ secrets, request: { messages } });
		const before = draft();
		review.showRedacted("password", true);
		review.approve(before);
		expect(qwen.requests).toEqual([]);
		expect(review.state.problem?.text).toMatch(/Texts have changed/);
	});

	it.each([
		["unknown", true],
		["password", "yes"],
		[5, true],
		["password", false],
	])("are not revealed by %j, %j (UI-06)", async (id, isShown) => {
		const { review } = await setUpReview({ secrets, request: { messages } });
		const before = review.document;
		review.showRedacted(id, isShown);
		expect(review.document).toEqual(before);
	});

	it("are not searched for in numbers, which could then not be sent", async () => {
		const { review, draft, written, qwen, reach } = await setUpReview({ secrets: { number: "400" } });
		expect(review.document.parameters[0]?.original).toBe("400");
		review.approve(draft());
		qwen.answer("Socks.");
		await reach("completion");
		expect(qwen.requests[0]?.options.maxTokens).toBe(400);
		expect(written.attempts[0]?.request).toContainEqual({ place: "maxTokens", original: "400" });
	});

	it("that could not be searched for are reported", async () => {
		const { review } = await setUpReview({ unsearched: "The pattern “x” was not looked for." });
		expect(review.document.notices).toEqual(["The pattern “x” was not looked for."]);
	});
});

it("no secret is sent as the name or the id of a tool call; it is listed, and a result still finds its call (SEC-02)", async () => {
	const messages = [
		assistant(use(githubToken, githubToken), use("call_1")),
		user(result(githubToken), result("call_1")),
	];
	const model = new FakeModel("qwen", "Test", { supportsTools: true, maxInputTokens: 8000 });
	const secrets = { token: githubToken };
	const { review, draft } = await setUpReview({
		secrets,
		request: { messages: read({ messages }).messages },
		models: [model],
	});
	expect(review.document.redactions).toMatchObject([{ id: "token", count: 3, isShown: false }]);
	review.approve(draft());
	await until(() => model.requests.length === 1);
	const sent = JSON.stringify(model.requests[0]);
	expect(sent).not.toContain(githubToken);
	const parts = model.requests[0]?.messages.flatMap(({ content }) => content) ?? [];
	const ids = parts.flatMap((part) => ("callId" in part ? [part.callId] : []));
	expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{32}$/), "call_1", ids[0], "call_1"]);
	const names = parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []));
	expect(names).toEqual([expect.stringMatching(/^_token__[0-9a-f]{8}$/), "t"]);
});

describe("the model, the estimate and the budget in a review", () => {
	it("follows edited hints, until the user chooses", async () => {
		const { review, changed, draft } = await setUpReview();
		review.edit(changed({ hints: '"llama"' }));
		expect(review.document.draft.modelId).toBe("test/llama");
		expect(review.state.chosen?.reason).toContain("“llama”");
		review.edit(draft({ modelId: "test/qwen", isModelByHand: true }));
		review.edit(changed({ hints: '"llama", "x"' }));
		expect(review.document.draft).toMatchObject({ modelId: "test/qwen", isModelByHand: true });
	});

	it("names the place of an image that no model can receive and what to do, and blames no model (SMP-18)", async () => {
		const odd = { type: "image", data: "AAAA", mimeType: "text/html" } as const;
		const { review, qwen, draft } = await setUpReview({
			request: { messages: [{ role: "user", content: [odd, { type: "text", text: "What is it?" }] }] },
		});
		const problem =
			"The server declares this image as text/html, which is not an image type. Remove it to send the request.";
		expect(review.document.messages[0]?.parts[0]).toMatchObject({ kind: "image", problem });
		for (const model of review.state.models) expect(model).not.toHaveProperty("unusable");
		review.approve(draft());
		expect(review.state.problem).toEqual({ text: problem, place: "message.0.part.0" });
		expect(qwen.requests).toEqual([]);
		review.approve(draft({ removed: ["message.0.part.0"] }));
		await until(() => qwen.requests.length === 1);
		expect(JSON.stringify(qwen.requests)).not.toContain("text/html");
	});

	it("sends to the model that was shown when the host has just chosen another", async () => {
		const { review, changed, qwen, llama } = await setUpReview();
		review.approve(changed({ hints: '"llama"' }));
		await until(() => qwen.requests.length === 1);
		expect(llama.requests).toEqual([]);
	});

	it("follows models that appear and disappear (BLT-18)", async () => {
		const { review, directory, draft } = await setUpReview();
		directory.set();
		expect(review.state).toMatchObject({ models: [] });
		expect(review.state.chosen).toBeUndefined();
		review.approve(draft());
		expect(review.state.problem?.text).toBe("No model is available.");
		directory.set(new FakeModel("qwen2"));
		expect(review.document.draft.modelId).toBe("test/qwen2");
		review.approve(draft({ modelId: "test/gone", isModelByHand: true }));
		expect(review.state.problem?.text).toBe("Choose a model.");
	});

	it("does not send to a model that is not allowed for the server (SMP-08)", async () => {
		const { review, models, qwen, llama, draft } = await setUpReview();
		const whyNot = ({ name }: ModelInfo) => (name === "qwen" ? "not allowed for this server" : undefined);
		models.update(new ModelFacts(undefined), { whyNot, problems: [] });
		expect(review.state.models).toMatchObject([
			{ id: "test/llama" },
			{ id: "test/qwen", unusable: "not allowed for this server" },
		]);
		expect(review.state.models[0]).not.toHaveProperty("unusable");
		expect(review.document.draft.modelId).toBe("test/llama");
		review.approve(draft({ modelId: "test/qwen", isModelByHand: true }));
		expect(review.state.problem?.text).toMatch(/not allowed for this server/);
		review.approve(draft({ modelId: "test/llama" }));
		await until(() => llama.requests.length === 1);
		expect(qwen.requests).toEqual([]);
	});

	it("offers a model without vision once the image is removed", async () => {
		const messages = [
			{
				role: "user",
				content: [
					{ type: "text", text: "What is it?" },
					{ type: "image", data: "AAAA", mimeType: "image/png" },
				],
			},
		] as const;
		const blind = new FakeModel("blind", "Test", { supportsImages: false });
		const { review, draft } = await setUpReview({ models: [blind], request: { messages } });
		expect(review.state.models).toMatchObject([{ unusable: expect.stringMatching(/images/) as string }]);
		expect(review.state.chosen).toBeUndefined();
		review.edit(draft({ removed: ["message.0.part.1"] }));
		expect(review.state.models[0]).not.toHaveProperty("unusable");
		expect(review.state.chosen?.id).toBe("test/blind");
	});

	it("estimates the usage of a send, and shows when that is unknown or too much", async () => {
		const price = { inputPerMillion: 1000, outputPerMillion: 5000 };
		const { review, changed } = await setUpReview({ price });
		expect(review.state.estimate).toMatch(/^About \d+ tokens in, 400 out at most · \$2\.0\d$/);
		review.edit(changed({ maxTokens: "" }));
		expect(review.state.estimate).toBe("No estimate: some fields are not valid.");
		const unpriced = await setUpReview({ request: { systemPrompt: "word ".repeat(2000) } });
		expect(unpriced.review.state.estimate).toMatch(/· price unknown · more than the limit of qwen \(1,000\)$/);
	});

	it("follows an edit of a megabyte a few times a second at most", async () => {
		const { review, changed } = await setUpReview();
		let fired = 0;
		review.onDidChange(() => fired++);
		for (let key = 0; key < 50; key++) review.edit(changed({ system: "word ".repeat(200_000) + key }));
		expect(fired).toBe(1);
		await until(() => fired === 2);
		expect(review.state.estimate).toMatch(/^About 2\d\d,\d{3} tokens in/);
	});

	it("reserves the maximum usage of a send, and does not send over a budget", async () => {
		const admission = new FakeAdmission();
		admission.problem = "This would exceed today's budget of weather.";
		const { review, qwen, draft, changed } = await setUpReview({ admission });
		review.approve(draft());
		expect(review.state).toMatchObject({ step: { kind: "request" }, problem: { text: admission.problem } });
		expect(qwen.requests).toEqual([]);
		admission.problem = undefined;
		review.approve(changed({ maxTokens: "30" }));
		await until(() => qwen.requests.length === 1);
		expect(admission.sends).toMatchObject([{ model: { id: "test/qwen" }, maxTokens: 30, by: "user" }]);
		expect(admission.sends[0]?.inputTokens).toBeGreaterThan(5);
		expect(review.state.budget).toEqual(["1 requests sent"]);
	});
});
