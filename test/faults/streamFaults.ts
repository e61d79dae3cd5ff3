import assert from "node:assert/strict";
import { ends, refuses, settles, works, type Misbehaviour, type Turn } from "./fault.ts";
import { eventOf } from "./httpServer.ts";

/** Sends the beginning of an answer and cuts the connection that carries it. */
function cutAfter(start: (turn: Turn) => string, isPolite: boolean): (turn: Turn) => void {
	return (turn) => {
		turn.raw(start(turn));
		const { stream } = turn;
		setTimeout(() => (isPolite ? stream?.end() : stream?.destroy()), 30);
	};
}

const beginnings: readonly (readonly [string, (turn: Turn) => string])[] = [
	["before the event", () => ": hello\n"],
	["in the name of the event", () => "event: mess"],
	["after the name of the event", () => "event: message\n"],
	["in the data", (turn) => eventOf(turn.work()).slice(0, -15)],
	["before the end of the event", (turn) => eventOf(turn.work()).slice(0, -1)],
];

/** The answers that a host may fetch by resuming, by the id of the event before. */
const resumable = new Map<string, string>();

/** A stream that announces how to resume it, and ends without an answer. */
function pause(turn: Turn, retry: string, event: string): void {
	turn.raw(`retry: ${retry}\nid: ${event}\ndata: \n\n`);
	turn.http?.response.end();
}

function resumedAt({ http }: Turn): string | undefined {
	const id = http?.request.headers["last-event-id"];
	return typeof id === "string" ? id : undefined;
}

/** Faults of streams of events. */
export const streamFaults: readonly Misbehaviour[] = [
	...beginnings.flatMap(([where, start]) =>
		[true, false].map((isPolite): Misbehaviour => ({
			row: "TRN-41",
			title: `the stream is ${isPolite ? "ended" : "broken"} ${where}`,
			phases: ["call"],
			carriers: ["http"],
			act: cutAfter(start, isPolite),
			host: refuses(/cut|ended|closed|without|broke|lost/i, "outcome-unknown"),
		})),
	),
	{
		row: "TRN-41",
		title: "the stream is broken in the handshake",
		phases: ["handshake"],
		carriers: ["http", "sse"],
		act: cutAfter((turn) => eventOf(turn.work()).slice(0, -9), false),
		host: ends(/cut|ended|closed|without|broke|lost/i),
	},
	{
		row: "TRN-41",
		title: "the open stream is broken",
		phases: ["idle", "call"],
		carriers: ["sse"],
		act: cutAfter(() => "event: mess", false),
		host: settles,
		async check(stage) {
			for (const { kind, code, nonce } of stage.outcomes) {
				if (nonce.startsWith("count")) assert.equal(kind === "error" ? code : kind, "outcome-unknown");
			}
			const isBack = (): boolean => stage.session.state.kind === "running" && stage.session.tools.items.length > 0;
			await stage.until(isBack, "the session was opened again by itself", 8000);
		},
	},
	{
		row: "TRN-41",
		title: "the open stream is broken and opened again",
		phases: ["idle"],
		carriers: ["http"],
		act: cutAfter(() => "event: mess", false),
		host: works,
		check: (stage) =>
			stage.until(
				() => (stage.http?.arrived.filter(({ method }) => method === "GET").length ?? 0) >= 2,
				"the stream was opened again",
				8000,
			),
	},
	{
		row: "TRN-41",
		title: "the answer comes when the stream is resumed",
		phases: ["call"],
		carriers: ["http"],
		act(turn) {
			const event = `event-${JSON.stringify(turn.request?.id)}`;
			resumable.set(event, turn.work());
			pause(turn, "60", event);
		},
		onGet(turn) {
			const answer = resumable.get(resumedAt(turn) ?? "");
			if (answer === undefined) return false;
			turn.http?.response.writeHead(200, { "content-type": "text/event-stream" }).end(eventOf(answer));
			return true;
		},
		host: works,
	},
	{
		row: "TRN-42",
		title: "comments for ever and no answer",
		phases: ["handshake", "call"],
		carriers: ["http", "sse"],
		act(turn) {
			turn.work();
			const timer = setInterval(() => turn.raw(": still here\n\n"), 100);
			turn.stream?.once("close", () => clearInterval(timer));
		},
		times: { handshakeMs: 900, requestMs: 600 },
		host: { handshake: ends(/did not answer the handshake/), call: refuses(/no answer/, "timeout") },
	},
	...["0", "1000000000", "-1", "soon"].map((retry): Misbehaviour => ({
		row: "TRN-43",
		title: `retry ${retry} and never an answer`,
		phases: ["call"],
		carriers: ["http"],
		act: (turn) => pause(turn, retry, `never-${JSON.stringify(turn.request?.id)}`),
		onGet(turn) {
			const event = resumedAt(turn);
			if (event === undefined) return false;
			turn.http?.response.writeHead(200, { "content-type": "text/event-stream" });
			pause(turn, retry, event);
			return true;
		},
		times: { requestMs: 1200, maxRequestMs: 2000 },
		host: refuses(/\w+ \w+/, "timeout", "outcome-unknown"),
		check(stage) {
			const resumed = stage.http?.arrived.filter(({ headers }) => headers["last-event-id"] !== undefined) ?? [];
			assert.ok(resumed.length <= 40, `it was resumed ${resumed.length} times`);
		},
	})),
];
