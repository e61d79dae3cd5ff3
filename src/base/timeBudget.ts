import { createContext, Script } from "node:vm";
import { HostError } from "./errors.ts";

const idle = { run: (): void => undefined };
/** The function that a script of the virtual machine calls; everything below it can be stopped from outside. */
const stage = createContext(Object.assign<object, typeof idle>(Object.create(null), idle));
const script = new Script("run()");

/** How often an action is tried whose time passed while other programs had the processor. */
const mostTries = 3;

/**
 * Runs synchronous work that a server can make endless, such as its regular expression on its text, and stops it when
 * the time is up, which nothing else in this thread can do (TRN-53). Costs a fraction of a millisecond. If this process
 * had less than half of that time to compute, as on a busy machine, it is tried again, three times in total. It is not
 * a sandbox: `action` runs as any other code, and from its start at each try. Not to be nested. `computedMs` returns
 * how long this process has computed so far, in milliseconds.
 * @throws HostError `limit` when it took longer than `milliseconds`; anything that `action` throws.
 */
export function withinTime<T>(milliseconds: number, action: () => T, computedMs: () => number = ofProcess): T {
	for (let tries = 1; ; tries++) {
		const before = computedMs();
		const attempt = tryOnce(milliseconds, action);
		if ("value" in attempt) return attempt.value;
		if (tries < mostTries && computedMs() - before < milliseconds / 2) continue;
		throw new HostError("limit", `It took longer than ${milliseconds} ms and was stopped.`, { cause: attempt.stopped });
	}
}

function ofProcess(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

function tryOnce<T>(milliseconds: number, action: () => T): { readonly value: T } | { readonly stopped: unknown } {
	let result: { readonly value: T } | undefined;
	Object.assign(stage, {
		run: (): void => {
			result = { value: action() };
		},
	});
	try {
		script.runInContext(stage, { timeout: milliseconds });
	} catch (error) {
		// The error belongs to the machine's own realm, so it is not an instance of our `Error`.
		const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
		if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
		return { stopped: error };
	} finally {
		// It may retain much memory.
		Object.assign(stage, idle);
	}
	return result ?? { stopped: undefined };
}
