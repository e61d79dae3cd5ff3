import type { ReviewField } from "../../../../src/features/sampling/review/reviewProtocol.ts";
import type { tool } from "./requests.ts";

type Block =
	| { readonly type: "text" }
	| { readonly type: "image" }
	| { readonly type: "tool_use"; readonly id: string; readonly name: string }
	| { readonly type: "tool_result"; readonly toolUseId: string };

/** The params of a server, as far as they reach the endpoint in any form. */
export interface SentParams {
	readonly messages: readonly { readonly role: string; readonly content: readonly object[] }[];
	readonly tools?: readonly ReturnType<typeof tool>[];
}

/** The content of the screen when the user approves. */
export interface Shown {
	/** The text of a place, and of no missing place. */
	readonly at: (place: ReviewField["place"]) => string;
	readonly removed: ReadonlySet<string>;
	readonly sendsMetadata: boolean;
}

/**
 * The body that the endpoint must receive for a request: derived only from the screen and the wire format, so that it
 * shares nothing with the checked code.
 */
export function expectedBody({ messages, tools = [] }: SentParams, { at, removed, sendsMetadata }: Shown): object {
	const out: object[] = [];
	if (at("system") !== "") out.push({ role: "system", content: at("system") });
	for (const [index, { role, content }] of messages.entries()) {
		if (removed.has(`message.${index}`)) continue;
		const parts: { readonly type: string; readonly text?: string }[] = [];
		const calls: object[] = [];
		for (const [number, block] of (content as readonly Block[]).entries()) {
			const place = `message.${index}.part.${number}`;
			if (removed.has(place)) continue;
			if (block.type === "text") parts.push({ type: "text", text: at(place) });
			if (block.type === "image") parts.push(imagePart);
			if (block.type === "tool_use") {
				const call = { name: block.name, arguments: JSON.stringify(JSON.parse(at(place))) };
				calls.push({ id: block.id, type: "function", function: call });
			}
			if (block.type === "tool_result") out.push({ role: "tool", tool_call_id: block.toolUseId, content: at(place) });
		}
		const texts = parts.map((part) => part.text);
		const isPlain = texts.every((words) => words !== undefined);
		if (role === "assistant" && parts.length + calls.length > 0) {
			const words = texts.join("\n\n");
			out.push(
				calls.length === 0
					? { role, content: words }
					: { role, content: words === "" ? null : words, tool_calls: calls },
			);
		}
		if (role === "user" && parts.length > 0) out.push({ role, content: isPlain ? texts.join("\n\n") : parts });
	}
	const told = tools.length === 0 || at("toolChoice") === "none" ? [] : (JSON.parse(at("tools")) as Told[]);
	const stop = JSON.parse(`[${at("stopSequences")}]`) as string[];
	return {
		model: "scripted-model",
		messages: out,
		stream: true,
		stream_options: { include_usage: true },
		...(told.length === 0
			? {}
			: { tools: told.map(toolPart), ...(at("toolChoice") === "auto" ? {} : { tool_choice: at("toolChoice") }) }),
		max_tokens: Number(at("maxTokens")),
		...(at("temperature") === "" ? {} : { temperature: Number(at("temperature")) }),
		...(stop.length === 0 ? {} : { stop }),
		...(sendsMetadata ? { metadata: JSON.parse(at("metadata")) as object } : {}),
	};
}

interface Told {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: object;
}

const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

function toolPart({ name, description, inputSchema }: Told): object {
	return { type: "function", function: { name, description, parameters: inputSchema } };
}
