import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import type { DecisionSubject } from "./decision.ts";
import { asks } from "./pendingRows.ts";
import type { DecisionQueue, Unseen } from "./queue.ts";

/** The user's choice in a notification: to see the next question, or the list of all. */
export type AnnouncedChoice = "review" | "list";

/** The dependencies of announcing. */
export interface AnnouncerDependencies {
	readonly queue: Pick<DecisionQueue, "unseen" | "onDidChange">;
	/** Shows a notification that takes no focus; resolves with the choice, or undefined when it was closed without one. */
	notify(text: string, isForSeveral: boolean): Promise<AnnouncedChoice | undefined>;
	/** Whether the window has the focus. */
	hasFocus(): boolean;
	/** Shows the list of all that waits. */
	showList(): unknown;
	/** Reports that none of a notification's questions waits any more. */
	reportEnded(): unknown;
}

/** How long arrivals are gathered, so that simultaneous ones are reported together, in milliseconds. */
const gatherMs = 300;
/** Longer than VS Code shows a note: ten seconds, which count only while the window has the focus. */
const shownMs = 12_000;

interface Notification {
	readonly text: string;
	since: number;
}

/**
 * Notifies the user of waiting questions that are not shown: one notification for all, and never a second one while the
 * first is shown (UI-09). It repeats a reported question only together with a new one, or when the user has answered
 * the question that they chose to review. A notification cannot be withdrawn, so one whose requests have ended is
 * harmless: its button shows what waits now, or says that nothing does.
 */
export class Announcer implements Disposable {
	private readonly deps: AnnouncerDependencies;
	private readonly subscription: Disposable;
	/** The ids of the reported questions that still wait. */
	private announced: ReadonlySet<string> = new Set();
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
		this.announced = new Set(waiting.filter((id) => this.announced.has(id)));
		if (this.announced.size === waiting.length) return;
		const text = describeWaiting(unseen.map(({ subject }) => subject));
		// VS Code itself closes a notification in favour of one with the same text.
		if (this.standing !== undefined && this.standing.text !== text) {
			// Without the focus it stays until the window has it again.
			if (!this.deps.hasFocus()) return;
			const left = this.standing.since + shownMs - performance.now();
			if (left > 0) return this.lookIn(left);
		}
		this.announced = new Set(waiting);
		void this.announce({ text, since: performance.now() }, unseen.length > 1);
	}

	private async announce(notification: Notification, isForSeveral: boolean): Promise<void> {
		this.standing = notification;
		const choice = await this.deps.notify(notification.text, isForSeveral);
		if (this.isDisposed) return;
		if (this.standing === notification) this.free();
		if (choice === undefined) return;
		const [next] = this.deps.queue.unseen;
		if (next === undefined) this.deps.reportEnded();
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
		void question.settled.then(() => this.announceAnew());
	}

	/** The user is active: the other waiting questions are reported once more. */
	private announceAnew(): void {
		this.announced = new Set();
		this.lookIn(gatherMs);
	}
}

/** How many servers are named before the others are only counted. */
const namedServers = 4;

/**
 * One sentence about all that waits, such as `weather (server) asks for a completion`, or for several
 * `3 requests are waiting for you: weather (2), travel`. The names are the configured ones, fit to show as plain text.
 */
export function describeWaiting(waiting: readonly DecisionSubject[]): string {
	const [only] = waiting;
	if (only !== undefined && waiting.length === 1) return `${oneLine(only.server, 60)} (server) ${asks[only.kind]}`;
	return `${waiting.length} requests are waiting for you: ${serversOf(waiting)}`;
}

/** Who waits, and for how much: `weather (2), travel`. */
function serversOf(waiting: readonly DecisionSubject[]): string {
	const counts = new Map<string, number>();
	for (const { server } of waiting) counts.set(server, (counts.get(server) ?? 0) + 1);
	const servers = [...counts].map(([name, count]) =>
		count === 1 ? oneLine(name, 40) : `${oneLine(name, 40)} (${count})`,
	);
	const others = servers.length - namedServers;
	if (others <= 0) return servers.join(", ");
	return `${servers.slice(0, namedServers).join(", ")} and ${others} more ${others === 1 ? "server" : "servers"}`;
}
