import { estimateTokens } from "../tools/tokens.ts";
import type { ModelMessage, ModelPart } from "./model.ts";

/** What a message costs beside its content: role and separators. */
const perMessage = 4;
/** About what models take for a picture of usual size; it does not depend on its bytes. */
const perImage = 1000;
/** Bytes of compressed speech to a token, roughly. */
const audioBytesPerToken = 500;

/** About how many tokens a message is to a model, with the estimator that all of the host counts by. */
export function countMessageTokens({ content }: ModelMessage): number {
	return content.reduce((sum, part) => sum + countPart(part), perMessage);
}

function countPart(part: ModelPart): number {
	switch (part.type) {
		case "text":
			return estimateTokens(part.text);
		case "image":
			return perImage;
		case "audio":
			return Math.ceil((part.data.length * 3) / 4 / audioBytesPerToken);
		case "tool-call":
			return perMessage + estimateTokens(part.name) + estimateTokens(JSON.stringify(part.arguments));
		case "tool-result":
			return part.content.reduce((sum, inner) => sum + countPart(inner), perMessage);
		default: {
			const unreachable: never = part;
			return unreachable;
		}
	}
}
