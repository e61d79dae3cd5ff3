import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { Disposable as Subscription } from "../../base/lifecycle.ts";
import type { DecisionSubject, Settled } from "../../questions/decisions/decision.ts";
import { askerOf, type PendingDecision, type PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import type { ChatPart } from "./parts.ts";
import { paragraphs } from "./render.ts";
import type { TurnEvent } from "./turnEvents.ts";
import type { TurnStage, TurnView } from "./turnView.ts";

/** A call of the turn that runs, as a question of its server names it. */
interface RunningCall {
	readonly server: string;
	readonly during: string;
}

/**
 * Reports at its place in a turn that a call waits for a review: a server requested a completion, and its panel may be
 * behind another one or closed. Each review and its end are reported once.
 */
export class TurnReviews implements Disposable {
	private readonly pending: PendingDecisions;
	private readonly stage: Pick<TurnStage, "parts">;
	private readonly view: Pick<TurnView, "showSlow">;
	/** How many of the reported ones wait. */
	private open = 0;
	private readonly calls = new Map<string, RunningCall>();
	private readonly told = new Set<string>();
	private readonly subscription: Subscription;
	private isOver = false;

	/** Nothing is shown any more after the disposal. `view` says of calls that take long, but not while a review waits. */
	constructor(pending: PendingDecisions, stage: Pick<TurnStage, "parts">, view: Pick<TurnView, "showSlow">) {
		this.pending = pending;
		this.stage = stage;
		this.view = view;
		this.subscription = pending.onDidChange(() => this.look());
	}

	/** Follows the turn: the reviews of its calls are reported while they run. */
	follow(event: TurnEvent): void {
		if (event.type === "finished") this.calls.delete(event.place.id);
		if (event.type !== "call" || event.event.type !== "started") return;
		const { session, tool } = event.event.run.call.entry;
		this.calls.set(event.place.id, { server: session.definition.id, during: `tools/call ${tool.name}` });
		this.look();
	}

	/** Whether the turn contains a review that the user has not answered. */
	get isAsking(): boolean {
		return this.open > 0;
	}

	[Symbol.dispose](): void {
		this.isOver = true;
		this.subscription.dispose();
	}

	private look(): void {
		for (const decision of this.pending.all) {
			if (this.told.has(decision.id) || !this.isOfTurn(decision)) continue;
			this.told.add(decision.id);
			this.open++;
			this.stage.parts(reviewParts(decision));
			void decision.settled.then((settled) => this.end(decision, settled));
		}
	}

	private end(decision: PendingDecision, settled: Settled<unknown>): void {
		this.open--;
		if (this.isOver) return;
		this.stage.parts([endPart(decision, settled)], true);
		if (!this.isAsking) this.view.showSlow();
	}

	/** A server with several running calls may not report which one it asks for: then all of them are named. */
	private isOfTurn({ subject }: PendingDecision): boolean {
		if (subject.kind !== "sampling") return false;
		const during = subject.during?.split(", ") ?? [];
		return [...this.calls.values()].some((call) => call.server === askerOf(subject) && during.includes(call.during));
	}
}

/** The words are ours; the server's request is read in the review. */
function reviewParts({ id, subject }: PendingDecision): readonly ChatPart[] {
	return [
		paragraphs(`${serverOf(subject)} asks for a completion. Nothing is sent to a model until you review the request.`),
		{ kind: "links", id, main: { label: "Open Review", action: "open-review" }, links: [] },
	];
}

/** The button above stays: it shows the decisions (see `mcpHost.reviewPending`). */
function endPart({ subject }: PendingDecision, { by }: Settled<unknown>): ChatPart {
	const request = `the request of ${serverOf(subject)} for a completion`;
	return paragraphs(by === "user" ? `You answered ${request}.` : `You did not answer ${request} before it ended.`);
}

function serverOf({ server }: DecisionSubject): string {
	return `**${escapeMarkdown(oneLine(server, 60))}**`;
}
