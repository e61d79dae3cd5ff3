import { HostError, messageOf } from "../base/errors.ts";
import { canonicalJson, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { LapseReason, Settled } from "../decisions/decision.ts";
import type { ToolAnswer, ToolApprovals, ToolCall, ToolQuestion } from "./approval.ts";
import type { ToolEntry } from "./catalog.ts";
import { readResult, type ToolResult } from "./result.ts";
import { checkArguments } from "./schema.ts";

/** How far a running call is, as its server tells. The message is untrusted. */
export interface ToolProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

/** What happens on the way to an outcome. */
export type ToolCallEvent =
	| { readonly type: "asked"; readonly question: ToolQuestion }
	| { readonly type: "decided"; readonly question: ToolQuestion; readonly settled: Settled<ToolAnswer> }
	| { readonly type: "progress"; readonly question: ToolQuestion; readonly progress: ToolProgress };

/** How a call ended. Every ending is a value: the model is told of each (architecture.md 4). */
export type ToolOutcome =
	| {
			readonly kind: "done";
			readonly result: ToolResult;
			/** The arguments exactly as they were sent. */
			readonly sent: JsonObject;
			readonly isEdited: boolean;
			readonly milliseconds: number;
	  }
	| {
			readonly kind: "denied";
			readonly reason?: string;
			/** The person denied this very call before in the same turn, so they were not asked again. */
			readonly isRepeat?: boolean;
	  }
	| { readonly kind: "lapsed"; readonly reason: LapseReason }
	/** The arguments do not fit the schema, so nobody was asked. */
	| { readonly kind: "invalid"; readonly problems: readonly string[] }
	| { readonly kind: "failed"; readonly error: HostError }
	| { readonly kind: "cancelled" };

/**
 * Makes one call: checks the arguments, asks the person, calls. Nothing is called without the person's answer to this
 * very call, and what is sent is what that answer was given for. Ends with an outcome and never throws; aborting the
 * signal ends a pending question and a running call.
 */
export async function* runCall(
	call: ToolCall,
	approvals: ToolApprovals,
	signal: AbortSignal,
): AsyncGenerator<ToolCallEvent, ToolOutcome> {
	const { session, tool } = call.entry;
	const problems = await checkArguments(tool.inputSchema as JsonObject, call.arguments);
	if (signal.aborted) return { kind: "cancelled" };
	if (problems.length > 0) return { kind: "invalid", problems };

	const question = approvals.ask(call, signal);
	yield { type: "asked", question };
	const settled = await question.decision.settled;
	yield { type: "decided", question, settled };
	if (settled.by === "lapse")
		return settled.reason === "cancelled" ? { kind: "cancelled" } : { kind: "lapsed", reason: settled.reason };
	const { answer } = settled;
	if (answer.kind === "deny")
		return { kind: "denied", ...(answer.reason === undefined ? {} : { reason: answer.reason }) };

	const sent = answer.kind === "edited" ? answer.arguments : call.arguments;
	const stale = whyStale(call.entry) ?? (await checkEdited(answer, tool.inputSchema as JsonObject));
	if (stale !== undefined) return { kind: "failed", error: stale };
	if (signal.aborted) return { kind: "cancelled" };

	const progress = new Inbox<ToolProgress>();
	const start = performance.now();
	const result = session
		.callTool(tool.name, sent, { signal, onProgress: (value) => progress.add(value) })
		.finally(() => progress.close());
	// Awaited below; until then a failure must not count as unhandled.
	result.catch(() => undefined);
	for await (const value of progress) yield { type: "progress", question, progress: value };
	try {
		const milliseconds = (): number => performance.now() - start;
		const isEdited = answer.kind === "edited";
		return { kind: "done", result: readResult(await result), sent, isEdited, milliseconds: milliseconds() };
	} catch (error) {
		if (signal.aborted || HostError.is(error, "cancelled")) return { kind: "cancelled" };
		const server = oneLine(session.definition.name);
		const failure = HostError.is(error)
			? error
			: new HostError("protocol", `${server}: ${messageOf(error)}`, { cause: error });
		return { kind: "failed", error: failure };
	}
}

/** Why the tool that the person said yes to is not there any more (security.md TOL-02, TOL-18). */
function whyStale({ session, tool }: ToolEntry): HostError | undefined {
	const server = oneLine(session.definition.name);
	if (session.state.kind !== "running")
		return new HostError("not-connected", `The server "${server}" is not running any more.`);
	const current = session.tools.items.find(({ name }) => name === tool.name);
	if (current === undefined) {
		return new HostError("invalid", `The server "${server}" no longer offers the tool ${oneLine(tool.name)}.`);
	}
	if (canonicalJson(current) === canonicalJson(tool)) return undefined;
	return new HostError(
		"denied",
		`The server "${server}" changed the tool ${oneLine(tool.name)} while you were asked, so it was not called.`,
	);
}

async function checkEdited(answer: ToolAnswer, schema: JsonObject): Promise<HostError | undefined> {
	if (answer.kind !== "edited") return undefined;
	const problems = await checkArguments(schema, answer.arguments);
	return problems.length === 0
		? undefined
		: new HostError("invalid", `The edited arguments do not fit: ${problems.join("; ")}`);
}

/** Values that come by callback, read as an iteration. */
class Inbox<T> {
	private readonly values: T[] = [];
	private isClosed = false;
	private wake: () => void = () => undefined;

	add(value: T): void {
		this.values.push(value);
		this.wake();
	}

	close(): void {
		this.isClosed = true;
		this.wake();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<T> {
		for (;;) {
			const next = this.values.shift();
			if (next !== undefined) yield next;
			else if (this.isClosed) return;
			else await new Promise<void>((resolve) => (this.wake = resolve));
		}
	}
}
