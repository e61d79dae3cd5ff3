import type { Disposable } from "../../base/lifecycle.ts";
import type { PendingDecisions } from "./pendingDecisions.ts";

/** How long a question must be at its place before a key or an icon may decide it, in milliseconds. */
const readMs = 700;

/**
 * Reports which questions have been unchanged long enough that a key or a click on an icon surely refers to them
 * (UI-20): one that has just arrived, or that has moved to another's place, may be another than the user has read.
 * Nobody reads a window without the focus, so the time begins when it gets it.
 */
export class SteadyList implements Disposable {
	private readonly now: () => number;
	private readonly subscription: Disposable;
	/** Since when each question is at its place, by their ids in order. */
	private places: readonly { readonly id: string; readonly since: number }[] = [];

	/** `now` returns the time in milliseconds. */
	constructor(pending: Pick<PendingDecisions, "all" | "onDidChange">, now: () => number = () => performance.now()) {
		this.now = now;
		const update = (): void => {
			this.places = pending.all.map(({ id }, index) => {
				const before = this.places[index];
				return before?.id === id ? before : { id, since: now() };
			});
		};
		update();
		this.subscription = pending.onDidChange(update);
	}

	/** The window has got the focus: nobody has seen its content yet. */
	noteFocus(): void {
		this.places = this.places.map(({ id }) => ({ id, since: this.now() }));
	}

	/** Whether the question with an id has been at its place long enough for the user to read it. */
	isSteady(id: string): boolean {
		const place = this.places.find((one) => one.id === id);
		return place !== undefined && this.now() - place.since >= readMs;
	}

	dispose(): void {
		this.subscription.dispose();
	}
}
