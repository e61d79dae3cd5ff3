import type { Disposable as Opened } from "../base/lifecycle.ts";
import type { InlineEvent, InlinePlace, InlineQuestions } from "../elicitation/inline.ts";
import type { TurnEvent } from "./turn.ts";

/** Lets servers ask at its place in a turn's stream what they ask while a call of the turn runs. */
export class TurnQuestions implements Disposable {
	private readonly questions: InlineQuestions;
	private readonly place: InlinePlace;
	private call: Opened | undefined;
	private isOver = false;

	/** `show` writes to the turn's stream; it is not called any more after the disposal. */
	constructor(questions: InlineQuestions, show: (event: InlineEvent) => void) {
		this.questions = questions;
		this.place = {
			id: crypto.randomUUID(),
			show: (event) => {
				if (!this.isOver) show(event);
			},
		};
	}

	/** Follows the turn: the place is open while a call of it runs. */
	follow(event: TurnEvent): void {
		if (event.type === "finished") this.close();
		if (event.type !== "call" || event.event.type !== "decided") return;
		const { question, settled } = event.event;
		if (settled.by !== "person" || settled.answer.kind === "deny") return;
		const { session, tool } = question.call.entry;
		this.call = this.questions.open(session, `tools/call ${tool.name}`, this.place);
	}

	/** The turn is over: nothing can be shown any more. */
	[Symbol.dispose](): void {
		this.isOver = true;
		this.close();
	}

	private close(): void {
		this.call?.dispose();
		this.call = undefined;
	}
}
