import type { ActivityDecider, ActivityNotes, CallActivity, CallPhase } from "../../records/activity/journal/entry.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import type { ToolCall } from "./approval.ts";
import type { ToolCallEvent, ToolOutcome } from "./call.ts";
import type { DecidedBy } from "../../permissions/policy/verdict.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** Where the steps of a call are recorded, and its owner. */
export interface CallNoting {
	readonly notes: ActivityNotes;
	readonly origin: CallActivity["origin"];
	/** The turn of the chat that it belongs to. */
	readonly turn?: string;
}

/** The steps of one call, recorded as they occur (JRN-10). */
export class CallNotes {
	private readonly call: ToolCall;
	private readonly noting: CallNoting | undefined;
	private readonly id: string;
	private last: CallPhase | undefined;

	constructor(call: ToolCall, noting: CallNoting | undefined) {
		this.call = call;
		this.noting = noting;
		this.id = noting === undefined ? "" : crypto.randomUUID();
	}

	/** Records an event, and returns it. */
	take(event: ToolCallEvent): ToolCallEvent {
		this.noteEvent(event);
		return event;
	}

	/** Notes the end, and gives it. */
	end(outcome: ToolOutcome): ToolOutcome {
		this.noteEnd(outcome);
		return outcome;
	}

	private noteEvent(event: ToolCallEvent): void {
		const contents = this.call.arguments as Json;
		switch (event.type) {
			case "ruled":
				return this.note("allowed", { ...deciderOf(event.by), contents });
			case "asked": {
				const { why } = event.question.notice;
				return this.note("asked", { contents, ...(why === undefined ? {} : { reason: why.label }) });
			}
			case "decided": {
				const { settled } = event;
				if (settled.by === "lapse") return this.note("lapsed", { reason: settled.reason });
				const { answer } = settled;
				if (answer.kind === "edited") return this.note("edited", { by: "user", contents: answer.arguments as Json });
				if (answer.kind === "deny")
					return this.note("denied", {
						by: "user",
						...(answer.reason === undefined ? {} : { reason: answer.reason }),
					});
				return this.note("allowed", {
					by: "user",
					...(answer.grant === undefined ? {} : { reason: `and allowed from now on: ${answer.grant}` }),
				});
			}
			case "started":
				return this.note("sent");
			case "progress":
			case "log":
			case "slow":
				return undefined;
		}
	}

	private noteEnd(outcome: ToolOutcome): void {
		const isSent = this.last === "sent";
		const followed = "exchange" in outcome && outcome.exchange !== undefined ? { exchange: outcome.exchange } : {};
		switch (outcome.kind) {
			case "done": {
				const { result, milliseconds } = outcome;
				const ms = Math.round(milliseconds);
				return this.note("answered", {
					isError: result.isError,
					ms,
					contents: jsonObjectOf(result.raw),
					...followed,
				});
			}
			case "denied":
				if (outcome.by !== undefined) this.note("denied", { ...deciderOf(outcome.by), ...followed });
				return undefined;
			case "continued":
				return this.note("unknown", { reason: "Its task continues in the background.", ...followed });
			case "invalid":
				return this.note("invalid", { by: "host", reason: outcome.problems.join("; ") });
			case "failed": {
				const { error } = outcome;
				const isUnknown = isSent && (HostError.is(error, "outcome-unknown") || HostError.is(error, "timeout"));
				return this.note(isUnknown ? "unknown" : "failed", { reason: messageOf(error), ...followed });
			}
			case "cancelled":
				if (this.last === "lapsed") return undefined;
				return this.note("cancelled", {
					...(isSent ? { reason: "It had already been sent and may have taken effect." } : {}),
					...followed,
				});
			case "lapsed":
				return undefined;
		}
	}

	private note(phase: CallPhase, more: Partial<CallActivity> = {}): void {
		if (this.noting === undefined) return;
		this.last = phase;
		const { notes, origin, turn } = this.noting;
		const { app, caller } = this.call;
		const { session, tool, perform } = this.call.entry;
		const { uri } = this.call.arguments;
		const isResource = perform !== undefined && typeof uri === "string";
		notes.note({
			kind: "call",
			id: this.id,
			phase,
			server: session.definition.name,
			serverId: session.definition.id,
			target: isResource ? uri : tool.name,
			...(isResource ? { isResource } : {}),
			origin,
			...(app === undefined ? {} : { app: app.name }),
			...(caller?.client === undefined ? {} : { client: caller.client }),
			...(turn === undefined ? {} : { turn }),
			...more,
		});
	}
}

/** Who decided, as the journal says it. Where nothing says anything about a call, it was the user in the form. */
function deciderOf({ kind, label }: DecidedBy): { readonly by: ActivityDecider; readonly byLabel: string } {
	const deciders = { rule: "rule", grant: "grant", trust: "trust", changed: "host", default: "user" } as const;
	return { by: deciders[kind], byLabel: label };
}
