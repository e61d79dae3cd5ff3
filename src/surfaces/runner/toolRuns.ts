import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import type { DecidedBy, ToolPolicy } from "../../permissions/policy/verdict.ts";
import type { ToolApprovals } from "../../features/tools/approval.ts";
import { runCall, type CallContext, type ToolCallEvent, type ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { FinishedCalls } from "../../features/tools/results/finishedCalls.ts";
import { stderrLines } from "../../servers/sessions/stderrLines.ts";
import { ToolRun } from "./toolRun.ts";

/** The services for running a tool by hand: the same as for a call in the chat. */
export interface RunServices extends Pick<CallContext, "policy" | "pins" | "approvals"> {
	/** Remembers their results. */
	readonly calls: FinishedCalls;
	readonly notes?: ActivityNotes;
}

/** Where a slash command of the chat runs a tool. */
export interface ChatPlace {
	readonly approvals: ToolApprovals;
	readonly signal: AbortSignal;
	/** Whether the user confirmed these very arguments in a form. */
	readonly isConfirmed: boolean;
	readonly show: (event: ToolCallEvent) => void;
}

/** How long after the end of a call its standard error may still come, in milliseconds. */
const lateMs = 500;
/** How many runs are listed that have ended. */
const mostEnded = 50;

/** The runs of this window, the latest first: the running ones, and those that ended and are remembered. */
export class ToolRuns implements Disposable {
	private readonly services: RunServices;
	private runs: readonly ToolRun[] = [];
	private readonly changed = new Emitter<void>();
	/** A run began or ended, or was forgotten. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RunServices) {
		this.services = services;
	}

	get all(): readonly ToolRun[] {
		return this.runs;
	}

	/**
	 * Calls a tool with the arguments that the user has just been shown and confirmed: that is the answer where the
	 * policy would ask. A rule that denies the call still does, and a tool that changed meanwhile is not called.
	 */
	start(entry: ToolEntry, args: JsonObject): ToolRun {
		const run = this.add(new ToolRun(entry, args));
		void this.follow(run, { ...this.context(true), signal: run.signal }, () => undefined);
		return run;
	}

	/**
	 * Calls a tool for a slash command of the chat, which shows its events. Unless the user has confirmed the arguments
	 * in a form, `approvals` asks them if the policy requires it.
	 */
	async startInChat(entry: ToolEntry, args: JsonObject, place: ChatPlace): Promise<ToolOutcome> {
		const run = this.add(new ToolRun(entry, args, { during: "your chat turn" }));
		const signal = AbortSignal.any([run.signal, place.signal]);
		return this.follow(run, { ...this.context(place.isConfirmed), approvals: place.approvals, signal }, place.show);
	}

	/** Forgets all that have ended. */
	clear(): void {
		this.services.calls.clear("byHand");
		this.runs = this.runs.filter(({ outcome }) => outcome === undefined);
		this.changed.fire();
	}

	dispose(): void {
		for (const run of this.runs) run.cancel();
		this.changed.dispose();
	}

	private add(run: ToolRun): ToolRun {
		this.runs = [run, ...this.runs];
		this.trim();
		return run;
	}

	private context(isConfirmed: boolean): Omit<CallContext, "signal"> {
		const { policy, pins, approvals, notes } = this.services;
		return {
			...(notes === undefined ? {} : { noting: { notes, origin: "user" } }),
			policy: isConfirmed ? confirmed(policy) : policy,
			pins: isConfirmed ? keepingChanges(pins) : pins,
			approvals,
		};
	}

	/** Rejects only as `show` throws; then the call is cancelled. */
	private async follow(run: ToolRun, context: CallContext, show: (event: ToolCallEvent) => void): Promise<ToolOutcome> {
		const call = { callId: run.id, entry: run.entry, arguments: run.arguments };
		const events = runCall(call, context);
		let began: number | undefined;
		for (;;) {
			const next = await events.next();
			if (next.done === true) {
				run.end(next.value, durationOf(next.value, began));
				if (next.value.kind === "done") {
					this.services.calls.add({ entry: run.entry, outcome: next.value }, "byHand", run.id);
				}
				this.trim();
				return next.value;
			}
			const event = next.value;
			if (event.type === "started") {
				this.hear(run);
				began = performance.now();
				run.begin(Date.now());
			} else if (event.type === "progress") run.note(event.progress);
			else if (event.type === "log") run.noteLog(event.line);
			try {
				show(event);
			} catch (error) {
				run.cancel();
				run.end({ kind: "cancelled" }, undefined);
				throw error;
			}
		}
	}

	/** Notes what the process writes to its standard error while the run lasts, and a moment later: it comes by a way of its own. */
	private hear(run: ToolRun): void {
		const heard = stderrLines(run.entry.session).event((line) => run.noteLog(line));
		const ended = run.onDidChange(() => {
			if (run.outcome === undefined) return;
			ended.dispose();
			setTimeout(() => heard.dispose(), lateMs).unref();
		});
	}

	/** Keeps the latest runs that are remembered, and those that still run. */
	private trim(): void {
		const { calls } = this.services;
		let ended = 0;
		this.runs = this.runs.filter(({ id, outcome }) => {
			if (outcome === undefined) return true;
			return ++ended <= mostEnded && (outcome.kind !== "done" || calls.get(id) !== undefined);
		});
		this.changed.fire();
	}
}

const byUser: DecidedBy = { kind: "default", label: "you, in the form" };

/** The policy for a call that the user has confirmed: its question counts as answered. */
function confirmed(policy: ToolPolicy): ToolPolicy {
	return {
		decide(entry, args) {
			const verdict = policy.decide(entry, args);
			return verdict.decision === "ask" ? { decision: "allow", by: byUser } : verdict;
		},
		onDidChange: policy.onDidChange,
	};
}

/**
 * Pins for runs by hand: a new tool is pinned, as by any first call, so that a later change is noticed. A changed one
 * stays marked until the user accepts the change itself; a run by hand does not affect the definitions for models.
 */
export function keepingChanges(pins: DefinitionPins): DefinitionPins {
	return {
		stateOf: (...definition) => pins.stateOf(...definition),
		accept: async (session, tool) => {
			if (pins.stateOf(session, tool).kind !== "changed") await pins.accept(session, tool);
		},
		approvedTools: (session) => pins.approvedTools(session),
		instructionsOf: (session) => pins.instructionsOf(session),
		instructionChange: (session) => pins.instructionChange(session),
		warningsOf: (...definition) => pins.warningsOf(...definition),
		onDidChange: pins.onDidChange,
	};
}

function durationOf(outcome: ToolOutcome, began: number | undefined): number | undefined {
	if (outcome.kind === "done") return outcome.milliseconds;
	return began === undefined ? undefined : performance.now() - began;
}
