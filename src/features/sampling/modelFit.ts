import { oneLine } from "../../base/text.ts";
import type { ModelInfo, ModelMessage, ModelPart, ModelTool } from "../../models/model.ts";
import { audioFormatOf } from "../../models/audioFormats.ts";
import { partPlace } from "./fields.ts";
import type { ReviewPlace } from "./review/reviewProtocol.ts";

/**
 * Why a model cannot receive a request unchanged, in words for the user; undefined when it can. Parts that a model
 * cannot take are never left out silently (BLT-13, BLT-14). For parts that no model can take see `obstaclesIn`.
 */
export function whyUnfit(
	messages: readonly ModelMessage[],
	tools: readonly Pick<ModelTool, "name">[],
	{ supportsTools, supportsImages }: Pick<ModelInfo, "supportsTools" | "supportsImages">,
): string | undefined {
	const parts = messages.flatMap(({ content }) =>
		content.flatMap((part) => (part.type === "tool-result" ? [part, ...part.content] : [part])),
	);
	const usesTools = tools.length > 0 || parts.some(({ type }) => type === "tool-call" || type === "tool-result");
	if (usesTools && !supportsTools) return "cannot use tools, but this request contains tools";
	if (!supportsImages && parts.some(({ type }) => type === "image")) {
		return "does not accept images. Remove them, or choose another model";
	}
	return undefined;
}

/** A part of a request that no model can take: its place, and the reason, in a sentence that says what to do. */
export interface Obstacle {
	readonly place: ReviewPlace;
	readonly problem: string;
}

/** The obstacles to sending a request to any model: images and sounds of types or at places that none accepts. */
export function obstaclesIn(messages: readonly ModelMessage[]): readonly Obstacle[] {
	return messages.flatMap(({ role, content }, message) =>
		content.flatMap((part, index) => {
			const pieces = part.type === "tool-result" ? part.content : [];
			return [
				...obstacle(part, role === "assistant" ? "is in an assistant message" : undefined, partPlace(message, index)),
				...pieces.flatMap((piece, at) =>
					obstacle(piece, piece.type === "audio" ? "is in a tool result" : undefined, partPlace(message, index, at)),
				),
			];
		}),
	);
}

/** A type without parameters: they would be sent with the image, and are not visible in it. */
const imageType = /^image\/[\w.+-]{1,60}$/;

function obstacle(part: ModelPart, misplaced: string | undefined, place: ReviewPlace): readonly Obstacle[] {
	if (part.type !== "image" && part.type !== "audio") return [];
	const what = part.type === "image" ? "image" : "sound";
	const type = oneLine(part.mimeType, 60);
	const isOdd = part.type === "image" ? !imageType.test(part.mimeType) : audioFormatOf(part.mimeType) === undefined;
	const why = isOdd
		? part.type === "image"
			? `The server declares this image as ${type}, which is not an image type`
			: `This recording is ${type}, but models accept only WAV and MP3`
		: misplaced && `No model accepts ${what === "image" ? "an image" : "a recording"} that ${misplaced}`;
	return why === undefined ? [] : [{ place, problem: `${why}. Remove it to send the request.` }];
}
