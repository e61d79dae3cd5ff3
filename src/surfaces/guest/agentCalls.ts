import { canonicalJson } from "../../base/json.ts";
import type { Progress } from "../../base/progress.ts";
import type { ForeignCaller, ToolApprovals, ToolCall } from "../../features/tools/approval.ts";
import { runCall, type ToolOutcome } from "../../features/tools/call.ts";
import type { Deciding } from "../../features/tools/deciding.ts";
import type { Verdict } from "../../permissions/policy/verdict.ts";
import type { TracedCall } from "../../protocol/wireTap.ts";

/** The dependencies of the calls of one agent outside of our chat. */
export interface AgentCallServices extends Pick<Required<Deciding>, "policy" | "pins" | "notes"> {
	readonly approvals: ToolApprovals;
	/** How many consecutive calls may be made without a question. */
	readonly mostUnasked: () => number;
	/** In milliseconds, never going back. */
	readonly now: () => number;
}

/** A call of an agent, before it has an id. */
export type AgentCall = Pick<ToolCall, "entry" | "arguments" | "repairs">;

/** Who makes a call, and who follows it. */
export interface CallFollower {
	/** Puts the question about it before the user. */
	readonly caller: ForeignCaller;
	/** Ends a pending question and a running call. */
	readonly signal: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
	readonly onFollowed?: (call: TracedCall) => void;
}

/** For how long a call that the user denied is not asked about again, in milliseconds, and how many are remembered. */
const deniedMs = 300_000;
const mostDenied = 200;

/** The calls of one agent outside of our chat: each is handled as every call of ours (GST-02, GST-04). */
export class AgentCalls {
	private readonly services: AgentCallServices;
	/** When the user denied which call. */
	private readonly denied = new Map<string, number>();
	private unasked = 0;

	constructor(services: AgentCallServices) {
		this.services = services;
	}

	/** Makes a call, to its end. Never throws. */
	async run(call: AgentCall, { caller, signal, onProgress, onFollowed }: CallFollower): Promise<ToolOutcome> {
		const { approvals, policy, pins, notes } = this.services;
		if (this.isDenied(call)) return { kind: "denied", isRepeat: true };
		const events = runCall(
			{ callId: crypto.randomUUID(), ...call, caller },
			{
				approvals,
				policy: { decide: (entry, args) => this.decide({ entry, arguments: args }), onDidChange: policy.onDidChange },
				pins,
				signal,
				asker: "model",
				...(onFollowed === undefined ? {} : { onFollowed }),
				noting: { notes, origin: "agent" },
			},
		);
		let isAsked = false;
		for (;;) {
			const next = await events.next();
			if (next.done === true) {
				if (next.value.kind === "denied" && next.value.by === undefined) this.deny(keyOf(call));
				return next.value;
			}
			const { type } = next.value;
			if (type === "asked") isAsked = true;
			if (type === "decided" && next.value.settled.by === "user") this.unasked = 0;
			if (type === "started" && !isAsked) this.unasked++;
			if (type === "progress") onProgress?.(next.value.progress);
		}
	}

	/**
	 * The policy's decision; after many calls without a question, the user is asked even if it allows the call (GST-04).
	 */
	decide({ entry, arguments: args }: AgentCall): Verdict {
		const verdict = this.services.policy.decide(entry, args);
		const most = this.services.mostUnasked();
		if (verdict.decision !== "allow" || this.unasked < most) return verdict;
		const label = `the limit of ${most.toLocaleString("en-US")} calls without a question (setting mcpHost.chat.maxCalls)`;
		return { decision: "ask", by: { kind: "rule", label } };
	}

	/** Whether the user denied this very call a moment ago: an agent that tries again must not wear them out. */
	isDenied(call: AgentCall): boolean {
		if (this.denied.size === 0) return false;
		const at = this.denied.get(keyOf(call));
		return at !== undefined && this.services.now() - at < deniedMs;
	}

	private deny(key: string): void {
		this.denied.delete(key);
		this.denied.set(key, this.services.now());
		const [oldest] = this.denied.keys();
		if (this.denied.size > mostDenied && oldest !== undefined) this.denied.delete(oldest);
	}
}

/** Equal for the same call of the same server. */
function keyOf({ entry, arguments: args }: AgentCall): string {
	return canonicalJson([entry.session.definition.id, entry.tool.name, args]);
}
