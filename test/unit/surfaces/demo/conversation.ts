import type { ChatModel, ModelEvent, ModelMessage, ModelPart, ModelTool } from "../../../../src/models/model.ts";

type Call = Extract<ModelEvent, { type: "tool-call" }>;

/** The answer of a tool, or of the user who denies it. */
export interface ToolAnswer {
	readonly text: string;
	readonly isError?: boolean;
}

/** All events of a model's answer to these messages. */
export async function eventsOf(
	model: ChatModel,
	messages: readonly ModelMessage[],
	options: Partial<Parameters<ChatModel["respond"]>[1]> = {},
): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	const answer = model.respond(messages, { signal: new AbortController().signal, ...options });
	for await (const event of answer) events.push(event);
	return events;
}

/** The text of events, joined. */
export function textOf(events: readonly ModelEvent[]): string {
	return events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
}

/** A message of a user. */
export function user(text: string): ModelMessage {
	return { role: "user", content: [{ type: "text", text }] };
}

/** One turn as a host runs it: asks the model and answers its calls until it makes none. Appends to `messages`. */
export async function takeTurn(
	model: ChatModel,
	messages: ModelMessage[],
	tools: readonly ModelTool[],
	answer: (call: Call) => Promise<ToolAnswer> | ToolAnswer,
): Promise<{ readonly calls: readonly Call[]; readonly text: string }> {
	const calls: Call[] = [];
	for (;;) {
		const events = await eventsOf(model, messages, { tools });
		const requested = events.filter((event) => event.type === "tool-call");
		const said: ModelPart = { type: "text", text: textOf(events) };
		messages.push({ role: "assistant", content: [said, ...requested] });
		if (requested.length === 0) return { calls, text: said.text };
		const results: ModelPart[] = [];
		for (const call of requested) {
			calls.push(call);
			const { text, isError = false } = await answer(call);
			results.push({ type: "tool-result", callId: call.callId, content: [{ type: "text", text }], isError });
		}
		messages.push({ role: "user", content: results });
	}
}
