import { assertNever } from "../../base/assert.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { argumentList } from "../../features/agentTools/argumentList.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { wordsOf } from "../../permissions/pinning/neighbours.ts";
import type { ChatLink, ChatPart } from "./parts.ts";
import { resultParts, traceLinks } from "./resultParts.ts";
import type { CallPlace } from "./turnEvents.ts";

/** A call that ended: the name that the model used, the tool if there is one, and who allowed it, in a few words. */
export interface EndedCall {
	readonly name: string;
	readonly entry: ToolEntry | undefined;
	readonly outcome: ToolOutcome;
	readonly by: string | undefined;
	/** Whether its result can be shown by an app. */
	readonly hasApp?: boolean;
}

/**
 * How a call ended, in words that are true and complete without the text above: VS Code folds that away. `detailsId`
 * opens all of it; absent when there is nothing more to see.
 */
export function outcomeParts(
	{ name, entry, outcome, by, hasApp }: EndedCall,
	detailsId: string | undefined,
	place?: CallPlace,
): readonly ChatPart[] {
	const tool = entry === undefined ? `**${escapeMarkdown(oneLine(name, 80))}**` : heading(entry, place);
	switch (outcome.kind) {
		case "done":
			return resultParts(outcome, by === undefined ? tool : `${tool}: ${by}`, detailsId, hasApp);
		case "invalid":
			return [
				paragraphs(
					place?.isDirect === true
						? `${tool}  \nNot called: the arguments do not match the tool's schema.`
						: `${tool}  \nNot called: the arguments do not match the tool's schema. The model was informed.`,
					outcome.problems.map((problem) => `- ${escapeMarkdown(problem)}`).join("\n"),
				),
			];
		case "failed":
			return [paragraphs(`${tool}  \n${escapeMarkdown(outcome.error.message)}`), ...linkRow(traceLinks(outcome))];
		case "denied":
			if (outcome.by !== undefined) {
				const label = escapeMarkdown(oneLine(outcome.by.label));
				const told = place?.isDirect === true ? "" : " The model was informed.";
				const args = outcome.arguments === undefined ? [] : [argumentList(outcome.arguments)];
				const denied = paragraphs(`${tool}  \nNot called: denied by ${label}.${told}`, ...args);
				return [denied, manageRules, ...linkRow(traceLinks(outcome))];
			}
			return outcome.isRepeat === true
				? [paragraphs(`${tool}  \nNot called: you denied the same call before in this turn.`)]
				: [];
		case "cancelled":
			if (outcome.isAlone !== true && outcome.isSent !== true) return [];
			return [
				paragraphs(
					`${tool}  \n${outcome.isAlone === true ? "You cancelled this call while it ran." : "This call was stopped while it ran."} ` +
						"It may have taken effect.",
				),
				...linkRow(traceLinks(outcome)),
			];
		case "continued":
			return [
				paragraphs(`${tool}  \nThe call continues in the background, in *Running Tasks* of the MCP Host view.`),
				...linkRow(traceLinks(outcome)),
			];
		case "lapsed":
			// Shown below the question already.
			return [];
		default:
			return assertNever(outcome);
	}
}

/** A row of links that need no id; empty without any. */
function linkRow(links: readonly ChatLink[]): readonly ChatPart[] {
	return links.length === 0 ? [] : [{ kind: "links", id: "", links }];
}

/** A sentence of ours in the turn, such as why it ended, with a remedy. */
export function noteParts(message: string, help?: keyof typeof helpLinks): readonly ChatPart[] {
	const note = paragraphs(`_${escapeMarkdown(message)}_`);
	return help === undefined ? [note] : [note, helpLinks[help]];
}

/** A server's instructions have changed: models do not receive them until the user has seen the change. */
export function instructionsParts({ definition: { id, name } }: Session): readonly ChatPart[] {
	const server = escapeMarkdown(oneLine(name));
	return [
		paragraphs(`_The instructions of ${server} changed since you approved them, so they are not sent to the model._`),
		row(id, { label: "Show Changes", action: "show-instructions" }),
	];
}

/** A remedy, as a link of ours. */
export const helpLinks = {
	"manage-models": { kind: "links", id: "", links: [{ label: "Manage Models…", action: "manage-models" }] },
	"choose-servers": { kind: "links", id: "", links: [{ label: "Choose Servers…", action: "choose-servers" }] },
	"manage-trust": { kind: "links", id: "", links: [{ label: "Manage Workspace Trust", action: "manage-trust" }] },
	"show-servers": { kind: "links", id: "", links: [{ label: "Show Servers", action: "show-servers" }] },
} as const satisfies Record<string, ChatPart>;

/** Lets the user complete their text after `/prompt`, when arguments are missing, or choose a prompt. */
export function promptHelp(text: string, isMissingArguments: boolean): ChatPart {
	const label = isMissingArguments ? "Fill In…" : "Run Prompt…";
	return { kind: "links", id: isMissingArguments ? text : "", links: [{ label, action: "run-prompt" }] };
}

/** The server's configured name and the tool's real name; a title, which may be misleading, comes last (TOL-07). */
export function heading({ session, tool }: ToolEntry, place?: CallPlace): string {
	const title = tool.title ?? tool.annotations?.title;
	const isSaid = title === undefined || wordsOf(title) === wordsOf(tool.name);
	const suffix = isSaid ? "" : ` · ${escapeMarkdown(oneLine(title, 80))}`;
	const which = place === undefined || place.of < 2 ? "" : ` · call ${place.number} of ${place.of}`;
	return `**${escapeMarkdown(oneLine(session.definition.name))}** · **${escapeMarkdown(oneLine(tool.name))}**${suffix}${which}`;
}

/** Leads to the rules and grants that decide. */
export const manageRules: ChatPart = {
	kind: "links",
	id: "",
	links: [{ label: "Manage Rules", action: "manage-rules" }],
};

/** A text of these paragraphs; text of others in them is escaped. */
export function paragraphs(...texts: readonly string[]): ChatPart {
	return { kind: "text", markdown: `\n\n${texts.join("\n\n")}\n\n` };
}

/** The answers to the question that the id names, the main one as a button. */
export function answerRow(id: string, main: ChatLink, ...links: readonly ChatLink[]): ChatPart {
	return { kind: "links", id, main, links };
}

/** A row of links about the subject of the id. */
export function row(id: string, ...links: readonly ChatLink[]): ChatPart {
	return { kind: "links", id, links };
}
