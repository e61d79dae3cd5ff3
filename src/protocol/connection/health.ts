import { HostError } from "../../base/errors.ts";

/** How long a server may take to answer a ping, and the pause before the second one, in milliseconds. */
const answerMs = 12_000;
const pauseMs = 3000;
/** How long an answer dispels every doubt, in milliseconds: some servers end their streams all the time. */
const freshMs = 10_000;
/** The SDK waits no longer than this between its own attempts to open a stream again, in milliseconds. */
const abandonedMs = 90_000;

/** The questions and reports about a silent server. */
export interface Patient {
	/** When the last message of the server arrived, on the clock of `performance.now`. */
	readonly lastHeard: () => number;
	/** Whether requests run: they have clocks of their own, and a ping may wait with them for a user who signs in. */
	readonly isBusy: () => boolean;
	/** Asks for a sign of life; rejects with a HostError. */
	readonly ping: (signal: AbortSignal) => Promise<unknown>;
	/** The server answered neither of two pings, and no requests run. */
	readonly onDead: () => void;
}

/**
 * Pings a server that has been silent for a while, so that a connection that was dropped without a word, as by a router
 * or a sleeping laptop, does not look alive for ever (TRN-44; specification, "Ping").
 */
export class Health {
	private readonly patient: Patient;
	private readonly silenceMs: number;
	private readonly ending = new AbortController();
	private timer: NodeJS.Timeout | undefined;
	private isExamining = false;
	private examinedAt = Number.NEGATIVE_INFINITY;

	/** `silenceMs`: after this long without a word the server is pinged. Keeps no process alive. */
	constructor(patient: Patient, silenceMs: number) {
		this.patient = patient;
		this.silenceMs = silenceMs;
		this.arm(silenceMs);
	}

	/** Asks at once unless requests run, as after a sign that the server went away. */
	check(): void {
		const isFresh = performance.now() - this.examinedAt < freshMs;
		const isBusy = this.isExamining || this.patient.isBusy();
		if (!this.ending.signal.aborted && !isBusy && !isFresh) void this.examine();
	}

	dispose(): void {
		this.ending.abort();
		clearTimeout(this.timer);
	}

	private arm(ms: number): void {
		this.timer = setTimeout(() => {
			const left = this.patient.lastHeard() + this.silenceMs - performance.now();
			if (left > 0) this.arm(left);
			else if (this.patient.isBusy()) this.arm(this.silenceMs);
			else void this.examine();
		}, ms).unref();
	}

	/** Never rejects. */
	private async examine(): Promise<void> {
		this.isExamining = true;
		clearTimeout(this.timer);
		let isAlive = await this.answers();
		if (!isAlive) {
			await this.pause();
			isAlive = await this.answers();
		}
		if (this.ending.signal.aborted) return;
		this.isExamining = false;
		this.examinedAt = performance.now();
		if (isAlive || this.patient.isBusy()) return this.arm(this.silenceMs);
		this.dispose();
		this.patient.onDead();
	}

	private pause(): Promise<void> {
		const { signal } = this.ending;
		return new Promise((resolve) => {
			const done = (): void => {
				signal.removeEventListener("abort", done);
				resolve();
			};
			signal.addEventListener("abort", done);
			this.timer = setTimeout(done, pauseMs).unref();
		});
	}

	private async answers(): Promise<boolean> {
		if (this.ending.signal.aborted) return false;
		try {
			await this.patient.ping(AbortSignal.any([this.ending.signal, AbortSignal.timeout(answerMs)]));
			return true;
		} catch (error) {
			// An error is an answer: not every server knows the method.
			return HostError.is(error) && error.code !== "not-connected";
		}
	}
}

/**
 * Reopens the event stream of the server's own messages when the SDK has given up on it. Otherwise a session seems to
 * live, but receives nothing.
 */
export class StreamWatch {
	private readonly openAgain: () => void;
	private timer: NodeJS.Timeout | undefined;

	/** Keeps no process alive. */
	constructor(openAgain: () => void) {
		this.openAgain = openAgain;
	}

	/** Notes that the stream opened, or that it ended or could not be opened. */
	note(isOpen: boolean): void {
		clearTimeout(this.timer);
		if (!isOpen) this.timer = setTimeout(() => this.openAgain(), abandonedMs).unref();
	}

	dispose(): void {
		clearTimeout(this.timer);
	}
}
