import type { PreviewChange, PreviewMessage, PromptPreview } from "../../src/prompts/previewProtocol.ts";

/** The preview after a change of the person's; the host makes the same change to what goes out. */
export function withChange(preview: PromptPreview, change: PreviewChange): PromptPreview {
	const message = preview.messages[change.message];
	if (message === undefined) return preview;
	return { ...preview, messages: preview.messages.with(change.message, changed(message, change)) };
}

/** Whether anything is other than the server gave it. */
export function isChanged({ messages }: PromptPreview): boolean {
	return messages.some(
		({ isRemoved, parts }) => isRemoved || parts.some((part) => part.kind === "text" && part.text !== part.original),
	);
}

function changed(message: PreviewMessage, change: PreviewChange): PreviewMessage {
	if (change.kind !== "edit") return { ...message, isRemoved: change.kind === "remove" };
	const part = message.parts[change.part];
	if (part?.kind !== "text") return message;
	return { ...message, parts: message.parts.with(change.part, { ...part, text: change.text }) };
}
