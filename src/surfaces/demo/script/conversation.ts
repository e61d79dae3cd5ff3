import { parseFlights, type Flight } from "../world/flights.ts";
import type { ModelMessage, ModelPart } from "../../../models/model.ts";

/** How a tool call ended, according to the conversation. */
export interface CallOutcome {
	readonly name: string;
	readonly kind: "done" | "denied" | "failed";
	readonly text: string;
}

/** The data that the script reads from a conversation. */
export interface Conversation {
	/** The user's current request: their last consecutive messages. */
	readonly request: string;
	/** The texts about the trip, in order: the user's words, and the final search (a call may be edited). */
	readonly texts: readonly string[];
	/** The flights found last. */
	readonly flights: readonly Flight[];
	/** The answered calls since the request, in order. */
	readonly outcomes: readonly CallOutcome[];
	/** The id of the next call, which is unique in the conversation. */
	readonly nextCallId: string;
}

/** Reads a conversation. Messages of the system are not the user's and are left out. */
export function readConversation(messages: readonly ModelMessage[]): Conversation {
	const calls = new Map<string, Extract<ModelPart, { type: "tool-call" }>>();
	const texts: string[] = [];
	let flights: Flight[] = [];
	let request: string[] = [];
	let outcomes: CallOutcome[] = [];
	let isNewRequest = true;
	for (const { role, content } of messages) {
		if (role === "system") continue;
		// Text that a host adds beside the results of tools, such as a note on an edit, is not a request.
		const isRequest = role === "user" && !content.some(({ type }) => type === "tool-result");
		for (const part of content) {
			if (part.type === "tool-call") calls.set(part.callId, part);
			else if (part.type === "tool-result") {
				const text = textOf(part.content);
				texts.push(...(text.match(/^Flights from .*$/m) ?? []));
				const found = parseFlights(text);
				if (found.length > 0) flights = found;
				const call = calls.get(part.callId);
				if (call !== undefined) outcomes.push({ name: call.name, kind: kindOf(part, text), text });
			} else if (part.type === "text" && isRequest) {
				if (isNewRequest) {
					request = [];
					outcomes = [];
				}
				isNewRequest = false;
				request.push(part.text);
				texts.push(part.text);
			}
		}
		if (role === "assistant") isNewRequest = true;
	}
	return { request: request.join("\n"), texts, flights, outcomes, nextCallId: `demo-${nextNumber(calls.keys())}` };
}

/** One more than the highest number of a call; a host may have dropped the first ones. */
function nextNumber(callIds: Iterable<string>): number {
	return Math.max(0, ...Array.from(callIds, (id) => Number(/^demo-(\d+)$/.exec(id)?.[1] ?? 0))) + 1;
}

function kindOf({ isError }: { readonly isError: boolean }, text: string): CallOutcome["kind"] {
	if (/\bdenied\b/i.test(text)) return "denied";
	return isError ? "failed" : "done";
}

function textOf(parts: readonly ModelPart[]): string {
	return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
