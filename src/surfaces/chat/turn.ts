import type { CallContext } from "../../features/tools/call.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type {
	CallPart,
	ChatModel,
	KeptFields,
	ModelMessage,
	ModelPart,
	ModelStopReason,
	TokenUse,
} from "../../models/model.ts";
import { fewestRequestTokens } from "../../models/fewestTokens.ts";
import { believableUse } from "../../models/reportedUse.ts";
import { resultForModel } from "../../features/tools/outcome.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { ResultReading } from "../../features/tools/results/resultReading.ts";
import { systemPrompt } from "./systemPrompt.ts";
import type { ToolBox } from "../../features/agentTools/toolBox.ts";
import { requestTokens, TurnBudget, type TurnLimits } from "./turnBudget.ts";
import { makeCalls, takeCall, type WantedCall } from "./turnCalls.ts";
import type { TurnBill } from "./turnBill.ts";
import type { TurnClock } from "./turnClock.ts";
import type { TurnEvent, TurnLimit, TurnLimitReached } from "./turnEvents.ts";

/** One turn of the chat: its messages, its model, and its bounds. */
export interface Turn extends Pick<CallContext, "approvals" | "policy" | "pins" | "signal" | "noting" | "patienceMs"> {
	readonly model: ChatModel;
	/** The conversation before this turn. */
	readonly history: readonly ModelMessage[];
	/** The user's message. */
	readonly messages: readonly ModelMessage[];
	/** The servers and tools of the turn. */
	readonly box: ToolBox;
	/** The results in the form for the model; the box's own tools read on in them. */
	readonly reading: ResultReading;
	readonly limits: TurnLimits;
	/** Paused while the user is waited for. Its creator ends it. */
	readonly clock: TurnClock;
	/** Takes the usage of its requests. */
	readonly bill?: Pick<TurnBill, "add">;
	/** Receives each piece of a call that the model is writing, by the call's future id. */
	readonly onCallPart?: (entry: ToolEntry, part: CallPart) => void;
}

/** The data about this turn for the next one. */
export interface TurnRecord {
	readonly ending: "complete" | "limit" | "failed" | "cancelled";
	/** The messages of the user and the model; every call has its result, so that they can be sent again to any model. */
	readonly messages: readonly ModelMessage[];
}

/**
 * Runs a turn: the model answers, its calls are decided and made, it receives the results, and so on until it calls no
 * more or a limit is reached. The tools are read again in every round, so that additions and removals are noticed.
 * Never throws: failures are events. Aborting the signal ends model, calls and questions.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, TurnRecord, undefined> {
	const said: ModelMessage[] = [...turn.messages];
	const budget = new TurnBudget(turn.limits);
	const signal = AbortSignal.any([turn.signal, turn.clock.signal]);
	const { approvals, policy, pins, box, clock } = turn;
	const calling = {
		box,
		clock,
		budget,
		reading: turn.reading,
		context: {
			approvals,
			policy,
			pins,
			signal,
			...(turn.noting === undefined ? {} : { noting: turn.noting }),
			...(turn.patienceMs === undefined ? {} : { patienceMs: turn.patienceMs }),
		},
		denied: new Set<string>(),
		offered: new Set<string>(),
	};
	const record = (ending: TurnRecord["ending"]): TurnRecord => ({ ending, messages: said });
	const isOutOfTime = (): boolean => clock.signal.aborted && !turn.signal.aborted;

	for (;;) {
		const reached = isOutOfTime() ? budget.outOfTime : budget.takeRound();
		if (reached !== undefined) {
			yield reached;
			return record("limit");
		}
		for (const { name } of offeredTools(turn)) calling.offered.add(name);
		const answer = yield* askModel(turn, said, budget, signal);
		const { calls, kept } = answer;
		if (answer.parts.length > 0) {
			said.push({ role: "assistant", content: answer.parts, ...(kept === undefined ? {} : { kept }) });
		}
		if (answer.error !== undefined) {
			// Calls of an answer that broke off are not made, and the next model must not wait for their results.
			if (calls.length > 0)
				said.push({ role: "user", content: calls.map(({ callId }) => resultForModel(callId, { kind: "cancelled" })) });
			if (isOutOfTime()) continue;
			if (turn.signal.aborted) return record("cancelled");
			yield { type: "failed", error: answer.error };
			return record("failed");
		}
		if (calls.length === 0) {
			const limit = whyIncomplete(answer.stopReason, answer.parts);
			if (limit === undefined) return record("complete");
			yield limit;
			// Only an answer that was too long continues on request.
			return record(limit.limit === "tokens" ? "limit" : "failed");
		}
		said.push({ role: "user", content: yield* makeCalls(calls, calling) });
		if (turn.signal.aborted) return record("cancelled");
	}
}

/** One answer of the model. */
interface Answer {
	readonly parts: readonly ModelPart[];
	readonly calls: readonly WantedCall[];
	readonly stopReason: ModelStopReason;
	readonly kept: KeptFields | undefined;
	readonly error?: HostError;
}

async function* askModel(
	turn: Turn,
	said: readonly ModelMessage[],
	budget: TurnBudget,
	signal: AbortSignal,
): AsyncGenerator<TurnEvent, Answer, undefined> {
	const tools = offeredTools(turn);
	const prompt = systemPrompt(turn.box.sessions, turn.pins);
	const messages: readonly ModelMessage[] = [
		{ role: "system", content: [{ type: "text", text: prompt }] },
		...(tools.length === 0 ? callsInWords(turn.history) : turn.history),
		...said,
	];
	let text = "";
	const calls: WantedCall[] = [];
	let stopReason: ModelStopReason = "endTurn";
	let reported: TokenUse | undefined;
	let kept: KeptFields | undefined;
	let error: HostError | undefined;
	try {
		const onCallPart = (part: CallPart): void => {
			const found = turn.box.find(part.name);
			if (found !== undefined && "entry" in found) turn.onCallPart?.(found.entry, part);
		};
		for await (const event of turn.model.respond(messages, { signal, tools, onCallPart })) {
			switch (event.type) {
				case "text":
					text += event.text;
					yield { type: "text", text: event.text };
					break;
				case "reasoning":
					if (event.isLate === true) text = "";
					if (event.text !== "") yield { type: "reasoning", text: event.text };
					break;
				case "tool-call":
					calls.push(takeCall(event, calls, new Set(tools.map(({ name }) => name))));
					break;
				case "waiting": {
					const seconds = Math.ceil(event.afterMs / 1000);
					yield { type: "waiting", message: `${event.reason}, trying again in ${seconds} s` };
					break;
				}
				case "done":
					stopReason = event.stopReason;
					reported = event.usage;
					kept = event.kept;
			}
		}
		signal.throwIfAborted();
	} catch (thrown) {
		error = HostError.is(thrown) ? thrown : new HostError("model", messageOf(thrown), { cause: thrown });
	}
	const parts: readonly ModelPart[] = [
		...(text === "" ? [] : [{ type: "text" as const, text }]),
		...calls.map(({ type, callId, name, arguments: args }) => ({ type, callId, name, arguments: args })),
	];
	const answer: readonly ModelMessage[] = [{ role: "assistant", content: parts }];
	const used = believableUse(
		reported,
		{ inputTokens: requestTokens(messages, tools), outputTokens: requestTokens(answer, []) },
		{ inputTokens: fewestRequestTokens(messages, tools), outputTokens: fewestRequestTokens(answer) },
	);
	budget.addTokens(used.inputTokens + used.outputTokens);
	turn.bill?.add(messages, tools, used);
	return { parts, calls, stopReason, kept, ...(error === undefined ? {} : { error }) };
}

function offeredTools({ model, box }: Turn): ToolBox["offered"] {
	return model.info.supportsTools ? box.offered : [];
}

function whyIncomplete(reason: ModelStopReason, parts: readonly ModelPart[]): TurnLimitReached | undefined {
	const reached = (limit: TurnLimit, message: string): TurnLimitReached => ({ type: "limit", limit, message });
	if (reason === "maxTokens")
		return reached("tokens", 'The answer reached the model\'s limit of tokens. Say "continue" to go on.');
	if (reason === "writtenCall") {
		const message = "The model wrote a tool call as text, so no tool was called. Choose a model that can call tools.";
		return reached("written-call", message);
	}
	if (reason === "refusal") {
		const how = parts.length > 0 ? "stopped its answer" : "refused to answer";
		return reached("refusal", `The model, or a filter at its endpoint, ${how}.`);
	}
	if (parts.length > 0) return undefined;
	return reached("empty", "The model gave no answer. Ask again, or choose another model.");
}

/**
 * Earlier turns with their tool calls and results as plain texts, for a request without tools: endpoints refuse calls there,
 * or leave them out without a word. Roles keep their turns.
 */
function callsInWords(messages: readonly ModelMessage[]): readonly ModelMessage[] {
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
