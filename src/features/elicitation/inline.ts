import type { JsonObject } from "../../base/json.ts";
import { toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { LapseReason } from "../../questions/decisions/decision.ts";
import type { FormSession } from "../../questions/form/formSession.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { FormContent } from "./validate.ts";
import type { QuickAnswer } from "./quickAnswers.ts";

/** A question of a server that a chat turn shows at its place in the stream. */
export interface InlineQuestion {
	readonly form: FormSession;
	/** A summary of the form, line by line. Untrusted text. */
	readonly fields: readonly string[];
	/** The answers that need no form. */
	readonly answers: readonly QuickAnswer[];
	/** Whether there are other answers than those. */
	readonly needsForm: boolean;
	/** The values that an answer would send; undefined if only consent is sent. */
	readonly contentOf: (value: JsonObject) => FormContent | undefined;
	/** Brings the form before the user, who asked for it. */
	readonly open: () => void;
}

/** How a question ended, as far as the user is concerned. */
export type InlineEnd =
	/** `hidden` are the names of values that look secret and are not repeated. */
	| { readonly kind: "answered"; readonly content: FormContent; readonly hidden: readonly string[] }
	/** A page was opened, by the user themselves perhaps; or it could not be. */
	| { readonly kind: "opened"; readonly isByHand: boolean }
	| { readonly kind: "not-opened" }
	/** The user is done at a page. */
	| { readonly kind: "continued" }
	| { readonly kind: "declined"; readonly isForAll: boolean }
	| { readonly kind: "cancelled" }
	| { readonly kind: "lapsed"; readonly reason: LapseReason };

/** The events for a place in a chat, in order. */
export type InlineEvent =
	| { readonly type: "asked"; readonly question: InlineQuestion }
	/** Other actions are offered than before. */
	| { readonly type: "changed"; readonly question: InlineQuestion }
	| { readonly type: "ended"; readonly question: InlineQuestion; readonly end: InlineEnd }
	/** A question was declined unseen, because the user declined all for now. */
	| { readonly type: "declined"; readonly server: string }
	/** A request was invalid and was not shown: why, and the URL that was not opened. Untrusted text. */
	| { readonly type: "refused"; readonly server: string; readonly why: string; readonly url?: string }
	/** The server reports that the user's visit to a page is done. */
	| { readonly type: "visited"; readonly server: string; readonly host: string };

/** Where a turn shows a server's questions while the turn's call runs there. */
export interface InlinePlace {
	readonly id: string;
	show(event: InlineEvent): void;
}

/** How many questions are remembered, so that the links that stay in a chat can say how they ended. */
const mostRemembered = 500;

/** The questions that are asked in chats, and the places where they are. */
export class InlineQuestions {
	private readonly places = new Set<{
		readonly session: Session;
		readonly during: string;
		readonly place: InlinePlace;
	}>();
	private readonly questions = new Map<string, InlineQuestion | string>();

	/**
	 * Opens a place for a server's questions during a call, such as `tools/call bookHotel`. Disposing stops further
	 * questions; those that were asked there still end there.
	 */
	open(session: Session, during: string, place: InlinePlace): Disposable {
		const entry = { session, during, place };
		this.places.add(entry);
		return toDisposable(() => this.places.delete(entry));
	}

	/**
	 * The place for a server's questions during a call, or during several that all belong to one place. None when other
	 * calls run there as well: servers of revisions before 2026-07-28 do not report which call a question is for.
	 */
	placeOf(session: Session, during: string | undefined): InlinePlace | undefined {
		const entries = Array.from(this.places).filter((one) => one.session === session);
		const [place, ...others] = new Set(entries.map((entry) => entry.place));
		if (place === undefined || others.length > 0 || during === undefined) return undefined;
		const known = new Set(entries.map((entry) => entry.during));
		return inOrder([...known].join(", ")) === inOrder(during) ? place : undefined;
	}

	/** Remembers a question, so that its links find it; once it has ended, only how. */
	add(question: InlineQuestion): void {
		const { id, settled } = question.form.decision;
		this.questions.set(id, question);
		void settled.then(() => this.forget(question));
		const [oldest] = this.questions.keys();
		if (this.questions.size > mostRemembered && oldest !== undefined) this.questions.delete(oldest);
	}

	/** The open question of a decision's id, or in a sentence how it ended; undefined when it is unknown or long ago. */
	get(decisionId: string): InlineQuestion | string | undefined {
		return this.questions.get(decisionId);
	}

	private forget({ form: { decision, state } }: InlineQuestion): void {
		if (state.end !== undefined && this.questions.has(decision.id)) this.questions.set(decision.id, state.end);
	}
}

/** A list of calls as a text that is equal for those in another order. */
function inOrder(calls: string): string {
	return calls.split(", ").toSorted().join(", ");
}
