import { HostError, messageOf } from "../../base/errors.ts";
import { Inbox } from "../../base/inbox.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Progress } from "../../base/progress.ts";
import { oneLine } from "../../base/text.ts";
import type { Asker, TracedCall } from "../../protocol/wireTap.ts";
import type { LapseReason, Settled } from "../../questions/decisions/decision.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { DecidedBy, ToolPolicy, Verdict } from "../../permissions/policy/verdict.ts";
import { isAsListed, type ToolAnswer, type ToolApprovals, type ToolCall, type ToolQuestion } from "./approval.ts";
import type { CallOptions } from "../../servers/sessions/session.ts";
import { isPinned, type ToolEntry, type RawToolResult } from "../../permissions/catalog/catalog.ts";
import { isMismatch, judgeResult, type ToolResult } from "./results/result.ts";
import { type CallNoting, CallNotes } from "./callNotes.ts";
import { RunningCall } from "./runningCall.ts";
import { repairBySchema } from "../../base/schema/repair.ts";
import { loadSchemaChecks, type SchemaChecks } from "../../base/schema/schema.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** The inputs of a call on its way. */
export interface CallContext {
	readonly approvals: ToolApprovals;
	readonly policy: ToolPolicy;
	readonly pins: DefinitionPins;
	/** Ends a pending question and a running call. */
	readonly signal: AbortSignal;
	/** Where its steps are recorded; nowhere if absent. */
	readonly noting?: CallNoting;
	/** After how many milliseconds a running call is announced as `slow`. */
	readonly patienceMs?: number;
	/** Who makes the call; a user by default. */
	readonly asker?: Asker;
	/** Receives the call as it is followed in the trace, before it is sent; not called if nothing is recorded. */
	readonly onFollowed?: (call: TracedCall) => void;
}

/** The events on the way to an outcome. Texts of servers are untrusted. */
export type ToolCallEvent =
	/** The policy allowed it, without a question. */
	| { readonly type: "ruled"; readonly call: ToolCall; readonly by: DecidedBy }
	| { readonly type: "asked"; readonly question: ToolQuestion }
	| { readonly type: "decided"; readonly question: ToolQuestion; readonly settled: Settled<ToolAnswer> }
	/** The request is about to be sent. */
	| { readonly type: "started"; readonly run: RunningCall }
	| { readonly type: "progress"; readonly run: RunningCall; readonly progress: Progress }
	/** The server's log lines meanwhile; other calls may run there as well. */
	| { readonly type: "log"; readonly run: RunningCall; readonly line: string }
	/** It takes a while: the user may want to end it. */
	| { readonly type: "slow"; readonly run: RunningCall };

/**
 * How a call ended. Every ending is a value: the model is informed of each. `exchange` names its exchange in the trace
 * of this window; absent if nothing was sent or recorded.
 */
export type ToolOutcome =
	| {
			readonly kind: "done";
			readonly result: ToolResult;
			/** The arguments that the model wrote, and exactly those that were sent. */
			readonly wanted: JsonObject;
			readonly sent: JsonObject;
			readonly isEdited: boolean;
			/** See `ToolCall`. */
			readonly repairs?: readonly string[];
			readonly milliseconds: number;
			readonly exchange?: string;
	  }
	| {
			readonly kind: "denied";
			readonly reason?: string;
			/** The rule that denied it, and the arguments that it was about; absent when the user did. */
			readonly by?: DecidedBy;
			readonly arguments?: JsonObject;
			/** The user denied this very call before in the same turn, so they were not asked again. */
			readonly isRepeat?: boolean;
			readonly exchange?: string;
	  }
	| { readonly kind: "lapsed"; readonly reason: LapseReason }
	/** The arguments do not fit the schema, so the user was not asked. */
	| { readonly kind: "invalid"; readonly problems: readonly string[] }
	| { readonly kind: "failed"; readonly error: HostError; readonly exchange?: string }
	/** The user ended the wait for its task, which goes on; see `RunningTasks`. */
	| { readonly kind: "continued"; readonly exchange?: string }
	| {
			readonly kind: "cancelled";
			/** The turn ended while it ran, so that it may have taken effect. */
			readonly isSent?: boolean;
			/** The user ended this call alone, while it ran. */
			readonly isAlone?: boolean;
			readonly exchange?: string;
	  };

/** How long a call runs before a user may want to end it, in milliseconds. */
const usualPatienceMs = 3000;

/**
 * Makes one call: checks the arguments, asks the policy and, unless a rule or grant of the user's decides otherwise,
 * the user, and calls. Exactly the call that the user or the rule allowed is sent. Each step is recorded before it is
 * acted on: a sent call is recorded as sent even if this process ends before the answer arrives (JRN-10). Ends with an
 * outcome and never throws; aborting the signal ends a pending question and a running call.
 */
export async function* runCall(
	call: ToolCall,
	context: CallContext,
): AsyncGenerator<ToolCallEvent, ToolOutcome, undefined> {
	try {
		const checks = await loadSchemaChecks();
		const { call: proper, problems } = checkedCall(checks, call, context.asker);
		const notes = new CallNotes(proper, context.noting);
		const { entry } = proper;
		const refused = whyRefused(entry, problems, context);
		if (refused !== undefined) return notes.end(refused);
		let verdict = context.policy.decide(entry, proper.arguments);
		if (verdict.decision === "allow") {
			yield notes.take({ type: "ruled", call: proper, by: verdict.by });
			// It continues when the other calls of the answer were checked: a grant may have been revoked since.
			verdict = context.policy.decide(entry, proper.arguments);
		}
		if (verdict.decision === "deny") {
			const { session, tool } = entry;
			const exchange = session.noteRefused?.(`tools/call ${tool.name}`, context.asker ?? "user", verdict.by.label);
			const denied = { kind: "denied", by: verdict.by, arguments: proper.arguments } as const;
			return notes.end({ ...denied, ...(exchange === undefined ? {} : { exchange }) });
		}
		let sent = proper.arguments;
		if (verdict.decision === "ask") {
			const question = context.approvals.ask(proper, context.signal, noticeOf(proper, verdict, context.pins));
			yield notes.take({ type: "asked", question });
			const settled = await question.decision.settled;
			yield notes.take({ type: "decided", question, settled });
			const end = whyNotCalled(checks, proper, settled, context.policy);
			if (end !== undefined) return notes.end(end);
			if (settled.by === "user" && settled.answer.kind === "edited") sent = settled.answer.arguments;
		}
		const stale = whyStale(entry);
		if (stale !== undefined) return notes.end({ kind: "failed", error: stale });
		if (context.signal.aborted) return notes.end({ kind: "cancelled" });
		// A definition that cannot be remembered is asked about again, which does no harm.
		if (isPinned(entry)) context.pins.accept(entry.session, entry.tool).catch(() => undefined);
		const run = new RunningCall(proper, sent, context.signal);
		yield notes.take({ type: "started", run });
		const reported = new Inbox<ToolCallEvent>();
		const outcome = request(run, context, checks, reported);
		for await (const event of reported) yield event;
		return notes.end(await outcome);
	} catch (cause) {
		// An internal error, before anything was sent: the other calls of the turn continue.
		const { session, tool } = call.entry;
		const which = `${oneLine(session.definition.name)} · ${oneLine(tool.name)}`;
		return {
			kind: "failed",
			error: new HostError("invalid", `${which} was not called: ${messageOf(cause)}`, { cause }),
		};
	}
}

/**
 * A model's call with corrected arguments, if the original ones do not fit and the schema's unambiguous corrections
 * make them fit (TOL-29); otherwise the call unchanged.
 */
export async function repairedCall<T extends Repairable>(call: T): Promise<T> {
	return checkedCall(await loadSchemaChecks(), call, "model").call;
}

type Repairable = Pick<ToolCall, "entry" | "arguments" | "repairs">;

/** A call (a model's call after its repair), and the problems of its arguments by the tool's input schema. */
function checkedCall<T extends Repairable>(
	checks: SchemaChecks,
	call: T,
	asker: Asker | undefined,
): { readonly call: T; readonly problems: readonly string[] } {
	const schema = jsonObjectOf(call.entry.tool.inputSchema);
	const problems = checks.checkArguments(schema, call.arguments);
	if (problems.length === 0 || asker !== "model") return { call, problems };
	const repaired = repairBySchema(schema, call.arguments);
	if (repaired === undefined || checks.checkArguments(schema, repaired.value).length > 0) return { call, problems };
	return { call: { ...call, arguments: repaired.value, repairs: repaired.repairs }, problems: [] };
}

/** Why a call is neither decided nor made, undefined when it may be. */
function whyRefused(
	{ session, tool, perform }: ToolEntry,
	problems: readonly string[],
	{ signal, pins }: CallContext,
): ToolOutcome | undefined {
	if (signal.aborted) return { kind: "cancelled" };
	if (problems.length === 0) return undefined;
	const isChanged = perform === undefined && pins.stateOf(session, tool).kind === "changed";
	// They quote the schema, which the model does not receive before the user accepts it.
	return { kind: "invalid", problems: isChanged ? [changedInput] : problems };
}

/** Sends the request and waits for the result; `reported` receives the events meanwhile, and is closed at the end. */
async function request(
	run: RunningCall,
	context: CallContext,
	checks: SchemaChecks,
	reported: Inbox<ToolCallEvent>,
): Promise<ToolOutcome> {
	const { call, sent } = run;
	const { caller } = call;
	const { session, tool, perform } = call.entry;
	const logged = session.requestLog.onDidLog((line) => reported.add({ type: "log", run, line }));
	const timer = setTimeout(() => reported.add({ type: "slow", run }), context.patienceMs ?? usualPatienceMs);
	const start = performance.now();
	let followed: { readonly exchange?: string } = {};
	let traced: TracedCall | undefined;
	const options: CallOptions = {
		onFollowed: (call) => {
			traced = call;
			followed = { exchange: call.exchange };
			context.onFollowed?.(call);
		},
		signal: run.signal,
		...(context.asker === undefined ? {} : { asker: context.asker }),
		...(caller?.client === undefined ? {} : { client: caller.client }),
		onTask: (task) => (run.task = task),
		onProgress: (progress) => reported.add({ type: "progress", run, progress }),
	};
	try {
		let raw: RawToolResult;
		try {
			raw = await (perform?.(sent, options) ?? session.callTool(tool.name, sent, options));
		} finally {
			run.end();
			clearTimeout(timer);
			logged.dispose();
			reported.close();
		}
		const milliseconds = performance.now() - start;
		const result = judgeResult(checks, tool, raw);
		if (isMismatch(result.problems)) traced?.unfit();
		const { arguments: wanted, repairs } = call;
		const read = repairs === undefined ? {} : { repairs };
		return { kind: "done", result, wanted, sent, isEdited: sent !== wanted, ...read, milliseconds, ...followed };
	} catch (error) {
		if (run.isContinued) return { kind: "continued", ...followed };
		if (context.signal.aborted) return { kind: "cancelled", isSent: true, ...followed };
		if (run.isCancelledAlone || HostError.is(error, "cancelled"))
			return { kind: "cancelled", isAlone: true, ...followed };
		const server = oneLine(session.definition.name);
		const failure = HostError.is(error)
			? error
			: new HostError("protocol", `${server}: ${messageOf(error)}`, { cause: error });
		return { kind: "failed", error: failure, ...followed };
	}
}

const changedInput =
	"The server changed the input schema of this tool after the user approved it. Ask the user to review the change first.";

/** The text of the question beside the call. */
function noticeOf({ entry }: ToolCall, { by }: Verdict, pins: DefinitionPins): ToolQuestion["notice"] {
	const isOfServer = isPinned(entry);
	return {
		why: by.kind === "default" ? undefined : by,
		pin: isOfServer ? pins.stateOf(entry.session, entry.tool) : { kind: "same" },
		warnings: isOfServer ? pins.warningsOf(entry.session, entry.tool) : [],
	};
}

/**
 * Why a call that the user was asked about is not made; undefined when it is. A rule also applies to arguments that the
 * user wrote.
 */
function whyNotCalled(
	checks: SchemaChecks,
	{ entry, arguments: wanted }: ToolCall,
	settled: Settled<ToolAnswer>,
	policy: ToolPolicy,
): ToolOutcome | undefined {
	const stale = settled.by === "lapse" && settled.reason === "expired" ? whyStale(entry) : undefined;
	if (stale !== undefined) return { kind: "failed", error: stale };
	if (settled.by === "lapse")
		return settled.reason === "cancelled" ? { kind: "cancelled" } : { kind: "lapsed", reason: settled.reason };
	const { answer } = settled;
	if (answer.kind === "deny")
		return { kind: "denied", ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
	const sent = answer.kind === "edited" ? answer.arguments : wanted;
	if (answer.kind === "edited") {
		const problems = checks.checkArguments(jsonObjectOf(entry.tool.inputSchema), sent);
		if (problems.length > 0) {
			const error = new HostError(
				"invalid",
				`The edited arguments do not match the tool's schema: ${problems.join("; ")}`,
			);
			return { kind: "failed", error };
		}
	}
	const { decision, by } = policy.decide(entry, sent);
	return decision === "deny" ? { kind: "denied", by, arguments: sent } : undefined;
}

/** Why the tool that the user allowed is no longer there (TOL-02, TOL-18). */
function whyStale({ session, tool, perform }: ToolEntry): HostError | undefined {
	const isRunning = session.state.kind === "running";
	if (isRunning && (perform !== undefined || isAsListed(session, tool))) return undefined;
	const server = oneLine(session.definition.name);
	if (!isRunning) return new HostError("not-connected", `The server "${server}" is no longer running.`);
	if (session.tools.get(tool.name) === undefined) {
		const text = `The tool ${oneLine(tool.name)} no longer exists: the server "${server}" no longer offers it.`;
		return new HostError("invalid", text);
	}
	return new HostError(
		"denied",
		`The server "${server}" changed the tool ${oneLine(tool.name)} while you were deciding, so it was not called.`,
	);
}
