import { assertNever } from "../../base/assert.ts";
import { isJsonObject } from "../../base/json.ts";
import { exactName } from "../../base/exactJson.ts";
import { cap, hasHiddenCharacters, oneLine, showHidden } from "../../base/text.ts";
import type { PromptArguments } from "./arguments.ts";
import { promptTitle, type PromptEntry } from "./catalog.ts";
import type { PromptMessage, PromptPart } from "./content.ts";
import type { PromptDraft } from "./draft.ts";
import { sniffAudio } from "../../base/media.ts";
import type { PreviewAction, PreviewChange, PreviewPart, PromptPreview } from "./previewProtocol.ts";
import { linkLine, mediaLine, resourceLine } from "./render.ts";

/** A prompt that the server has answered. */
export interface FilledPrompt {
	/** Distinguishes this run from every other. */
	readonly run: string;
	readonly entry: PromptEntry;
	readonly values: PromptArguments;
	readonly description: string | undefined;
	/** Whether the server's messages held characters that cannot be seen. */
	readonly hasHidden: boolean;
	readonly draft: PromptDraft;
}

/** Whether messages hold characters that cannot be seen. */
export function holdHidden(messages: readonly PromptMessage[]): boolean {
	return messages.some(({ parts }) => parts.some((part) => "text" in part && hasHiddenCharacters(part.text)));
}

/** The preview's data about a prompt with the user's changes. */
export function toPreview({ run, entry, values, description, hasHidden, draft }: FilledPrompt): PromptPreview {
	return {
		run,
		server: oneLine(entry.session.definition.name),
		title: promptTitle(entry.prompt),
		id: oneLine(entry.id),
		description: description === undefined ? undefined : showHidden(cap(description, 2000)),
		arguments: Object.entries(values).map(([name, value]) => ({
			name: exactName(name, 200),
			value: showHidden(value),
		})),
		takesArguments: (entry.prompt.arguments ?? []).length > 0,
		messages: draft.original.map(({ role, parts }, message) => ({
			role,
			parts: parts.map((part, place) => toPreviewPart(part, draft.editedText(message, place))),
			isRemoved: draft.isRemoved(message),
		})),
		hasHidden,
	};
}

/** The action that a view requests; undefined for any other message. */
export function readPreviewAction(value: unknown): PreviewAction | undefined {
	return value === "chat" || value === "document" || value === "insert" || value === "copy" ? value : undefined;
}

/** The change that a view requests; undefined for any other message (UI-06). */
export function readPreviewChange(value: unknown): PreviewChange | undefined {
	if (!isJsonObject(value)) return undefined;
	const { kind, message, part, text } = value;
	if (typeof message !== "number") return undefined;
	if (kind === "remove" || kind === "restore") return { kind, message };
	if (kind !== "edit" || typeof part !== "number" || typeof text !== "string") return undefined;
	return { kind, message, part, text };
}

/** `edited` is the text of the part as the user changed it. */
function toPreviewPart(part: PromptPart, edited: string | undefined): PreviewPart {
	switch (part.kind) {
		case "text":
			return { kind: "text", text: edited ?? part.text, original: part.text };
		case "image":
			return { kind: "image", source: sourceOf(part.mimeType, part.data), label: mediaLine(part) };
		case "audio": {
			const type = sniffAudio(part.data);
			if (type !== undefined) return { kind: "audio", source: sourceOf(type, part.data), label: mediaLine(part) };
			return { kind: "attachment", label: mediaLine(part), text: undefined, isOpenable: false };
		}
		case "link":
			return { kind: "attachment", label: linkLine(part), text: undefined, isOpenable: part.isExact };
		case "resource":
			return { kind: "attachment", label: resourceLine(part), text: part.text, isOpenable: false };
		case "note":
			return { kind: "note", text: part.text };
		default:
			return assertNever(part);
	}
}

function sourceOf(mimeType: string, data: string): string {
	return `data:${mimeType};base64,${data}`;
}
