import type { RecordedText } from "../../../records/activity/samplingRecord.ts";
import { Emitter, type Event } from "../../../base/event.ts";
import { DisposableStore } from "../../../base/lifecycle.ts";
import { cap, oneLine } from "../../../base/text.ts";
import type { Decision, Settled } from "../../../questions/decisions/decision.ts";
import type { Asker } from "../../../permissions/budgets/asker.ts";
import { Attempts, recordedParts } from "./attempts.ts";
import type { Reservation, ReviewMode } from "../../../permissions/budgets/samplingPolicy.ts";
import { describeEnd, type ReviewAnswer } from "./reviewEnds.ts";
import type { DraftProblem } from "../fields.ts";
import { Generation, type GenerationEnd } from "./generation.ts";
import { stopNote, usedLine } from "./lines.ts";
import { type ReadyRequest, RequestReview, type ReviewParts } from "./requestReview.ts";
import { contextPlace } from "../requestTexts.ts";
import { generatingStep, textsOf } from "./reviewDocument.ts";
import type { ReviewDocument, ReviewState, ReviewStep } from "./reviewProtocol.ts";

/** The ends with which an answer may be returned without a review, if a rule allows it. */
const goodEnds = new Set(["endTurn", "stopSequence", "maxTokens", "toolUse"]);
/** The maximum length of a reason for a server, in characters. */
const longestReason = 1000;

/**
 * One sampling request before the user: the request is reviewed, then a model answers, then the completion is reviewed.
 * A rule of the user's may skip the second stage, or both. Every message of a view is checked; a message that does not
 * fit the step is ignored, so that nothing is sent twice. All state lives here, and a view shows it at any time.
 */
export class ReviewSession {
	readonly decision: Decision<ReviewAnswer>;
	/** Resolves when the decision has ended and its usage is accounted for; never rejects. */
	readonly settled: Promise<Settled<ReviewAnswer>>;
	private readonly parts: ReviewParts;
	private readonly request: RequestReview;
	private readonly attempts = new Attempts();
	/** The names of the models that the request went to. */
	readonly asked: string[] = [];
	private readonly notices: string[];
	private mode: ReviewMode;
	private problem: DraftProblem | undefined;
	private generation: Generation | undefined;
	/** The running answer, until it is accounted for. */
	private running: Promise<void> = Promise.resolve();
	private readonly changed = new Emitter<void>();
	private readonly loaded = new Emitter<void>();
	/** `state` is another one. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** `document` is another one: texts were replaced. */
	readonly onDidLoad: Event<void> = this.loaded.event;

	constructor(decision: Decision<ReviewAnswer>, parts: ReviewParts) {
		this.decision = decision;
		this.parts = parts;
		const { admission, texts } = parts;
		this.mode = admission.mode;
		this.notices = [...(admission.notice === undefined ? [] : [admission.notice]), ...texts.problems];
		this.request = new RequestReview(parts);
		const store = new DisposableStore();
		store.add(this.request);
		store.add(this.request.onDidChange(() => this.changed.fire()));
		store.add(this.request.onDidLoad((problem) => this.load(problem)));
		store.add(parts.waiting.onDidChange(() => this.changed.fire()));
		this.settled = decision.settled.then(async (settled) => {
			store.dispose();
			this.generation?.stop();
			await this.running;
			this.changed.fire();
			return settled;
		});
	}

	/** The server that asks. */
	get asker(): Asker {
		return this.parts.asker;
	}

	/** The state that changes while the review is open. */
	get state(): ReviewState {
		const { chosen, options, estimate } = this.request;
		const { problem: text, place } = this.problem ?? {};
		return {
			step: this.step(),
			...(text !== undefined && { problem: { text, ...(place !== undefined && { place }) } }),
			models: options,
			...(chosen !== undefined && { chosen: { id: chosen.model.id, reason: this.parts.texts.mask(chosen.reason) } }),
			estimate,
			budget: this.parts.admission.budget(),
			attempts: this.attempts.labels,
			alsoWaiting: this.parts.waiting.others(),
		};
	}

	/** Everything that a view shows, whenever it is loaded. */
	get document(): ReviewDocument {
		const { request, admission } = this.parts;
		const { server, during } = this.decision.subject;
		const { byPlace, redactions } = this.parts.texts;
		const context = byPlace.get(contextPlace);
		return {
			heading: `${oneLine(server, 60)} (server) asks for a completion`,
			server,
			...(during === undefined ? {} : { during }),
			...textsOf(request, byPlace),
			context: { asked: request.includeContext, ...(context !== undefined && { field: context }) },
			redactions,
			draft: this.request.draft,
			notices: this.notices,
			...(this.mode === "request-only" && {
				rule: `The rule “${admission.by.label}” returns the completion without your review.`,
			}),
			state: this.state,
		};
	}

	/** Stores the user's draft of the request. */
	edit(raw: unknown): void {
		if (this.isReviewing()) this.request.edit(raw);
	}

	/**
	 * Sends exactly this draft to the chosen model, or reports its problem. Each completion is kept beside the earlier
	 * ones; if none arrives, the earlier one is back under review.
	 */
	approve(raw: unknown): void {
		if (!this.isReviewing()) return;
		const ready = this.request.prepare(raw);
		if (ready === undefined) return;
		const reservation = "problem" in ready ? ready : this.reserve(ready, "user");
		if ("problem" in reservation) this.problem = reservation;
		else if (!("problem" in ready)) {
			// The user learns before the answer arrives that they will review it.
			this.mayReturnUnseen();
			this.running = this.generate(ready, reservation);
		}
		this.changed.fire();
	}

	/** Ends the model's answer and keeps the received part; if there is none, the review returns to its former step. */
	stop(): void {
		this.touch();
		this.generation?.stop();
	}

	/** Puts an empty completion under review, for the user to write. */
	answerByHand(): void {
		if (!this.isReviewing()) return;
		this.attempts.addByHand();
		this.problem = undefined;
		this.reviewAll();
		this.changed.fire();
	}

	/** Brings an earlier completion back under review. */
	showAttempt(raw: unknown): void {
		if (!this.isReviewing() || !this.attempts.show(raw)) return;
		this.problem = undefined;
		this.changed.fire();
	}

	/** Stores the user's draft of a completion. */
	editCompletion(raw: unknown): void {
		if (this.isReviewing()) this.attempts.edit(raw);
	}

	/** Returns exactly this to the server. Only the completion that the user sees can be returned. */
	returnToServer(raw: unknown): void {
		if (!this.isReviewing()) return;
		const completion = this.attempts.read(raw);
		if (completion === undefined) return;
		if ("problem" in completion) {
			this.problem = completion;
			this.changed.fire();
			return;
		}
		if (this.attempts.isByHand) this.parts.entry.attempt({ at: this.parts.now(), request: [] });
		this.decision.answer({ kind: "return", completion, rule: undefined });
	}

	/** Refuses the request or the completion. The server receives the rejection, and the reason if there is one. */
	reject(reason: unknown): void {
		const text = typeof reason === "string" ? cap(reason.trim(), longestReason) : "";
		this.decision.answer({ kind: "reject", reason: text });
	}

	/** Shows a secret in its places, or hides it again. */
	showRedacted(id: unknown, isShown: unknown): void {
		if (this.isReviewing()) this.request.showRedacted(id, isShown);
	}

	/**
	 * Lets the chosen model answer under the rule that admitted the request, with its secrets as marks and without any
	 * context. Any obstacle brings the request before the user with all options; the decision is then still open when
	 * this resolves.
	 */
	async answerByRule(): Promise<void> {
		const [unsearched] = this.parts.texts.problems;
		const ready = unsearched === undefined ? this.request.prepareByRule() : { problem: unsearched };
		const reservation = "problem" in ready ? ready : this.reserve(ready, "rule");
		if (!("problem" in ready) && !("problem" in reservation)) {
			this.running = this.generate(ready, reservation);
			await this.running;
			if (this.decision.outcome !== undefined || !this.parts.admission.mayReturnUnseen()) return;
		} else if ("problem" in reservation) {
			this.problem = reservation;
		}
		const why = this.problem?.problem ?? "The answer is incomplete.";
		this.notices.push(
			`The rule “${this.parts.admission.by.label}” could not complete this request automatically. ${why}`,
		);
		this.problem = undefined;
		this.reviewAll();
	}

	/**
	 * The completion under review with the user's changes, with every secret as a mark: the form that may be recorded.
	 */
	get recordedCompletion(): readonly RecordedText[] {
		return this.attempts.recorded((text) => this.parts.texts.mask(text));
	}

	/** Whether the user may act. The call also shows that they are present, so that the time to answer restarts. */
	private isReviewing(): boolean {
		this.touch();
		return this.decision.outcome === undefined && this.generation === undefined;
	}

	private touch(): void {
		this.decision.touch();
	}

	/** From here on the user sees both stages: a rule does not go on where they have stepped in, or something went wrong. */
	private reviewAll(): void {
		if (this.mode === "review") return;
		this.mode = "review";
		this.loaded.fire();
	}

	/** Whether an answer may be returned without a review. If its rule no longer applies, the user sees both stages. */
	private mayReturnUnseen(): boolean {
		if (this.mode === "review") return false;
		const { admission } = this.parts;
		if (admission.mayReturnUnseen()) return true;
		this.notices.push(`The rule “${admission.by.label}” no longer applies. Review the completion.`);
		this.reviewAll();
		return false;
	}

	private load(problem: DraftProblem | undefined): void {
		this.problem = problem;
		this.loaded.fire();
	}

	private reserve({ model, inputTokens, approved }: ReadyRequest, by: "rule" | "user"): Reservation | DraftProblem {
		return this.parts.admission.reserve({ model: model.info, inputTokens, maxTokens: approved.maxTokens, by });
	}

	private step(): ReviewStep {
		const { outcome, subject } = this.decision;
		const completion = this.attempts.view;
		if (outcome !== undefined) {
			return { kind: "done", end: describeEnd(outcome, subject.server, this.asked), ...(completion && { completion }) };
		}
		if (this.generation !== undefined) return generatingStep(this.generation);
		return completion === undefined ? { kind: "request" } : { kind: "completion", completion };
	}

	/** Has a model answer once; never rejects. */
	private async generate(ready: ReadyRequest, reservation: Reservation): Promise<void> {
		const { generation, ended } = send(ready, reservation, this.parts, () => this.changed.fire());
		this.generation = generation;
		this.asked.push(generation.model.name);
		this.problem = undefined;
		const { end, used } = await ended;
		this.generation = undefined;
		if (this.decision.outcome === undefined) this.receive(generation, end, used);
		this.changed.fire();
	}

	private receive({ model, parts, thoughts }: Generation, end: GenerationEnd, used: string): void {
		const isEmpty = parts.every((part) => part.type === "text" && part.text.trim() === "");
		const attempt = { model, modelName: model.name, parts, stopReason: undefined, thoughts, used };
		if (end.kind === "stopped") {
			if (parts.length > 0) this.attempts.add({ ...attempt, note: "You stopped the answer here." });
			this.reviewAll();
		} else if (end.kind === "failed") {
			this.problem = { problem: `${oneLine(model.name, 60)} did not answer: ${end.message}` };
			// The received part is kept to look at, but an earlier completion stays under review.
			if (!isEmpty) this.attempts.addAside({ ...attempt, note: "The answer was interrupted here." });
			this.reviewAll();
		} else {
			const { stopReason } = end;
			if (!isEmpty && goodEnds.has(stopReason) && this.mayReturnUnseen()) {
				const completion = { parts, model: end.model, stopReason };
				this.decision.answer({ kind: "return", completion, rule: this.parts.admission.by.label });
			} else this.reviewAll();
			const note = stopNote(stopReason, isEmpty, end.without);
			this.attempts.add({ ...attempt, modelName: end.model, stopReason, note });
		}
	}
}

/** One sending of a request to a model: the answer while it arrives, and how it ended. */
export interface Send {
	readonly generation: Generation;
	/** Resolves when the answer has ended and is accounted for; never rejects. */
	readonly ended: Promise<{ readonly end: GenerationEnd; /** Its cost, for users. */ readonly used: string }>;
}

/**
 * Sends a request to its model, once. With every outcome the reservation is settled, by the received text if the
 * provider reports nothing, and the attempt is recorded. `onProgress` receives each piece.
 */
export function send(ready: ReadyRequest, reservation: Reservation, parts: ReviewParts, onProgress: () => void): Send {
	const generation = new Generation(ready.model, ready.approved, ready.inputTokens, parts.asker.id);
	return { generation, ended: account(generation, ready, reservation, parts, onProgress) };
}

async function account(
	generation: Generation,
	ready: ReadyRequest,
	reservation: Reservation,
	{ entry, texts, now }: ReviewParts,
	onProgress: () => void,
): ReturnType<typeof send>["ended"] {
	const at = now();
	const end = await generation.run(onProgress);
	const durationMs = now() - at;
	const spent = reservation.settle(generation.used);
	const { model } = generation;
	entry.attempt({
		at,
		model: { id: model.id, name: model.name },
		...(ready.why !== undefined && { why: texts.mask(ready.why) }),
		request: ready.texts,
		completion: recordedParts(generation.parts, (text) => texts.mask(text)),
		inputTokens: spent.inputTokens,
		outputTokens: spent.outputTokens,
		isEstimated: spent.isEstimated,
		...(spent.cost !== undefined && { cost: spent.cost }),
		durationMs,
		...(end.kind === "answered" && { stopReason: end.stopReason }),
		...(end.kind === "failed" && { failure: texts.mask(end.message) }),
		...(end.kind === "stopped" && { failure: "The answer was stopped." }),
	});
	const used = [usedLine(spent, durationMs), reservation.notice].filter((text) => text !== undefined).join(" · ");
	return { end, used };
}
