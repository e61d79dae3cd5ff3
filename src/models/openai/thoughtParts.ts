import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** A text, or a list of parts of which those that are text count. */
export function contentOf(content: Json | undefined): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	const texts = (content as readonly Json[]).map((part) =>
		isJsonObject(part) && part["type"] === "text" ? part["text"] : "",
	);
	return texts.filter((text) => typeof text === "string").join("");
}

/** Gemini's summaries of its thoughts, where a request asks for them, are content with a mark beside it. */
export function isThought({ extra_content: extra }: JsonObject): boolean {
	const google = isJsonObject(extra) ? extra["google"] : undefined;
	return isJsonObject(google) && google["thought"] === true;
}

/** Where else than in fields that are kept thoughts stand in a delta, by its fields and by the types of parts of its content. */
const fields = ["thinking", "thought", "reasoning_text", "thinking_content", "reasoning_content", "reasoning"] as const;
const types: ReadonlySet<Json | undefined> = new Set(["thinking", "reasoning", "thought"]);

/** The thoughts of a delta, as a text or as an object around one: of Mistral, Ollama, Copilot, gateways. */
export function thoughtsIn(delta: JsonObject): string {
	const { content } = delta;
	const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isThoughtPart) : [];
	// Some say the same in two fields.
	const inField = fields.map((field) => wordsOf(delta[field])).find((words) => words !== "") ?? "";
	return inField + parts.map(wordsOf).join("");
}

function isThoughtPart(part: Json): boolean {
	return isJsonObject(part) && types.has(part["type"]);
}

function wordsOf(value: Json | undefined): string {
	if (typeof value === "string") return value;
	if (Array.isArray(value)) return (value as readonly Json[]).map(wordsOf).join("");
	if (!isJsonObject(value)) return "";
	return wordsOf(value["thinking"] ?? value["text"] ?? value["content"] ?? value["summary"] ?? value["reasoning"]);
}
