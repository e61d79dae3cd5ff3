import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { EditObject, ObjectEditRequest } from "../../questions/form/formQuestion.ts";
import type { ChooseGrant, ToolPolicy } from "../../permissions/policy/verdict.ts";
import { badgeSentence } from "../../permissions/catalog/annotations.ts";
import { answerAll, type ToolAnswer, type ToolApprovals, type ToolQuestion } from "../../features/tools/approval.ts";
import type { RunningCalls } from "../../features/tools/runningCall.ts";
import { problemsOf } from "../../base/schema/schema.ts";
import { soundSchema } from "../../base/schema/soundSchema.ts";
import { noticeSentences, settledSentence } from "./callQuestion.ts";

/** The services for answers that take more than a click. */
export interface DecisionHelp {
	readonly editObject: EditObject;
	/** Whose rules the changed arguments have to pass. */
	readonly policy: Pick<ToolPolicy, "decide">;
	readonly chooseGrant: ChooseGrant;
	/** Asks why the user denies; undefined when they think better of it. The signal takes the question back. */
	readonly askReason: (signal: AbortSignal) => Promise<string | undefined>;
	/** Shows the change of a tool, or of a server's instructions, since the approval. `server` is an id. */
	readonly showChanges: (changed: { readonly server: string; readonly tool?: string }) => unknown;
}

/** The form in which the user looks at the arguments of a call that waits, and may change them. */
export function argumentsForm(
	{ call, decision, notice }: ToolQuestion,
	policy: DecisionHelp["policy"],
): Omit<ObjectEditRequest, "submitLabel" | "signal"> {
	const { tool } = call.entry;
	const schema = soundSchema(jsonObjectOf(tool.inputSchema));
	return {
		subject: decision.subject,
		heading: `Arguments of ${oneLine(tool.name)}`,
		...(tool.description === undefined ? {} : { quote: tool.description }),
		notes: [badgeSentence(tool.annotations), ...noticeSentences(notice, call.repairs)],
		schema,
		initial: call.arguments,
		validate: async (value) => {
			const { decision: ruling, by } = policy.decide(call.entry, value);
			const denied = ruling === "deny" ? [{ path: [], message: `Denied by ${by.label}` }] : [];
			return [...(await problemsOf(schema, value)), ...denied];
		},
	};
}

/** The user's yes to a call with the arguments that they saw in its form. */
export function answerWith({ call }: ToolQuestion, seen: JsonObject): ToolAnswer {
	const isSame = canonicalJson(seen) === canonicalJson(call.arguments);
	return isSame ? { kind: "allow" } : { kind: "edited", arguments: seen };
}

const notOpen = "This question is no longer open.";
const notRunning = "This call is no longer running.";

/**
 * Runs the action of a link in the chat. The links stay in the transcript, so one whose question has ended, or belongs
 * to another window, changes nothing: each decision counts once, for its own call (TOL-11).
 */
export class DecisionLinks {
	private readonly approvals: ToolApprovals;
	private readonly running: RunningCalls;
	private readonly help: DecisionHelp;
	/** The questions with an open panel that the user has to finish first. */
	private readonly busy = new Set<string>();

	constructor(approvals: ToolApprovals, running: RunningCalls, help: DecisionHelp) {
		this.approvals = approvals;
		this.running = running;
		this.help = help;
	}

	/** Follows a link; both arguments may be any values. Returns the text for the user, if any. May throw. */
	async follow(id: unknown, action: unknown): Promise<string | undefined> {
		if (typeof id !== "string") return notOpen;
		if (action === "cancel-call") return this.running.get(id)?.cancel() === true ? undefined : notRunning;
		if (action === "continue-call")
			return this.running.get(id)?.continueInBackground() === true ? undefined : notRunning;
		if (action === "allow-all" || action === "deny-all") {
			const group = this.approvals.groupOf(id);
			const answer = { kind: action === "allow-all" ? "allow" : "deny" } as const;
			return group !== undefined && answerAll(group, answer) ? undefined : "These questions are no longer open.";
		}
		if (action === "show-instructions") {
			await this.help.showChanges({ server: id });
			return undefined;
		}
		const question = this.approvals.get(id);
		if (question === undefined) return notOpen;
		if (action === "show-changes") {
			const { session, tool } = question.call.entry;
			await this.help.showChanges({ server: session.definition.id, tool: tool.name });
			return undefined;
		}
		const { outcome } = question.decision;
		return outcome === undefined ? this.answer(question, action) : settledSentence(outcome);
	}

	private async answer(question: ToolQuestion, action: unknown): Promise<string | undefined> {
		const { decision } = question;
		switch (action) {
			case "allow":
				decision.answer({ kind: "allow" });
				return undefined;
			case "deny":
				decision.answer({ kind: "deny" });
				return undefined;
			case "edit":
				return this.alone(question, (signal) => this.edit(question, signal));
			case "always":
				return this.alone(question, (signal) => this.grant(question, signal));
			case "deny-reason":
				return this.alone(question, (signal) => this.deny(question, signal));
			default:
				return undefined;
		}
	}

	/** One such answer at a time for each question; the signal ends it with the question. */
	private async alone(
		{ decision }: ToolQuestion,
		run: (signal: AbortSignal) => Promise<void>,
	): Promise<string | undefined> {
		if (this.busy.has(decision.id)) return "You are already answering this question.";
		this.busy.add(decision.id);
		const controller = new AbortController();
		void decision.settled.then(() => controller.abort());
		try {
			await run(controller.signal);
			return undefined;
		} finally {
			this.busy.delete(decision.id);
		}
	}

	/** Lets the user change the arguments. Closing the form leaves the question open in the chat. */
	private async edit(question: ToolQuestion, signal: AbortSignal): Promise<void> {
		const request = argumentsForm(question, this.help.policy);
		const edited = await this.help.editObject({ ...request, submitLabel: "Allow with These Arguments", signal });
		if (edited !== undefined) question.decision.answer(answerWith(question, edited));
	}

	/** Lets the user say why they deny. */
	private async deny({ decision }: ToolQuestion, signal: AbortSignal): Promise<void> {
		const reason = await this.help.askReason(signal);
		if (reason === undefined) return;
		decision.answer(reason.trim() === "" ? { kind: "deny" } : { kind: "deny", reason: reason.trim() });
	}

	/** Lets the user allow more than this call. It is saved only when their answer to this very question counts. */
	private async grant({ call, decision }: ToolQuestion, signal: AbortSignal): Promise<void> {
		const grant = await this.help.chooseGrant(call.entry, call.arguments, signal);
		if (grant !== undefined && decision.answer({ kind: "allow", grant: grant.label })) await grant.save();
	}
}
