import type { Disposable as Opened } from "../../base/lifecycle.ts";
import type { InlineEvent, InlinePlace, InlineQuestion, InlineQuestions } from "../../features/elicitation/inline.ts";
import type { TurnClock } from "./turnClock.ts";
import type { TurnEvent } from "./turnEvents.ts";

type AskedEvent = Extract<InlineEvent, { type: "asked" }>;

/**
 * Shows servers' questions at their place in a turn's stream while calls of the turn run. The turn's clock is paused
 * while the user is asked.
 */
export class TurnQuestions implements Disposable {
	private readonly questions: InlineQuestions;
	private readonly place: InlinePlace;
	/** The calls that run now, by the ids of their places in the turn. */
	private readonly calls = new Map<string, Opened>();
	private readonly show: (event: InlineEvent) => void;
	/** The question that was shown last, until its end is shown, too. */
	private latest: InlineQuestion | undefined;
	private readonly held: AskedEvent[] = [];
	private isOver = false;

	/** `show` writes to the turn's stream; it is not called any more after the disposal. */
	constructor(questions: InlineQuestions, show: (event: InlineEvent) => void, clock?: TurnClock) {
		this.questions = questions;
		this.show = show;
		this.place = {
			id: crypto.randomUUID(),
			show: (event) => {
				if (event.type === "asked" && clock !== undefined) {
					const pause = clock.pause();
					void event.question.form.decision.settled.then(() => pause.dispose());
				}
				// The next question arrives as soon as this one is settled, a moment before its end is shown.
				if (event.type === "asked" && this.isEnding) {
					this.held.push(event);
					setImmediate(() => this.release());
					return;
				}
				if (event.type !== "asked" && "question" in event && this.held.some((one) => one.question === event.question))
					this.release();
				this.report(event);
			},
		};
	}

	/** Follows the turn: the place is open while calls of it run. */
	follow(event: TurnEvent): void {
		if (event.type === "finished") this.close(event.place.id);
		if (event.type !== "call" || event.event.type !== "started") return;
		const { session, tool } = event.event.run.call.entry;
		this.calls.set(event.place.id, this.questions.open(session, `tools/call ${tool.name}`, this.place));
	}

	/** The turn is over: nothing can be shown any more. */
	[Symbol.dispose](): void {
		this.isOver = true;
		for (const id of this.calls.keys()) this.close(id);
	}

	/** Whether a question of a server is in the turn and its end is not shown yet. */
	get isAsking(): boolean {
		return this.latest !== undefined;
	}

	/** Whether a question was answered, but its end is not shown below it yet. */
	private get isEnding(): boolean {
		return this.latest?.form.decision.outcome !== undefined;
	}

	private release(): void {
		for (const event of this.held.splice(0)) this.report(event);
	}

	private report(event: InlineEvent): void {
		if (event.type === "asked") this.latest = event.question;
		else if (event.type === "ended" && event.question === this.latest) this.latest = undefined;
		if (!this.isOver) this.show(event);
	}

	private close(id: string): void {
		this.calls.get(id)?.dispose();
		this.calls.delete(id);
	}
}
