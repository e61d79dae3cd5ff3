import { oneLine } from "../../base/text.ts";
import { freshen } from "../../servers/sessions/freshness.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** How long a turn waits for servers that are about to run, in milliseconds; the user can stop it sooner. */
const patienceMs = 10_000;

/** The part of a turn that {@link ComingServers.wait} uses. */
export interface TurnStart {
	/** The servers for the turn. */
	readonly sessions: readonly Session[];
	/** Aborted when the user stops the turn. */
	readonly signal: AbortSignal;
	/** Receives a sentence about the wait. */
	readonly say: (message: string) => void;
}

/**
 * Makes a turn begin with the tools of all its servers. A window that was just loaded, and a server that was just lost,
 * have no tools for some seconds, and a model would be informed that there are none.
 */
export class ComingServers {
	/** The servers that were waited for in vain, until they run: those that hang hold up one turn, not each. */
	private readonly given = new WeakSet<Session>();
	private readonly patienceMs: number;

	/** `patience`: the longest wait, in milliseconds. */
	constructor(patience: number = patienceMs) {
		this.patienceMs = patience;
	}

	/**
	 * Waits until the servers that are about to run offer their tools, and lists that are no longer fresh are read again, or for
	 * as long as a user is patient. Returns those that are still about to run. Never rejects.
	 */
	async wait({ sessions, signal, say }: TurnStart): Promise<readonly Session[]> {
		const waited = (): readonly Session[] =>
			sessions.filter((session) => !this.given.has(session) && this.isComing(session));
		for (const session of sessions) if (session.state.kind === "running") this.given.delete(session);
		const first = waited();
		if (first.length > 0 && !signal.aborted) {
			const names = first.map(({ definition }) => oneLine(definition.name, 60)).join(", ");
			say(`Waiting for ${names} to start…`);
			await this.until(() => waited().length === 0, first, signal);
			for (const session of waited()) this.given.add(session);
		}
		await freshen(sessions, () => AbortSignal.any([signal, AbortSignal.timeout(this.patienceMs)]));
		return sessions.filter((session) => this.isComing(session));
	}

	private async until(isDone: () => boolean, sessions: readonly Session[], signal: AbortSignal): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const look = (): void => {
			if (isDone()) resolve();
		};
		const subscriptions = sessions.flatMap(({ onDidChangeState, tools }) => [
			onDidChangeState(look),
			tools.onDidChange(look),
		]);
		const timer = setTimeout(resolve, this.patienceMs);
		const stop = (): void => resolve();
		signal.addEventListener("abort", stop, { once: true });
		look();
		await promise;
		clearTimeout(timer);
		signal.removeEventListener("abort", stop);
		for (const subscription of subscriptions) subscription.dispose();
	}

	/** Whether it will have its tools soon, without anything that a user does. */
	private isComing({ state, tools }: Session): boolean {
		if (state.kind === "failed") {
			return state.retryAt !== undefined && state.retryAt - Date.now() < this.patienceMs;
		}
		if (state.kind !== "running") return state.kind === "starting";
		// It runs a moment before its list is asked for.
		const isListed = tools.status.kind === "ready" || tools.status.kind === "failed";
		return state.facts.capabilities.tools !== undefined && !isListed && tools.items.length === 0;
	}
}
