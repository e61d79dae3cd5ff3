import { HostError, messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import { oneLine } from "../base/text.ts";
import { Decision, type DecisionSubject } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import type { ModelDirectory, ModelStopReason } from "../models/model.ts";
import { chooseModel, type ModelChoice } from "./chooseModel.ts";
import { approve, draftOf, parseDraft, type ApprovedRequest } from "./draft.ts";
import type { SamplingRequest } from "./request.ts";
import { escapedIfHidden, originalView } from "./reviewDocument.ts";
import type { RequestDraft, ReviewDocument, ReviewState, ReviewStep } from "./reviewProtocol.ts";

/** How a review ended by the person: a completion to return exactly as it stands, or a rejection at either stage. */
export type ReviewAnswer =
	| {
			readonly kind: "return";
			readonly text: string;
			/** The name of the model that answered. */
			readonly model: string;
			readonly stopReason: ModelStopReason | undefined;
	  }
	| { readonly kind: "reject" };

/** The longest completion that is read, in characters. */
const completionLimit = 4_000_000;

const stopNotes: Readonly<Record<string, string>> = {
	endTurn: "The model ended its answer.",
	maxTokens: "The answer was cut off at the most tokens allowed.",
	stopSequence: "The answer ended at a stop sequence.",
	refusal: "The model refused to answer.",
};

interface Completion {
	/** What the model wrote. */
	readonly original: string;
	/** What the person has made of it. */
	readonly text: string;
	readonly model: string;
	readonly stopReason: ModelStopReason | undefined;
	readonly note: string;
}

/**
 * One sampling request before the person: the request is reviewed, then a model answers, then the completion is
 * reviewed. Everything that a view sends is checked; what does not fit the step is ignored, so that nothing goes out
 * twice. All state lives here, and a view shows it whenever it comes.
 */
export class ReviewSession {
	readonly decision: Decision<ReviewAnswer>;
	private readonly request: SamplingRequest;
	private readonly directory: ModelDirectory;
	private readonly original: RequestDraft;
	private draft: RequestDraft;
	private chosen: ModelChoice | undefined;
	private problem: string | undefined;
	private generation: { readonly controller: AbortController; readonly model: string; text: string } | undefined;
	private completion: Completion | undefined;
	private attempt = 0;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(subject: DecisionSubject, request: SamplingRequest, directory: ModelDirectory) {
		this.decision = new Decision(subject);
		this.request = request;
		this.directory = directory;
		this.chosen = this.choose();
		this.original = draftOf(request, this.chosen?.model);
		this.draft = this.original;
		const subscription = directory.onDidChange(() => this.updateModels());
		void this.decision.settled.then(() => {
			subscription.dispose();
			this.generation?.controller.abort();
			this.changed.fire();
			return undefined;
		});
	}

	get state(): ReviewState {
		return {
			step: this.step(),
			...(this.problem !== undefined && { problem: this.problem }),
			models: this.directory.models.map(({ info }) => ({
				id: info.id,
				label: `${oneLine(info.name, 60)} · ${oneLine(info.provider, 60)}`,
			})),
			...(this.chosen && { chosen: { id: this.chosen.model.id, reason: this.chosen.reason } }),
		};
	}

	get document(): ReviewDocument {
		return {
			...originalView(this.decision.subject, this.request, this.original),
			draft: this.draft,
			state: this.state,
		};
	}

	/** Keeps what the person has made of the request. */
	edit(raw: unknown): void {
		const draft = parseDraft(raw, this.request);
		if (draft !== undefined && this.isReviewing()) this.draft = draft;
	}

	/**
	 * Sends exactly this draft to the chosen model, or says what is wrong with it. A new completion replaces an earlier
	 * one; if none comes, the earlier one is back under review.
	 */
	approve(raw: unknown): void {
		const draft = parseDraft(raw, this.request);
		if (draft === undefined || !this.isReviewing()) return;
		this.draft = draft;
		const approved = approve(this.request, draft, this.directory.models);
		this.problem = "problem" in approved ? approved.problem : undefined;
		if (!("problem" in approved)) void this.generate(approved);
		this.changed.fire();
	}

	/** Ends the model's answer and keeps what has come; with nothing yet, the review goes back to where it was. */
	stop(): void {
		const { generation } = this;
		if (generation === undefined || this.decision.outcome !== undefined) return;
		this.generation = undefined;
		generation.controller.abort();
		const { text, model } = generation;
		if (text !== "") this.complete({ text, model, stopReason: undefined, note: "You stopped the answer here." });
		this.changed.fire();
	}

	/** Keeps what the person has made of the completion. */
	editCompletion(text: unknown): void {
		if (typeof text !== "string" || this.completion === undefined || !this.isReviewing()) return;
		this.completion = { ...this.completion, text };
	}

	/** Returns exactly this text to the server. Only a completion that the person saw can be returned. */
	returnToServer(text: unknown): void {
		if (typeof text !== "string" || this.completion === undefined || !this.isReviewing()) return;
		const { model, stopReason } = this.completion;
		this.completion = { ...this.completion, text };
		this.decision.answer({ kind: "return", text, model, stopReason });
	}

	/** Refuses the request or the completion; the server is told that the user rejected it. */
	reject(): void {
		this.decision.answer({ kind: "reject" });
	}

	private isReviewing(): boolean {
		return this.decision.outcome === undefined && this.generation === undefined;
	}

	private step(): ReviewStep {
		const { outcome } = this.decision;
		if (outcome?.by === "lapse")
			return { kind: "done", end: describeLapse(outcome.reason, this.decision.subject.server) };
		if (outcome !== undefined) {
			const isReturned = outcome.answer.kind === "return";
			return { kind: "done", end: isReturned ? "You returned the completion." : "You rejected the request." };
		}
		if (this.generation !== undefined) {
			return { kind: "generating", text: this.generation.text, model: this.generation.model };
		}
		if (this.completion !== undefined) {
			const { original, text, model, note } = this.completion;
			return { kind: "completion", original, text, model, note, ...escapedIfHidden(original), attempt: this.attempt };
		}
		return { kind: "request" };
	}

	private async generate({ model, messages, ...options }: ApprovedRequest): Promise<void> {
		const generation = { controller: new AbortController(), model: model.info.name, text: "" };
		this.generation = generation;
		let end: Omit<Completion, "original"> | undefined;
		let isToolAsked = false;
		try {
			const { signal } = generation.controller;
			const { maxTokens, temperature, stopSequences } = options;
			const events = model.respond(messages, {
				signal,
				maxTokens,
				...(temperature !== undefined && { temperature }),
				...(stopSequences.length > 0 && { stopSequences }),
			});
			for await (const event of events) {
				if (this.generation !== generation || this.decision.outcome !== undefined) return;
				if (event.type === "text") {
					generation.text += event.text;
					if (generation.text.length > completionLimit) throw new HostError("model", "The answer is too long.");
					this.changed.fire();
				} else if (event.type === "done") {
					const { stopReason } = event;
					const note = stopNotes[stopReason] ?? `The model stopped: ${oneLine(stopReason, 60)}.`;
					end = { text: generation.text, model: event.model || model.info.name, stopReason, note };
				} else {
					isToolAsked = true;
				}
			}
			if (isToolAsked) throw new HostError("model", "The model asked for a tool, although none was offered to it.");
			if (end === undefined) throw new HostError("model", "The model's answer broke off.");
		} catch (error) {
			if (this.generation !== generation) return;
			this.problem = `${model.info.name} did not answer: ${messageOf(error)}`;
		}
		if (this.generation !== generation) return;
		this.generation = undefined;
		if (end !== undefined && this.problem === undefined) this.complete(end);
		this.changed.fire();
	}

	private complete(completion: Omit<Completion, "original">): void {
		this.attempt++;
		this.completion = { ...completion, original: completion.text };
	}

	private updateModels(): void {
		if (!this.directory.models.some(({ info }) => info.id === this.draft.modelId)) {
			this.chosen = this.choose();
			this.draft = { ...this.draft, modelId: this.chosen?.model.id ?? "" };
		}
		this.changed.fire();
	}

	private choose(): ModelChoice | undefined {
		return chooseModel(
			this.directory.models.map(({ info }) => info),
			this.request.modelHints,
		);
	}
}
