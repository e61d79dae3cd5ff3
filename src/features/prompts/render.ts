import { assertNever } from "../../base/assert.ts";
import { codeBlock } from "../../base/markdown.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { ModelMessage, ModelPart } from "../../models/model.ts";
import { sizeOf, type PromptMessage, type PromptPart } from "./content.ts";

/**
 * The messages for a model: roles, order and media kept; links and embedded resources as labelled text. Hidden
 * characters are escapes here too: a model reads the same text as the user, and nothing evades the preview (TOL-08).
 */
export function toModelMessages(messages: readonly PromptMessage[]): readonly ModelMessage[] {
	return messages.map(({ role, parts }) => ({ role, content: parts.map(toModelPart) }));
}

function toModelPart(part: PromptPart): ModelPart {
	switch (part.kind) {
		case "text":
			return { type: "text", text: showHidden(part.text) };
		case "image":
		case "audio":
			return { type: part.kind, data: part.data, mimeType: part.mimeType };
		case "link":
			return { type: "text", text: `[${linkLine(part)}]` };
		case "resource":
			return { type: "text", text: `[${resourceLine(part)}]\n${showHidden(part.text)}\n[End of resource]` };
		case "note":
			return { type: "text", text: `[${part.text}]` };
		default:
			return assertNever(part);
	}
}

/** The heading over a message. */
export function roleTitle(role: PromptMessage["role"]): string {
	return role === "user" ? "User" : "Assistant";
}

/** A readable markdown document: the title, then each message under its role. Hidden characters are shown as escapes. */
export function toDocument(title: string, messages: readonly PromptMessage[]): string {
	return `# ${oneLine(title)}\n\n${sections(messages)}\n`;
}

/** The messages as text to paste: those of one message unchanged, several under their roles. */
export function toText(messages: readonly PromptMessage[]): string {
	const [only, ...others] = messages;
	if (only === undefined || others.length > 0) return sections(messages);
	return only.parts.map((part) => (part.kind === "text" ? showHidden(part.text) : partSection(part))).join("\n\n");
}

function sections(messages: readonly PromptMessage[]): string {
	return messages
		.map(({ role, parts }) => [`## ${roleTitle(role)}`, ...parts.map(partSection)].join("\n\n"))
		.join("\n\n");
}

function partSection(part: PromptPart): string {
	switch (part.kind) {
		case "text":
			// A text that would look like a message of its own is fenced, so that it cannot feign another role.
			return /^ {0,3}#{1,2}\s*(?:user|assistant)\b/im.test(part.text) ? codeBlock(part.text) : showHidden(part.text);
		case "image":
		case "audio":
			return `*${mediaLine(part)}*`;
		case "link":
			return codeBlock(linkLine(part));
		case "resource":
			return `${codeBlock(resourceLine(part))}\n${codeBlock(part.text)}`;
		case "note":
			return codeBlock(part.text);
		default:
			return assertNever(part);
	}
}

/** A picture or recording in words: `Image, image/png, 12 KB`. */
export function mediaLine({ kind, mimeType, bytes }: Extract<PromptPart, { kind: "image" | "audio" }>): string {
	return `${kind === "image" ? "Image" : "Audio"}, ${mimeType}, ${sizeOf(bytes)}`;
}

/** A link in words: `Resource link name: uri (about)`. */
export function linkLine({ name, uri, about }: Extract<PromptPart, { kind: "link" }>): string {
	const more = about.length === 0 ? "" : ` (${about.map((text) => oneLine(text, 1000)).join(", ")})`;
	return `Resource link${name === "" ? "" : ` ${name}`}: ${uri}${more}`;
}

/** An embedded resource in words, without its content: `Resource uri, text/plain`. */
export function resourceLine({ uri, mimeType }: Extract<PromptPart, { kind: "resource" }>): string {
	return `Resource ${uri}${mimeType === undefined ? "" : `, ${mimeType}`}`;
}
