import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { HostError } from "../../src/base/errors.ts";
import { everyCarrier, refuses, settles, works, ends, type Fault, type Turn, everyPhase } from "./fault.ts";
import { faultUri } from "./book.ts";
import { eventOf } from "./httpServer.ts";
import { textOf } from "./peer.ts";
import { describe } from "./stateWords.ts";

/** Sends one message many times, and then the correct answer if one is expected. */
function flood(count: number, message: Parameters<Turn["tell"]>[0]): (turn: Turn) => void {
	return (turn) => {
		const text = turn.carrier === "stdio" ? `${textOf(message)}\n` : eventOf(textOf(message));
		// In one piece: the server's own writing must not take the host's time.
		turn.raw(text.repeat(count));
		turn.answer();
	};
}

const logMessage = { method: "notifications/message", params: { level: "info", data: "the same again" } };
const terminalTricks =
	"\u001B[2J\u001B]8;;http://evil.example\u0007click\u001B]8;;\u0007\r\n[info] all is well\u202E\u0000";

/** Too many valid messages, and other floods: storms, logs, standard error, input that is not read. */
export const floodFaults: readonly Fault[] = [
	{
		row: "TRN-22",
		title: "cancelled about when the answer comes",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => void setTimeout(() => turn.answer(), 15),
		async run(stage) {
			await stage.run();
			for (let round = 0; round < 40; round++) {
				const cancel = new AbortController();
				const calls = [0, 1, 2].map(() => stage.call({ signal: cancel.signal }));
				await sleep(10 + (round % 10));
				cancel.abort();
				for (const { kind, code, text } of await Promise.all(calls)) {
					assert.ok(kind === "result" || code === "cancelled", `ended with ${kind} ${code} ${text}`);
				}
			}
			await stage.callsWork();
		},
	},
	{
		row: "TRN-24",
		title: "thirty thousand changed lists",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act: flood(30_000, { method: "notifications/tools/list_changed" }),
		host: works,
		async check(stage) {
			await sleep(600);
			// Once at the start, and then once for each quarter of a second at most.
			const most = 4 + (performance.now() - stage.openedAt) / 250;
			const times = stage.requests("tools/list");
			assert.ok(times <= most, `the list was read ${times} times`);
		},
	},
	{
		row: "TRN-25",
		title: "ten thousand updates of unwatched resources",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act: flood(10_000, { method: "notifications/resources/updated", params: { uri: faultUri } }),
		host: works,
		check: (stage) => assert.equal(stage.requests("resources/read"), 0, "a resource was read that nobody watches"),
	},
	{
		row: "TRN-26",
		title: "thirty thousand log messages",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act: flood(30_000, logMessage),
		host: works,
		async check(stage) {
			const { log } = stage.testHost;
			await stage.until(() => log.some((line) => line.includes("the same again")), "something was logged");
			const said = (): boolean => log.some((line) => /suppress|left out|dropped|skipped|not shown/i.test(line));
			await stage.until(said, "the log says that messages were left out");
			assert.ok(log.length < 5000, `the log holds ${log.length} lines`);
		},
	},
	{
		row: "TRN-26",
		title: "thirty thousand messages that are none",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act(turn) {
			const nothing = '{"jsonrpc":"2.0","method":7}';
			turn.raw((turn.carrier === "stdio" ? `${nothing}\n` : eventOf(nothing)).repeat(30_000));
			turn.answer();
		},
		host: works,
		check(stage) {
			const { length } = stage.testHost.log;
			assert.ok(length < 5000, `the log holds ${length} lines`);
		},
	},
	{
		row: "TRN-27",
		title: "a mebibyte on standard error",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			process.stderr.write(`${"e".repeat(1023)}\n`.repeat(1024));
			turn.answer();
		},
		host: works,
	},
	{
		row: "TRN-27",
		title: "thirty megabytes on standard error without a newline",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			for (let sent = 0; sent < 30; sent++) process.stderr.write("e".repeat(1_000_000));
			turn.answer();
		},
		host: works,
	},
	{
		row: "TRN-28",
		title: "terminal tricks on standard error",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			process.stderr.write(`${terminalTricks}\n`);
			turn.answer();
		},
		host: works,
		check: (stage) =>
			stage.until(() => stage.testHost.log.some((line) => line.includes("all is well")), "it was logged"),
	},
	{
		row: "TRN-28",
		title: "terminal tricks in log messages",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act(turn) {
			const logger = `${terminalTricks}logger`;
			turn.tell({ method: "notifications/message", params: { level: "info", logger, data: terminalTricks } });
			turn.tell({ method: "notifications/message", params: { level: "error", data: { nested: terminalTricks } } });
			turn.answer();
		},
		host: works,
		check: (stage) =>
			stage.until(() => stage.testHost.log.some((line) => line.includes("all is well")), "it was logged"),
	},
	{
		row: "TRN-28",
		title: "terminal tricks in the words of an error",
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act: (turn) =>
			turn.tell({
				id: turn.request?.id ?? "none",
				error: { code: -32000, message: `Refused ${terminalTricks}` },
			}),
		host: { handshake: ends(/Refused/), call: refuses(/Refused/, "protocol") },
		check(stage) {
			const words = [...stage.outcomes.map(({ text }) => text), ...stage.states.map(describe)];
			for (const text of words) assert.ok(!/\p{Cc}|\p{Bidi_Control}/u.test(text), "the error holds controls");
		},
	},
	{
		row: "TRN-29",
		title: "a server that stops reading its input",
		phases: ["call"],
		carriers: ["stdio"],
		act: () => void process.stdin.pause(),
		times: { requestMs: 1500, maxRequestMs: 1500 },
		async run(stage) {
			await stage.run();
			Object.assign(stage.testHost.timeouts, { requestMs: 1500, maxRequestMs: 1500 });
			const padding = "x".repeat(500_000);
			const calls = Array.from({ length: 60 }, () => stage.call({ padding }));
			for (const { kind, code, text } of await Promise.all(calls)) {
				assert.ok(kind === "error" && code !== undefined, `ended with ${kind} ${text}`);
			}
			const isLimit = stage.outcomes.some(({ code }) => code === "limit");
			assert.ok(isLimit, "what waits for the server has no bound: no call failed as limit");
		},
	},
	{
		row: "TRN-30",
		title: "the server closes its input and lives on",
		phases: ["idle", "call"],
		carriers: ["stdio"],
		act(turn) {
			process.stdin.destroy();
			setTimeout(() => undefined, 60_000);
			turn.answer();
		},
		times: { requestMs: 1500 },
		host: settles,
		async check(stage) {
			const { kind, text, code } = await stage.call();
			assert.ok(kind === "error" && code !== undefined, `a call that nobody reads ended with ${kind} ${text}`);
		},
	},
	{
		row: "TRN-30",
		title: "the server exits between calls",
		phases: ["idle"],
		carriers: ["stdio"],
		act: () => process.exit(0),
		host: ends(/exited with code 0/),
		async check(stage) {
			await assert.rejects(stage.session.callTool("echo", {}), (error) => HostError.is(error));
		},
	},
];
