import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { CallPlaceSize } from "../../questions/decisions/decision.ts";
import type { PendingDecision, PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import type { SteadyList } from "../../questions/decisions/steadyList.ts";
import type { DecisionLinks } from "./decide.ts";

/** The action of a key or an icon on a waiting call. */
export type WaitingAction = "allow" | "deny" | "edit";

/** The dependencies of answering by keys. */
export interface WaitingAnswersDependencies {
	readonly pending: Pick<PendingDecisions, "all">;
	/** In how many chats `@mcp` is running. */
	readonly turns: () => number;
	readonly steady: Pick<SteadyList, "isSteady">;
	readonly links: Pick<DecisionLinks, "follow">;
	/** The question of the row that has the focus of the keyboard. */
	readonly focusedRow: () => Promise<PendingDecision | undefined>;
	/** Shows all that waits. */
	readonly showList: () => unknown;
	/** Briefly shows a key's decision in a chat: the user may be reading another chat. */
	readonly say: (words: string) => unknown;
}

/** The argument of a key binding in the pending list, to distinguish it from one in the chat. */
const inList = "list";

const tooSoon =
	"Nothing was decided, because this request has just appeared or moved. Read it, then press the key again.";
const ended = "This request has already ended.";

/**
 * Answers waiting decisions by keys and by the icons of rows (UI-20). A key decides only what the user can have read:
 * in the chat the one question that waits there, in the list the focused row, each only after it was unchanged for a
 * moment. VS Code does not report in which chat a key was pressed: with several running chats, it decides none. A call
 * that must be seen in full (see `CallSummary`) is opened instead of being allowed; so is everything that is not a tool
 * call.
 */
export class WaitingAnswers {
	private readonly deps: WaitingAnswersDependencies;

	constructor(deps: WaitingAnswersDependencies) {
		this.deps = deps;
	}

	/**
	 * Runs the action, for the row, or where a key was pressed: the argument of a command, which may be any value.
	 * Returns the text for the user, if any. May throw.
	 */
	async answer(action: WaitingAction, argument: unknown): Promise<string | undefined> {
		const { all } = this.deps.pending;
		if (argument === inList) {
			const row = await this.deps.focusedRow();
			return row === undefined ? undefined : this.decide(row, action, "row");
		}
		if (isJsonObject(argument)) {
			const row = all.find(({ id }) => id === argument["id"]);
			return row === undefined ? ended : this.decide(row, action, "row");
		}
		const waiting = all.filter(({ subject }) => subject.kind !== "start");
		const inChat = waiting.filter(
			({ subject }) => subject.isElsewhere !== true && (subject.call !== undefined || subject.isInline === true),
		);
		const [next, ...others] = inChat.length > 0 ? inChat : waiting;
		if (next === undefined) return "No requests are waiting for you.";
		if (others.length > 0 || this.deps.turns() > 1) {
			await this.deps.showList();
			return undefined;
		}
		return this.decide(next, action, "chat");
	}

	/** `place`: where the user saw the question. */
	private async decide(
		decision: PendingDecision,
		action: WaitingAction,
		place: "row" | "chat",
	): Promise<string | undefined> {
		const { call, isElsewhere } = decision.subject;
		// A question that is shown elsewhere, such as beside its app, was not read in the chat in which a key was pressed.
		if (isElsewhere === true ? place === "chat" : action !== "deny" && call === undefined) {
			decision.reveal();
			return undefined;
		}
		if (action !== "edit" && !this.deps.steady.isSteady(decision.id)) return tooSoon;
		if (call === undefined) {
			if (!decision.canRefuse) decision.reveal();
			else if (!decision.refuse()) return ended;
			return undefined;
		}
		// The form shows all of it, and has an answer of its own.
		const isSeen = action !== "allow" || sizes.indexOf(call.fitsIn) <= sizes.indexOf(place);
		const told = await this.deps.links.follow(decision.id, isSeen ? action : "edit");
		if (told === undefined && place === "chat" && isSeen && action !== "edit") {
			const { title, server } = decision.subject;
			this.deps.say(`${action === "allow" ? "Allowed" : "Denied"}: ${title} of ${oneLine(server, 60)}`);
		}
		return told;
	}
}

const sizes: readonly CallPlaceSize[] = ["row", "chat", "form"];
