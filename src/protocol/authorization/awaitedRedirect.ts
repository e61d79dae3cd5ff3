import { createHash, timingSafeEqual } from "node:crypto";
import { HostError } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";

/** How long a user may take to sign in, in milliseconds (AUT-07). */
const lifetimeMs = 10 * 60 * 1000;

/**
 * The redirect of one sign-in: accepts the first callback with the awaited `state`, nothing else, and only once
 * (AUT-07). Ends automatically after ten minutes.
 */
export class AwaitedRedirect implements Disposable {
	private readonly ending = new AbortController();
	private readonly timer: NodeJS.Timeout;
	private readonly stateKnown = Promise.withResolvers<string>();
	private readonly accepted = Promise.withResolvers<URLSearchParams>();
	private isReceiving = false;
	private isUsed = false;

	constructor(limitMs: number = lifetimeMs) {
		const minutes = Math.max(1, Math.round(limitMs / 60_000));
		const message = `The sign-in was not finished within ${minutes} minutes. Sign in again.`;
		this.timer = setTimeout(() => this.end(new HostError("timeout", message)), limitMs);
		this.timer.unref();
		// Either may be waited for by nobody.
		this.stateKnown.promise.catch(() => undefined);
		this.accepted.promise.catch(() => undefined);
	}

	/** Aborted once no callback is awaited any more, whether one arrived or not. */
	get ended(): AbortSignal {
		return this.ending.signal;
	}

	/**
	 * The parameters of the callback with this state. To be called once.
	 * @throws HostError `cancelled` when disposed, `timeout` after ten minutes; the signal's reason.
	 */
	async receive(state: string, signal: AbortSignal): Promise<URLSearchParams> {
		if (this.isReceiving) throw new HostError("invalid", "The redirect of this sign-in is already in use.");
		this.isReceiving = true;
		const onAbort = (): void => this.end(signal.reason);
		if (signal.aborted) onAbort();
		signal.addEventListener("abort", onAbort, { once: true });
		this.stateKnown.resolve(state);
		try {
			return await this.accepted.promise;
		} finally {
			signal.removeEventListener("abort", onAbort);
			this.end(undefined);
		}
	}

	/**
	 * Whether these parameters are the awaited ones. A callback that arrives before a receiver exists is held until then.
	 */
	async offer(parameters: URLSearchParams): Promise<boolean> {
		const [state, ...others] = parameters.getAll("state");
		// A parameter must not be repeated (RFC 6749, section 3.1).
		if (state === undefined || others.length > 0) return false;
		const expected = await this.stateKnown.promise.catch(() => undefined);
		if (expected === undefined || this.isUsed || this.ending.signal.aborted || !isSame(state, expected)) return false;
		this.isUsed = true;
		this.accepted.resolve(parameters);
		return true;
	}

	dispose(): void {
		this.end(new HostError("cancelled", "The sign-in was cancelled."));
	}

	private end(reason: unknown): void {
		if (this.ending.signal.aborted) return;
		clearTimeout(this.timer);
		this.ending.abort(reason);
		this.stateKnown.reject(reason);
		this.accepted.reject(reason);
	}
}

/** Compares in a time that does not reveal where two texts differ. */
function isSame(a: string, b: string): boolean {
	const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
	return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
