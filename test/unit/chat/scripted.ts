import type { ChatModel, ModelEvent, ModelMessage, ModelPart, ModelRequestOptions } from "../../../src/models/model.ts";
import { runTurn, type Turn, type TurnEvent, type TurnRecord } from "../../../src/chat/turn.ts";
import { directoryOf, Person, type ToolSession } from "../tools/toolSession.ts";

/** One answer of a scripted model: a text, calls, or both; an error ends it. */
export interface Step {
	readonly text?: string;
	readonly calls?: readonly { readonly name: string; readonly arguments?: object; readonly malformed?: string }[];
	readonly error?: Error;
	readonly stopReason?: string;
	/** Runs before anything is said. */
	readonly before?: (options: ModelRequestOptions) => unknown;
}

/** A model that answers step by step, the last step again and again, and remembers what it was asked. */
export class ScriptedModel implements ChatModel {
	readonly requests: { readonly messages: readonly ModelMessage[]; readonly options: ModelRequestOptions }[] = [];
	private readonly steps: readonly Step[];
	readonly info;

	constructor(steps: readonly Step[], supportsTools = true) {
		this.steps = steps;
		this.info = {
			id: "scripted",
			name: "scripted",
			provider: "test",
			maxInputTokens: 10_000,
			maxOutputTokens: 1000,
			supportsTools,
			supportsImages: true,
		};
	}

	async *respond(messages: readonly ModelMessage[], options: ModelRequestOptions): AsyncGenerator<ModelEvent> {
		this.requests.push({ messages: structuredClone(messages), options });
		const step = this.steps[Math.min(this.requests.length, this.steps.length) - 1] ?? {};
		await step.before?.(options);
		if (step.text !== undefined) yield { type: "text", text: step.text };
		for (const [index, call] of (step.calls ?? []).entries()) {
			yield {
				type: "tool-call",
				callId: `${this.requests.length}.${index}`,
				name: call.name,
				arguments: { ...call.arguments },
				...(call.malformed === undefined ? {} : { malformed: call.malformed }),
			};
		}
		if (step.error !== undefined) throw step.error;
		yield { type: "done", stopReason: step.stopReason ?? "endTurn", model: "scripted" };
	}

	/** The tool results that the model was told in its n-th request, as texts. */
	results(request: number): readonly string[] {
		const content = this.requests[request]?.messages.at(-1)?.content ?? [];
		return content.flatMap((part) => (part.type === "tool-result" ? [partsText(part.content)] : []));
	}
}

export function partsText(parts: readonly ModelPart[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}

/** Runs a turn to its end before a person who sees every event. */
export async function play(
	steps: readonly Step[],
	servers: readonly ToolSession[] = [],
	person: Person = new Person({ kind: "allow" }),
	{ onEvent, ...more }: Partial<Turn> & { readonly onEvent?: (event: TurnEvent) => void } = {},
): Promise<{ model: ScriptedModel; events: readonly TurnEvent[]; record: TurnRecord; person: Person }> {
	const model = more.model instanceof ScriptedModel ? more.model : new ScriptedModel(steps);
	const turn = runTurn({
		history: [],
		messages: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
		directory: directoryOf(...servers),
		approvals: person.approvals,
		maxRounds: 25,
		signal: new AbortController().signal,
		...more,
		model,
	});
	const events: TurnEvent[] = [];
	for (;;) {
		const next = await turn.next();
		if (next.done === true) return { model, events, record: next.value, person };
		events.push(next.value);
		onEvent?.(next.value);
		if (next.value.type === "call") person.see(next.value.event);
	}
}

/** Every tool call of a conversation has exactly one result, and stands before it. */
export function unpaired(messages: readonly ModelMessage[]): readonly string[] {
	const open = new Set<string>();
	const faults: string[] = [];
	for (const part of messages.flatMap(({ content }) => content)) {
		if (part.type === "tool-call") open.add(part.callId);
		if (part.type === "tool-result" && !open.delete(part.callId)) faults.push(part.callId);
	}
	return [...faults, ...open];
}
