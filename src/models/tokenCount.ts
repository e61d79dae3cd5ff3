import { estimateTokens, toolTokens } from "./tokens.ts";
import type { ModelMessage, ModelPart, ModelTool } from "./model.ts";

/** The cost of a message beside its content: role and separators. */
const perMessage = 4;
/**
 * About the cost of a picture of usual size for a model, a guess: it depends on its width and height, not on its bytes.
 */
const perImage = 1000;
/** Bytes of compressed speech to a token, a rough guess: models count seconds, 10 to 30 tokens each. */
const audioBytesPerToken = 500;

/** The approximate tokens of a message for a model, with the estimator of the whole host. */
export function countMessageTokens({ content }: ModelMessage): number {
	return content.reduce((sum, part) => sum + countPart(part), perMessage);
}

/**
 * About how many tokens a whole request is: its messages, the system's among them, and the tools that it offers. Cheap
 * enough to be asked at every key stroke: long texts are counted once, and megabytes by samples (`estimateTokens`).
 */
export function estimateRequestTokens(messages: readonly ModelMessage[], tools: readonly ModelTool[] = []): number {
	const ofMessages = messages.reduce((sum, message) => sum + countMessageTokens(message), 0);
	return tools.reduce((sum, tool) => sum + toolTokens(tool), ofMessages);
}

/** The counts of long texts, which are needed again with every edit of another one. */
const counted = new Map<string, number>();
/** Shorter ones are counted faster than looked up. */
const shortText = 2000;
/** How many characters are kept for it in total; then it is emptied. */
const mostKept = 8_000_000;
let kept = 0;

function countText(text: string): number {
	if (text.length <= shortText || text.length > mostKept) return estimateTokens(text);
	const known = counted.get(text);
	if (known !== undefined) return known;
	if (kept + text.length > mostKept) {
		counted.clear();
		kept = 0;
	}
	const count = estimateTokens(text);
	counted.set(text, count);
	kept += text.length;
	return count;
}

function countPart(part: ModelPart): number {
	switch (part.type) {
		case "text":
			return countText(part.text);
		case "image":
			return perImage;
		case "audio":
			return Math.ceil((part.data.length * 3) / 4 / audioBytesPerToken);
		case "tool-call":
			return perMessage + estimateTokens(part.name) + countText(JSON.stringify(part.arguments));
		case "tool-result":
			return part.content.reduce((sum, inner) => sum + countPart(inner), perMessage);
	}
}
