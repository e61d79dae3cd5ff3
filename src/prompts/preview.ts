import { assertNever } from "../base/assert.ts";
import { cap, hasHiddenCharacters, oneLine, showHidden } from "../base/text.ts";
import type { PromptArguments } from "./arguments.ts";
import { promptTitle, type PromptEntry } from "./catalog.ts";
import type { PromptMessage, PromptPart } from "./content.ts";
import type { PreviewAction, PreviewPart, PromptPreview } from "./previewProtocol.ts";
import { linkLine, mediaLine, resourceLine } from "./render.ts";

/** The largest image that is shown, in bytes; a larger one is described. */
const imageLimit = 1_000_000;

/** What the preview shows of a prompt with these arguments and messages. */
export function toPreview(
	entry: PromptEntry,
	values: PromptArguments,
	description: string | undefined,
	messages: readonly PromptMessage[],
): PromptPreview {
	return {
		server: oneLine(entry.session.definition.name),
		title: promptTitle(entry.prompt),
		id: oneLine(entry.id),
		description: description === undefined ? undefined : showHidden(cap(description, 2000)),
		arguments: Object.entries(values).map(([name, value]) => ({ name: oneLine(name), value: showHidden(value) })),
		messages: messages.map(({ role, parts }) => ({ role, parts: parts.map(toPreviewPart) })),
		hasHidden: messages.some(({ parts }) => parts.some((part) => "text" in part && hasHiddenCharacters(part.text))),
	};
}

/** The action that a view asks for; undefined for anything else it may send. */
export function readPreviewAction(value: unknown): PreviewAction | undefined {
	return value === "chat" || value === "document" || value === "insert" || value === "copy" ? value : undefined;
}

function toPreviewPart(part: PromptPart): PreviewPart {
	switch (part.kind) {
		case "text":
			return { kind: "text", text: showHidden(part.text) };
		case "image": {
			const label = mediaLine(part);
			if (part.bytes > imageLimit)
				return { kind: "attachment", label: `${label}, too large to show here`, text: undefined };
			return { kind: "image", source: `data:${part.mimeType};base64,${part.data}`, label };
		}
		case "audio":
			return { kind: "attachment", label: mediaLine(part), text: undefined };
		case "link":
			return { kind: "attachment", label: linkLine(part), text: undefined };
		case "resource":
			return { kind: "attachment", label: resourceLine(part), text: showHidden(part.text) };
		case "note":
			return { kind: "note", text: part.text };
		default:
			return assertNever(part);
	}
}
