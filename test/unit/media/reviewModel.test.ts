import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ReviewHost, ReviewModel } from "../../../media/review/reviewModel.ts";
import type {
	CompletionDraft,
	RequestDraft,
	ReviewDocument,
} from "../../../src/features/sampling/review/reviewProtocol.ts";
import { completionOf, field, plainReview } from "../../view/fixtures/reviewDocuments.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A model with all its messages to the host, in order. */
function setUp(document: ReviewDocument = plainReview()) {
	const told: string[] = [];
	const drafts: RequestDraft[] = [];
	const completions: CompletionDraft[] = [];
	/** Lets the host answer the messages so far. */
	const answers: (() => void)[] = [];
	const note = (what: string): Promise<void> => {
		told.push(what);
		return new Promise((resolve) => answers.push(resolve));
	};
	const host: ReviewHost = {
		edit: (draft) => {
			drafts.push(draft);
			return note("edit");
		},
		editCompletion: (draft) => {
			completions.push(draft);
			return note("edit completion");
		},
		approve: (draft) => {
			drafts.push(draft);
			return note("approve");
		},
		answerByHand: () => note("by hand"),
		stop: () => note("stop"),
		showAttempt: (attempt) => note(`attempt ${attempt}`),
		returnToServer: (draft) => {
			completions.push(draft);
			return note("return");
		},
		reject: (reason) => note(`reject ${reason}`),
		denyAll: () => note("deny all"),
		showRedacted: (id, isShown) => note(`${isShown ? "show" : "hide"} ${id}`),
	};
	const model = new ReviewModel(document, host, () => undefined);
	const answer = async (): Promise<void> => {
		for (const resolve of answers.splice(0)) resolve();
		await vi.advanceTimersByTimeAsync(0);
	};
	return { model, told, drafts, completions, answer };
}

const { system } = plainReview();
const generating = { ...plainReview().state, step: { kind: "generating", text: "", model: "qwen3:8b" } } as const;
const underReview = (text: string, attempt = 1): ReviewDocument["state"] => ({
	...plainReview().state,
	step: { kind: "completion", completion: completionOf(text, { attempt }) },
});

describe("ReviewModel", () => {
	it("sends the first edit at once, gathers the following ones, and loses none", () => {
		const { model, drafts } = setUp();
		for (const text of ["B", "Be", "Be kind."]) model.setText("request", system, text);
		expect(drafts.map(({ changes }) => changes["system"])).toEqual(["B"]);
		vi.advanceTimersByTime(500);
		expect(drafts.map(({ changes }) => changes["system"])).toEqual(["B", "Be kind."]);
		model.setText("request", system, "Be brief.");
		vi.advanceTimersByTime(5000);
		expect(drafts.map(({ changes }) => changes["system"])).toEqual(["B", "Be kind.", "Be brief."]);
	});

	it("does not send a long text on a key, but soon", () => {
		const { model, drafts } = setUp();
		const long = "x".repeat(200_000);
		model.setText("request", system, long);
		expect(drafts).toEqual([]);
		vi.advanceTimersByTime(5000);
		expect(drafts.map(({ changes }) => changes["system"])).toEqual([long]);
		model.setText("request", system, `${long}y`);
		model.reject("");
		expect(drafts.at(-1)?.changes).toEqual({ system: `${long}y` });
	});

	it("sends typed text before any decision", () => {
		for (const decide of ["approve", "reject", "answerByHand"] as const) {
			const { model, told } = setUp();
			model.setText("request", system, "Be");
			model.setText("request", system, "Be kind.");
			if (decide === "reject") model.reject("no");
			else model[decide]();
			expect(told.slice(0, 2)).toEqual(["edit", "edit"]);
			expect(told).toHaveLength(3);
		}
	});

	it("accepts one decision until the host has it, and another one after it (UI-07)", async () => {
		const { model, told, answer } = setUp();
		model.approve();
		model.approve();
		model.reject("");
		expect(told).toEqual(["approve"]);
		await answer();
		model.show({ ...plainReview().state, problem: { text: "The model failed." } });
		model.approve();
		expect(told).toEqual(["approve", "approve"]);
	});

	it("decides only what the step allows", () => {
		const { model, told } = setUp();
		model.returnToServer();
		model.stop();
		model.show(generating);
		model.approve();
		model.answerByHand();
		model.setText("request", system, "too late");
		model.show({ ...generating, step: { kind: "done", end: "The server is gone." } });
		model.reject("");
		model.approve();
		model.denyAll();
		vi.advanceTimersByTime(5000);
		expect(told).toEqual([]);
		expect(model.draft.changes).toEqual({});
		expect([model.isOver, model.stage]).toEqual([true, "request"]);
	});

	it("sends to the host's model until the user chooses one, and back when that one is gone", async () => {
		const { model, drafts, answer } = setUp();
		expect(model.model?.id).toBe("qwen");
		model.show({ ...model.state, chosen: { id: "large", reason: "the hints were changed" } });
		expect(model.model?.id).toBe("large");
		model.chooseModel("qwen");
		expect(drafts.at(-1)).toMatchObject({ modelId: "qwen", isModelByHand: true });
		await answer();
		model.show({ ...model.state, models: model.state.models.filter(({ id }) => id !== "qwen") });
		expect(model.model?.id).toBe("large");
		model.chooseModel("small");
		expect(model.canSend).toBe(false);
		await answer();
		model.approve();
		expect(drafts.at(-1)?.modelId).toBe("small");
		expect(drafts).toHaveLength(2);
	});

	it("keeps the user's text of a completion in review, and accepts another one", () => {
		const { model, completions } = setUp({ ...plainReview(), state: underReview("Answer.") });
		const text = field("text", "Completion", "Answer.");
		model.setText("completion", text, "My answer.");
		model.show({ ...underReview("Answer."), estimate: "other" });
		expect(model.textOf("completion", text)).toBe("My answer.");
		expect(model.editsOf("completion")).toHaveLength(1);
		model.returnToServer();
		expect(completions.at(-1)).toEqual({ attempt: 1, changes: { text: "My answer." }, removed: [] });
		model.show(underReview("Second.", 2));
		expect(model.textOf("completion", field("text", "Completion", "Second."))).toBe("Second.");
		model.show({ ...underReview("Second.", 2), step: { kind: "done", end: "You rejected the request." } });
		expect([model.completion?.attempt, model.stage]).toEqual([2, "completion"]);
	});

	it("accepts the loaded state; typed text is kept and sent again", async () => {
		const { model, drafts, answer } = setUp();
		const next = (revision: number): ReviewDocument =>
			plainReview({ draft: { ...plainReview().draft, revision, changes: { system: "host's" } } });
		model.load(next(2));
		expect(model.draft.changes).toEqual({ system: "host's" });
		model.setText("request", system, "typed");
		model.flush();
		model.load(next(3));
		expect(model.draft).toMatchObject({ revision: 3, changes: { system: "typed" } });
		vi.advanceTimersByTime(500);
		expect(drafts.at(-1)).toMatchObject({ revision: 3, changes: { system: "typed" } });
		await answer();
		model.load(next(4));
		expect(model.draft.changes).toEqual({ system: "host's" });
	});

	it("resets everything of one half", () => {
		const { model } = setUp({ ...plainReview(), state: underReview("Answer.") });
		model.setText("request", system, "edited");
		model.setRemoved("request", "message.0", true);
		model.setRemoved("completion", "call.0", true);
		expect([model.editsOf("request").length, model.editsOf("completion").length]).toEqual([2, 1]);
		model.resetAll("request");
		expect([model.editsOf("request").length, model.editsOf("completion").length]).toEqual([0, 1]);
		model.resetAll("completion");
		expect(model.editsOf("completion")).toEqual([]);
	});
});
