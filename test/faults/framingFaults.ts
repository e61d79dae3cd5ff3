import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { bookReply, modern } from "./book.ts";
import { ends, everyCarrier, everyPhase, refuses, settles, works, type Misbehaviour, type Turn } from "./fault.ts";
import { eventOf } from "./httpServer.ts";
import { textOf } from "./peer.ts";
import type { Stage } from "./stage.ts";
import { describe } from "./stateWords.ts";

/** The maximum length of a line or event in these trials is 4 MiB; this is five times as much. */
const pieces = 20;
const balloon = "🎈";

/** The expected answer, if any, as the bytes of its transport. */
function answerBytes(turn: Turn, text = turn.work()): Buffer {
	return Buffer.from(turn.carrier === "stdio" ? `${text}\n` : eventOf(text));
}

/** The answers of one server share its output, so they must not be cut into each other. */
let dribbled = Promise.resolve();

/** Sends bytes in pieces that arrive one by one. */
function dribble(turn: Turn, bytes: Buffer, size: number): void {
	dribbled = dribbled.then(() => sendPieces(turn, bytes, size));
}

async function sendPieces(turn: Turn, bytes: Buffer, size: number): Promise<void> {
	for (let start = 0; start < bytes.length; start += size) {
		turn.raw(bytes.subarray(start, start + size));
		if (start % (size * 8) === 0) await sleep(1);
	}
	turn.http?.response.end();
}

/** The answer with a text that takes four bytes of UTF-8. */
function withBalloon(turn: Turn): string {
	return turn.work().replace('"content":[', `"content":[{"type":"text","text":"${balloon}"},`);
}

/** Bytes that never end a line. */
function endless(turn: Turn): void {
	if (turn.carrier !== "stdio") turn.raw("data: ");
	for (let sent = 0; sent < pieces; sent++) turn.raw("x".repeat(1024 * 1024));
}

/** A log message, or the answer, with a text of this length. */
function long(megabytes: number): (turn: Turn) => void {
	return (turn) => {
		const text = "x".repeat(megabytes * 1024 * 1024);
		if (turn.request === undefined)
			turn.tell({ method: "notifications/message", params: { level: "info", data: text } });
		else turn.send(turn.work().replace('"content":[', `"content":[{"type":"text","text":"${text}"},`));
	};
}

/** A legacy server that reacts oddly to the era probe. */
function askedForEra(title: string, act: Misbehaviour["act"], more: Partial<Misbehaviour> = {}): Misbehaviour {
	return {
		row: "TRN-16",
		title: `the era probe ${title}`,
		phases: ["handshake"],
		carriers: ["stdio", "http"],
		protocol: "auto",
		strikes: "server/discover",
		act,
		host: works,
		check: isLegacy,
		...more,
	};
}

function isLegacy({ session: { state } }: Stage): void {
	assert.equal(state.kind === "running" ? state.facts.era : state.kind, "legacy");
}

/** Faults of lines, bytes and sizes, and in detecting the era. */
export const framingFaults: readonly Misbehaviour[] = [
	{
		row: "TRN-01",
		title: "fifty banner lines on standard output",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			for (let line = 0; line < 50; line++) turn.raw(`Welcome ${line}!\n\u001B[32m{ ready\u001B[0m\n\n`);
			turn.answer();
		},
		host: works,
		check(stage) {
			const told = stage.testHost.log.filter((line) => line.includes("Welcome"));
			assert.ok(told.length >= 1 && told.length <= 3, `the log tells it in ${told.length} lines`);
		},
	},
	{
		row: "TRN-04",
		title: "a line that never ends",
		phases: everyPhase,
		carriers: ["stdio"],
		act: endless,
		host: ends(/more than \d+ MB|longer than|too (long|large)/i, "outcome-unknown", "limit"),
	},
	{
		row: "TRN-04",
		title: "an event that never ends",
		phases: ["call"],
		carriers: ["http", "sse"],
		act: endless,
		host: settles,
		check: failedAsTooLarge,
	},
	{
		row: "TRN-04",
		title: "an event that never ends on the open stream",
		phases: ["idle"],
		carriers: ["http", "sse"],
		act: endless,
		host: settles,
		check: (stage) => stage.until(() => stage.testHost.log.some(isAboutSize), "the log says that it was too large"),
	},
	{
		row: "TRN-05",
		title: "an answer of three megabytes where four are allowed",
		phases: ["call"],
		carriers: everyCarrier,
		act: long(3),
		host: works,
	},
	{
		row: "TRN-05",
		title: "an answer of five megabytes where four are allowed",
		phases: ["call"],
		carriers: everyCarrier,
		act: long(5),
		host: settles,
		check: failedAsTooLarge,
	},
	{
		row: "TRN-05",
		title: "a notification of five megabytes where four are allowed",
		phases: ["idle"],
		carriers: everyCarrier,
		act: long(5),
		host: settles,
		check: (stage) => stage.until(() => stage.testHost.log.some(isAboutSize), "the log says that it was too large"),
	},
	...[1, 2, 3].map((size): Misbehaviour => ({
		row: "TRN-06",
		title: `the answer in pieces of ${size} bytes`,
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act: (turn) => dribble(turn, answerBytes(turn, withBalloon(turn)), size),
		host: works,
		check(stage, phase) {
			if (phase === "call") assert.ok(stage.outcomes.some(({ text }) => text.includes(balloon)));
		},
	})),
	{
		row: "TRN-06",
		title: "CR LF, empty lines and a lone CR",
		phases: ["handshake", "call"],
		carriers: ["stdio"],
		act: (turn) => turn.raw(`\r\n\n\r\r\n${turn.work()}\r\n\r\n`),
		host: works,
	},
	{
		row: "TRN-06",
		title: "CR LF between the lines of the events",
		phases: ["handshake", "call"],
		carriers: ["http", "sse"],
		act(turn) {
			turn.raw(`: hello\r\n\r\nevent: message\r\ndata: ${turn.work()}\r\n\r\n`);
			turn.http?.response.end();
		},
		host: works,
	},
	{
		row: "TRN-07",
		title: "bytes that are no UTF-8, and NUL",
		phases: everyPhase,
		carriers: everyCarrier,
		act(turn) {
			const bad = [0xff, 0xfe, 0xc3, 0x28, 0x00];
			turn.raw(Buffer.from(turn.carrier === "stdio" ? [...bad, 0x0a] : [...Buffer.from(": "), ...bad, 0x0a, 0x0a]));
			turn.answer();
		},
		host: works,
	},
	{
		row: "TRN-07",
		title: "an answer with bytes that are no UTF-8",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			const bytes = answerBytes(turn, withBalloon(turn));
			// The first byte of the four remains, and announces bytes that do not follow.
			const at = bytes.indexOf(balloon);
			turn.raw(Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 4)]));
			turn.http?.response.end();
		},
		times: { requestMs: 1500 },
		host: settles,
	},
	{
		row: "TRN-07",
		title: "a byte order mark before the first answer",
		phases: ["handshake"],
		carriers: everyCarrier,
		act(turn) {
			turn.raw(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), answerBytes(turn)]));
			turn.http?.response.end();
		},
		times: { handshakeMs: 2500 },
		host: settles,
	},
	...[-32601, -32600, -32602, -32000, 0].map((code) =>
		askedForEra(`is answered by the error ${code}`, (turn) =>
			turn.tell({ id: turn.request?.id ?? "", error: { code, message: "What?" } }),
		),
	),
	askedForEra("is not answered", () => undefined, { carriers: ["stdio"] }),
	askedForEra("ends the server", () => process.exit(1), { carriers: ["stdio"] }),
	askedForEra("is answered by nonsense", (turn) => turn.tell({ id: turn.request?.id ?? "", result: { tools: [] } })),
	...[400, 404, 500].map((status) =>
		askedForEra(`is answered by the status ${status}`, (turn) => turn.http?.response.writeHead(status).end("What?"), {
			carriers: ["http"],
			host: settles,
			check: () => undefined,
		}),
	),
	askedForEra(
		"is answered when it is settled",
		(turn) => {
			const { result } = bookReply("server/discover", {}, modern, { counted() {}, armed() {} }) as { result: never };
			setTimeout(() => turn.send(textOf({ id: turn.request?.id ?? "", result })), 3700);
		},
		{
			row: "TRN-17",
			carriers: ["stdio"],
			async check(stage) {
				await sleep(1200);
				await stage.callsWork("echo");
				isLegacy(stage);
			},
		},
	),
	{
		row: "TRN-10",
		title: "an error whose code is no number",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => turn.send(textOf({ id: turn.request?.id ?? "", error: { code: "E", message: "An odd error" } })),
		times: { requestMs: 1000 },
		host: refuses(/\w+ \w+/),
	},
];

function isAboutSize(text: string): boolean {
	return /\d+ (MB|bytes)|too (long|large)|longer than|larger than/i.test(text);
}

/** The calls failed, and they or the log report that the answer was too large, rather than missing. */
function failedAsTooLarge({ outcomes, states, testHost }: Stage): void {
	const struck = outcomes.slice(0, 2);
	assert.ok(
		struck.every(({ kind, code }) => kind === "error" && code !== "timeout"),
		`a call has a result or timed out: ${struck.map(({ text }) => text).join(" | ")}`,
	);
	const words = [...struck.map(({ text }) => text), ...states.map(describe), ...testHost.log];
	assert.ok(words.some(isAboutSize), "nothing says that the answer was too large");
}
