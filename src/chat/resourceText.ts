import { escapeMarkdown, oneLine } from "../base/text.ts";
import { partsOf, readableSize } from "../resources/content.ts";
import type { Session } from "../servers/session.ts";
import type { ChatPart } from "./render.ts";

/** How much of a resource stands in the chat; a link opens all of it. */
const excerptLength = 1500;
const excerptLines = 25;

/** What reading a resource gave, as far as it is text. */
export interface ResourceText {
	/** The texts of all contents; empty when there are none. */
	readonly text: string;
	readonly mimeType: string | undefined;
	/** What the contents are, in a few words of ours. */
	readonly summary: string;
}

/**
 * Reads a resource for the person.
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
		...(binary > 0 ? [texts.length === 0 ? "no text" : `${binary} of them no text`] : []),
	];
	return { text: texts.join("\n\n"), mimeType, summary: words.join(", ") };
}

/** The beginning of a resource as a quotation: nothing in it is rendered (security.md UI-01 to UI-04). */
export function resourceParts(
	{ definition }: Session,
	uri: string,
	{ text, summary }: ResourceText,
): readonly ChatPart[] {
	const head = `**${escapeMarkdown(oneLine(definition.name))}** · ${escapeMarkdown(oneLine(uri))}  \n${escapeMarkdown(summary)}`;
	const lines = text.slice(0, excerptLength).split("\n").slice(0, excerptLines).join("\n");
	const shown = lines.length < text.length ? `${lines}…` : lines;
	const quoted = text === "" ? "" : `\n\n> ${escapeMarkdown(shown).replaceAll("\n", "\n> ")}`;
	const told = text === "" ? "" : "\n\n_The model of your next messages in this chat is told of it._";
	return [{ kind: "text", markdown: `${head}${quoted}${told}\n\n` }];
}
