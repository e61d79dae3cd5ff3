import type { ModelMessage, ModelPart } from "../models/model.ts";

/**
 * Earlier turns with their tool calls and results as plain texts, for a request without tools: endpoints refuse calls there,
 * or leave them out without a word. Roles keep their turns.
 */
export function callsInWords(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const calls = new Map<string, string>();
	return messages.map(({ role, content }) => ({ role, content: content.flatMap((part) => inWords(part, calls)) }));
}

/** `calls` takes and gives what each call was, by its id. */
function inWords(part: ModelPart, calls: Map<string, string>): readonly ModelPart[] {
	if (part.type === "tool-call") {
		calls.set(part.callId, `${part.name} with ${JSON.stringify(part.arguments)}`);
		return [{ type: "text", text: `(called the tool ${part.name})` }];
	}
	if (part.type !== "tool-result") return [part];
	const call = calls.get(part.callId) ?? "a tool";
	return [{ type: "text", text: `(${part.isError ? "Error" : "Result"} of ${call}:)` }, ...part.content];
}
