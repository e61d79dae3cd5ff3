import type OpenAI from "openai";
import { assertNever } from "../base/assert.ts";
import { audioFormatOf } from "./audioFormats.ts";
import { emptyResult, type ModelMessage, type ModelPart, type ModelTool } from "./model.ts";
import type { ModelProfile } from "./profile.ts";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type Tool = OpenAI.Chat.Completions.ChatCompletionTool;

/**
 * Our messages in the form of chat completions. Tool results become messages of their own, directly behind the
 * assistant's message as the format demands; images in them, which it cannot carry there, follow as a user message.
 * What the model cannot read is replaced by a note, never dropped in silence.
 */
export function toOpenAiMessages(
	messages: readonly ModelMessage[],
	{ images, systemRole }: Pick<ModelProfile, "images" | "systemRole">,
): Message[] {
	return messages.flatMap(({ role, content }): Message[] => {
		if (role === "system") return [{ role: systemRole, content: textOf(content) }];
		return role === "assistant" ? [assistantMessage(content)] : userMessages(content, images);
	});
}

/** Our tools in the form of chat completions, schemas unchanged (spec.md T7). */
export function toOpenAiTools(tools: readonly ModelTool[]): Tool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: "function",
		function: { name, description, parameters: { ...inputSchema } },
	}));
}

function assistantMessage(content: readonly ModelPart[]): Message {
	const calls = content.filter((part) => part.type === "tool-call");
	const text = textOf(content.filter((part) => part.type !== "tool-call"));
	if (calls.length === 0) return { role: "assistant", content: text };
	return {
		role: "assistant",
		content: text === "" ? null : text,
		tool_calls: calls.map((call) => ({
			id: call.callId,
			type: "function",
			function: { name: call.name, arguments: JSON.stringify(call.arguments) },
		})),
	};
}

function userMessages(content: readonly ModelPart[], supportsImages: boolean): Message[] {
	const results: Message[] = [];
	const parts: UserPart[] = [];
	for (const part of content) {
		if (part.type !== "tool-result") {
			parts.push(userPart(part, supportsImages));
			continue;
		}
		const isShown = (inner: ModelPart): boolean => supportsImages && inner.type === "image";
		const images = part.content.filter(isShown);
		const texts = textOf(part.content.filter((inner) => !isShown(inner)));
		const fallback = images.length > 0 ? "(see the images that follow)" : emptyResult;
		const text = `${part.isError ? "Error:\n" : ""}${texts === "" ? fallback : texts}`;
		results.push({ role: "tool", tool_call_id: part.callId, content: text });
		if (images.length > 0) {
			const label = `${images.length === 1 ? "Image" : "Images"} from the result of the tool call ${part.callId}:`;
			parts.push({ type: "text", text: label }, ...images.map((image) => userPart(image, true)));
		}
	}
	if (parts.length === 0) return results;
	// A plain text is understood by every endpoint; some refuse lists of parts.
	const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
	const message: Message = { role: "user", content: texts.length === parts.length ? texts.join("\n\n") : parts };
	return [...results, message];
}

function userPart(part: ModelPart, supportsImages: boolean): UserPart {
	if (part.type === "image" && supportsImages) {
		return { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
	}
	const format = part.type === "audio" ? audioFormatOf(part.mimeType) : undefined;
	if (part.type === "audio" && format !== undefined) {
		return { type: "input_audio", input_audio: { data: part.data, format } };
	}
	return { type: "text", text: textOf([part]) };
}

function textOf(parts: readonly ModelPart[]): string {
	return parts.map(textOfPart).join("\n\n");
}

function textOfPart(part: ModelPart): string {
	switch (part.type) {
		case "text":
			// Some endpoints refuse the whole conversation for half of a character.
			return part.text.toWellFormed();
		case "image":
		case "audio":
			return `(${part.mimeType} left out: it cannot be sent to this model)`;
		case "tool-call":
			return `(call of ${part.name})`;
		case "tool-result":
			return textOf(part.content);
		default:
			return assertNever(part);
	}
}
