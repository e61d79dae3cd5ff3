import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { Decision, type PendingDecisions } from "../decisions/decision.ts";
import type { ToolEntry } from "./catalog.ts";

/** A call that a model wants made, with arguments that fit the tool's input schema. */
export interface ToolCall {
	/** The id that the model gave it. */
	readonly callId: string;
	readonly entry: ToolEntry;
	readonly arguments: JsonObject;
}

/** What the person says about one call. */
export type ToolAnswer =
	| { readonly kind: "allow" }
	| { readonly kind: "edited"; readonly arguments: JsonObject }
	| { readonly kind: "deny"; readonly reason?: string };

/** One call put to the person. One decision belongs to one call (security.md TOL-11). */
export interface ToolQuestion {
	readonly call: ToolCall;
	readonly decision: Decision<ToolAnswer>;
}

/** How many questions are remembered, so that the links that stay in a chat can say how they ended. */
const mostRemembered = 500;

/**
 * Asks the person about every tool call, whatever its annotations say (spec.md T1, T2). The editor's own confirmation
 * is not used: its first button switches asking off for later calls (editor-harness.md 5).
 */
export class ToolApprovals {
	private readonly questions = new Map<string, ToolQuestion>();
	private readonly pending: PendingDecisions;
	private readonly reveal: (question: ToolQuestion) => void;

	/** `reveal` brings the place where a question is asked before the person, without answering it. */
	constructor(pending: PendingDecisions, reveal: (question: ToolQuestion) => void) {
		this.pending = pending;
		this.reveal = reveal;
	}

	/** Puts a call to the person. The decision lapses when the signal is aborted or the server goes away. */
	ask(call: ToolCall, signal: AbortSignal): ToolQuestion {
		const { session, tool } = call.entry;
		const decision = new Decision<ToolAnswer>({
			kind: "tool",
			server: session.definition.name,
			serverId: session.definition.id,
			title: oneLine(tool.name),
			during: "your chat turn",
		});
		const question: ToolQuestion = { call, decision };
		this.questions.set(decision.id, question);
		const [oldest] = this.questions.keys();
		if (this.questions.size > mostRemembered && oldest !== undefined) this.questions.delete(oldest);
		decision.lapseOn(signal);
		const states = session.onDidChangeState((state) => {
			if (state.kind !== "running") decision.lapse("server-gone");
		});
		void decision.settled.then(() => states.dispose());
		this.pending.add(decision, () => this.reveal(question));
		return question;
	}

	/** The question of a decision's id, pending or settled; undefined for one that is unknown or long ago. */
	get(decisionId: string): ToolQuestion | undefined {
		return this.questions.get(decisionId);
	}
}
