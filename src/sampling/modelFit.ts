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
	const usesTools = tools.length > 0 || parts.some(({ type }) => type === "tool-call" || type === "tool-result");
	if (usesTools && !supportsTools) return "cannot use tools, which this request does";
	if (!supportsImages && parts.some(({ type }) => type === "image")) {
		return "does not read images; take them out, or choose another model";
	}
	const sound = parts.find((part) => part.type === "audio" && audioFormatOf(part.mimeType) === undefined);
	if (sound?.type !== "audio") return undefined;
	return `cannot be sent ${oneLine(sound.mimeType, 60)}, only WAV and MP3; take the sound out`;
}

function withPieces(part: ModelPart): readonly ModelPart[] {
	return part.type === "tool-result" ? [part, ...part.content] : [part];
}
