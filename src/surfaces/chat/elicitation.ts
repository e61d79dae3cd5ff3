import { assertNever } from "../../base/assert.ts";
import { escapeBlanks, exactName } from "../../base/exactJson.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { cap, oneLine } from "../../base/text.ts";
import type { InlineEnd, InlineEvent, InlineQuestion } from "../../features/elicitation/inline.ts";
import type { QuickAnswer } from "../../features/elicitation/quickAnswers.ts";
import { describeLapse } from "../../questions/decisions/decision.ts";
import type { FormField } from "../../questions/form/formProtocol.ts";
import { argumentList, withoutQuotes } from "../../features/agentTools/argumentList.ts";
import type { ChatLink, ChatPart } from "./parts.ts";

/**
 * The form of a server's question in a chat: our words around it, everything of the server's as plain text, and links
 * with our own words (ELC-02, ELC-03, UI-01 to UI-04).
 */
export function elicitationParts(event: InlineEvent): readonly ChatPart[] {
	switch (event.type) {
		case "asked":
			return [text(`\n\n${frame(event.question)}\n\n`), links(event.question)];
		case "changed":
			return [text("\n\nThe URL is on your clipboard.\n\n"), links(event.question)];
		case "ended":
			return [text(`\n\n${ending(event.question, event.end)}\n\n`)];
		case "declined":
			return [
				text(
					`\n\n${strong(event.server)} asked for your input. The request was declined, because you declined all its requests for now.\n\n`,
				),
			];
		case "refused": {
			const { server, why, url } = event;
			const what =
				url === undefined ? "asked for your input" : `asked you to open ${escapeMarkdown(oneLine(url, 300))}`;
			return [
				text(
					`\n\n⚠ ${strong(server)} ${what}. MCP Host rejected the request: ${escapeMarkdown(oneLine(why, 300))}. You do not need to do anything.\n\n`,
				),
			];
		}
		case "visited":
			return [
				text(
					`\n\n${strong(event.server)} confirmed that you are done at ${escapeMarkdown(oneLine(event.host, 100))}.\n\n`,
				),
			];
		default:
			return assertNever(event);
	}
}

/** Who asks, the question, and the content of the answers. */
function frame({ form, fields, answers, contentOf }: InlineQuestion): string {
	const { question } = form;
	const { content, heading, quote = "" } = question;
	const paragraphs = [strong(heading)];
	if (quote !== "") paragraphs.push(`> ${escapeMarkdown(quote).replaceAll("\n", "\n> ")}`);
	if (content.kind === "page") {
		const { before, host, after, warnings } = content.url;
		paragraphs.push(`${escapeMarkdown(before)}**${escapeMarkdown(host)}**${escapeMarkdown(after)}`);
		paragraphs.push(...warnings.map(warning));
	} else {
		const controls = content.kind === "fields" ? content.fields : [];
		const cautions = controls.flatMap((field) => field.warning ?? []);
		// A user who answers without the form reads all of its content here.
		if (answers.length > 0) paragraphs.push(...controls.map(aboutField));
		else if (fields.length > 0) paragraphs.push(fields.map((line) => `- ${escapeMarkdown(line)}`).join("\n"));
		paragraphs.push(...[...new Set(cautions)].map(warning));
		const meanings = answers.flatMap((answer) => meaning(answer, contentOf(answer.value)));
		if (meanings.length > 0) paragraphs.push(meanings.join("\n"));
		const preview = question.preview?.(question.initial);
		if (preview !== undefined) paragraphs.push(escapeMarkdown(oneLine(preview, 300)));
	}
	return paragraphs.join("\n\n");
}

function aboutField({ label, description }: FormField): string {
	return escapeMarkdown(description === undefined ? label : `${label}: ${description}`);
}

/** The exact content that an answer sends. */
function meaning({ label, title }: QuickAnswer, content: object | undefined): readonly string[] {
	if (content === undefined) return [];
	const entries = Object.entries(content).map(
		([key, value]) => `${exactName(key, 60)}: ${cap(escapeBlanks(withoutQuotes(JSON.stringify(value))), 120)}`,
	);
	const sent = entries.length === 0 ? "sends your consent and no values" : `sends ${entries.join(", ")}`;
	return [
		`- **${label}**${title === undefined ? "" : ` ${escapeMarkdown(oneLine(title, 200))}`} ${escapeMarkdown(sent)}`,
	];
}

function links({ form, answers, needsForm }: InlineQuestion): ChatPart {
	const quick = answers.map(({ label }, index): ChatLink => ({ label, action: "elicit-answer", detail: index }));
	const more = (form.state.actions ?? []).map(({ id, label }): ChatLink => ({
		label,
		action: "elicit-act",
		detail: id,
	}));
	const all = needsForm ? [{ label: "Answer…", action: "elicit-open" } as const, ...quick] : quick;
	// Of several answers that send something, none is preferred.
	const [main, ...others] = needsForm || all.length === 1 ? all : [undefined, ...all];
	return {
		kind: "links",
		id: form.decision.id,
		...(main === undefined ? {} : { main }),
		links: [
			...others.flatMap((link) => link ?? []),
			...(form.question.canDecline ? [{ label: "Decline", action: "elicit-decline" } as const] : []),
			{ label: "Cancel", action: "elicit-cancel" },
			...more,
		],
	};
}

/** The outcome of the question. Text that looks like a secret is not repeated, because VS Code stores the chat. */
function ending({ form }: InlineQuestion, end: InlineEnd): string {
	const { subject, content } = form.question;
	const url =
		content.kind === "page" ? ` ${escapeMarkdown(content.url.before + content.url.host + content.url.after)}` : "";
	switch (end.kind) {
		case "answered": {
			if (Object.keys(end.content).length === 0) return "You accepted. No values were sent.";
			const shown = Object.entries(end.content).filter(([name]) => !end.hidden.includes(name));
			const secrets = Object.keys(end.content)
				.filter((name) => end.hidden.includes(name))
				.map((name) => `**${escapeMarkdown(exactName(name, 60))}** (not shown here)`);
			const list = shown.length === 0 ? [] : [argumentList(Object.fromEntries(shown))];
			const hidden = secrets.length === 0 ? [] : [secrets.join("  \n")];
			return ["You answered:", ...list, ...hidden].join("\n\n");
		}
		case "opened":
			return end.isByHand ? `You opened the page yourself:${url}` : `You opened the page:${url}`;
		case "not-opened":
			return `The page was not opened. ${strong(subject.server)} received the answer “cancelled”.`;
		case "continued":
			return "You confirmed that you are done there.";
		case "declined":
			return end.isForAll
				? `You declined this and all other requests of ${strong(subject.server)} for the next ten minutes.`
				: "You declined.";
		case "cancelled":
			return "You cancelled.";
		case "lapsed":
			return escapeMarkdown(describeLapse(end.reason, oneLine(subject.server, 60)));
		default:
			return assertNever(end);
	}
}

function warning(message: string): string {
	return `⚠ ${escapeMarkdown(message)}`;
}

function strong(words: string): string {
	return `**${escapeMarkdown(oneLine(words, 200))}**`;
}

function text(markdown: string): ChatPart {
	return { kind: "text", markdown };
}

/**
 * Runs the action of a link below a server's question. Returns how the question ended if it was over already, and
 * nothing was done; an unknown action is ignored.
 */
export async function answerInline(
	{ form, answers, open }: InlineQuestion,
	action: unknown,
	detail: unknown,
): Promise<string | undefined> {
	const { end } = form.state;
	if (end !== undefined) return end;
	switch (action) {
		case "elicit-answer": {
			const answer = typeof detail === "number" ? answers[detail] : undefined;
			if (answer !== undefined) await form.submit(answer.value);
			break;
		}
		case "elicit-open":
			open();
			break;
		case "elicit-decline":
			form.decline();
			break;
		case "elicit-cancel":
			form.cancel();
			break;
		case "elicit-act":
			await form.act(detail);
			break;
	}
	return undefined;
}
