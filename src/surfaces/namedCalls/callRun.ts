import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { exactJson } from "../../base/exactJson.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { checkArguments } from "../../base/schema/schema.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import { keepingChanges } from "../runner/toolRuns.ts";
import type { InputDefinition } from "../../servers/definitions/config.ts";
import { describeState } from "../../servers/sessions/describeState.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { Session, SessionState } from "../../servers/sessions/session.ts";
import { ToolApprovals } from "../../features/tools/approval.ts";
import { runCall, type ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { DecidedBy, ToolPolicy, Verdict } from "../../permissions/policy/verdict.ts";
import { answerOf, requestOf } from "./callEntry.ts";
import { inputsIn, withInputs } from "./callInputs.ts";
import { type CallFailure, checkAnswer } from "./checkAnswer.ts";
import type { CallsFile, CallTarget, NamedCall } from "./namedCall.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** One call of a file that is to run. */
export interface WantedCall {
	readonly call: NamedCall;
	readonly file: CallsFile;
	/** The display name of the file. */
	readonly place: string;
}

/** A call that is ready to be sent, with exactly the arguments that would be. */
export interface PreparedCall {
	readonly wanted: WantedCall;
	readonly target: CallTarget;
	readonly entry: ToolEntry;
	readonly arguments: JsonObject;
	readonly verdict: Verdict;
}

/**
 * How a call ended. Texts are on one line each, but for `result`; they may quote servers. `exchange` names what passed for
 * it in the trace of this window; absent where nothing was sent or recorded.
 */
export type CallVerdict =
	| { readonly kind: "passed"; readonly milliseconds: number; readonly result: string }
	| {
			readonly kind: "failed";
			readonly failures: readonly CallFailure[];
			readonly milliseconds: number;
			readonly result: string;
			readonly exchange?: string;
	  }
	/** It could not be carried out, or nothing is known of its end. */
	| { readonly kind: "errored"; readonly message: string; readonly exchange?: string }
	/** A user or a rule did not allow it: nothing was sent. */
	| { readonly kind: "refused"; readonly message: string; readonly exchange?: string }
	/** The run was stopped before its turn, or while it ran. */
	| { readonly kind: "skipped" };

/** The services for running named calls. */
export interface CallRunServices extends Deciding {
	/** Whether calls of these files may run at all: not those of a workspace that is not trusted (CAL-05). */
	readonly isTrusted: () => boolean;
	/** Starts a server, if it may start. */
	readonly start: (id: string) => Promise<SessionState>;
	/**
	 * The value of an input for calls of one server, because a value for one server is not for another one; undefined if
	 * there is none. A secret value has been noted before it resolves.
	 */
	readonly inputValue: (input: InputDefinition, place: string, session: Session) => Promise<string | undefined>;
	/** Replaces secrets in the output. */
	readonly redactor: Redactor;
	/**
	 * Asks about calls that no rule or grant allows, all of a run at once; resolves with the allowed ones. The user has
	 * seen the arguments.
	 */
	readonly consent: (calls: readonly PreparedCall[], signal: AbortSignal) => Promise<ReadonlySet<PreparedCall>>;
}

/** Receives the events of a run's calls. */
export interface CallRunListener {
	started(wanted: WantedCall): void;
	/** The server wrote this into its log meanwhile; untrusted. */
	logged(wanted: WantedCall, line: string): void;
	ended(wanted: WantedCall, verdict: CallVerdict): void;
}

/**
 * Runs named calls one after the other, in their order: a later one may read the changes of an earlier one. All of them
 * are prepared and asked about before the first is sent, so that nobody answers with half of a run done (CAL-04). Each
 * ends with exactly one verdict. Never rejects; aborting the signal ends the call that runs and skips the rest.
 */
export async function runCalls(
	wanted: readonly WantedCall[],
	services: CallRunServices,
	listener: CallRunListener,
	signal: AbortSignal,
): Promise<void> {
	const end = (one: WantedCall, verdict: CallVerdict): void =>
		listener.ended(one, withoutSecrets(verdict, new SafeWriter(services.redactor)));
	const prepared: PreparedCall[] = [];
	await services.refreshRules().catch(() => undefined);
	for (const one of wanted) {
		const ready = signal.aborted ? ({ kind: "skipped" } as const) : await prepare(one, services, signal);
		if ("kind" in ready) end(one, ready);
		else prepared.push(ready);
	}
	const asked = prepared.filter(({ verdict }) => verdict.decision === "ask");
	const allowed =
		asked.length === 0 || signal.aborted
			? new Set<PreparedCall>()
			: // A caller that cannot ask has no permission.
				await services.consent(asked, signal).catch(() => new Set<PreparedCall>());
	for (const call of prepared) {
		if (signal.aborted) end(call.wanted, { kind: "skipped" });
		else if (call.verdict.decision === "ask" && !allowed.has(call)) {
			noteRefusal(call, services);
			end(call.wanted, refusal(call));
		} else {
			if (call.verdict.decision !== "deny") listener.started(call.wanted);
			end(call.wanted, await send(call, services, listener, signal));
		}
	}
}

async function prepare(
	wanted: WantedCall,
	services: CallRunServices,
	signal: AbortSignal,
): Promise<PreparedCall | CallVerdict> {
	const { call, file, place } = wanted;
	const { directory, policy, isTrusted } = services;
	if (!isTrusted()) return { kind: "refused", message: "Not called: the workspace is not trusted." };
	try {
		const session = await runningSession(call.server, services);
		if (signal.aborted) return { kind: "skipped" };
		const values = new Map<string, string>();
		for (const id of inputsIn(call.target)) {
			const input = file.inputs.find((candidate) => candidate.id === id);
			const value = input === undefined ? undefined : await services.inputValue(input, place, session);
			if (value === undefined) throw new HostError("cancelled", `It needs a value for the input ${oneLine(id, 60)}.`);
			values.set(id, value);
		}
		const target = withInputs(call.target, values);
		const { entry, arguments: args } = await requestOf(target, session, directory, signal);
		const problems = await checkArguments(jsonObjectOf(entry.tool.inputSchema), args);
		if (problems.length > 0) {
			return { kind: "errored", message: `The arguments do not match the tool's schema: ${problems.join("; ")}` };
		}
		return { wanted, target, entry, arguments: args, verdict: policy.decide(entry, args) };
	} catch (error) {
		if (signal.aborted) return { kind: "skipped" };
		const message = `Not called: ${messageOf(error)}`;
		return HostError.is(error, "denied") ? { kind: "refused", message } : { kind: "errored", message };
	}
}

/** The server that a call names, started if it is not running and may. */
async function runningSession(name: string, { directory, start }: CallRunServices): Promise<Session> {
	const session = findServer(directory, name);
	const state = session.state.kind === "running" ? session.state : await start(session.definition.id);
	if (state.kind === "running") return session;
	const server = oneLine(session.definition.name);
	const advice = state.kind === "needs-approval" ? " Choose Review Server… from its menu in the Servers view." : "";
	throw new HostError("not-connected", `the server "${server}" is not running: ${describeState(state)}.${advice}`);
}

function refusal({ verdict }: PreparedCall): CallVerdict {
	const { kind, label } = verdict.by;
	const why = kind === "default" ? "" : ` Confirmation required by ${showHidden(label)}.`;
	return { kind: "refused", message: `Not called: it was not allowed.${why}` };
}

function noteRefusal({ entry, arguments: args }: PreparedCall, { notes }: CallRunServices): void {
	const { session, tool } = entry;
	notes?.note({
		kind: "call",
		id: crypto.randomUUID(),
		phase: "denied",
		by: "user",
		server: session.definition.name,
		serverId: session.definition.id,
		target: tool.name,
		origin: "user",
		contents: args as Json,
	});
}

async function send(
	{ wanted, target, entry, arguments: args, verdict }: PreparedCall,
	{ policy, pins, notes }: CallRunServices,
	listener: CallRunListener,
	signal: AbortSignal,
): Promise<CallVerdict> {
	const events = runCall(
		{ callId: crypto.randomUUID(), entry, arguments: args },
		{
			policy: settled(policy, verdict.decision === "ask"),
			pins: keepingChanges(pins),
			// The user has answered all questions.
			approvals: new ToolApprovals(new PendingDecisions(), () => undefined),
			signal,
			// The user had the run made, by a file of others.
			...(notes === undefined ? {} : { noting: { notes, origin: "user" as const } }),
		},
	);
	for (;;) {
		const next = await events.next();
		if (next.done !== true) {
			if (next.value.type === "log") listener.logged(wanted, next.value.line);
			continue;
		}
		return judge(next.value, wanted.call, target);
	}
}

const byUser: DecidedBy = { kind: "default", label: "you, for this run" };

/** The policy after the question about a run: where it asks, the user has answered, or will not be asked any more. */
function settled(policy: ToolPolicy, isAllowed: boolean): ToolPolicy {
	return {
		decide(entry, args) {
			const verdict = policy.decide(entry, args);
			if (verdict.decision !== "ask") return verdict;
			if (isAllowed) return { decision: "allow", by: byUser };
			return { decision: "deny", by: { kind: "rule", label: "a change of your rules or grants since this run began" } };
		},
		onDidChange: policy.onDidChange,
	};
}

async function judge(outcome: ToolOutcome, call: NamedCall, target: CallTarget): Promise<CallVerdict> {
	const exchange = "exchange" in outcome ? outcome.exchange : undefined;
	const traced = exchange === undefined ? {} : { exchange };
	switch (outcome.kind) {
		case "done": {
			const { milliseconds, result } = outcome;
			const answer = answerOf(target, result);
			const failures = await checkAnswer(call.expect, answer);
			const ended = { milliseconds, result: exactJson(answer.result) };
			return failures.length === 0 ? { kind: "passed", ...ended } : { kind: "failed", failures, ...ended, ...traced };
		}
		case "denied":
			return {
				kind: "refused",
				message: `Not called: denied${outcome.by === undefined ? "" : ` by ${showHidden(outcome.by.label)}`}`,
				...traced,
			};
		case "failed":
			return { kind: "errored", message: showHidden(outcome.error.message), ...traced };
		case "invalid":
			return { kind: "errored", message: `Not called: ${outcome.problems.map(showHidden).join("; ")}` };
		case "continued":
		case "cancelled":
		case "lapsed":
			return { kind: "skipped" };
	}
}

function withoutSecrets(verdict: CallVerdict, writer: SafeWriter): CallVerdict {
	const safe = (text: string): string => writer.text(text);
	switch (verdict.kind) {
		case "passed":
			return { ...verdict, result: safe(verdict.result) };
		case "failed":
			return {
				...verdict,
				result: safe(verdict.result),
				failures: verdict.failures.map(({ path, message, difference }) => ({
					path,
					message: safe(message),
					...(difference === undefined
						? {}
						: { difference: { expected: safe(difference.expected), actual: safe(difference.actual) } }),
				})),
			};
		case "errored":
		case "refused":
			return { ...verdict, message: safe(verdict.message) };
		case "skipped":
			return verdict;
	}
}
