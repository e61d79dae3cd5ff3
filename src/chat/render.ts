import { assertNever } from "../base/assert.ts";
import { escapeMarkdown, oneLine } from "../base/text.ts";
import type { LapseReason, Settled } from "../decisions/decision.ts";
import type { PinChange } from "../pinning/pin.ts";
import type { DecidedBy } from "../policy/verdict.ts";
import type { Session } from "../servers/session.ts";
import { badgeLine } from "../tools/annotations.ts";
import type { QuestionGroup, ToolAnswer, ToolCall, ToolQuestion } from "../tools/approval.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import type { RunningCall } from "../tools/runningCall.ts";
import { argumentList } from "./argumentList.ts";
import { resultParts } from "./resultParts.ts";
import type { CallPlace } from "./turnEvents.ts";

/** What a link of ours does when it is clicked. */
export type ChatAction =
	| DecisionAction
	| ResultAction
	| "manage-models"
	| "add-model"
	| "detect-models"
	| "try-demo"
	| "manage-rules"
	| "choose-servers"
	| "show-servers"
	| "run-prompt"
	| ElicitationAction;

/** What a link does to a call, by the id of its question, its group, the running call or the server. */
export type DecisionAction =
	| "allow"
	| "edit"
	| "deny"
	| "deny-reason"
	| "always"
	| "show-changes"
	| "show-instructions"
	| "allow-all"
	| "deny-all"
	| "cancel-call";

/** What a link below a result does: shows the call, or opens a resource that a part of it names. */
export type ResultAction = "details" | "open-resource";

/** What a link below a server's question does. */
export type ElicitationAction = "elicit-answer" | "elicit-open" | "elicit-decline" | "elicit-cancel" | "elicit-act";

/** A link in fixed words of ours; `detail` tells several of one action apart. */
export interface ChatLink {
	readonly label: string;
	readonly action: ChatAction;
	readonly detail?: number | string;
}

/**
 * A piece of what the chat shows. `text` is untrusted Markdown in which everything that is not ours is escaped;
 * `links` is a row of our own fixed words, the only part that may run commands. `id` is opaque.
 */
export type ChatPart =
	| { readonly kind: "text"; readonly markdown: string }
	| {
			readonly kind: "links";
			readonly id: string;
			readonly links: readonly ChatLink[];
	  };

/** How much of a tool's description stands in the question about it. */
const newDescription = 4000;
const knownDescription = 300;

/** What may change about a tool, in the words of the interface. */
const fieldNames: Readonly<Record<PinChange["field"], string>> = {
	title: "title",
	description: "description",
	inputSchema: "input schema",
	outputSchema: "output schema",
	annotations: "annotations",
	instructions: "instructions",
};

/**
 * The question for one call: who, what, with which arguments, and the answers to choose from. What the server's hints say
 * only words the question (spec.md T2; built-in.md claims 37, 38).
 */
export function questionParts({ call, decision, notice }: ToolQuestion, place?: CallPlace): readonly ChatPart[] {
	const { tool } = call.entry;
	// Who sees a tool for the first time reads all that it says of itself (security.md TOL-01).
	const longest = notice.pin.kind === "same" ? knownDescription : newDescription;
	const about = tool.description === undefined ? [] : [`> ${escapeMarkdown(oneLine(tool.description, longest))}`];
	const isDestructive = tool.annotations?.destructiveHint === true;
	const parts: ChatPart[] = [
		paragraphs(
			`${heading(call.entry, place)}  \n${escapeMarkdown(badgeLine(tool.annotations))}`,
			...about,
			argumentList(call.arguments),
			...(isDestructive ? ["⚠ By its server's own words, this may delete or overwrite something."] : []),
			...notice.warnings.map(({ text, isNote }) => {
				const words = escapeMarkdown(oneLine(text, 500));
				return isNote ? `_${words}_` : `⚠ ${words}`;
			}),
			...whyAsked(notice.why),
		),
	];
	const { id } = decision;
	if (notice.pin.kind === "changed") {
		const fields = notice.pin.changes.map(({ field }) => fieldNames[field]);
		parts.push(paragraphs(`⚠ **Changed since you approved it:** ${escapeMarkdown(fields.join(", "))}.`));
		parts.push(row(id, { label: "Show Changes", action: "show-changes" }));
	}
	parts.push(
		row(
			id,
			{ label: "Allow Once", action: "allow" },
			{ label: "Edit…", action: "edit" },
			{ label: "Deny", action: "deny" },
			{ label: "Always…", action: "always" },
			{ label: "Deny with Reason…", action: "deny-reason" },
		),
	);
	return parts;
}

/** Which of the person's rules has them asked, or why one of their grants does not count. */
function whyAsked(by: DecidedBy | undefined): readonly string[] {
	if (by === undefined || by.kind === "default") return [];
	const label = escapeMarkdown(oneLine(by.label, 400));
	return [by.kind === "rule" ? `You are asked by ${label}.` : `${label}.`];
}

/** The row that decides together what was just asked. */
export function groupParts({ id, questions }: QuestionGroup): readonly ChatPart[] {
	const count = questions.length;
	return [
		paragraphs(`These ${count} calls wait for you. Decide each above, or all of them here:`),
		row(id, { label: `Allow All ${count}`, action: "allow-all" }, { label: "Deny All", action: "deny-all" }),
	];
}

/** A call that nobody was asked about, and what allowed it. */
export function ruledParts(
	{ entry, arguments: args }: ToolCall,
	by: DecidedBy,
	place?: CallPlace,
): readonly ChatPart[] {
	return [
		paragraphs(
			`${heading(entry, place)}  \n${escapeMarkdown(badgeLine(entry.tool.annotations))}`,
			argumentList(args),
			`Allowed by ${escapeMarkdown(oneLine(by.label))}.`,
		),
		manageRules,
	];
}

/** What became of the question, said below it. */
export function decisionParts(
	settled: Settled<ToolAnswer>,
	{ entry }: ToolCall,
	place?: CallPlace,
): readonly ChatPart[] {
	const which = place === undefined || place.of < 2 ? "this call" : `call ${place.number} of ${place.of}`;
	const prefix = place === undefined || place.of < 2 ? "" : `${heading(entry, place)}  \n`;
	if (settled.by === "lapse") return [paragraphs(`${prefix}${lapseSentence(settled.reason)}`)];
	const { answer } = settled;
	switch (answer.kind) {
		case "allow":
			return answer.grant === undefined
				? [paragraphs(`You allowed ${which}.`)]
				: [paragraphs(`You allowed ${which}, and from now on: ${escapeMarkdown(oneLine(answer.grant))}.`), manageRules];
		case "deny": {
			const reason = answer.reason === undefined ? "" : ` The model is told why: ${escapeMarkdown(answer.reason)}`;
			return [paragraphs(`You denied ${which}.${reason}`)];
		}
		case "edited":
			return [paragraphs(`You allowed ${which} with changes. It is made with:`, argumentList(answer.arguments))];
		default:
			return assertNever(answer);
	}
}

/** A call takes a while: the person may end it alone. */
export function slowParts({ id, call }: RunningCall, place?: CallPlace): readonly ChatPart[] {
	return [
		paragraphs(`${heading(call.entry, place)} is still running.`),
		row(id, { label: "Cancel Call", action: "cancel-call" }),
	];
}

/** How a call ended. `detailsId` opens all of it; absent when there is nothing more to see. */
export function outcomeParts(
	name: string,
	entry: ToolEntry | undefined,
	outcome: ToolOutcome,
	detailsId: string | undefined,
	place?: CallPlace,
): readonly ChatPart[] {
	const tool = entry === undefined ? `**${escapeMarkdown(oneLine(name, 80))}**` : heading(entry, place);
	switch (outcome.kind) {
		case "done":
			// Results come as the calls end, each below whatever was said last.
			return [...(place === undefined || place.of < 2 ? [] : [paragraphs(tool)]), ...resultParts(outcome, detailsId)];
		case "invalid":
			return [
				paragraphs(
					`${tool}  \nNot called: the model gave arguments that do not fit the tool. It was told so.`,
					outcome.problems.map((problem) => `- ${escapeMarkdown(problem)}`).join("\n"),
				),
			];
		case "failed":
			return [paragraphs(`${tool}  \n${escapeMarkdown(outcome.error.message)}`)];
		case "denied":
			if (outcome.by !== undefined) {
				const label = escapeMarkdown(oneLine(outcome.by.label));
				return [paragraphs(`${tool}  \nNot called: denied by ${label}. The model was told.`), manageRules];
			}
			return outcome.isRepeat === true
				? [paragraphs(`${tool}  \nNot called: you denied the same call before in this turn.`)]
				: [];
		case "cancelled":
			return outcome.isAlone === true
				? [paragraphs(`${tool}  \nYou cancelled this call while it ran. Whether it took effect is unknown.`)]
				: [];
		case "lapsed":
			// Said below the question already.
			return [];
		default:
			return assertNever(outcome);
	}
}

/** A sentence of ours in the turn, such as why it ended, with what helps. */
export function noteParts(message: string, help?: keyof typeof helpLinks): readonly ChatPart[] {
	const note = paragraphs(`_${escapeMarkdown(message)}_`);
	return help === undefined ? [note] : [note, helpLinks[help]];
}

/** A server's instructions are not what they were: models are not told them until the person has seen the change. */
export function instructionsParts({ definition: { id, name } }: Session): readonly ChatPart[] {
	const server = escapeMarkdown(oneLine(name));
	return [
		paragraphs(`_The instructions of ${server} changed since you approved them, so the model is not told them._`),
		row(id, { label: "Show Changes", action: "show-instructions" }),
	];
}

/** What helps, as a link of ours. */
export const helpLinks = {
	"manage-models": { kind: "links", id: "", links: [{ label: "Manage Models…", action: "manage-models" }] },
	"choose-servers": { kind: "links", id: "", links: [{ label: "Choose Servers…", action: "choose-servers" }] },
	"show-servers": { kind: "links", id: "", links: [{ label: "Show Servers", action: "show-servers" }] },
} as const satisfies Record<string, ChatPart>;

/** Lets the person fill in what they wrote after `/prompt`, when arguments are missing, or choose a prompt. */
export function promptHelp(text: string, isMissingArguments: boolean): ChatPart {
	const label = isMissingArguments ? "Fill In…" : "Run Prompt…";
	return { kind: "links", id: isMissingArguments ? text : "", links: [{ label, action: "run-prompt" }] };
}

/** How a settled question is described to somebody who clicks its links later. */
export function settledSentence(settled: Settled<ToolAnswer>): string {
	if (settled.by === "lapse") return lapseSentence(settled.reason);
	return settled.answer.kind === "deny" ? "You denied this call already." : "You allowed this call already.";
}

function lapseSentence(reason: LapseReason): string {
	switch (reason) {
		case "cancelled":
			return "This call was cancelled before you decided. It was not made.";
		case "server-gone":
			return "The server went away before you decided. The call was not made.";
		case "closed":
		case "completed":
		case "expired":
		case "shutdown":
			return "This question ended before you decided. The call was not made.";
		default:
			return assertNever(reason);
	}
}

/** The server's configured name and the tool's real name; a title, which could say anything, comes last (TOL-07). */
function heading({ session, tool }: ToolEntry, place?: CallPlace): string {
	const title = tool.title ?? tool.annotations?.title;
	const suffix = title === undefined || title === tool.name ? "" : ` · ${escapeMarkdown(oneLine(title, 80))}`;
	const which = place === undefined || place.of < 2 ? "" : ` · call ${place.number} of ${place.of}`;
	return `**${escapeMarkdown(oneLine(session.definition.name))}** · **${escapeMarkdown(oneLine(tool.name))}**${suffix}${which}`;
}

const manageRules: ChatPart = { kind: "links", id: "", links: [{ label: "Manage Rules", action: "manage-rules" }] };

function paragraphs(...texts: readonly string[]): ChatPart {
	return { kind: "text", markdown: `\n\n${texts.join("\n\n")}\n\n` };
}

function row(id: string, ...links: readonly ChatLink[]): ChatPart {
	return { kind: "links", id, links };
}
