import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { inTime } from "./waiting.ts";
import { everyCarrier, refuses, settles, type Fault } from "./fault.ts";

/** Silent stalls: of networks, servers, and the host itself. */
export const stillFaults: readonly Fault[] = [
	{
		row: "TRN-44",
		title: "the server is suspended",
		phases: ["idle", "call"],
		carriers: ["stdio"],
		times: { requestMs: 600 },
		act: () => process.kill(process.pid, "SIGSTOP"),
		host: settles,
		async check(stage) {
			assert.equal((await stage.call()).code, "timeout");
		},
	},
	{
		row: "TRN-44",
		title: "a network that swallows everything",
		phases: ["idle"],
		carriers: ["http", "sse"],
		times: { requestMs: 600 },
		act: () => undefined,
		later: () => true,
		host: settles,
		async check(stage) {
			assert.equal((await stage.call()).code, "timeout");
		},
	},
	{
		row: "TRN-44",
		title: "a network that swallows the rest of an answer",
		phases: ["call"],
		carriers: ["http"],
		times: { requestMs: 600 },
		act: (turn) => turn.raw(`event: message\ndata: ${turn.work().slice(0, 20)}`),
		host: refuses(/no answer/, "timeout"),
	},
	{
		row: "TRN-54",
		title: "the host is suspended for three seconds",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act: (turn) => void setTimeout(() => turn.answer(), 300),
		async run(stage, phase, carrier) {
			using other = stage.openOther();
			await other.order(
				"configure",
				carrier === "stdio" ? stage.stdioConfig() : remote(stage.http?.url ?? "", carrier),
			);
			assert.equal((await inTime(other.order("start"), "the other window's server started"))?.kind, "result");
			const call = phase === "call" ? other.order("call") : undefined;
			if (phase === "call") await stage.until(() => stage.strikes > 0, "the call arrived");
			other.signal("SIGSTOP");
			await sleep(3000);
			other.signal("SIGCONT");
			if (call !== undefined) assert.equal((await inTime(call, "the call came to an end"))?.kind, "result");
			const next = await inTime(other.order("call"), "the next call came to an end");
			assert.equal(next?.kind, "result", next?.text);
			assert.ok(stage.requests("initialize") <= 2, "it was connected again more than once");
		},
	},
];

function remote(url: string, type: string): { readonly type: string; readonly url: string; readonly protocol: string } {
	return { type, url, protocol: "legacy" };
}
