import { HostError, messageOf } from "../base/errors.ts";
import { canonicalJson } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { ChatModel, ModelEvent, ModelMessage, ModelPart, ModelStopReason } from "../models/model.ts";
import type { SessionDirectory } from "../servers/session.ts";
import type { ToolApprovals } from "../tools/approval.ts";
import { runCall, type ToolCallEvent, type ToolOutcome } from "../tools/call.ts";
import { readCatalog, type ToolEntry } from "../tools/catalog.ts";
import { tellModel } from "../tools/outcome.ts";
import { systemPrompt } from "./systemPrompt.ts";

/** One turn of the chat: what is said, by whom it is answered, and within which bounds. */
export interface Turn {
	readonly model: ChatModel;
	/** The conversation before this turn. */
	readonly history: readonly ModelMessage[];
	/** What the person says now. */
	readonly messages: readonly ModelMessage[];
	readonly directory: SessionDirectory;
	readonly approvals: ToolApprovals;
	/** How many times the model may answer. */
	readonly maxRounds: number;
	readonly signal: AbortSignal;
}

/** Why a turn ended before the model was done, told to the person. */
export type TurnLimit = "rounds" | "repetition" | "tokens" | "refusal" | "empty" | "no-tools";

/** What happens in a turn, in order. Texts of the model are untrusted. */
export type TurnEvent =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "call"; readonly event: ToolCallEvent }
	| {
			readonly type: "finished";
			/** The name that the model used; the tool may not exist. */
			readonly name: string;
			readonly entry: ToolEntry | undefined;
			readonly outcome: ToolOutcome;
	  }
	| { readonly type: "limit"; readonly limit: TurnLimit; readonly message: string }
	| { readonly type: "failed"; readonly error: HostError };

/** What the next turn needs to know of this one. */
export interface TurnRecord {
	readonly ending: "complete" | "limit" | "failed" | "cancelled";
	/** What the person and the model said; every call has its result, so that it can be said again to any model. */
	readonly messages: readonly ModelMessage[];
}

/** A tool call as the model wrote it. */
type WantedCall = Extract<ModelEvent, { type: "tool-call" }>;

/** How often the same call with the same arguments may fail in one turn. */
const mostRepeats = 3;

/**
 * Runs a turn: the model answers, its calls are put to the person one by one and made, it is told the results, and so on
 * until it calls no more or a bound is reached. The tools are read anew in every round, so that those that come or go are
 * noticed. Never throws: failures are events. Aborting the signal ends model, call and question.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, TurnRecord> {
	const said: ModelMessage[] = [...turn.messages];
	const failures = new Map<string, number>();
	const denied = new Set<string>();
	const record = (ending: TurnRecord["ending"]): TurnRecord => ({ ending, messages: said });

	for (let round = 1; round <= turn.maxRounds; round++) {
		const answer = yield* askModel(turn, said);
		if (answer.parts.length > 0) said.push({ role: "assistant", content: answer.parts });
		const calls = answer.calls;
		if (answer.error !== undefined) {
			// Calls of an answer that broke off are not made, and the next model must not wait for their results.
			if (calls.length > 0)
				said.push({ role: "user", content: calls.map(({ callId }) => tellModel(callId, { kind: "cancelled" })) });
			if (turn.signal.aborted) return record("cancelled");
			yield { type: "failed", error: answer.error };
			return record("failed");
		}
		if (calls.length === 0) {
			const limit = whyIncomplete(answer.stopReason, answer.parts);
			if (limit !== undefined) yield limit;
			return record(limit === undefined ? "complete" : "limit");
		}

		const results: ModelPart[] = [];
		let isRepeating = false;
		for (const call of calls) {
			const key = canonicalJson([call.name, call.malformed ?? call.arguments]);
			const outcome = turn.signal.aborted ? cancelled : yield* makeCall(call, turn, denied.has(key));
			results.push(tellModel(call.callId, outcome));
			if (outcome.kind === "denied") denied.add(key);
			const hasFailed = outcome.kind !== "done" || outcome.result.isError;
			const count = (failures.get(key) ?? 0) + (hasFailed ? 1 : 0);
			failures.set(key, count);
			isRepeating ||= count >= mostRepeats;
		}
		said.push({ role: "user", content: results });
		if (turn.signal.aborted) return record("cancelled");
		if (isRepeating) {
			const message = `The model made the same call ${mostRepeats} times without success, so the turn ended. Tell it what to do differently.`;
			yield { type: "limit", limit: "repetition", message };
			return record("limit");
		}
	}
	const message = `The model answered ${turn.maxRounds} times in this turn, which is the limit (setting mcpHost.chat.maxRounds). Say "continue" to go on.`;
	yield { type: "limit", limit: "rounds", message };
	return record("limit");
}

const cancelled: ToolOutcome = { kind: "cancelled" };

/** One answer of the model. */
interface Answer {
	readonly parts: readonly ModelPart[];
	readonly calls: readonly WantedCall[];
	readonly stopReason: ModelStopReason;
	readonly error?: HostError;
}

async function* askModel(turn: Turn, said: readonly ModelMessage[]): AsyncGenerator<TurnEvent, Answer> {
	const { model, signal, directory } = turn;
	const tools = model.info.supportsTools ? readCatalog(directory).offered : [];
	const system: ModelMessage = { role: "system", content: [{ type: "text", text: systemPrompt(directory) }] };
	let text = "";
	const calls: WantedCall[] = [];
	let stopReason: ModelStopReason = "endTurn";
	let error: HostError | undefined;
	try {
		for await (const event of model.respond([system, ...turn.history, ...said], { signal, tools })) {
			if (event.type === "text") {
				text += event.text;
				yield { type: "text", text: event.text };
			} else if (event.type === "tool-call") calls.push(event);
			else stopReason = event.stopReason;
		}
		signal.throwIfAborted();
	} catch (thrown) {
		error = HostError.is(thrown) ? thrown : new HostError("model", messageOf(thrown), { cause: thrown });
	}
	const parts: readonly ModelPart[] = [
		...(text === "" ? [] : [{ type: "text" as const, text }]),
		...calls.map(({ type, callId, name, arguments: args }) => ({ type, callId, name, arguments: args })),
	];
	return { parts, calls, stopReason, ...(error === undefined ? {} : { error }) };
}

async function* makeCall(call: WantedCall, turn: Turn, isDenied: boolean): AsyncGenerator<TurnEvent, ToolOutcome> {
	const entry = readCatalog(turn.directory).find(call.name);
	const outcome = yield* attempt(call, entry, turn, isDenied);
	yield { type: "finished", name: call.name, entry, outcome };
	return outcome;
}

async function* attempt(
	call: WantedCall,
	entry: ToolEntry | undefined,
	turn: Turn,
	isDenied: boolean,
): AsyncGenerator<TurnEvent, ToolOutcome> {
	if (entry === undefined) {
		const text = `There is no tool named ${oneLine(call.name, 80)}. It may have been removed, or its server stopped.`;
		return { kind: "failed", error: new HostError("invalid", text) };
	}
	if (call.malformed !== undefined) {
		return { kind: "invalid", problems: ["The arguments are not a JSON object. Write them as valid JSON."] };
	}
	// The person has answered this very question.
	if (isDenied) return { kind: "denied", isRepeat: true };
	const run = runCall({ callId: call.callId, entry, arguments: call.arguments }, turn.approvals, turn.signal);
	for (;;) {
		const next = await run.next();
		if (next.done === true) return next.value;
		yield { type: "call", event: next.value };
	}
}

function whyIncomplete(
	reason: ModelStopReason,
	parts: readonly ModelPart[],
): Extract<TurnEvent, { type: "limit" }> | undefined {
	if (reason === "maxTokens") {
		return {
			type: "limit",
			limit: "tokens",
			message: 'The answer reached the model\'s limit of tokens. Say "continue" to go on.',
		};
	}
	if (reason === "refusal" && parts.length === 0) {
		return { type: "limit", limit: "refusal", message: "The model, or a filter at its endpoint, refused to answer." };
	}
	if (parts.length === 0) {
		return {
			type: "limit",
			limit: "empty",
			message: "The model answered nothing. Ask again, or choose another model.",
		};
	}
	return undefined;
}
