import { availableParallelism, cpus } from "node:os";
import type { ServerDefinition } from "../definitions/config.ts";
import type { ServerSession } from "./serverSession.ts";

/** A start that has not completed after this time mostly waits; the next one may use the processor. Milliseconds. */
const longestTurnMs = 150;
/** How often it is looked whether the processors have time for the next one sooner, in milliseconds. */
const lookMs = 20;
/** The share of one processor that must be free for that. */
const enoughIdle = 0.5;

/**
 * Starts the approved servers that are not running, also for when a window opens (`isAutomatic`). Resolves when each
 * start has completed.
 */
export async function startApproved(
	sessions: readonly ServerSession[],
	isAutomatic: (definition: ServerDefinition) => boolean,
): Promise<void> {
	const starts = (isLocal: boolean): readonly (() => Promise<unknown>)[] =>
		sessions
			.filter(({ state, definition }) => state.kind === "stopped" && isAutomatic(definition))
			.filter(({ definition }) => (definition.config.kind === "stdio") === isLocal)
			.map((session) => () => session.start({ isAutomatic: true }));
	// Remote ones only wait, so nobody waits for them.
	const remote = starts(false).map((start) => start());
	await startInOrder(starts(true), availableParallelism());
	await Promise.all(remote);
}

/**
 * Starts several servers in order, a few at a time. Those that compute would only slow each other down, so that the
 * first is ready late; those that wait or hang hold up no others. Resolves when all starts have completed. `starts`
 * never reject. `watchIdle` makes a meter of the processors, see `idleMeter`.
 */
export async function startInOrder(
	starts: readonly (() => Promise<unknown>)[],
	atOnce: number,
	watchIdle: () => () => number = idleMeter,
): Promise<void> {
	const all: Promise<unknown>[] = [];
	const queue = [...starts];
	const lane = async (): Promise<void> => {
		for (let start = queue.shift(); start !== undefined; start = queue.shift()) {
			const started = start();
			all.push(started);
			await turn(started, watchIdle());
		}
	};
	await Promise.all(Array.from({ length: Math.max(1, atOnce) }, lane));
	await Promise.all(all);
}

/** Resolves when a start has completed, or leaves the processors to the next. */
function turn(started: Promise<unknown>, idle: () => number): Promise<void> {
	return new Promise((resolve) => {
		const begun = performance.now();
		const end = (): void => {
			clearInterval(timer);
			resolve();
		};
		const timer = setInterval(() => {
			if (performance.now() - begun >= longestTurnMs || idle() >= enoughIdle) end();
		}, lookMs);
		void started.finally(end);
	});
}

/** A meter that returns, at each reading, how many processors were idle on average since the previous one. */
function idleMeter(): () => number {
	let before = readTimes();
	return () => {
		const now = readTimes();
		const elapsed = now.total - before.total;
		const share = elapsed <= 0 ? 0 : (now.idle - before.idle) / elapsed;
		before = now;
		return share * now.count;
	};
}

function readTimes(): { readonly count: number; readonly idle: number; readonly total: number } {
	const processors = cpus();
	let idle = 0;
	let total = 0;
	for (const { times } of processors) {
		idle += times.idle;
		total += times.idle + times.user + times.nice + times.sys + times.irq;
	}
	return { count: processors.length, idle, total };
}
