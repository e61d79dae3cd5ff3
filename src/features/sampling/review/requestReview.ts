import type { RecordedText, OpenEntry } from "../../../records/activity/samplingRecord.ts";
import { messageOf } from "../../../base/errors.ts";
import { Emitter, type Event } from "../../../base/event.ts";
import { type Disposable, DisposableStore } from "../../../base/lifecycle.ts";
import { throttle } from "../../../base/throttle.ts";
import type { ChatModel, ModelDirectory } from "../../../models/model.ts";
import type { Prices } from "../../../models/prices.ts";
import { estimateRequestTokens } from "../../../models/tokenCount.ts";
import type { Asker } from "../../../permissions/budgets/asker.ts";
import type { Admission } from "../../../permissions/budgets/samplingPolicy.ts";
import { contextText, type CollectContext } from "../collectContext.ts";
import type { ApprovedRequest, DraftProblem } from "../fields.ts";
import type { ModelChoice, ModelChooser } from "../modelChoice/chooseModel.ts";
import { obstaclesIn, whyUnfit } from "../modelFit.ts";
import type { SamplingRequest } from "../request.ts";
import { contextPlace, type RequestTexts } from "../requestTexts.ts";
import { parseDraft, preferencesOf, readDraft, withContext } from "./draft.ts";
import { estimateLine } from "./lines.ts";
import type { ContextChoice, ModelOption, RequestDraft } from "./reviewProtocol.ts";

/** The inputs of a review: the request, the results about it, and the parts of the host that it uses. */
export interface ReviewParts {
	readonly asker: Asker;
	readonly request: SamplingRequest;
	readonly texts: RequestTexts;
	readonly admission: Admission;
	/** Where each attempt is recorded. */
	readonly entry: Pick<OpenEntry, "attempt">;
	readonly models: ModelDirectory;
	readonly chooser: ModelChooser;
	readonly prices: Prices;
	readonly collectContext: CollectContext;
	/** How many other requests of the server wait; `onDidChange` fires when it may be another number. */
	readonly waiting: { others(): number; readonly onDidChange: ModelDirectory["onDidChange"] };
	/** The time in milliseconds. */
	readonly now: () => number;
}

/** How often, at most, the estimate and the choice of the model follow the user's typing, in milliseconds. */
const followMs = 300;

/** A request that may be sent: exactly the displayed one, to the displayed model. */
export interface ReadyRequest {
	readonly model: ChatModel;
	readonly approved: ApprovedRequest;
	/** An estimate. */
	readonly inputTokens: number;
	/** Why the host chose the model; undefined when the user did. */
	readonly why: string | undefined;
	/** Its texts, for the record. */
	readonly texts: readonly RecordedText[];
}

/**
 * The first stage of a review: the request with the user's changes, its model, and its cost. Nothing is sent from here.
 */
export class RequestReview implements Disposable {
	private readonly texts: RequestTexts;
	private readonly parts: ReviewParts;
	private kept: RequestDraft;
	private choice: ModelChoice | undefined;
	private offered: readonly ModelOption[] = [];
	private line = "";
	private collecting: AbortController | undefined;
	private shownContext: ContextChoice = "none";
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	private readonly loaded = this.store.add(new Emitter<DraftProblem | undefined>());
	private readonly follow = this.store.add(throttle(() => this.update(), followMs));
	/** Model, estimate or options are other ones. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** The texts themselves were replaced; with the error, if there was one. */
	readonly onDidLoad: Event<DraftProblem | undefined> = this.loaded.event;

	constructor(parts: ReviewParts) {
		const { request, texts, admission, models, chooser, prices } = parts;
		this.parts = parts;
		this.texts = texts;
		const most = admission.mostTokens;
		// A limit of the user's is shown as a change of the server's request (SMP-07).
		const changes = most !== undefined && most < request.maxTokens ? { maxTokens: String(most) } : {};
		this.kept = {
			revision: 1,
			changes,
			removed: [],
			modelId: "",
			isModelByHand: false,
			context: "none",
			sendsMetadata: false,
		};
		for (const source of [models, chooser, prices]) this.store.add(source.onDidChange(() => this.update()));
		this.update();
	}

	/** The user's draft of the request so far. */
	get draft(): RequestDraft {
		return this.kept;
	}

	/** The models, with why some cannot be chosen. */
	get options(): readonly ModelOption[] {
		return this.offered;
	}

	/** The model that the host would choose, and why. */
	get chosen(): ModelChoice | undefined {
		return this.choice;
	}

	/** The estimated cost of the request, in a line. */
	get estimate(): string {
		return this.line;
	}

	/** Stores the user's draft of the request. False for a draft that does not fit it (UI-06). */
	edit(raw: unknown): boolean {
		const draft = parseDraft(raw, this.texts.places, this.texts.removable);
		if (draft === undefined) return false;
		const { context, revision } = this.kept;
		this.kept = { ...draft, revision };
		if (draft.context !== context) void this.collect(draft.context);
		this.follow.run();
		return true;
	}

	/**
	 * The request with this draft's changes, or what must be changed first. Undefined for a draft that does not fit the
	 * request. A draft of texts that were replaced since, or of a context that was not shown yet, is not sent.
	 */
	prepare(raw: unknown): ReadyRequest | DraftProblem | undefined {
		const draft = parseDraft(raw, this.texts.places, this.texts.removable);
		if (draft === undefined || !this.edit(draft)) return undefined;
		if (draft.context !== this.shownContext) {
			return { problem: "The context is still being collected. Review it, then send.", place: contextPlace };
		}
		if (draft.revision !== this.kept.revision) {
			return { problem: "Texts have changed since they were shown to you. Review them, then send." };
		}
		this.update();
		return this.ready(draft.modelId);
	}

	/** The current request, with the model that the host chose: for a rule that lets it be sent without a review. */
	prepareByRule(): ReadyRequest | DraftProblem {
		return this.ready(this.choice?.model.id ?? "");
	}

	/** Reveals a secret in its places, or hides it again. An unknown name changes nothing. */
	showRedacted(id: unknown, isShown: unknown): void {
		if (typeof id !== "string" || typeof isShown !== "boolean") return;
		const changes = this.texts.show(id, isShown, this.kept.changes);
		if (changes !== undefined) this.load({ changes });
	}

	dispose(): void {
		this.collecting?.abort();
		this.store.dispose();
	}

	private ready(modelId: string): ReadyRequest | DraftProblem {
		const approved = this.read();
		if ("problem" in approved) return approved;
		const { removed } = this.kept;
		const obstacle = obstaclesIn(this.parts.request.messages).find(
			({ place }) => !removed.some((whole) => place === whole || place.startsWith(`${whole}.`)),
		);
		if (obstacle !== undefined) return obstacle;
		const model = this.parts.models.models.find(({ info }) => info.id === modelId);
		const option = this.offered.find(({ id }) => id === modelId);
		if (model === undefined || option === undefined) {
			return { problem: this.offered.length === 0 ? "No model is available." : "Choose a model." };
		}
		if (option.unusable !== undefined) return { problem: `${option.label}: ${option.unusable}. Choose another model.` };
		return {
			model,
			approved,
			inputTokens: estimateRequestTokens(approved.messages, approved.tools),
			why: modelId === this.choice?.model.id ? this.choice.reason : undefined,
			texts: this.texts.recorded(this.kept),
		};
	}

	private read(): ApprovedRequest | DraftProblem {
		const { request, admission } = this.parts;
		const read = readDraft(request, this.texts.originals, this.kept, admission.mostTokens);
		// Only a shown context is sent, regardless of the draft.
		const shown = this.texts.byPlace.get(contextPlace);
		const context = shown && (this.kept.changes[contextPlace] ?? shown.original);
		return "problem" in read || context === undefined || context === "" ? read : withContext(read, context);
	}

	/** Models, choice and estimate for the current draft. */
	private update(): void {
		const { request, asker, models, chooser, prices } = this.parts;
		const read = this.read();
		// While something cannot be read, the models are judged by the request as received.
		const { messages, tools } = "problem" in read ? { messages: request.messages, tools: request.tools } : read;
		this.offered = models.models.map(({ info }) => {
			const unusable = chooser.whyNot(info, asker) ?? whyUnfit(messages, tools, info);
			return { id: info.id, label: `${info.name} · ${info.provider}`, ...(unusable !== undefined && { unusable }) };
		});
		const usable = models.models.flatMap(({ info }, index) =>
			this.offered[index]?.unusable === undefined ? [info] : [],
		);
		const preferences = preferencesOf(request, this.texts.originals, this.kept);
		if (preferences !== undefined) this.choice = chooser.choose(usable, preferences, asker);
		else if (!usable.some(({ id }) => id === this.choice?.model.id)) this.choice = undefined;
		const isThere = this.offered.some(({ id }) => id === this.kept.modelId);
		if (!this.kept.isModelByHand || !isThere) {
			this.kept = { ...this.kept, modelId: this.choice?.model.id ?? "", isModelByHand: false };
		}
		const model = models.models.find(({ info }) => info.id === this.kept.modelId)?.info;
		this.line = estimateLine(read, model, model && prices.of(model));
		this.changed.fire();
	}

	/** Collects the context of a choice and shows it; another choice meanwhile gives this one up (SMP-04). */
	private async collect(choice: ContextChoice): Promise<void> {
		this.collecting?.abort();
		const controller = new AbortController();
		this.collecting = controller;
		let problem: DraftProblem | undefined;
		try {
			const text =
				choice === "none"
					? ""
					: contextText(await this.parts.collectContext(choice, this.parts.asker, controller.signal));
			if (controller.signal.aborted) return;
			await this.texts.setContext(text === "" ? undefined : text, controller.signal);
			if (choice !== "none" && text === "")
				problem = { problem: "There is no context to include.", place: contextPlace };
		} catch (error) {
			if (controller.signal.aborted) return;
			await this.texts.setContext(undefined, controller.signal);
			problem = { problem: `The context could not be collected: ${messageOf(error)}`, place: contextPlace };
		}
		if (controller.signal.aborted) return;
		this.shownContext = problem === undefined ? choice : "none";
		const { [contextPlace]: _ofAnother, ...changes } = this.kept.changes;
		this.load({ changes, context: this.shownContext }, problem);
	}

	private load(change: Partial<RequestDraft>, problem?: DraftProblem): void {
		this.kept = { ...this.kept, ...change, revision: this.kept.revision + 1 };
		this.update();
		this.loaded.fire(problem);
	}
}
