import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { toModelCallId } from "../callIds.ts";
import type { KeptFields, ModelEvent, ModelMessage, ModelPart } from "../model.ts";
import { sizeOf } from "./keptFields.ts";

/** How many calls are remembered, and how long all that is kept for them may be, in characters. */
const mostCalls = 2000;
const mostCharacters = 8_000_000;

type Call = Pick<Extract<ModelPart, { type: "tool-call" }>, "callId" | "name" | "arguments">;

interface Remembered {
	readonly kept: KeptFields;
	readonly size: number;
}

/**
 * Data that models need back with their calls, for conversations that return without it: a server that samples, and
 * callers of VS Code's model API, repeat the calls of an answer, and have no place for this data (MDL-03). A call is
 * recognized within its scope by its id, name and arguments together, so that nobody gets data of another conversation.
 * Volatile; the oldest is forgotten first.
 */
export class KeptMemory {
	private readonly known = new Map<string, Remembered>();
	private characters = 0;

	/** Remembers the kept data of an answer with these calls. */
	remember(scope: string, calls: readonly Call[], kept: KeptFields): void {
		const size = sizeOf(kept);
		for (const call of calls) {
			const key = keyOf(scope, kept.by, call);
			this.forget(key);
			this.known.set(key, { kept, size });
			this.characters += size;
		}
		for (const key of this.known.keys()) {
			if (this.known.size <= mostCalls && this.characters <= mostCharacters) break;
			this.forget(key);
		}
	}

	/** The messages; those with calls get the kept data for this keeper, unless they have it themselves. */
	recall(scope: string, by: string, messages: readonly ModelMessage[]): readonly ModelMessage[] {
		return messages.map((message) => {
			if (message.role !== "assistant" || message.kept?.by === by) return message;
			const calls = message.content.filter((part) => part.type === "tool-call");
			const found = calls
				.map((call) => this.known.get(keyOf(scope, by, call))?.kept)
				.find((kept) => kept !== undefined);
			if (found === undefined) return message;
			// Under the ids with which the calls were returned.
			const fields = new Map(found.calls.map((call) => [toModelCallId(call.callId), call.fields]));
			const kept = calls.flatMap(({ callId }): { callId: string; fields: JsonObject }[] => {
				const own = fields.get(toModelCallId(callId));
				return own === undefined ? [] : [{ callId, fields: own }];
			});
			return { ...message, kept: { by, message: found.message, calls: kept } };
		});
	}

	private forget(key: string): void {
		this.characters -= this.known.get(key)?.size ?? 0;
		this.known.delete(key);
	}
}

function keyOf(scope: string, by: string, { callId, name, arguments: args }: Call): string {
	const text = canonicalJson([scope, by, toModelCallId(callId), name, args]);
	return createHash("sha256").update(text).digest("base64");
}

/**
 * Asks a model, if the request names a scope, with the remembered data of its answers there, and remembers the next.
 */
export async function* remembering(
	memory: KeptMemory,
	by: string,
	scope: string,
	messages: readonly ModelMessage[],
	respond: (messages: readonly ModelMessage[]) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
	const calls: Call[] = [];
	for await (const event of respond(memory.recall(scope, by, messages))) {
		if (event.type === "tool-call") calls.push(event);
		if (event.type === "done" && event.kept !== undefined) memory.remember(scope, calls, event.kept);
		yield event;
	}
}
