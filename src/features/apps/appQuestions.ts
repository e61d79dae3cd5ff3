import { Emitter, type Event } from "../../base/event.ts";
import { UnseenCount } from "../../questions/decisions/unseenCount.ts";

/**
 * A question to the user that is shown beside an app. Texts are fit to show as plain text; `exact` is everything that
 * would be sent.
 */
export interface AppQuestion {
	readonly heading: string;
	/** The facts about it, one line each. */
	readonly notes: readonly string[];
	readonly warnings: readonly string[];
	readonly exact: string;
	/** From the safe answer to the main one, which is shown first; each closes the question. */
	readonly answers: readonly { readonly answer: string; readonly label: string; readonly hint?: string }[];
	/** The record of it: the app's request, and the answer that allows it. Tool calls are recorded as such. */
	readonly noted?: { readonly action: string; readonly yes: string };
}

/** How a question of an app went on, for the activity. */
export interface AppQuestionStep {
	readonly id: string;
	readonly phase: "asked" | "answered" | "declined" | "lapsed" | "refused";
	readonly action: string;
	/** How many there were by now of what is counted in place of a list. */
	readonly reason?: string;
}

/** A question that is before the user now. */
export interface OpenAppQuestion extends AppQuestion {
	readonly id: string;
	/** How many more wait behind it. */
	readonly behind: number;
}

interface Waiting {
	readonly id: string;
	readonly question: AppQuestion;
	readonly settle: (answer: string | undefined) => void;
	shownAt: number | undefined;
}

/** How many questions of an app may wait for the user at a time. */
const mostWaiting = 20;
/** An earlier answer was meant for the previous content, in milliseconds. */
const settlingMs = 500;

/**
 * The questions of one app, one at a time and in their order. An app knows when a user clicks into it, so a question
 * accepts no answer right after it appears.
 */
export class AppQuestions {
	private readonly waiting: Waiting[] = [];
	private readonly unseen = new UnseenCount();
	private readonly now: () => number;
	private readonly note: (step: AppQuestionStep) => void;
	private readonly changed = new Emitter<void>();
	/** Another question is before the user, or none. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** `now` is a clock in milliseconds; `note` records questions and answers. */
	constructor(now: () => number = () => performance.now(), note: (step: AppQuestionStep) => void = () => undefined) {
		this.now = now;
		this.note = note;
	}

	/** The current question to the user; undefined when there is none. */
	get current(): OpenAppQuestion | undefined {
		const [first] = this.waiting;
		if (first === undefined) return undefined;
		const { noted: _, ...shown } = first.question;
		return { ...shown, id: first.id, behind: this.waiting.length - 1 };
	}

	/**
	 * Asks when its turn comes. Resolves with the answer, or with undefined when the signal ends it first, or when too
	 * many wait already: neither is consent.
	 */
	ask(question: AppQuestion, signal: AbortSignal): Promise<string | undefined> {
		if (signal.aborted) return Promise.resolve(undefined);
		if (this.waiting.length >= mostWaiting) {
			this.refuse(question.noted?.action);
			return Promise.resolve(undefined);
		}
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		const entry: Waiting = { id: crypto.randomUUID(), question, settle: resolve, shownAt: undefined };
		const { noted } = question;
		if (noted !== undefined) {
			const { id } = entry;
			this.note({ id, phase: "asked", action: noted.action });
			const phaseOf = (answer: string | undefined): AppQuestionStep["phase"] =>
				answer === undefined ? "lapsed" : answer === noted.yes ? "answered" : "declined";
			void promise.then((answer) => this.note({ id, phase: phaseOf(answer), action: noted.action }));
		}
		const lapse = (): void => this.end(entry, undefined);
		signal.addEventListener("abort", lapse, { once: true });
		void promise.then(() => signal.removeEventListener("abort", lapse));
		this.waiting.push(entry);
		if (this.waiting.length === 1) entry.shownAt = this.now();
		this.changed.fire();
		return promise;
	}

	/** Writes down that something was refused without a question, unless it is only counted. */
	refuse(action: string | undefined): void {
		const reason = action === undefined ? undefined : this.unseen.add("refused");
		if (action === undefined || reason === undefined) return;
		this.note({ id: crypto.randomUUID(), phase: "refused", action, ...(reason !== "" && { reason }) });
	}

	/** Takes a message of the view, which may be any value; false when it answered nothing. */
	answer(id: unknown, answer: unknown): boolean {
		const [first] = this.waiting;
		if (first === undefined || first.id !== id) return false;
		if (this.now() - (first.shownAt ?? Infinity) < settlingMs) return false;
		const chosen = first.question.answers.find((one) => one.answer === answer);
		if (chosen === undefined) return false;
		this.end(first, chosen.answer);
		return true;
	}

	/** Ends all that wait, without an answer. */
	lapse(): void {
		for (const entry of this.waiting.toReversed()) this.end(entry, undefined);
	}

	private end(entry: Waiting, answer: string | undefined): void {
		const index = this.waiting.indexOf(entry);
		if (index < 0) return;
		this.waiting.splice(index, 1);
		const [first] = this.waiting;
		if (first !== undefined) first.shownAt ??= this.now();
		entry.settle(answer);
		this.changed.fire();
	}
}
