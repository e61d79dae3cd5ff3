import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import { oneLine } from "../../base/text.ts";
import { Decision, type DecisionSubject } from "../../questions/decisions/decision.ts";
import type { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import type { DefinitionWarning, PinState } from "../../permissions/pinning/pin.ts";
import type { DecidedBy } from "../../permissions/policy/verdict.ts";
import { summaryOf } from "./callSummary.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";

/** A call that a model or an app wants made, with arguments that fit the tool's input schema. */
export interface ToolCall {
	/** The id that the model gave it, or the host. */
	readonly callId: string;
	readonly entry: ToolEntry;
	readonly arguments: JsonObject;
	/** The arguments that were corrected by the schema, one line each, by the model: untrusted. */
	readonly repairs?: readonly string[];
	/** The app of the server that wants it; absent when a model or the user does. */
	readonly app?: CallingApp;
	/** Another caller, if it is not a model of our chat. */
	readonly caller?: ForeignCaller;
}

/** An app that calls a tool of its own server, and the place where it is asked about. */
export interface CallingApp {
	/** In our words, with its name: `app "Budget"`. */
	readonly name: string;
	/** Brings it before the user. */
	reveal(): void;
}

/** Who wants calls made from elsewhere than our chat, where the user is asked in another place. */
export interface ForeignCaller {
	/** The owner of a call, in our words, such as `a turn of the editor's agent`. */
	readonly during: string;
	/** The program that makes the call, with its parents, for the activity and the trace; absent if it is not known. */
	readonly client?: string;
	/**
	 * Puts a question among those that wait, and before the user when they want to see it.
	 * @throws RequestRefusal when too many wait already.
	 */
	list(question: ToolQuestion): void;
}

/** The user's decision about one call. */
export type ToolAnswer =
	/**
	 * `grant` describes, in our words, a further permission from now on; `together` how many calls this one answer
	 * allowed.
	 */
	| { readonly kind: "allow"; readonly grant?: string; readonly together?: number }
	| { readonly kind: "edited"; readonly arguments: JsonObject }
	| { readonly kind: "deny"; readonly reason?: string };

/** The notes for the user beside the call itself. */
export interface QuestionNotice {
	/** Why they are asked although they may have allowed it before; undefined when nothing says anything about the call. */
	readonly why: DecidedBy | undefined;
	/** The relation between the tool's definition and the approved one. */
	readonly pin: PinState;
	/** The points that the user should check. */
	readonly warnings: readonly DefinitionWarning[];
}

/** One call put to the user. One decision belongs to one call (TOL-11). */
export interface ToolQuestion {
	readonly call: ToolCall;
	readonly decision: Decision<ToolAnswer>;
	readonly notice: QuestionNotice;
}

/** The questions about the calls of one answer of a model, which may be decided together. Later ones never join. */
export interface QuestionGroup {
	readonly id: string;
	readonly questions: readonly ToolQuestion[];
}

const nothingToSay: QuestionNotice = { why: undefined, pin: { kind: "new" }, warnings: [] };

/** How many questions are remembered, so that the links that stay in a chat can say how they ended; open ones always. */
const mostRemembered = 500;

/**
 * Asks the user about tool calls, regardless of their annotations (TOL-06). VS Code's own confirmation is not used: its
 * first button switches asking off for later calls.
 */
export class ToolApprovals {
	private readonly questions = new Map<string, ToolQuestion>();
	private readonly groups = new Map<string, QuestionGroup>();
	private readonly pending: PendingDecisions;
	private readonly reveal: (question: ToolQuestion) => void;

	/** `reveal` brings the place where a question is asked before the user, without answering it. */
	constructor(pending: PendingDecisions, reveal: (question: ToolQuestion) => void) {
		this.pending = pending;
		this.reveal = reveal;
	}

	/** Asks the user about a call. The decision ends when the signal is aborted or the server disconnects. */
	ask(call: ToolCall, signal: AbortSignal, notice: QuestionNotice = nothingToSay): ToolQuestion {
		const { session, tool } = call.entry;
		const subject: DecisionSubject = {
			kind: "tool",
			server: session.definition.name,
			serverId: session.definition.id,
			title: oneLine(tool.name),
			during: call.app?.name ?? call.caller?.during ?? "your chat turn",
			...((call.app ?? call.caller) === undefined ? {} : { isElsewhere: true }),
			call: summaryOf(call, notice),
		};
		const decision = new Decision<ToolAnswer>(subject, { kind: "deny" });
		const question: ToolQuestion = { call, decision, notice };
		const { app, caller } = call;
		if (caller !== undefined) caller.list(question);
		else this.pending.add(decision, () => (app === undefined ? this.reveal(question) : app.reveal()));
		this.questions.set(decision.id, question);
		this.forget();
		decision.lapseOn(signal);
		const states = session.onDidChangeState((state) => {
			if (state.kind !== "running") decision.lapse("server-gone");
		});
		const lists = session.tools.onDidChange(() => {
			// A list that is being read is incomplete, and without a server there is none.
			if (session.state.kind !== "running" || session.tools.status.kind !== "ready") return;
			// The shown tool is no longer the one that would be called (TOL-24).
			if (call.entry.perform === undefined && !isAsListed(session, tool)) decision.lapse("expired");
		});
		void decision.settled.then(() => [states, lists].forEach((subscription) => subscription.dispose()));
		void decision.settled.then(() => this.lighten(question));
		return question;
	}

	/** Lets the shown questions be decided together, these and no others. */
	group(questions: readonly ToolQuestion[]): QuestionGroup {
		const group: QuestionGroup = { id: crypto.randomUUID(), questions };
		this.groups.set(group.id, group);
		void Promise.all(questions.map(({ decision }) => decision.settled)).then(() => this.groups.delete(group.id));
		return group;
	}

	/** The question of a decision's id, once settled without its arguments; undefined for one that is unknown or long ago. */
	get(decisionId: string): ToolQuestion | undefined {
		return this.questions.get(decisionId);
	}

	/** The group of an id, as long as any of its questions is open. */
	groupOf(id: string): QuestionGroup | undefined {
		return this.groups.get(id);
	}

	/** Forgets those that ended long ago. */
	private forget(): void {
		for (const [id, { decision }] of this.questions) {
			if (this.questions.size <= mostRemembered) break;
			if (decision.outcome !== undefined) this.questions.delete(id);
		}
	}

	/** A settled question's links still find how it ended; potentially large data is not kept for that. */
	private lighten({ call, ...question }: ToolQuestion): void {
		const { id } = question.decision;
		if (this.questions.has(id)) this.questions.set(id, { ...question, call: { ...call, arguments: {} } });
	}
}

/** Whether a server still offers a tool unchanged. */
export function isAsListed({ tools }: Session, tool: Tool): boolean {
	const current = tools.get(tool.name);
	return current === tool || (current !== undefined && canonicalJson(current) === canonicalJson(tool));
}

/** Gives the same answer to every question of a group that is still open; false when none was. */
export function answerAll({ questions }: QuestionGroup, answer: ToolAnswer): boolean {
	const together = questions.filter(({ decision }) => decision.outcome === undefined).length;
	const shared = answer.kind === "allow" && together > 1 ? { ...answer, together } : answer;
	return questions.filter(({ decision }) => decision.answer(shared)).length > 0;
}
