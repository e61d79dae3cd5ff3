import { oneLine } from "../../base/text.ts";
import { answerWith, argumentsForm, type DecisionHelp, type DecisionLinks } from "../chat/decide.ts";
import { type DecisionQueue, type ShowReason, unasked } from "../../questions/decisions/queue.ts";
import { editQuestion } from "../../questions/form/formQuestion.ts";
import { FormSession } from "../../questions/form/formSession.ts";
import type { ForeignCaller, ToolQuestion } from "../../features/tools/approval.ts";

/** The dependencies of asking about the calls of other agents. */
export interface GuestQuestionServices {
	readonly queue: Pick<DecisionQueue, "enter">;
	readonly showForm: (session: FormSession, reason: ShowReason) => void;
	/** Whose rules changed arguments have to pass. */
	readonly policy: DecisionHelp["policy"];
	/** The options that allow more than the one call. */
	readonly links: Pick<DecisionLinks, "follow">;
}

/** The agent that wants calls made, in our words. */
export interface AskingAgent {
	/** Begins the heading: `VS Code's agent`. */
	readonly name: string;
	/** The owner of a call. */
	readonly during: string;
	/** The program behind it, for the activity and the trace; absent for an agent of VS Code. */
	readonly client?: string;
}

const editorAgent: AskingAgent = { name: "VS Code's agent", during: "a turn of VS Code's agent" };

/**
 * Asks about the calls of other agents: each is a row of the pending list, announced as servers' independent questions,
 * and opens in a form with all of its arguments. Closing the form answers nothing (GST-03).
 */
export function guestQuestions(
	{ queue, showForm, policy, links }: GuestQuestionServices,
	agent: AskingAgent = editorAgent,
): ForeignCaller {
	const open = new WeakMap<ToolQuestion, FormSession>();
	return {
		during: agent.during,
		...(agent.client === undefined ? {} : { client: agent.client }),
		list(question) {
			const show = (reason: ShowReason): void => {
				if (reason !== "asked") return;
				const before = open.get(question);
				const session = before?.decision.outcome === undefined ? before : undefined;
				const shown = session ?? formOf(question, agent, policy, links);
				open.set(question, shown);
				showForm(shown, "asked");
			};
			queue.enter(question.decision, show, { place: unasked });
		},
	};
}

/** The form of a question, which ends with it. */
function formOf(
	question: ToolQuestion,
	agent: AskingAgent,
	policy: GuestQuestionServices["policy"],
	links: GuestQuestionServices["links"],
): FormSession {
	const { call, decision } = question;
	const { session, tool } = call.entry;
	const form = argumentsForm(question, policy);
	const controller = new AbortController();
	const asked = new FormSession({
		...editQuestion({ ...form, submitLabel: "Allow Once", isRisky: true, signal: controller.signal }),
		heading: `${agent.name} wants to call ${oneLine(tool.name, 80)} of ${oneLine(session.definition.name, 60)}`,
		tabTitle: `Call ${oneLine(tool.name, 50)}?`,
		canDecline: true,
		// The common text of every question about a call (GST-03).
		declineLabel: "Deny",
		actions: () => [{ id: "always", label: "Always…" }],
		act: async (id) => {
			if (id === "always") await links.follow(decision.id, "always");
		},
	});
	asked.decision.lapseOn(controller.signal);
	const take = async (): Promise<void> => {
		const settled = await asked.decision.settled;
		if (settled.by === "lapse" || settled.answer.action === "cancel") return;
		if (settled.answer.action === "decline") decision.answer({ kind: "deny" });
		else decision.answer(answerWith(question, settled.answer.value));
	};
	const follow = async (): Promise<void> => {
		// A user who answered it elsewhere needs no form about its end.
		if ((await decision.settled).by === "user") asked.cancel();
		controller.abort();
	};
	void take();
	void follow();
	return asked;
}
