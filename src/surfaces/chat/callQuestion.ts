import { assertNever } from "../../base/assert.ts";
import type { JsonObject } from "../../base/json.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { LapseReason, Settled } from "../../questions/decisions/decision.ts";
import { changedFields } from "../../permissions/pinning/toolFields.ts";
import type { DecidedBy } from "../../permissions/policy/verdict.ts";
import { badgeLine, destructive } from "../../permissions/catalog/annotations.ts";
import type {
	QuestionGroup,
	QuestionNotice,
	ToolAnswer,
	ToolCall,
	ToolQuestion,
} from "../../features/tools/approval.ts";
import type { ToolCallEvent } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { RunningCall } from "../../features/tools/runningCall.ts";
import { argumentList } from "../../features/agentTools/argumentList.ts";
import { answerRow, heading, manageRules, paragraphs, row } from "./render.ts";
import type { ChatLink, ChatPart } from "./parts.ts";
import type { CallPlace } from "./turnEvents.ts";
import { readableSize } from "../../base/amounts.ts";
import { counted } from "../../base/words.ts";
import { filesOf } from "../../permissions/catalog/skillTool.ts";

/** How much of a tool's description is in the question about it. */
const newDescription = 4000;
const knownDescription = 300;

/** From how many characters on arguments are called long. */
const longArguments = 5000;

/**
 * The question for one call: who, what, with which arguments, and the possible answers. The server's hints only affect
 * the wording (BLT-37, BLT-38; specification, "Tool Annotations").
 */
export function questionParts({ call, decision, notice }: ToolQuestion, place?: CallPlace): readonly ChatPart[] {
	const { tool } = call.entry;
	// A user who sees a tool for the first time reads its whole description (TOL-01).
	const longest = notice.pin.kind === "same" ? knownDescription : newDescription;
	const quote = tool.description === undefined ? [] : [`> ${escapeMarkdown(oneLine(tool.description, longest))}`];
	const about = [...quote, ...skillFileWords(call.entry, call.arguments)];
	const parts: ChatPart[] = [
		paragraphs(
			`${heading(call.entry, place)}  \n${escapeMarkdown(badgeLine(tool.annotations))}`,
			...about,
			argumentList(call.arguments),
			...repairWords(call.repairs),
			...sizeOf(call.arguments),
			...(destructive(tool.annotations) === "stated"
				? ["⚠ According to its server, this may delete or overwrite something."]
				: []),
			...notice.warnings.map(({ text, isNote }) => {
				const words = escapeMarkdown(oneLine(text, 500));
				return isNote ? `_${words}_` : `⚠ ${words}`;
			}),
			...whyAsked(notice.why),
		),
	];
	const { id } = decision;
	if (notice.pin.kind === "changed") {
		parts.push(
			paragraphs(`⚠ **Changed since you approved it:** ${escapeMarkdown(changedFields(notice.pin.changes))}.`),
		);
		parts.push(row(id, { label: "Show Changes", action: "show-changes" }));
	}
	parts.push(
		answerRow(
			id,
			keyed(
				{ label: "Allow Once", action: "allow", hint: "Allow Once: sends exactly these arguments, this time only" },
				"Ctrl+Enter",
				"⌘Enter",
				place,
			),
			{ label: "Always…", action: "always" },
			keyed({ label: "Deny", action: "deny" }, "Ctrl+Alt+Enter", "⌥⌘Enter", place),
			keyed({ label: "Edit…", action: "edit" }, "F2", "F2", place),
			// Without a model nobody reads a reason.
			...(place?.isDirect === true ? [] : [{ label: "Deny with Reason…", action: "deny-reason" } as const]),
		),
	);
	return parts;
}

/**
 * An answer with its default key in the hover, which begins with the label, because screen readers read it for a
 * button. If several calls wait, a key refers to none of them.
 */
function keyed(link: ChatLink, key: string, macKey: string, place: CallPlace | undefined): ChatLink {
	if (place !== undefined && place.of > 1) return link;
	return { ...link, hint: `${link.hint ?? link.label} (${key === macKey ? key : `${key}, on a Mac ${macKey}`})` };
}

/** The notes for the user beside a call, as plain sentences. */
export function noticeSentences({ pin, warnings }: QuestionNotice, repairs: readonly string[] = []): readonly string[] {
	const changed = pin.kind === "changed" ? [`Changed since you approved it: ${changedFields(pin.changes)}.`] : [];
	const read = repairs.map((repair) => `Corrected to match the tool's schema: ${oneLine(repair)}`);
	return [...changed, ...warnings.map(({ text }) => text), ...read];
}

/** The arguments that differ from the model's; they are shown above as they are sent (TOL-29). */
function repairWords(repairs: readonly string[] = []): readonly string[] {
	if (repairs.length === 0) return [];
	const lines = repairs.map((repair) => `- ${escapeMarkdown(oneLine(repair))}`);
	return [`_Corrected to match the tool's schema. Changes to what the model wrote:_\n\n${lines.join("\n")}`];
}

/** Long arguments are marked, because a user who sees their end cannot see how much precedes it (TOL-09). */
function sizeOf(args: JsonObject): readonly string[] {
	const { length } = JSON.stringify(args);
	return length < longArguments
		? []
		: [`⚠ These arguments are long: ${length.toLocaleString("en-US")} characters. All of them are shown above.`];
}

/** Which of the user's rules has them asked, or why one of their grants does not count. */
function whyAsked(by: DecidedBy | undefined): readonly string[] {
	if (by === undefined || by.kind === "default") return [];
	const label = escapeMarkdown(oneLine(by.label, 400));
	return [by.kind === "rule" ? `Confirmation required by ${label}.` : `${label}.`];
}

/** The row that decides the latest questions together. */
export function groupParts({ id, questions }: QuestionGroup): readonly ChatPart[] {
	const count = questions.length;
	return [
		paragraphs(`${count} calls are waiting for you. Decide each of them above, or all of them here:`),
		answerRow(id, { label: `Allow All ${count}`, action: "allow-all" }, { label: "Deny All", action: "deny-all" }),
	];
}

/** A call that was allowed without a question, and the rule or grant that allowed it. */
export function ruledParts(
	{ entry, arguments: args, repairs }: ToolCall,
	by: DecidedBy,
	place?: CallPlace,
): readonly ChatPart[] {
	return [
		paragraphs(
			`${heading(entry, place)}  \n${escapeMarkdown(badgeLine(entry.tool.annotations))}`,
			argumentList(args),
			...repairWords(repairs),
			`Allowed by ${escapeMarkdown(oneLine(by.label))}.`,
		),
		// A form that the user filled in has nothing to manage.
		...(by.kind === "default" ? [] : [manageRules]),
	];
}

/** Who allowed a call, in a few words, for the line with its outcome; undefined for one that was not allowed. */
export function allowedBy(event: Extract<ToolCallEvent, { type: "ruled" | "decided" }>): string | undefined {
	if (event.type === "ruled") return `allowed by ${escapeMarkdown(oneLine(event.by.brief ?? event.by.label))}`;
	const { settled } = event;
	if (settled.by === "lapse" || settled.answer.kind === "deny") return undefined;
	return settled.answer.kind === "edited" ? "allowed by you, with changes" : "allowed by you";
}

/** The outcome of the question, shown below it. */
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
			if (answer.together !== undefined) {
				return [
					paragraphs(`You allowed ${place?.of === answer.together ? "all" : "the other"} ${answer.together} calls.`),
				];
			}
			return answer.grant === undefined
				? [paragraphs(`You allowed ${which}.`)]
				: [paragraphs(`You allowed ${which}, and from now on: ${escapeMarkdown(oneLine(answer.grant))}.`), manageRules];
		case "deny": {
			const reason =
				answer.reason === undefined ? "" : ` The model receives your reason: ${escapeMarkdown(answer.reason)}`;
			// The last text about it.
			return [paragraphs(`${prefix || `${heading(entry)}  \n`}You denied ${which}.${reason}`)];
		}
		case "edited":
			return [paragraphs(`You allowed ${which} with changes:`, argumentList(answer.arguments))];
		default:
			return assertNever(answer);
	}
}

/** A call takes a while: the user may end it alone. */
export function slowParts({ id, call, task }: RunningCall, place: CallPlace, hasApp: boolean): readonly ChatPart[] {
	return [
		// Stays in the transcript when the turn is cancelled, so it must be true even then.
		paragraphs(
			`${heading(call.entry, place)} is taking a while. If you stop the answer, the next answer shows how the call ended.`,
		),
		row(
			id,
			...(hasApp ? [{ label: "Open App", action: "open-app" as const }] : []),
			...(task === undefined ? [] : [{ label: "Continue in Background", action: "continue-call" as const }]),
			{ label: "Cancel Call", action: "cancel-call" },
		),
	];
}

/** A model takes a while to write a call whose app is already visible; `id` opens the app. */
export function writingParts(entry: ToolEntry, id: string): readonly ChatPart[] {
	// Stays in the transcript, with any outcome of the call.
	return [
		paragraphs(`${heading(entry)}: the model is writing long arguments.`),
		row(id, { label: "Open App", action: "open-app" }),
	];
}

/** How a settled question is described to a user who clicks its links later. */
export function settledSentence(settled: Settled<ToolAnswer>): string {
	if (settled.by === "lapse") return lapseSentence(settled.reason);
	return settled.answer.kind === "deny" ? "You already denied this call." : "You already allowed this call.";
}

function lapseSentence(reason: LapseReason): string {
	switch (reason) {
		case "cancelled":
		case "stopped":
			return "This call was cancelled before you decided. It was not sent.";
		case "server-gone":
			return "The server stopped before you decided. The call was not sent.";
		case "closed":
		case "completed":
		case "expired":
		case "shutdown":
			return "This question ended before you decided. The call was not sent.";
		default:
			return assertNever(reason);
	}
}

/** How many files of a skill are listed in the question about it. */
const mostListed = 20;

/** The file that a load reads, and all files that the approval covers; nothing for other calls. */
function skillFileWords({ session, skill }: ToolEntry, { file, folder }: JsonObject): readonly string[] {
	if (skill === undefined) return [];
	const files = [...filesOf(skill)];
	const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
	const lines = files
		.slice(0, mostListed)
		.map(([path, { size }]) => `- ${escapeMarkdown(oneLine(path, 200))}, ${readableSize(size)}`);
	const left = files.length - lines.length;
	const name = typeof folder === "string" ? folder : typeof file === "string" ? file : "SKILL.md";
	const read = escapeMarkdown(oneLine(name, 200));
	const what = typeof folder === "string" ? `The list of files in ${read}` : read;
	const server = escapeMarkdown(oneLine(session.definition.name));
	return [
		`${what} is read and sent to the model as text of ${server}. The skill has ${counted(files.length, "file")}, ${readableSize(bytes)}:`,
		[...lines, ...(left > 0 ? [`- and ${counted(left, "more file")}`] : [])].join("\n"),
	];
}
