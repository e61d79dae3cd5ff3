import { createContext, Script } from "node:vm";
import { HostError } from "./errors.ts";

const idle = { run: (): void => undefined };
/** What a script of the virtual machine calls; everything that runs below it can be stopped from outside. */
const stage = createContext(Object.assign(Object.create(null) as object, idle));
const script = new Script("run()");

/**
 * Runs something synchronous that a server can make last for ever, such as its regular expression on its text, and stops
 * it when the time is up, which nothing else in this thread could (security.md TRN-53). Costs a fraction of a millisecond.
 * It is no sandbox: `action` runs as any other code. Not to be nested.
 * @throws HostError `limit` when it took longer than `milliseconds`; whatever `action` throws.
 */
export function withinTime<T>(milliseconds: number, action: () => T): T {
	let result: { readonly value: T } | undefined;
	Object.assign(stage, {
		run: (): void => {
			result = { value: action() };
		},
	});
	try {
		script.runInContext(stage, { timeout: milliseconds });
	} catch (error) {
		// The error is of the machine's own realm, so it is no instance of our `Error`.
		const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
		if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
		throw new HostError("limit", `It took longer than ${milliseconds} ms and was stopped.`, { cause: error });
	} finally {
		// It may hold on to much.
		Object.assign(stage, idle);
	}
	if (result === undefined) throw new HostError("limit", "It did not come to an end.");
	return result.value;
}
