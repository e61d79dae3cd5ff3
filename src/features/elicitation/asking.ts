import type { ActivityNotes, QuestionActivity } from "../../records/activity/journal/entry.ts";
import type { Log } from "../../base/log.ts";
import type { LapseReason, Settled } from "../../questions/decisions/decision.ts";
import { lapseWithRequest, type DecisionQueue, type ShowReason } from "../../questions/decisions/queue.ts";
import { Repetition } from "../../questions/decisions/repetition.ts";
import { UnseenCount } from "../../questions/decisions/unseenCount.ts";
import type { FormAnswer, FormQuestion } from "../../questions/form/formQuestion.ts";
import { FormSession } from "../../questions/form/formSession.ts";
import type { ServerRequestContext, Session } from "../../servers/sessions/session.ts";
import type { InlineEnd, InlinePlace, InlineQuestion, InlineQuestions } from "./inline.ts";

/** The dependencies of asking a user. */
export interface AskingDependencies {
	readonly queue: DecisionQueue;
	readonly inline: InlineQuestions;
	/** Where questions and their ends are recorded. */
	readonly notes?: ActivityNotes;
	readonly log: Log;
	/** The patience of the user with each server; its own by default. */
	readonly repetition?: Repetition;
	/** Brings a form before the user. */
	show(form: FormSession, reason: ShowReason): void;
}

/** A question before it is asked: the form, and its display in a chat. */
export interface Draft extends Omit<InlineQuestion, "form" | "open"> {
	readonly question: FormQuestion;
	/** Ends the question when aborted: the server reports that its subject is done. */
	readonly completed?: AbortSignal;
	/** Gets the form before it is asked. */
	readonly onMade?: (form: FormSession) => void;
}

/** A question that has ended. */
export interface Asked {
	readonly settled: Settled<FormAnswer>;
	/** Says how it ended at the place where it was asked, if that was a chat. */
	readonly report: (end: InlineEnd) => void;
	/** The same for an end without consent. */
	readonly reportRefusal: () => void;
	/** Says there that the visit to a page is over. */
	readonly reportVisited: (host: string) => void;
}

/**
 * Ends without an answer that count as refusals of a question that the user saw. Those of a server that takes its
 * questions back are among them: it would put another panel before the user with each.
 */
const unanswered: ReadonlySet<LapseReason> = new Set(["closed", "cancelled", "stopped"]);

/** A chat turn mentions no more unseen refusals: a server may send any number. */
const mostRefusals = 3;

const declineAll = { id: "decline-all", label: "Decline All from This Server for Now" };

/**
 * Puts the questions of servers to the user: in the chat whose call they belong to, otherwise in a panel; one at a time,
 * and more slowly the more often in a row none of a server's was answered (ELC-05).
 */
export class Asking {
	private readonly deps: AskingDependencies;
	private readonly repetition: Repetition;
	/** The questions that are open, by their server's id: two servers may have the same name. */
	private readonly open = new Map<string, Set<FormSession>>();
	/** How many requests of a server ended unseen, by how and by its id. */
	private readonly unseen = new UnseenCount();
	/** How many refused requests each chat turn mentioned. */
	private readonly reportedRefused = new WeakMap<InlinePlace, number>();
	/** The servers for which each chat turn mentioned that all their questions are declined. */
	private readonly reportedDeclined = new WeakMap<InlinePlace, Set<string>>();

	constructor(deps: AskingDependencies) {
		this.deps = deps;
		this.repetition = deps.repetition ?? new Repetition();
	}

	/** Whether the user has everything declined that this server asks now; if so, the chat in which it asks says it once. */
	declinesUnseen(session: Session, { during }: ServerRequestContext): boolean {
		const { name: server, id } = session.definition;
		if (!this.repetition.isMuted(id)) return false;
		this.reportDeclined(this.deps.inline.placeOf(session, during), server, id);
		const why = "because you declined all requests of this server for now";
		this.noteUnseen(session, { phase: "declined", what: "form", by: "user", reason: why });
		this.deps.log.info(`Elicitation of ${server} declined: the user declined all requests for now`);
		return true;
	}

	/** Says in the chat whose call it belongs to that a request was refused, and why: to the user nothing was shown of it. */
	reportRefused(session: Session, { during }: ServerRequestContext, why: string, url?: string): void {
		const { name: server } = session.definition;
		const what = url === undefined ? "form" : "page";
		this.noteUnseen(session, { phase: "refused", what, by: "host", reason: why });
		const place = this.deps.inline.placeOf(session, during);
		const reported = place === undefined ? mostRefusals : (this.reportedRefused.get(place) ?? 0);
		if (place === undefined || reported >= mostRefusals) return;
		this.reportedRefused.set(place, reported + 1);
		place.show({ type: "refused", server, why, ...(url !== undefined && { url }) });
	}

	/**
	 * Asks and waits for the end.
	 * @throws RequestRefusal `limit` when too many questions of the server wait already.
	 */
	async ask(session: Session, context: ServerRequestContext, draft: Draft): Promise<Asked> {
		const { name, id } = session.definition;
		const place = this.deps.inline.placeOf(session, context.during);
		const form = new FormSession(this.complete(id, draft.question, place !== undefined));
		draft.onMade?.(form);
		const stage = new Stage(this.deps, place, { ...draft, form, open: () => this.deps.show(form, "asked") });
		lapseWithRequest(form.decision, session, context.signal);
		const { id: decision, subject } = form.decision;
		const what = subject.kind === "url" ? "page" : "form";
		const { during, exchange } = context;
		const asked = { ...(during === undefined ? {} : { during }), ...(exchange === undefined ? {} : { exchange }) };
		const noted = { id: decision, what, ...asked } as const;
		this.note(session, { ...noted, phase: "asked", by: "server" });
		if (draft.completed !== undefined) form.decision.lapseOn(draft.completed, "completed");
		const settled = await this.waitFor(form, id, stage);
		this.deps.log.info(
			`Elicitation of ${name} ended: ${settled.by === "user" ? settled.answer.action : settled.reason}`,
		);
		return {
			settled,
			report: (end) => {
				this.note(session, { ...noted, ...stepOf(end) });
				stage.report(end);
			},
			reportRefusal: () => {
				const end = this.refusalOf(id, settled);
				this.note(session, { ...noted, ...stepOf(end) });
				stage.report(end);
			},
			reportVisited: (host) => stage.reportVisited(host),
		};
	}

	private note({ definition }: Session, step: Omit<QuestionActivity, "kind" | "server" | "serverId">): void {
		this.deps.notes?.note({ kind: "question", server: definition.name, serverId: definition.id, ...step });
	}

	/** Records requests that the user did not see, unless they are only counted. */
	private noteUnseen(
		session: Session,
		{ reason = "", ...step }: Omit<QuestionActivity, "kind" | "server" | "serverId" | "id">,
	): void {
		const many = this.unseen.add(`${step.phase} ${session.definition.id}`);
		if (many === undefined) return;
		this.note(session, { id: crypto.randomUUID(), ...step, reason: [reason, many].filter(Boolean).join("; ") });
	}

	private reportDeclined(place: InlinePlace | undefined, server: string, id: string): void {
		if (place === undefined) return;
		const reported = this.reportedDeclined.get(place) ?? new Set();
		this.reportedDeclined.set(place, reported);
		if (reported.has(id)) return;
		reported.add(id);
		place.show({ type: "declined", server });
	}

	private async waitFor(form: FormSession, server: string, stage: Stage): Promise<Settled<FormAnswer>> {
		const forms = this.open.get(server) ?? new Set();
		this.open.set(server, forms);
		forms.add(form);
		try {
			const { place } = stage;
			const heldMs = this.repetition.holdMs(server);
			let isShown = false;
			const show = (reason: ShowReason): void => {
				isShown = true;
				stage.show(reason);
			};
			this.deps.queue.enter(form.decision, show, { heldMs, ...(place && { place }) });
			const settled = await form.decision.settled;
			const isRefusal =
				settled.by === "user" ? settled.answer.action !== "accept" : isShown && unanswered.has(settled.reason);
			if (settled.by === "user" || isRefusal) this.repetition.note(server, isRefusal);
			return settled;
		} finally {
			forms.delete(form);
			// One that could not even wait.
			form.decision.lapse("cancelled");
		}
	}

	private refusalOf(server: string, settled: Settled<FormAnswer>): InlineEnd {
		if (settled.by === "lapse") return { kind: "lapsed", reason: settled.reason };
		if (settled.answer.action !== "decline") return { kind: "cancelled" };
		return { kind: "declined", isForAll: this.repetition.isMuted(server) };
	}

	/** A question with the members of every server's question. */
	private complete(server: string, question: FormQuestion, isInline: boolean): FormQuestion {
		const offered = this.repetition.isRepeated(server) ? [declineAll] : [];
		return {
			...question,
			subject: { ...question.subject, ...(isInline ? { isInline } : {}) },
			actions: () => [...(question.actions?.() ?? []), ...offered],
			act: (id) => (id === declineAll.id ? this.decline(server) : question.act?.(id)),
		};
	}

	private decline(server: string): void {
		this.repetition.mute(server);
		for (const form of this.open.get(server) ?? []) {
			form.decline();
			// Where nothing can be declined.
			form.cancel();
		}
	}
}

/** How a question ended, in the journal's words. Nothing of an answer is recorded. */
function stepOf(end: InlineEnd): Pick<QuestionActivity, "phase" | "by" | "reason"> {
	switch (end.kind) {
		case "answered":
			return { phase: "answered", by: "user" };
		case "opened":
			return { phase: "opened", by: "user" };
		case "not-opened":
			return { phase: "lapsed", by: "user", reason: "the page was not opened" };
		case "continued":
			return { phase: "answered", by: "user", reason: "done at the page" };
		case "declined":
			return {
				phase: "declined",
				by: "user",
				...(end.isForAll ? { reason: "with all current requests of this server" } : {}),
			};
		case "cancelled":
			return { phase: "dismissed", by: "user" };
		case "lapsed":
			return { phase: "lapsed", reason: end.reason };
	}
}

/** Where one question is asked: in its chat, otherwise in a panel. */
class Stage {
	private readonly deps: AskingDependencies;
	private readonly chat: InlinePlace | undefined;
	private readonly question: InlineQuestion;
	/** Whether it is shown in the chat by now. */
	private isInline = false;

	constructor(deps: AskingDependencies, chat: InlinePlace | undefined, question: InlineQuestion) {
		this.deps = deps;
		this.chat = chat;
		this.question = question;
	}

	/** The place in the queue that its questions have for themselves. */
	get place(): string | undefined {
		return this.chat?.id;
	}

	show(reason: ShowReason): void {
		const { question, chat } = this;
		if (chat === undefined || reason === "asked") return this.deps.show(question.form, reason);
		this.isInline = true;
		this.deps.inline.add(question);
		chat.show({ type: "asked", question });
		this.followActions(question.form);
	}

	report(end: InlineEnd): void {
		if (this.isInline) this.chat?.show({ type: "ended", question: this.question, end });
	}

	reportVisited(host: string): void {
		const { server } = this.question.form.decision.subject;
		if (this.isInline) this.chat?.show({ type: "visited", server, host });
	}

	/** Written links cannot be removed: when others are offered, they are written again. */
	private followActions(form: FormSession): void {
		let shown = actionsOf(form);
		const subscription = form.onDidChange(() => {
			const offered = actionsOf(form);
			if (form.decision.outcome !== undefined || offered === shown) return;
			shown = offered;
			this.chat?.show({ type: "changed", question: this.question });
		});
		void form.decision.settled.then(() => subscription.dispose());
	}
}

/** The actions offered now, to detect whether they changed. */
function actionsOf({ question }: FormSession): string {
	return (question.actions?.() ?? []).map(({ id }) => id).join();
}
