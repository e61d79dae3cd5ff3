import type { ModelEvent } from "../models/model.ts";

/** A tool call as the model wrote it. */
export type WantedCall = Extract<ModelEvent, { type: "tool-call" }>;

/** No tool has a use for more, and what goes through values by recursion gives up far beyond it. */
const deepest = 100;

/**
 * A call as the rest of a turn can rely on it, whichever model wrote it: with an id that no other call of the answer has,
 * since results are told apart by it, and with arguments that can be looked through.
 */
export function takeCall(call: WantedCall, before: readonly WantedCall[]): WantedCall {
	const isUsable = call.callId !== "" && !before.some(({ callId }) => callId === call.callId);
	const own = isUsable ? call : { ...call, callId: `call_${crypto.randomUUID()}` };
	if (!isDeeperThan(deepest, call.arguments)) return own;
	const malformed = "(nested too deeply)";
	const problem = `The arguments are nested more than ${deepest} levels deep, so nothing was called.`;
	return { ...own, arguments: {}, malformed, problem };
}

/** Level by level, without recursion. */
function isDeeperThan(levels: number, value: unknown): boolean {
	let level: readonly unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > levels) return true;
		level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
	}
	return false;
}
