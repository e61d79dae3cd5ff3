import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { AppRefusal, rpcCodes } from "./bridgeMessages.ts";

/**
 * The texts of a message for the chat; the only kind of content that is taken (MCP Apps 2026-01-26, "ui/message").
 * @throws AppRefusal when there is none, or it is of another role.
 */
export function messageText({ role, content }: JsonObject): string {
	const texts = textsOf(Array.isArray(content) ? content : [content]);
	if (role !== "user" || texts === undefined || texts.length === 0)
		throw invalid("ui/message needs the role user and content of texts.");
	return texts.join("\n\n");
}

/**
 * What models are to know, as one text (MCP Apps 2026-01-26, "ui/update-model-context").
 * @throws AppRefusal for other content than texts and an object.
 */
export function contextText({ content = [], structuredContent }: JsonObject): string {
	const texts = Array.isArray(content) ? textsOf(content) : undefined;
	if (texts === undefined || (structuredContent !== undefined && !isJsonObject(structuredContent)))
		throw invalid("ui/update-model-context takes content of texts, and structuredContent that is an object.");
	return [...texts, ...(structuredContent === undefined ? [] : [JSON.stringify(structuredContent)])].join("\n\n");
}

/** A refusal of params that do not fit their method. */
export function invalid(message: string): AppRefusal {
	return new AppRefusal(rpcCodes.invalidParams, message);
}

/** The texts of blocks; undefined when there are others among them. */
function textsOf(blocks: readonly unknown[]): readonly string[] | undefined {
	const texts = blocks.flatMap((block) =>
		isJsonObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
	);
	return texts.length === blocks.length ? texts : undefined;
}
