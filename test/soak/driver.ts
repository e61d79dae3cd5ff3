import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../src/base/errors.ts";
import type { RequestOutcome } from "../../src/servers/sessions/requestLog.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { outcomeOf, type Disturbed, type EndedCall } from "./account.ts";
import type { ServerName, Step } from "./plan.ts";
import type { Web } from "./web.ts";

/** Calls that run at once. */
const concurrency = 20;
/** How long cut streams may still break calls that have just begun, in milliseconds. */
const afterCutMs = 100;

type CallStep = Extract<Step, { type: "call" }>;
type DisturbanceStep = Extract<Step, { type: "disturbance" }>;

/** Carries out a plan: calls without waiting for each other, and between them the disturbances and recoveries. */
export class Driver {
	readonly calls: EndedCall[] = [];
	readonly disturbed: Disturbed[] = [];
	/** The entries of these calls in the sessions' logs of requests. */
	readonly logged: Partial<Record<RequestOutcome, number>> = {};
	private readonly sessions: Readonly<Record<ServerName, ServerSession>>;
	private readonly web: Web;
	private readonly running = new Set<Promise<void>>();
	/** The recovery of each server; its next disturbance waits for it. */
	private readonly recovering = new Map<ServerName, Promise<void>>();

	constructor(sessions: Readonly<Record<ServerName, ServerSession>>, web: Web) {
		this.sessions = sessions;
		this.web = web;
		for (const session of Object.values(sessions)) this.watchLog(session);
	}

	/** Carries out some steps; resolves when all calls have ended and all servers run. */
	async run(steps: readonly Step[]): Promise<void> {
		for (const step of steps) {
			if (step.type === "disturbance") await this.disturb(step);
			else await this.begin(step);
		}
		await Promise.all(this.running);
		await Promise.all(this.recovering.values());
	}

	private async begin(step: CallStep): Promise<void> {
		await isRunning(this.sessions[step.server]);
		while (this.running.size >= concurrency) await Promise.race(this.running);
		const call = this.call(step).finally(() => this.running.delete(call));
		this.running.add(call);
	}

	private async call(step: CallStep): Promise<void> {
		const { id, kind, takesMs, cancelAfterMs } = step;
		const signal = kind === "cancelled" ? AbortSignal.timeout(cancelAfterMs) : undefined;
		const startedAt = performance.now();
		const end = (outcome: EndedCall["outcome"], message?: string): void => {
			const ended = { step, startedAt, endedAt: performance.now(), outcome };
			this.calls.push(message === undefined ? ended : { ...ended, message });
		};
		try {
			const options = signal === undefined ? {} : { signal };
			await this.sessions[step.server].callTool("work", { id, kind, takesMs }, options);
			end("result");
		} catch (error) {
			end(outcomeOf(error), messageOf(error));
		}
	}

	private async disturb(step: DisturbanceStep): Promise<void> {
		await this.recovering.get(step.server);
		await isRunning(this.sessions[step.server]);
		const recovery = this.recover(step);
		this.recovering.set(step.server, recovery);
		// A fault in it is reported when it is awaited.
		recovery.catch(() => undefined);
	}

	private async recover({ server, what, isLeftToHost }: DisturbanceStep): Promise<void> {
		const session = this.sessions[server];
		const window: Disturbed = { server, from: performance.now(), until: Number.POSITIVE_INFINITY };
		this.disturbed.push(window);
		if (what === "loss") {
			// A call that hits it is sent once, so that its outcome is unknown; the next list opens another session.
			await this.web.order({ kind: "loss" });
			await session.tools.refresh();
			window.until = performance.now();
			return;
		}
		if (what === "crash") kill(session);
		else if (server !== "stdio") await this.web.order({ kind: "cut", server });
		if (what === "cut" && server === "http") await setTimeout(afterCutMs);
		else await until(session, ({ kind }) => kind !== "running");
		if (!isLeftToHost && session.state.kind === "failed") await session.start();
		await isRunning(session);
		window.until = performance.now();
	}

	private watchLog({ requestLog }: ServerSession): void {
		let lastSeen = 0;
		requestLog.onDidChange(() => {
			for (const { id, isBackground, ended } of requestLog.ended.slice(-1)) {
				if (isBackground || ended === undefined || id === lastSeen) continue;
				lastSeen = id;
				this.logged[ended.outcome] = (this.logged[ended.outcome] ?? 0) + 1;
			}
		});
	}
}

function kill({ state }: ServerSession): void {
	if (state.kind === "running" && state.facts.pid !== undefined) process.kill(state.facts.pid, "SIGKILL");
}

function isRunning(session: ServerSession): Promise<void> {
	return until(session, ({ kind }) => kind === "running");
}

/** Resolves when the session is in a matching state. */
async function until(session: ServerSession, fits: (state: ServerSession["state"]) => boolean): Promise<void> {
	if (fits(session.state)) return;
	await new Promise<void>((resolve) => {
		const subscription = session.onDidChangeState((state) => {
			if (!fits(state)) return;
			subscription.dispose();
			resolve();
		});
	});
}
