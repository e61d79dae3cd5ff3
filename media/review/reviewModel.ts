import type {
	CompletionDraft,
	CompletionView,
	ContextChoice,
	ModelOption,
	ReviewPlace,
	RequestDraft,
	ReviewDocument,
	ReviewField,
	ReviewState,
} from "../../src/features/sampling/review/reviewProtocol.ts";
import {
	completionEdits,
	type Edit,
	mergeLoaded,
	requestEdits,
	textAt,
	withoutEdits,
	withRemoved,
	withText,
} from "./edits.ts";

/** The user's decisions, as they are sent to the host. Each ends when the host has received it. */
export interface ReviewHost {
	edit(draft: RequestDraft): Promise<unknown>;
	editCompletion(draft: CompletionDraft): Promise<unknown>;
	approve(draft: RequestDraft): Promise<unknown>;
	answerByHand(): Promise<unknown>;
	stop(): Promise<unknown>;
	showAttempt(attempt: number): Promise<unknown>;
	returnToServer(draft: CompletionDraft): Promise<unknown>;
	reject(reason: string): Promise<unknown>;
	denyAll(): Promise<unknown>;
	showRedacted(id: string, isShown: boolean): Promise<unknown>;
}

/** Which half of the review something belongs to. */
export type Stage = "request" | "completion";

/**
 * The panel's content, with the user's changes so far. The host has all of it; the latest typing is only here, and is
 * sent before any decision.
 */
export class ReviewModel {
	private readonly host: ReviewHost;
	private readonly update: () => void;
	private loaded: ReviewDocument;
	private current: ReviewState;
	private request: RequestDraft;
	private shown: CompletionView | undefined;
	private readonly requests: Outbox<RequestDraft>;
	private readonly completions: Outbox<CompletionDraft>;
	private isDeciding = false;

	/** `update` is called whenever the content changes. */
	constructor(document: ReviewDocument, host: ReviewHost, update: () => void) {
		this.host = host;
		this.update = update;
		this.loaded = document;
		this.current = document.state;
		this.request = document.draft;
		this.requests = outbox((draft) => host.edit(draft));
		this.completions = outbox((draft) => host.editCompletion(draft));
		this.takeCompletion();
	}

	get document(): ReviewDocument {
		return this.loaded;
	}

	get state(): ReviewState {
		return this.current;
	}

	get draft(): RequestDraft {
		return this.request;
	}

	/** The completion under review, or the last one once the review has ended. */
	get completion(): CompletionView | undefined {
		return this.shown;
	}

	get isOver(): boolean {
		return this.current.step.kind === "done";
	}

	/** Nothing can be edited while the model answers, nor once the review has ended. */
	get isReadonly(): boolean {
		return this.isOver || this.current.step.kind === "generating";
	}

	/** The subject of the user's decision now. */
	get stage(): Stage {
		const { kind } = this.current.step;
		return kind === "request" || (kind === "done" && this.shown === undefined) ? "request" : "completion";
	}

	/** The model for the request: the user's choice as long as it exists, otherwise the host's. */
	get model(): ModelOption | undefined {
		const { models, chosen } = this.current;
		const byId = (id: string | undefined): ModelOption | undefined => models.find((model) => model.id === id);
		return (this.request.isModelByHand ? byId(this.request.modelId) : undefined) ?? byId(chosen?.id);
	}

	get canSend(): boolean {
		return !this.isReadonly && this.model !== undefined && this.model.unusable === undefined;
	}

	/** The edited parts of one half of the review, in reading order. */
	editsOf(stage: Stage): readonly Edit[] {
		if (stage === "request") return requestEdits(this.loaded, this.request);
		return this.shown === undefined ? [] : completionEdits(this.shown, this.shown.draft);
	}

	/** The text of a field as the user left it. */
	textOf(stage: Stage, field: ReviewField): string {
		return textAt(field, this.draftOf(stage));
	}

	isRemoved(stage: Stage, place: ReviewPlace): boolean {
		return this.draftOf(stage).removed.includes(place);
	}

	setText(stage: Stage, field: ReviewField, text: string): void {
		if (stage === "request") this.edit(withText(this.request, field, text));
		else this.editCompletion((draft) => withText(draft, field, text));
	}

	setRemoved(stage: Stage, place: ReviewPlace, isRemoved: boolean): void {
		if (stage === "request") this.edit(withRemoved(this.request, place, isRemoved));
		else this.editCompletion((draft) => withRemoved(draft, place, isRemoved));
	}

	resetAll(stage: Stage): void {
		if (stage === "request") this.edit(withoutEdits(this.request));
		else this.editCompletion(withoutEdits);
	}

	chooseModel(modelId: string): void {
		this.edit({ ...this.request, modelId, isModelByHand: true });
		this.requests.flush();
	}

	/** The host shows the context that would be sent, in a text that it loads. */
	chooseContext(context: ContextChoice): void {
		this.edit({ ...this.request, context });
		this.requests.flush();
	}

	setSendsMetadata(sendsMetadata: boolean): void {
		this.edit({ ...this.request, sendsMetadata });
	}

	/** Hands over everything that was edited. */
	flush(): void {
		this.requests.flush();
		this.completions.flush();
	}

	approve(modelId?: string): void {
		if (this.isReadonly) return;
		if (modelId !== undefined) this.chooseModel(modelId);
		if (this.canSend) this.decide(() => this.host.approve(this.withModel()));
	}

	returnToServer(): void {
		const { shown } = this;
		if (this.current.step.kind !== "completion" || shown === undefined) return;
		this.decide(() => this.host.returnToServer(shown.draft));
	}

	answerByHand(): void {
		if (this.current.step.kind === "request") this.decide(() => this.host.answerByHand());
	}

	stop(): void {
		if (this.current.step.kind === "generating") this.decide(() => this.host.stop());
	}

	showAttempt(attempt: number): void {
		if (this.current.step.kind === "completion") this.decide(() => this.host.showAttempt(attempt));
	}

	reject(reason: string): void {
		if (!this.isOver) this.decide(() => this.host.reject(reason));
	}

	denyAll(): void {
		if (!this.isOver) this.decide(() => this.host.denyAll());
	}

	showRedacted(id: string, isShown: boolean): void {
		if (!this.isReadonly) this.decide(() => this.host.showRedacted(id, isShown));
	}

	/** Takes the state of the review. For a completion that is under review already, the user's own text stays. */
	show(state: ReviewState): void {
		this.current = state;
		this.takeCompletion();
		this.update();
	}

	/** Takes changed texts. Text that was typed meanwhile is kept, and sent again. */
	load(document: ReviewDocument): void {
		const isSettled = this.requests.isSettled;
		const draft = isSettled ? document.draft : mergeLoaded(this.request, this.loaded, document);
		this.loaded = document;
		this.current = document.state;
		this.request = draft;
		if (!isSettled) this.requests.put(this.withModel());
		this.takeCompletion();
		this.update();
	}

	private draftOf(stage: Stage): RequestDraft | CompletionDraft {
		return stage === "completion" && this.shown !== undefined ? this.shown.draft : this.request;
	}

	private withModel(): RequestDraft {
		return { ...this.request, modelId: this.model?.id ?? "" };
	}

	private edit(draft: RequestDraft): void {
		if (this.isReadonly) return;
		this.request = draft;
		this.requests.put(this.withModel());
		this.update();
	}

	private editCompletion(change: (draft: CompletionDraft) => CompletionDraft): void {
		if (this.shown === undefined || this.current.step.kind !== "completion") return;
		this.shown = { ...this.shown, draft: change(this.shown.draft) };
		this.completions.put(this.shown.draft);
		this.update();
	}

	private takeCompletion(): void {
		const { step } = this.current;
		if (step.kind !== "completion" && step.kind !== "done") return;
		const { completion } = step;
		if (completion !== undefined && completion.attempt !== this.shown?.attempt) this.shown = completion;
	}

	/** One decision at a time: a click before the host has the last one is not intended. */
	private decide(tell: () => Promise<unknown>): void {
		if (this.isDeciding) return;
		this.isDeciding = true;
		this.flush();
		const arrived = (): void => {
			this.isDeciding = false;
		};
		tell().then(arrived, arrived);
	}
}

/** How long edits are gathered after one was sent to the host, in milliseconds: a long text is expensive to send. */
const gatheringMs = { short: 150, long: 1000 };
const longDraft = 100_000;

/** A draft on its way to the host, which keeps it when this view is hidden. */
export interface Outbox<Draft> {
	/** Sends a draft now, or, when it is long or one has just been sent, soon, unless another one takes its place. */
	put(draft: Draft): void;
	/** Sends pending edits now, before a decision or before the view may be closed. */
	flush(): void;
	/** Whether the host has everything: only then is its state newer than this one. */
	readonly isSettled: boolean;
}

/** Makes an outbox. `send` ends when the host has the draft; one that fails counts as ended. */
export function outbox<Draft extends { readonly changes: Readonly<Record<string, string>> }>(
	send: (draft: Draft) => Promise<unknown>,
): Outbox<Draft> {
	let waiting: Draft | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let underWay = 0;
	const arrived = (): void => void underWay--;
	const flush = (): void => {
		const draft = waiting;
		waiting = undefined;
		if (draft === undefined) return;
		rest(sizeOf(draft) > longDraft ? gatheringMs.long : gatheringMs.short);
		underWay++;
		send(draft).then(arrived, arrived);
	};
	const rest = (milliseconds: number): void => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			timer = undefined;
			flush();
		}, milliseconds);
	};
	return {
		put: (draft) => {
			waiting = draft;
			if (timer !== undefined) return;
			if (sizeOf(draft) > longDraft) rest(gatheringMs.long);
			else flush();
		},
		flush,
		get isSettled() {
			return waiting === undefined && underWay === 0;
		},
	};
}

function sizeOf({ changes }: { readonly changes: Readonly<Record<string, string>> }): number {
	return Object.values(changes).reduce((size, text) => size + text.length, 0);
}
