import type {
	ChatModel,
	ModelEvent,
	ModelMessage,
	ModelPart,
	ModelRequestOptions,
} from "../../../../src/models/model.ts";
import { runTurn, type Turn, type TurnRecord } from "../../../../src/surfaces/chat/turn.ts";
import { TurnClock } from "../../../../src/surfaces/chat/turnClock.ts";
import type { TurnLimits } from "../../../../src/surfaces/chat/turnBudget.ts";
import type { TurnEvent } from "../../../../src/surfaces/chat/turnEvents.ts";
import type { SessionDirectory } from "../../../../src/servers/sessions/session.ts";
import type { HostTool } from "../../../../src/features/tools/hostTools.ts";
import { KeptResults, readingLimits, ResultReading } from "../../../../src/features/tools/results/resultReading.ts";
import type { DefinitionPins } from "../../../../src/permissions/pinning/pin.ts";
import { openToolBox, type ToolBox } from "../../../../src/features/agentTools/toolBox.ts";
import { directoryOf, User, type ToolSession } from "../../features/tools/toolSession.ts";

/** One answer of a scripted model: a text, calls, or both; an error ends it. */
export interface Step {
	readonly text?: string;
	/** Its thoughts before the text, in pieces. */
	readonly thoughts?: readonly string[];
	readonly calls?: readonly {
		readonly name: string;
		readonly arguments?: object;
		readonly malformed?: string;
		/** The successive texts of its arguments, each with all before. */
		readonly written?: readonly string[];
	}[];
	readonly error?: Error;
	readonly stopReason?: string;
	readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens?: number };
	/** The endpoint is busy first. */
	readonly waits?: string;
	/** Runs before any text. */
	readonly before?: (options: ModelRequestOptions) => unknown;
}

/** A model that answers step by step, the last step repeatedly, and records its requests. */
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
		if (step.waits !== undefined) yield { type: "waiting", reason: step.waits, afterMs: 3500, attempt: 1 };
		for (const text of step.thoughts ?? []) yield { type: "reasoning", text };
		if (step.text !== undefined) yield { type: "text", text: step.text };
		for (const [index, call] of (step.calls ?? []).entries()) {
			const callId = `${this.requests.length}.${index}`;
			for (const text of call.written ?? []) options.onCallPart?.({ callId, name: call.name, text });
			yield {
				type: "tool-call",
				callId,
				name: call.name,
				arguments: { ...call.arguments },
				...(call.malformed === undefined ? {} : { malformed: call.malformed }),
			};
		}
		if (step.error !== undefined) throw step.error;
		const usage = step.usage === undefined ? {} : { usage: step.usage };
		yield { type: "done", stopReason: step.stopReason ?? "endTurn", model: "scripted", ...usage };
	}

	/** The tool results in the model's n-th request, as texts. */
	results(request: number): readonly string[] {
		const content = this.requests[request]?.messages.at(-1)?.content ?? [];
		return content.flatMap((part) => (part.type === "tool-result" ? [partsText(part.content)] : []));
	}
}

export function partsText(parts: readonly ModelPart[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}

export const wideLimits: TurnLimits = { rounds: 25, calls: 100, tokens: 1_000_000, minutes: 60 };

/** A box with all tools of the running servers of a directory, and tools of the host's own. */
export const noPins: Pick<DefinitionPins, "approvedTools"> = { approvedTools: () => new Map() };

/** A box of all tools. */
export function boxOf(directory: SessionDirectory, hostTools: readonly HostTool[] = []): ToolBox {
	return openToolBox({
		directory,
		pins: noPins,
		budgetTokens: Infinity,
		hostTools: () => hostTools,
		history: [],
		messages: [],
	});
}

/** The options of a turn beside the script and the servers. */
export interface Told extends Partial<Turn> {
	readonly onEvent?: (event: TurnEvent) => void;
}

/** Runs a turn to its end for a user who sees every event. */
export async function play(
	steps: readonly Step[],
	servers: readonly ToolSession[] = [],
	user: User = new User({ kind: "allow" }),
	{ onEvent, ...more }: Told = {},
): Promise<{ model: ScriptedModel; events: readonly TurnEvent[]; record: TurnRecord; user: User }> {
	const model = more.model instanceof ScriptedModel ? more.model : new ScriptedModel(steps);
	const limits = more.limits ?? wideLimits;
	using clock = new TurnClock(limits.minutes * 60_000);
	const turn = runTurn({
		history: [],
		messages: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
		box: boxOf(directoryOf(...servers)),
		approvals: user.approvals,
		policy: user.policy,
		pins: user.pins,
		reading: new ResultReading(new KeptResults(), readingLimits({ maxInputTokens: 100_000, supportsTools: true })),
		clock,
		signal: new AbortController().signal,
		...more,
		limits,
		model,
	});
	const events: TurnEvent[] = [];
	for (;;) {
		const next = await turn.next();
		if (next.done === true) return { model, events, record: next.value, user };
		events.push(next.value);
		onEvent?.(next.value);
		if (next.value.type === "call") user.see(next.value.event);
	}
}

/** Every tool call of a conversation has exactly one result, and comes before it. */
export function unpaired(messages: readonly ModelMessage[]): readonly string[] {
	const open = new Set<string>();
	const faults: string[] = [];
	for (const part of messages.flatMap(({ content }) => content)) {
		if (part.type === "tool-call") open.add(part.callId);
		if (part.type === "tool-result" && !open.delete(part.callId)) faults.push(part.callId);
	}
	return [...faults, ...open];
}
