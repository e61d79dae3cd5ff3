import { readableSize } from "../../base/amounts.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelMessage, ModelPart } from "../../models/model.ts";
import { partsOf } from "../../features/resources/content.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { ToolCall } from "../../features/tools/approval.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import type { ChatPart } from "./parts.ts";

/** How much of a resource is in the chat; a link opens all of it. */
const excerptLength = 1500;
const excerptLines = 25;

/** The text in the result of reading a resource. */
interface ResourceText {
	/** The texts of all contents; empty when there are none. */
	readonly text: string;
	readonly mimeType: string | undefined;
	/** A description of the contents, in a few words of ours. */
	readonly summary: string;
}

/**
 * Reads a resource for the user.
 * @throws HostError as `Session.readResource` does, and `invalid` for an answer without usable contents.
 */
export async function readResourceText(session: Session, uri: string, signal: AbortSignal): Promise<ResourceText> {
	const server = session.definition.name;
	const parts = partsOf(await session.readResource(uri, { signal }), { server: oneLine(server), uri });
	const texts = parts.filter(({ isText }) => isText).map(({ bytes }) => new TextDecoder().decode(bytes));
	const size = readableSize(parts.reduce((sum, { bytes }) => sum + bytes.length, 0));
	const binary = parts.length - texts.length;
	const mimeType = parts[0]?.mimeType;
	const words = [
		...(parts.length === 1 ? [] : [`${parts.length} contents`]),
		...(mimeType === undefined ? [] : [oneLine(mimeType, 60)]),
		size,
		...(binary > 0 ? [texts.length === 0 ? "no text" : `${binary} of them not text`] : []),
	];
	return { text: texts.join("\n\n"), mimeType, summary: words.join(", ") };
}

/** The beginning of a resource as a quotation: nothing in it is rendered (UI-01 to UI-04). */
export function resourceParts(
	{ definition }: Session,
	uri: string,
	{ text, summary }: ResourceText,
): readonly ChatPart[] {
	const head = `**${escapeMarkdown(oneLine(definition.name))}** · ${escapeMarkdown(oneLine(uri))}  \n${escapeMarkdown(summary)}`;
	const lines = text.slice(0, excerptLength).split("\n").slice(0, excerptLines).join("\n");
	const shown = lines.length < text.length ? `${lines}…` : lines;
	const quoted = text === "" ? "" : `\n\n> ${escapeMarkdown(shown).replaceAll("\n", "\n> ")}`;
	const note = text === "" ? "" : "\n\n_It is sent to the model with your next messages in this chat._";
	return [{ kind: "text", markdown: `${head}${quoted}${note}\n\n` }];
}

/** How much of a read or run by the user is kept for later turns, in characters. */
const longest = 16_000;
/** The same of a skill, which is of little use in part. */
const longestSkill = 64_000;

/** The text for later turns about a tool that the user ran in the chat; empty when it has no result. */
export function messagesOfCall({ entry }: Pick<ToolCall, "entry">, outcome: ToolOutcome): readonly ModelMessage[] {
	if (outcome.kind !== "done") return [];
	const { result, sent } = outcome;
	const name = `${oneLine(entry.tool.name)} of the server ${oneLine(entry.session.definition.name)}`;
	const verdict = result.isError ? "It reported an error:" : "It returned:";
	const ran = `The user ran the tool ${name} directly with ${JSON.stringify(sent)}. ${verdict}`;
	const head = entry.skill === undefined ? ran : "The user loaded a skill for this conversation.";
	const most = entry.skill === undefined ? longest : longestSkill;
	return [{ role: "user", content: [text(head), ...bounded(result.forModel, most)] }];
}

/** The text for later turns about a resource that the user read in the chat. */
export function messagesOfResource(server: string, uri: string, contents: string): readonly ModelMessage[] {
	const head = `The user attached the resource ${oneLine(uri, 2000)} of the server ${oneLine(server)}:`;
	return [{ role: "user", content: [text(head), ...bounded([text(contents)])] }];
}

/** Texts only, up to the limit of a turn; the rest is named. */
function bounded(parts: readonly ModelPart[], most = longest): readonly ModelPart[] {
	let left = most;
	return parts.flatMap((part) => {
		if (part.type !== "text") return [text(part.type === "image" || part.type === "audio" ? `(${part.mimeType})` : "")];
		if (left <= 0) return [];
		const kept = part.text.slice(0, left);
		left -= kept.length;
		return [text(kept === part.text ? kept : `${kept}\n(The rest was left out: it is too long.)`)];
	});
}

function text(value: string): ModelPart {
	return { type: "text", text: value };
}
