import { assertNever } from "../base/assert.ts";
import { escapeMarkdown, oneLine } from "../base/text.ts";
import type { LapseReason, Settled } from "../decisions/decision.ts";
import { badgeLine } from "../tools/annotations.ts";
import type { ToolAnswer, ToolQuestion } from "../tools/approval.ts";
import type { ToolOutcome } from "../tools/call.ts";
import { escapeHidden } from "../tools/exactJson.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import type { ResultPart } from "../tools/result.ts";
import { argumentList } from "./argumentList.ts";

/** What a link of ours does when it is clicked. */
export type ChatAction =
	| "allow"
	| "edit"
	| "deny"
	| "details"
	| "manage-models"
	| "show-servers"
	| "run-prompt"
	| ElicitationAction;

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

/** How much of a result stands in the chat; all of it is behind the link to the details. */
const excerptLength = 600;
const excerptLines = 12;

/** The question for one call: who, what, with which arguments, and the answers to choose from. */
export function questionParts({ call, decision }: ToolQuestion): readonly ChatPart[] {
	const { tool } = call.entry;
	const about = tool.description === undefined ? "" : `\n\n> ${escapeMarkdown(oneLine(tool.description, 300))}`;
	return [
		text(
			`\n\n${heading(call.entry)}  \n${escapeMarkdown(badgeLine(tool.annotations))}${about}\n\n${argumentList(call.arguments)}\n\n`,
		),
		{
			kind: "links",
			id: decision.id,
			links: [
				{ label: "Allow Once", action: "allow" },
				{ label: "Edit…", action: "edit" },
				{ label: "Deny", action: "deny" },
			],
		},
	];
}

/** What became of the question, said below it. */
export function decisionParts(settled: Settled<ToolAnswer>): readonly ChatPart[] {
	if (settled.by === "lapse") return [text(`\n\n${lapseSentence(settled.reason)}\n\n`)];
	const { answer } = settled;
	switch (answer.kind) {
		case "allow":
			return [text("\n\nYou allowed this call.\n\n")];
		case "deny":
			return [text("\n\nYou denied this call.\n\n")];
		case "edited":
			return [
				text(`\n\nYou allowed this call with changes. It is made with:\n\n${argumentList(answer.arguments)}\n\n`),
			];
		default:
			return assertNever(answer);
	}
}

/** How a call ended. `detailsId` opens all of it; absent when there is nothing more to see. */
export function outcomeParts(
	name: string,
	entry: ToolEntry | undefined,
	outcome: ToolOutcome,
	detailsId: string | undefined,
): readonly ChatPart[] {
	const tool = entry === undefined ? `**${escapeMarkdown(oneLine(name, 80))}**` : heading(entry);
	switch (outcome.kind) {
		case "done": {
			const seconds = `${(outcome.milliseconds / 1000).toFixed(1)} s`;
			const verdict = outcome.result.isError ? "The tool reported an error" : "Answered";
			const { forPerson } = outcome.result;
			// Servers tell in words what they structure; both at once would be the same twice.
			const hasText = forPerson.some(({ kind }) => kind === "text");
			const shownParts = forPerson.filter(({ kind }) => kind !== "structured" || !hasText);
			const excerpts = shownParts.map(excerpt).join("\n\n");
			const shown = text(`\n\n${verdict} · ${seconds}\n\n${excerpts}\n\n`);
			return detailsId === undefined
				? [shown]
				: [shown, { kind: "links", id: detailsId, links: [{ label: "Details", action: "details" }] }];
		}
		case "invalid":
			return [
				text(
					`\n\n${tool}  \nNot called: the model gave arguments that do not fit the tool. It was told so.\n\n${outcome.problems.map((problem) => `- ${escapeMarkdown(problem)}`).join("\n")}\n\n`,
				),
			];
		case "failed":
			return [text(`\n\n${tool}  \n${escapeMarkdown(outcome.error.message)}\n\n`)];
		case "denied":
			return outcome.isRepeat === true
				? [text(`\n\n${tool}  \nNot called: you denied the same call before in this turn.\n\n`)]
				: [];
		case "lapsed":
		case "cancelled":
			// Said below the question already.
			return [];
		default:
			return assertNever(outcome);
	}
}

/** A sentence of ours in the turn, such as why it ended, with what helps. */
export function noteParts(message: string, help?: "manage-models" | "show-servers"): readonly ChatPart[] {
	const note = text(`\n\n_${escapeMarkdown(message)}_\n\n`);
	return help === undefined ? [note] : [note, helpLinks[help]];
}

/** What helps, as a link of ours. */
export const helpLinks = {
	"manage-models": { kind: "links", id: "", links: [{ label: "Manage Models…", action: "manage-models" }] },
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
function heading({ session, tool }: ToolEntry): string {
	const title = tool.title ?? tool.annotations?.title;
	const suffix = title === undefined || title === tool.name ? "" : ` · ${escapeMarkdown(oneLine(title, 80))}`;
	return `**${escapeMarkdown(oneLine(session.definition.name))}** · **${escapeMarkdown(oneLine(tool.name))}**${suffix}`;
}

function excerpt(part: ResultPart): string {
	switch (part.kind) {
		case "text":
			return quoted(part.text);
		case "structured":
			return quoted(escapeHidden(JSON.stringify(part.value)));
		case "media": {
			const kilobytes = Math.ceil((part.data.length * 3) / 4 / 1024).toLocaleString("en-US");
			return escapeMarkdown(`${oneLine(part.mimeType, 60)}, ${kilobytes} KB`);
		}
		case "link":
			return `Link: ${escapeMarkdown(oneLine(part.name, 80))} ${escapeMarkdown(oneLine(part.uri))}`;
		case "resource": {
			const type = part.mimeType === undefined ? "" : ` (${escapeMarkdown(oneLine(part.mimeType, 60))})`;
			return `Resource: ${escapeMarkdown(oneLine(part.uri))}${type}${part.text === undefined ? "" : `\n\n${quoted(part.text)}`}`;
		}
		default:
			return assertNever(part);
	}
}

/** The beginning of a server's text as a quotation, which wraps at any width. */
function quoted(value: string): string {
	const lines = value.slice(0, excerptLength).split("\n").slice(0, excerptLines).join("\n");
	const shown = lines.length < value.length ? `${lines}…` : value;
	return `> ${escapeMarkdown(shown).replaceAll("\n", "\n> ")}`;
}

function text(markdown: string): ChatPart {
	return { kind: "text", markdown };
}
