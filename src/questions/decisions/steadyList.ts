import type { Disposable } from "../../base/lifecycle.ts";
import type { PendingDecisions } from "./pendingDecisions.ts";

/** For how long a question stands at its place before a key or an icon may decide it, in milliseconds. */
const readMs = 700;

/**
 * Tells which questions have stood still for long enough that a key or a click on an icon surely means them (UI-20): one
 * that has only just come, or that has moved to where another one stood, may be another than the user has read. While
 * the window has not the focus nobody reads, so that the time begins when it gets it.
 */
export class SteadyList implements Disposable {
	private readonly now: () => number;
	private readonly subscription: Disposable;
	/** Since when each question stands at its place, by their ids in order. */
	private places: readonly { readonly id: string; readonly since: number }[] = [];

	/** `now` tells the time in milliseconds. */
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

	/** The window has got the focus: what stands there has been seen by nobody yet. */
	noteFocus(): void {
		this.places = this.places.map(({ id }) => ({ id, since: this.now() }));
	}

	/** Whether the question of an id has stood at its place for so long that the user can have read it. */
	isSteady(id: string): boolean {
		const place = this.places.find((one) => one.id === id);
		return place !== undefined && this.now() - place.since >= readMs;
	}

	dispose(): void {
		this.subscription.dispose();
	}
}
