import { assertNever } from "../../base/assert.ts";
import type { WrittenCall } from "../../features/apps/followedCalls.ts";
import { describeProgress } from "../../base/progress.ts";
import type { CallPart } from "../../models/model.ts";
import type { Settled } from "../../questions/decisions/decision.ts";
import type { ToolAnswer, ToolCall } from "../../features/tools/approval.ts";
import type { ToolCallEvent, ToolOutcome } from "../../features/tools/call.ts";
import type { RunningCall, RunningCalls } from "../../features/tools/runningCall.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { FinishedCalls } from "../../features/tools/results/finishedCalls.ts";
import {
	allowedBy,
	decisionParts,
	groupParts,
	questionParts,
	ruledParts,
	slowParts,
	writingParts,
} from "./callQuestion.ts";
import { helpLinks, noteParts, outcomeParts } from "./render.ts";
import type { ChatPart } from "./parts.ts";
import type { CallPlace, TurnEvent } from "./turnEvents.ts";
import { type TurnText, type TurnTextLink, turnTextLinks, TurnTexts } from "./turnTexts.ts";

type CallEnd = Extract<TurnEvent, { type: "finished" }>;

/** Where a turn is shown. */
export interface TurnStage {
	/** A piece of the model's answer. */
	modelText(piece: string): void;
	/** `isMoreSoon`: others probably follow immediately, and are shown together with these if they do. */
	parts(parts: readonly ChatPart[], isMoreSoon?: boolean): void;
	/** The current activity, until the next part arrives. `message` may be a server's. */
	progress(message: string): void;
}

/** The apps by which servers want results shown. */
export interface ResultApps {
	/** Whether the results of a tool can be shown by an app. */
	has(entry: ToolEntry): boolean;
	/** A model begins to write a call; undefined if no app is notified before it is allowed. */
	write(entry: ToolEntry): WrittenCall | undefined;
	/**
	 * A call is about to be sent: its app opens automatically if the user wants that. The model may have been seen to
	 * write it. The result takes how the call ended.
	 */
	follow(run: RunningCall, written?: WrittenCall): (outcome: ToolOutcome) => void;
}

const noApps: ResultApps = { has: () => false, write: () => undefined, follow: () => () => undefined };

/** The user may want to see the app while longer arguments, in characters, are written. */
const longArguments = 1000;

/** Shows a turn on its stage, event by event, and stores the targets of the links there. */
export class TurnView implements Disposable {
	private readonly stage: TurnStage;
	private readonly finished: FinishedCalls;
	private readonly running: RunningCalls;
	private readonly isAsking: () => boolean;
	private readonly apps: ResultApps;
	/** Calls that take long while the user is asked, which may be why. */
	private readonly slow: Slow[] = [];
	private readonly texts: Pick<TurnTexts, "begin">;
	/** The model's thoughts, from their first piece. */
	private thoughts: TurnText | undefined;
	/** Whether the line about thinking is shown, and nothing followed. */
	private isThinking = false;
	/** Who allowed the running calls, by the ids of their places. */
	private readonly allowed = new Map<string, string>();
	/** The shown answers that allowed several calls. */
	private readonly said = new WeakSet<ToolAnswer>();
	/** The running calls, and the callbacks for their ends, by the ids of their places. */
	private readonly followed = new Map<string, Followed>();
	/** The calls that the model is writing, by their future ids; undefined for those that no app is notified of. */
	private readonly writing = new Map<string, Writing | undefined>();

	/** `isAsking` returns whether an unanswered question of a server is in the turn. */
	constructor(
		stage: TurnStage,
		finished: FinishedCalls,
		running: RunningCalls,
		isAsking: () => boolean = () => false,
		apps = noApps,
		texts: Pick<TurnTexts, "begin"> = new TurnTexts(),
	) {
		this.texts = texts;
		this.isAsking = isAsking;
		this.apps = apps;
		this.stage = stage;
		this.finished = finished;
		this.running = running;
	}

	show(event: TurnEvent): void {
		const { stage } = this;
		if (event.type !== "reasoning") this.isThinking = false;
		switch (event.type) {
			case "text":
				stage.modelText(event.text);
				break;
			case "reasoning":
				this.showThought(event.text);
				break;
			case "waiting":
				stage.progress(event.message);
				break;
			case "call":
				this.showCall(event.event, event.place);
				break;
			case "group":
				stage.parts(groupParts(event.group));
				stage.progress("None of these tools is called until you decide");
				break;
			case "finished":
				stage.parts(this.finishedParts(event, event.place));
				break;
			case "note":
				stage.parts(noteParts(event.message));
				break;
			case "limit":
				stage.parts(noteParts(event.message));
				break;
			case "failed":
				// VS Code shows the message itself, from the result of the request.
				if (event.error.code === "model") stage.parts([helpLinks["manage-models"]]);
				break;
			default:
				assertNever(event);
		}
	}

	/** A piece of a call that the model is writing. */
	write(entry: ToolEntry, { callId, text }: CallPart): void {
		if (!this.writing.has(callId)) {
			const call = this.apps.write(entry);
			this.writing.set(callId, call === undefined ? undefined : { call, isOffered: false });
		}
		const writing = this.writing.get(callId);
		if (writing === undefined) return;
		writing.call.take(text);
		if (writing.isOffered || text.length < longArguments) return;
		writing.isOffered = true;
		this.stage.parts(writingParts(entry, writing.call.id));
	}

	/** The turn is over: a call that the model only began to write is not sent. */
	[Symbol.dispose](): void {
		for (const callId of this.writing.keys()) this.takeWritten(callId)?.end({ kind: "cancelled" });
	}

	/** Links for the end of the turn: VS Code folds the earlier parts away. */
	get links(): readonly TurnTextLink[] {
		const hint = "The thoughts that the model reported in this turn. They are not part of the answer.";
		return this.thoughts === undefined ? [] : [{ label: "Thoughts", detail: this.thoughts.id, hint }];
	}

	/** A question was answered: messages about long calls that were held back are shown for those that still run. */
	showSlow(): void {
		for (const { run, place } of this.slow.splice(0)) if (!run.isOver) this.saySlow({ run, place });
	}

	/** The outcome of a call, on its own. */
	partsLater(event: CallEnd): readonly ChatPart[] {
		return this.finishedParts(event, { ...event.place, of: 1 });
	}

	private finishedParts({ name, entry, outcome }: CallEnd, place: CallPlace): readonly ChatPart[] {
		const isOpenable = outcome.kind === "done" && entry !== undefined;
		const followed = this.followed.get(place.id);
		this.followed.delete(place.id);
		followed?.ended(outcome);
		this.takeWritten(place.callId)?.end(outcome);
		const id = isOpenable ? this.finished.add({ entry, outcome }, "chat", followed?.run.id) : undefined;
		const by = this.allowed.get(place.id);
		this.allowed.delete(place.id);
		const hasApp = entry !== undefined && this.apps.has(entry);
		return outcomeParts({ name, entry, outcome, by, hasApp }, id, place);
	}

	private takeWritten(callId = ""): WrittenCall | undefined {
		const writing = this.writing.get(callId);
		this.writing.delete(callId);
		return writing?.call;
	}

	/** Folded: a link opens all thoughts of the turn so far. */
	private showThought(text: string): void {
		const isFirst = this.thoughts === undefined;
		this.thoughts ??= this.texts.begin("Thoughts");
		if (isFirst) this.stage.parts([turnTextLinks(...this.links)]);
		// Once, and true when the turn is cancelled as well: it stays in the transcript.
		if (!this.isThinking) this.stage.progress("The model is thinking");
		this.thoughts.append(isFirst || this.isThinking ? text : `\n\n· · ·\n\n${text}`);
		this.isThinking = true;
	}

	private saySlow({ run, place }: Slow): void {
		this.running.add(run);
		this.stage.parts(slowParts(run, place, this.apps.has(run.call.entry)));
		this.stage.progress(calledNote(run));
	}

	/** Whether this answer is new: one that allowed several calls is shown once. */
	private isFirstOf(settled: Settled<ToolAnswer>): boolean {
		if (settled.by === "lapse" || settled.answer.kind !== "allow" || settled.answer.together === undefined) return true;
		const isFirst = !this.said.has(settled.answer);
		this.said.add(settled.answer);
		return isFirst;
	}

	private showCall(event: ToolCallEvent, place: CallPlace): void {
		const { stage } = this;
		const by = event.type === "ruled" || event.type === "decided" ? allowedBy(event) : undefined;
		if (by !== undefined) this.allowed.set(place.id, by);
		switch (event.type) {
			case "ruled":
				stage.parts(ruledParts(event.call, event.by, place), true);
				break;
			case "asked":
				stage.parts(questionParts(event.question, place));
				// A screen reader says this line and no other; it stays when the turn is cancelled, so it must be true even then.
				stage.progress(`${nameOf(event.question.call)} is not called until you decide`);
				break;
			case "decided":
				if (this.isFirstOf(event.settled)) {
					stage.parts(decisionParts(event.settled, event.question.call, place), true);
				}
				break;
			case "started":
				this.followed.set(place.id, {
					run: event.run,
					ended: this.apps.follow(event.run, this.takeWritten(place.callId)),
				});
				stage.progress(calledNote(event.run));
				break;
			case "progress":
				stage.progress(`${nameOf(event.run.call)}: ${describeProgress(event.progress)}`);
				break;
			case "log":
				stage.progress(`${nameOf(event.run.call)}: ${event.line}`);
				break;
			case "slow":
				if (this.isAsking()) this.slow.push({ run: event.run, place });
				else this.saySlow({ run: event.run, place });
				break;
			default:
				assertNever(event);
		}
	}
}

/** A call that takes long, and its place in the turn. */
interface Slow {
	readonly run: RunningCall;
	readonly place: CallPlace;
}

/** A call that the model is writing, and whether the user was shown where its app is. */
interface Writing {
	readonly call: WrittenCall;
	isOffered: boolean;
}

/** A running call, and the callback for its end. */
interface Followed {
	readonly run: RunningCall;
	readonly ended: (outcome: ToolOutcome) => void;
}

/** Stays in the transcript when the turn is cancelled, so it must be true even then. */
function calledNote({ call }: RunningCall): string {
	return `${nameOf(call)} was called`;
}

function nameOf({ entry: { session, tool } }: ToolCall): string {
	return `${session.definition.name} · ${tool.name}`;
}
