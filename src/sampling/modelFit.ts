import { oneLine } from "../base/text.ts";
import type { ModelInfo, ModelMessage, ModelPart, ModelTool } from "../models/model.ts";
import { audioFormatOf } from "../models/audioFormats.ts";

/**
 * Why a model cannot be sent a request as it stands, in words for the person; undefined when it can. What a model cannot
 * take is never left out in silence (built-in.md claims 13, 14).
 */
export function whyUnfit(
	messages: readonly ModelMessage[],
	tools: readonly Pick<ModelTool, "name">[],
	{ supportsTools, supportsImages }: Pick<ModelInfo, "supportsTools" | "supportsImages">,
): string | undefined {
	const parts = messages.flatMap(({ content }) => content.flatMap(withPieces));
	const odd = parts.find((part) => part.type === "image" && !imageType.test(part.mimeType));
	if (odd?.type === "image")
		return `cannot be sent ${oneLine(odd.mimeType, 60)}, which is no type of image; take it out`;
	const usesTools = tools.length > 0 || parts.some(({ type }) => type === "tool-call" || type === "tool-result");
	if (usesTools && !supportsTools) return "cannot use tools, which this request does";
	if (!supportsImages && parts.some(({ type }) => type === "image")) {
		return "does not read images; take them out, or choose another model";
	}
	const sound = parts.find((part) => part.type === "audio" && audioFormatOf(part.mimeType) === undefined);
	if (sound?.type === "audio")
		return `cannot be sent ${oneLine(sound.mimeType, 60)}, only WAV and MP3; take the sound out`;
	return whyMisplaced(messages);
}

/** A type without parameters: what stands behind it would go out with the image, and is not seen in it. */
const imageType = /^image\/[\w.+-]{1,60}$/;

/** Where no model can be sent an image or a sound, though it reads them elsewhere. */
function whyMisplaced(messages: readonly ModelMessage[]): string | undefined {
	const isMedium = ({ type }: ModelPart): boolean => type === "image" || type === "audio";
	if (messages.some(({ role, content }) => role === "assistant" && content.some(isMedium))) {
		return "cannot be sent images or sounds that the assistant says; take them out";
	}
	const results = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-result"));
	return results.some(({ content }) => content.some(({ type }) => type === "audio"))
		? "cannot be sent sounds in tool results; take them out"
		: undefined;
}

function withPieces(part: ModelPart): readonly ModelPart[] {
	return part.type === "tool-result" ? [part, ...part.content] : [part];
}
