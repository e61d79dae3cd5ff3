import type { Disposable as Opened } from "../base/lifecycle.ts";
import type { InlineEvent, InlinePlace, InlineQuestions } from "../elicitation/inline.ts";
import type { TurnClock } from "./turnClock.ts";
import type { TurnEvent } from "./turnEvents.ts";

/**
 * Lets servers ask at its place in a turn's stream what they ask while calls of the turn run. The turn's clock stands
 * still while the person is asked.
 */
export class TurnQuestions implements Disposable {
	private readonly questions: InlineQuestions;
	private readonly place: InlinePlace;
	/** The calls that run now, by the ids of their places in the turn. */
	private readonly calls = new Map<string, Opened>();
	private isOver = false;

	/** `show` writes to the turn's stream; it is not called any more after the disposal. */
	constructor(questions: InlineQuestions, show: (event: InlineEvent) => void, clock?: TurnClock) {
		this.questions = questions;
		this.place = {
			id: crypto.randomUUID(),
			show: (event) => {
				if (this.isOver) return;
				if (event.type === "asked" && clock !== undefined) {
					const pause = clock.pause();
					void event.question.form.decision.settled.then(() => pause.dispose());
				}
				show(event);
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

	private close(id: string): void {
		this.calls.get(id)?.dispose();
		this.calls.delete(id);
	}
}
