import type { Durations } from "./exchange.ts";

/** Where the time of one exchange goes: a user, the server, or the host itself. The three never overlap (TRC-01). */
export class ExchangeClock {
	private startedAt = Number.NaN;
	private since = Number.NaN;
	private user = 0;
	private server = 0;
	private own = 0;
	private questions = 0;
	private onWire = 0;
	/** NaN until then. */
	private endedAt = Number.NaN;

	/** Begins with an exchange. Times are on the clock of `performance.now`, in milliseconds. */
	begin(now: number): void {
		this.startedAt = now;
		this.since = now;
		this.user = 0;
		this.server = 0;
		this.own = 0;
		this.questions = 0;
		this.onWire = 0;
		this.endedAt = Number.NaN;
	}

	/** Whether something of the exchange is with the server. */
	get isAway(): boolean {
		return this.onWire > 0;
	}

	/** Whether a user is asked something on behalf of the exchange. */
	get isAsking(): boolean {
		return this.questions > 0;
	}

	/** A user is asked something on behalf of the exchange; every call needs its `answer`. */
	ask(now: number): void {
		this.pass(now);
		this.questions++;
	}

	/** The question is settled. */
	answer(now: number): void {
		this.pass(now);
		if (this.questions > 0) this.questions--;
	}

	/** Something of the exchange is with the server; every call needs its `back`. */
	away(now: number): void {
		this.pass(now);
		this.onWire++;
	}

	/** The server has answered it, or nobody waits any more. */
	back(now: number): void {
		this.pass(now);
		if (this.onWire > 0) this.onWire--;
	}

	/** The exchange is over; later events do not count. */
	end(now: number): void {
		this.pass(now);
		if (!this.isOver) this.endedAt = now;
	}

	/** Milliseconds since the exchange began, or until its end. */
	total(now: number): number {
		return (this.isOver ? this.endedAt : now) - this.startedAt;
	}

	/** Where the time went until now, or until the end. */
	durations(now: number): Durations {
		this.pass(now);
		const { user, server, own } = this;
		return { total: this.total(now), user, server, own };
	}

	private get isOver(): boolean {
		return !Number.isNaN(this.endedAt);
	}

	private pass(now: number): void {
		if (this.isOver) return;
		const passed = Math.max(0, now - this.since);
		this.since = Math.max(now, this.since);
		// The time of a user's decision is not the server's, although its request is open meanwhile.
		if (this.questions > 0) this.user += passed;
		else if (this.onWire > 0) this.server += passed;
		else this.own += passed;
	}
}
