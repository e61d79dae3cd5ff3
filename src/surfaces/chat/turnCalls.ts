import { HostError, messageOf } from "../../base/errors.ts";
import { Inbox } from "../../base/inbox.ts";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { nearest } from "../../base/nearest.ts";
import { newCallId } from "../../models/callIds.ts";
import { meantTools } from "../../models/meantTool.ts";
import type { ModelEvent, ModelPart } from "../../models/model.ts";
import type { ToolQuestion } from "../../features/tools/approval.ts";
import { type CallContext, runCall, type ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { HostCall, HostTool } from "../../features/tools/hostTools.ts";
import { hostToolNames } from "../../permissions/catalog/names.ts";
import type { TracedCall } from "../../protocol/wireTap.ts";
import { asTold, resultForModel } from "../../features/tools/outcome.ts";
import type { ToolResult } from "../../features/tools/results/result.ts";
import type { ResultReading } from "../../features/tools/results/resultReading.ts";
import { describeTokens } from "../../features/tools/toolCosts.ts";
import type { ToolBox } from "../../features/agentTools/toolBox.ts";
import type { TurnBudget } from "./turnBudget.ts";
import type { TurnClock } from "./turnClock.ts";
import type { CallPlace, TurnEvent } from "./turnEvents.ts";

/** The shared state of a turn's calls. */
export interface CallsOfTurn {
	readonly box: ToolBox;
	readonly context: CallContext;
	readonly clock: TurnClock;
	readonly budget: TurnBudget;
	/** The results in the form for the model. */
	readonly reading: ResultReading;
	/** The calls, by their keys, that the user denied in this turn, no rule of theirs. */
	readonly denied: Set<string>;
	/** The names of tools that the model was ever offered in this turn. */
	readonly offered: ReadonlySet<string>;
}

/** The outcome of one call. */
interface CallEnd {
	readonly forModel: ModelPart;
	readonly hasFailed: boolean;
	readonly isDenied: boolean;
}

type CallRun = AsyncGenerator<TurnEvent, CallEnd, undefined>;

/**
 * Makes the calls of one answer of the model. All are asked about at once, in their order, and each runs as soon as it
 * is decided. Returns the text for the model about each, in the order of the calls. Never throws.
 */
export async function* makeCalls(
	calls: readonly WantedCall[],
	turn: CallsOfTurn,
): AsyncGenerator<TurnEvent, readonly ModelPart[], undefined> {
	const taken = turn.budget.takeCalls(calls.length);
	const runs = calls.slice(0, taken).map((call, index): CallRun => {
		const place: CallPlace = { id: crypto.randomUUID(), number: index + 1, of: calls.length, callId: call.callId };
		return makeCall(call, place, turn);
	});
	const ends: CallEnd[] = [];
	const questions: ToolQuestion[] = [];
	// Up to where each waits for the user, or is about to be made.
	for (const [index, run] of runs.entries()) {
		const first = await run.next();
		if (first.done === true) ends[index] = first.value;
		else {
			yield first.value;
			const { value } = first;
			if (value.type === "call" && value.event.type === "asked") questions.push(value.event.question);
		}
	}
	if (questions.length > 1) yield { type: "group", group: turn.context.approvals.group(questions) };
	yield* together(runs, ends);
	return calls.map((call, index) => {
		const end = ends[index];
		if (end === undefined) return resultForModel(call.callId, notTaken);
		const key = keyOf(call);
		turn.budget.noteCall(key, end.hasFailed);
		if (end.isDenied) turn.denied.add(key);
		return end.forModel;
	});
}

/**
 * The rest of all runs, as it arrives; `ends` takes the result of each. A run continues only after its event was
 * handled: the handler of a call's begin must be ready for its server's questions.
 */
async function* together(runs: readonly CallRun[], ends: CallEnd[]): AsyncGenerator<TurnEvent, void, undefined> {
	const inbox = new Inbox<{ readonly event: TurnEvent; readonly goOn: () => void }>();
	const all = Promise.all(
		runs.map(async (run, index) => {
			for (;;) {
				const next = await run.next();
				// One that had ended before gives nothing.
				if (next.done === true) return (ends[index] ??= next.value);
				const { promise, resolve } = Promise.withResolvers<void>();
				inbox.add({ event: next.value, goOn: resolve });
				await promise;
			}
		}),
	).finally(() => inbox.close());
	for await (const { event, goOn } of inbox) {
		yield event;
		goOn();
	}
	await all;
}

const notTaken: ToolOutcome = {
	kind: "failed",
	error: new HostError("limit", "This call was not sent: the limit of calls in one turn was reached."),
};

/** Equal for the same call. */
function keyOf(call: WantedCall): string {
	return canonicalJson([call.name, call.malformed ?? call.arguments]);
}

async function* makeCall(call: WantedCall, place: CallPlace, turn: CallsOfTurn): CallRun {
	const found = targetOf(call, turn);
	// Calls that are known are decided about together.
	const target = found instanceof Promise ? await found : found;
	if ("hostTool" in target) return yield* runLocally(call, target.hostTool, turn.context.signal);
	const entry = "entry" in target ? target.entry : undefined;
	let traced: TracedCall | undefined;
	const outcome = yield* attempt(call, place, target, turn, (followed) => (traced = followed));
	// Right before it is cut: other calls of the turn take of the same room.
	const sentNote = outcome.kind === "done" ? sentNoteOf(outcome.result, turn.reading) : undefined;
	const forModel = resultForModel(call.callId, outcome, turn.reading);
	traced?.told(() => asTold(forModel));
	yield { type: "finished", place, name: call.name, entry, outcome };
	if (sentNote !== undefined) yield { type: "note", message: sentNote };
	return {
		forModel,
		hasFailed: outcome.kind !== "done" || outcome.result.isError,
		isDenied: outcome.kind === "denied" && outcome.by === undefined,
	};
}

/** Less is not worth a word. */
const leastSpared = 200;

/** The note for the user about how much of a result the model receives, if that is not all of it (TOL-27, TOL-28). */
function sentNoteOf({ forModel, sparedTokens }: ToolResult, reading: ResultReading): string | undefined {
	const cut = reading.cutNote(forModel);
	if (cut !== undefined || sparedTokens < leastSpared) return cut;
	return `The server sent the same content as text and as data. The model received it once, which saves ${describeTokens(sparedTokens)}.`;
}

/** A tool of the host's own that reaches no server: the user is not asked. */
async function* runLocally({ callId, arguments: args }: WantedCall, tool: LocalTool, signal: AbortSignal): CallRun {
	const forModel = (content: readonly ModelPart[], isError: boolean): CallEnd => ({
		forModel: { type: "tool-result", callId, content, isError },
		hasFailed: isError,
		isDenied: false,
	});
	try {
		const { content, isError, note } = await tool.run(args, signal);
		yield { type: "note", message: note };
		return forModel(content, isError);
	} catch (error) {
		return forModel([{ type: "text", text: messageOf(error) }], true);
	}
}

type LocalTool = Extract<HostTool, { kind: "local" }>;

/** The tool and arguments of the call, or how the call ends immediately. */
type CallTarget = { readonly entry: ToolEntry; readonly arguments: JsonObject } | { readonly end: ToolOutcome };

function targetOf(
	call: WantedCall,
	{ box, offered, context }: CallsOfTurn,
): CallTarget | { readonly hostTool: LocalTool } | Promise<CallTarget> {
	const found = box.find(call.name);
	if (found === undefined) return { end: unknownTool(call.name, offered.has(call.name), box) };
	if (call.malformed !== undefined)
		return invalid(call.problem ?? "The arguments are not a JSON object. Write them as valid JSON.");
	if ("entry" in found) return { entry: found.entry, arguments: call.arguments };
	const { hostTool } = found;
	if (hostTool.kind === "local") return { hostTool };
	const resolved = hostTool.resolve(call.arguments, context.signal);
	return resolved instanceof Promise ? resolved.then(targetOfHost) : targetOfHost(resolved);
}

function targetOfHost(call: HostCall): CallTarget {
	return "problem" in call ? invalid(call.problem) : call;
}

function invalid(problem: string): CallTarget {
	return { end: { kind: "invalid", problems: [problem] } };
}

/** The tool does not exist, and nothing is guessed (TOL-18): the model reads which one it may have meant. */
function unknownTool(name: string, wasOffered: boolean, { isLazy, offered }: ToolBox): ToolOutcome {
	const why = wasOffered
		? "It no longer exists: it was removed or renamed, or its server stopped."
		: "It may have been removed, or its server stopped.";
	const advice = isLazy
		? `Look for one with ${hostToolNames.searchTools}.`
		: "Call only tools that are offered to you.";
	const names = new Set(offered.map((tool) => tool.name));
	const meant = meantTools(name, names);
	const [closest] = nearest(name, [...names]);
	const near = meant.length > 1 ? meant : closest === undefined ? [] : [closest];
	const hint = near.length === 0 ? "" : ` Did you mean ${near.map((one) => oneLine(one, 80)).join(" or ")}?`;
	const text = `There is no tool named ${oneLine(name, 80)}. ${why} ${advice}${hint}`;
	return { kind: "failed", error: new HostError("invalid", text) };
}

async function* attempt(
	call: WantedCall,
	place: CallPlace,
	target: CallTarget,
	turn: CallsOfTurn,
	onFollowed: (call: TracedCall) => void,
): AsyncGenerator<TurnEvent, ToolOutcome, undefined> {
	if ("end" in target) return target.end;
	if (turn.context.signal.aborted) return { kind: "cancelled" };
	// The user has answered this very question.
	if (turn.denied.has(keyOf(call))) return { kind: "denied", isRepeat: true };
	const run = runCall(
		{ callId: call.callId, entry: target.entry, arguments: target.arguments },
		{ ...turn.context, asker: "model", onFollowed },
	);
	let pause: Disposable | undefined;
	for (;;) {
		const next = await run.next();
		if (next.done === true) return next.value;
		const { value: event } = next;
		if (event.type === "asked") pause = turn.clock.pause();
		if (event.type === "decided") pause?.dispose();
		yield { type: "call", place, event };
	}
}

/** A tool call as the model wrote it. */
export type WantedCall = Extract<ModelEvent, { type: "tool-call" }>;

/** No tool needs more, and recursion over values gives up far beyond it. */
const deepest = 100;

/**
 * A call in a form that the rest of a turn can rely on, for every model: with an id that is unique in the answer,
 * because results are identified by it, with the name of a tool if the model decorated that, and with arguments that
 * can be searched.
 */
export function takeCall(call: WantedCall, before: readonly WantedCall[], names: ReadonlySet<string>): WantedCall {
	const isUsable = call.callId !== "" && !before.some(({ callId }) => callId === call.callId);
	const meant = meantTools(call.name, names);
	const name = meant.length === 1 ? (meant[0] ?? call.name) : call.name;
	const own = { ...call, name, ...(isUsable ? {} : { callId: newCallId() }) };
	if (!isDeeperThan(deepest, call.arguments)) return own;
	const malformed = "(nested too deeply)";
	const problem = `The arguments are nested more than ${deepest} levels deep, so nothing was called.`;
	return { ...own, arguments: {}, malformed, problem };
}

/** Level by level, without recursion. */
function isDeeperThan(levels: number, value: unknown): boolean {
	let level: readonly unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > levels) return true;
		level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
	}
	return false;
}
