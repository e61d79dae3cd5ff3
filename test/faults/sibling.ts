import { setTimeout } from "node:timers/promises";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { now, stretch } from "./pace.ts";

/** How often the healthy server is called, in milliseconds. */
const everyMs = 100;
/** The longest time that it may take to answer, in milliseconds. */
const longestSilenceMs = 2000 * stretch;

/** Calls a healthy server during a fault, and records its longest silence. */
export class Sibling {
	private readonly session: ServerSession;
	private readonly ending = new AbortController();
	private readonly running: Promise<void>;
	private lastAnswer = now();
	private longestMs = 0;
	private lastError = "";

	constructor(session: ServerSession) {
		this.session = session;
		this.running = this.run();
	}

	/** The longest time between two answers, in milliseconds. */
	get longestSilence(): number {
		return Math.max(this.longestMs, now() - this.lastAnswer);
	}

	/** The problem, or undefined when it answered all along. */
	get complaint(): string | undefined {
		const silence = this.longestSilence;
		if (silence <= longestSilenceMs) return undefined;
		return `the healthy server gave no answer for ${Math.round(silence)} ms${this.lastError === "" ? "" : ` (${this.lastError})`}`;
	}

	/** Ends the calls; the records stay. */
	async stop(): Promise<void> {
		this.ending.abort();
		await this.running;
	}

	private async run(): Promise<void> {
		const { signal } = this.ending;
		while (!signal.aborted) {
			try {
				await this.session.callTool("echo", { text: "well" }, { signal });
				const answeredAt = now();
				this.longestMs = Math.max(this.longestMs, answeredAt - this.lastAnswer);
				this.lastAnswer = answeredAt;
			} catch (error) {
				this.lastError = String(error);
			}
			await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
		}
		this.longestMs = Math.max(this.longestMs, now() - this.lastAnswer);
		this.lastAnswer = Number.POSITIVE_INFINITY;
	}
}
