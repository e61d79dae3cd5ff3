import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { ServerTap } from "../../../../src/protocol/wireTap.ts";
import type { Exchange, WantedTrace } from "../../../../src/records/trace/exchange.ts";
import { Recorder } from "../../../../src/records/trace/recorder.ts";

/** A recorder that knows one secret, and its tap of one server; the level can be changed. */
export function recorder(level: WantedTrace = "metadata") {
	const levels = { now: level };
	const redact = (text: string): string => text.replaceAll("hunter2-hunter2", "⟦password⟧");
	const trace = new Recorder({ wanted: () => levels.now, redactor: { redact } });
	const tap: ServerTap = trace.tap("user:git", "git");
	return { trace, tap, levels };
}

/** All its exchanges. */
export const all = (trace: Recorder): readonly Exchange[] => trace.snapshot(0).exchanges;
export const request = (id: number, method: string, params = {}): JSONRPCMessage => ({
	jsonrpc: "2.0",
	id,
	method,
	params,
});
export const answer = (id: number, result = {}): JSONRPCMessage => ({ jsonrpc: "2.0", id, result });
export const notification = (method: string, params = {}): JSONRPCMessage => ({ jsonrpc: "2.0", method, params });
