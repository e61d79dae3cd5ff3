import type { Disposable } from "../base/lifecycle.ts";
import type { DecisionQueue, Unseen } from "./queue.ts";
import { describeWaiting } from "./waitingWords.ts";

/** What the person chose in a notification: to see the next question, or the list of all. */
export type AnnouncedChoice = "review" | "list";

/** What announcing needs. */
export interface AnnouncerDependencies {
	readonly queue: Pick<DecisionQueue, "unseen" | "onDidChange">;
	/** Shows a notification that takes no focus; resolves with the choice, or undefined when it was closed without one. */
	notify(text: string, isForSeveral: boolean): Promise<AnnouncedChoice | undefined>;
	/** Whether the window has the focus. */
	hasFocus(): boolean;
	/** Shows the list of all that waits. */
	showList(): unknown;
	/** Tells that nothing of what a notification told waits any more. */
	tellEnded(): unknown;
}

/** How long arrivals are gathered, so that those of one moment are told together, in milliseconds. */
const gatherMs = 300;
/** Longer than VS Code shows a note: ten seconds, which count only while the window has the focus. */
const shownMs = 12_000;

interface Notification {
	readonly text: string;
	since: number;
}

/**
 * Tells the person of what waits for them without being before them: one notification for all, and never a second one
 * while the first is shown (security.md UI-09). What it has told once it tells again only with something new, or when the
 * person has answered the question that they chose to review. A notification cannot be taken back, so one whose requests
 * have ended does no harm: its button leads to what waits now, or says that nothing does.
 */
export class Announcer implements Disposable {
	private readonly deps: AnnouncerDependencies;
	private readonly subscription: Disposable;
	/** Of what was told and still waits, the ids. */
	private told: ReadonlySet<string> = new Set();
	/** The notification that may still be shown: it was neither answered nor closed. */
	private standing: Notification | undefined;
	private timer: NodeJS.Timeout | undefined;
	private isDisposed = false;

	constructor(deps: AnnouncerDependencies) {
		this.deps = deps;
		this.subscription = deps.queue.onDidChange(() => this.lookIn(gatherMs));
	}

	/** The window has got the focus: only now the time runs after which VS Code hides a notification. */
	noteFocus(): void {
		if (this.standing === undefined) return;
		this.standing.since = performance.now();
		this.lookIn(shownMs);
	}

	dispose(): void {
		this.isDisposed = true;
		this.subscription.dispose();
		clearTimeout(this.timer);
	}

	private lookIn(ms: number): void {
		if (this.isDisposed) return;
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			this.look();
		}, ms);
	}

	private look(): void {
		const { unseen } = this.deps.queue;
		const waiting = unseen.map(({ id }) => id);
		this.told = new Set(waiting.filter((id) => this.told.has(id)));
		if (this.told.size === waiting.length) return;
		const text = describeWaiting(unseen.map(({ subject }) => subject));
		// VS Code itself closes a notification in favour of one with the same text.
		if (this.standing !== undefined && this.standing.text !== text) {
			// Without the focus it stays until the window has it again.
			if (!this.deps.hasFocus()) return;
			const left = this.standing.since + shownMs - performance.now();
			if (left > 0) return this.lookIn(left);
		}
		this.told = new Set(waiting);
		void this.announce({ text, since: performance.now() }, unseen.length > 1);
	}

	private async announce(notification: Notification, isForSeveral: boolean): Promise<void> {
		this.standing = notification;
		const choice = await this.deps.notify(notification.text, isForSeveral);
		if (this.isDisposed) return;
		if (this.standing === notification) this.free();
		if (choice === undefined) return;
		const [next] = this.deps.queue.unseen;
		if (next === undefined) this.deps.tellEnded();
		else if (choice === "list") this.deps.showList();
		else this.review(next);
	}

	/** Nothing is shown any more, so nothing new has to wait for its end. */
	private free(): void {
		this.standing = undefined;
		clearTimeout(this.timer);
		this.timer = undefined;
		this.lookIn(gatherMs);
	}

	private review(question: Unseen): void {
		question.reveal();
		void question.settled.then(() => this.tellAnew());
	}

	/** The person is at it: what else waits is told once more. */
	private tellAnew(): void {
		this.told = new Set();
		this.lookIn(gatherMs);
	}
}
