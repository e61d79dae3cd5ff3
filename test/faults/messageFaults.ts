import assert from "node:assert/strict";
import { tool } from "../servers/lineServer.ts";
import { ends, everyCarrier, everyPhase, refuses, settles, works, type Misbehaviour, type Turn } from "./fault.ts";
import { textOf } from "./peer.ts";

/** Valid JSON that is not a JSON-RPC message (TRN-02). */
const oddShapes = [
	"null",
	"1",
	"[]",
	"{}",
	'"text"',
	"true",
	// Ids that no request has: a message with a request's id is its answer, however it is written.
	'{"jsonrpc":"1.0","id":987654,"result":{}}',
	'{"jsonrpc":"2.0"}',
	'{"jsonrpc":"2.0","id":987654}',
	'{"jsonrpc":"2.0","method":7}',
	'{"jsonrpc":"2.0","id":{},"result":{}}',
	'[[],{"jsonrpc":2}]',
];

/** Sends something, and then the correct answer if one is expected. */
function before(send: (turn: Turn) => void): (turn: Turn) => void {
	return (turn) => {
		send(turn);
		turn.answer();
	};
}

const id = ({ request }: Turn) => request?.id ?? "none";

/** Faults of the messages themselves, over any transport. */
export const messageFaults: readonly Misbehaviour[] = [
	{
		row: "TRN-02",
		title: "twelve shapes that are no JSON-RPC",
		phases: everyPhase,
		carriers: ["stdio", "sse"],
		act: before((turn) => {
			for (const shape of oddShapes) turn.send(shape);
		}),
		host: works,
	},
	{
		row: "TRN-02",
		title: "a notification with odd parameters",
		phases: everyPhase,
		carriers: everyCarrier,
		act: before((turn) => {
			turn.tell({ method: "notifications/message", params: { level: 7 } });
			turn.tell({ method: "notifications/resources/updated", params: {} });
			turn.tell({ method: "notifications/unheard/of", params: { a: [] } });
		}),
		host: works,
	},
	{
		row: "TRN-03",
		title: "an answer in an array with two others",
		phases: ["call"],
		carriers: everyCarrier,
		revision: "2025-03-26",
		act(turn) {
			const stray = (name: string): string => textOf({ id: name, result: {} });
			turn.send(`[${stray("a")},${turn.work()},${stray("b")}]`);
		},
		times: { requestMs: 700 },
		// No revision allows arrays over an event stream; refusing them is as good as accepting them.
		host: settles,
	},
	{
		row: "TRN-08",
		title: "arrays two hundred thousand deep",
		phases: everyPhase,
		carriers: everyCarrier,
		act: (turn) => deep(turn, "[", "]"),
		host: settles,
	},
	{
		row: "TRN-08",
		title: "objects two hundred thousand deep",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => deep(turn, '{"a":', "}"),
		host: refuses(/nest|deep|depth|level/i, "limit", "invalid", "protocol", "outcome-unknown"),
	},
	{
		row: "TRN-08",
		title: "a schema five hundred levels deep",
		phases: ["handshake", "idle"],
		carriers: everyCarrier,
		strikes: "tools/list",
		act: (turn) => (turn.request === undefined ? listChanged(turn) : deepSchema(turn)),
		later: (turn) => turn.request?.method === "tools/list" && deepSchema(turn),
		host: settles,
		check: (stage) => stage.until(() => stage.session.tools.status.kind !== "loading", "the list came to an end"),
	},
	{
		row: "TRN-09",
		title: "__proto__ and constructor in the answer",
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act(turn) {
			const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},';
			turn.send(turn.work().replace(/\{/g, (brace) => `${brace}${poison}`));
		},
		// If it is not accepted as an answer, nothing more arrives.
		times: { requestMs: 700, handshakeMs: 2500 },
		host: settles,
	},
	{
		row: "TRN-10",
		title: "the id comes back as a text",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => turn.send(textOf({ ...parsed(turn), id: JSON.stringify(id(turn)) })),
		times: { requestMs: 700 },
		// A text is another id than a number: the answer is not for this request.
		host: settles,
	},
	{
		row: "TRN-10",
		title: "numbers beyond all bounds and keys twice",
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act: (turn) =>
			turn.send(turn.work().replace('"result":{', '"result":{"a":1e999,"b":-0,"c":9007199254740993,"c":"again",')),
		host: works,
	},
	{
		row: "TRN-11",
		title: "a hundred unsolicited answers",
		phases: everyPhase,
		carriers: everyCarrier,
		act: before((turn) => {
			for (let stray = 0; stray < 100; stray++) turn.tell({ id: stray + 100_000, result: { content: [] } });
		}),
		host: works,
	},
	{
		row: "TRN-12",
		title: "the answer and then an error",
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act(turn) {
			turn.send(turn.work());
			turn.tell({ id: id(turn), error: { code: -32000, message: "or not" } });
			turn.answer();
		},
		host: works,
	},
	{
		row: "TRN-12",
		title: "an error and then the answer",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			turn.tell({ id: id(turn), error: { code: -32000, message: "The first word counts" } });
			turn.answer();
		},
		host: refuses(/first word counts/, "protocol"),
	},
	{
		row: "TRN-13",
		title: "both a result and an error",
		phases: ["handshake", "call"],
		carriers: everyCarrier,
		act: (turn) => turn.send(textOf({ ...parsed(turn), error: { code: -32000, message: "both" } })),
		times: { requestMs: 700, handshakeMs: 2500 },
		host: settles,
	},
	{
		row: "TRN-13",
		title: "neither a result nor an error",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => turn.send(textOf({ id: id(turn) })),
		times: { requestMs: 700 },
		host: refuses(/\w+ \w+/),
	},
	{
		row: "TRN-13",
		title: "a result of another kind",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => turn.send(textOf({ id: id(turn), result: { content: "no list" } })),
		host: works,
	},
	{
		row: "TRN-14",
		title: "requests of its own before the handshake is answered",
		phases: ["handshake"],
		carriers: everyCarrier,
		act(turn) {
			turn.tell({ id: "early-1", method: "ping" });
			turn.tell({
				id: "early-2",
				method: "sampling/createMessage",
				params: { messages: [{ role: "user", content: { type: "text", text: "Early?" } }], maxTokens: 5 },
			});
			const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
			turn.tell({ id: "early-3", method: "elicitation/create", params: { message: "Who?", requestedSchema } });
			turn.tell({ id: "early-4", method: "roots/list" });
			// The host has to have seen them before the answer.
			setTimeout(() => turn.answer(), 100);
		},
		host: works,
		check: (stage) => assert.deepEqual(stage.testHost.user.asked, [], "somebody was asked before the handshake"),
	},
	...["1999-01-01", "", 7].map((version): Misbehaviour => ({
		row: "TRN-15",
		title: `the revision ${JSON.stringify(version).replaceAll('"', "")} of its own`,
		phases: ["handshake"],
		carriers: everyCarrier,
		act: (turn) => turn.send(turn.work().replace('"2025-11-25"', JSON.stringify(version))),
		host: ends(version === "1999-01-01" ? /1999-01-01/ : /\w+ \w+/),
	})),
	{
		row: "TRN-18",
		title: "silence in the handshake",
		phases: ["handshake"],
		carriers: everyCarrier,
		act: () => undefined,
		times: { handshakeMs: 2500 },
		host: ends(/did not answer the handshake/),
	},
	{
		row: "TRN-18",
		title: "a handshake that takes its time",
		phases: ["handshake"],
		carriers: everyCarrier,
		act: (turn) => void setTimeout(() => turn.answer(), 1800),
		host: works,
	},
	...(["tools/call", "prompts/get", "resources/read", "completion/complete"] as const).map((method): Misbehaviour => ({
		row: "TRN-19",
		title: `silence in ${method}`,
		phases: ["call"],
		carriers: everyCarrier,
		calls: method,
		act: (turn) => void turn.work(),
		times: { requestMs: 500 },
		host: refuses(/no answer|did not answer/, "timeout"),
	})),
	{
		row: "TRN-19",
		title: "an answer that comes too late",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) => void setTimeout(() => turn.answer(), 700),
		times: { requestMs: 300 },
		host: refuses(/no answer/, "timeout"),
		check: (stage) => new Promise((resolve) => setTimeout(resolve, 600)).then(() => stage.callsWork("echo")),
	},
	{
		row: "TRN-20",
		title: "progress for ever and no answer",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			let progress = 0;
			const timer = setInterval(() => {
				if (progress++ > 60) clearInterval(timer);
				turn.tell(progressOf(turn, progress));
			}, 100);
		},
		times: { requestMs: 500, maxRequestMs: 1200 },
		host: refuses(/did not end/, "timeout"),
	},
	{
		row: "TRN-21",
		title: "progress for no request, backwards, without a number, after the end",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			const { request } = turn;
			turn.tell({ method: "notifications/progress", params: { progressToken: "nobody", progress: 1 } });
			for (const progress of [5, 1, -3]) turn.tell(progressOf(turn, progress));
			turn.send(
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(request?.id)},"progress":"NaN"}}`,
			);
			turn.send(turn.work());
			turn.tell(progressOf(turn, 9));
			turn.answer();
		},
		host: works,
	},
	{
		row: "TRN-23",
		title: "the server cancels the host's request",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			turn.tell({ method: "notifications/cancelled", params: { requestId: id(turn) as never, reason: "no" } });
			setTimeout(() => turn.answer(), 100);
		},
		host: works,
	},
];

/** Progress of the request, under the token that the host gave it. */
function progressOf(turn: Turn, progress: number): Parameters<Turn["tell"]>[0] {
	const meta = turn.request?.params["_meta"];
	const token = typeof meta === "object" && meta !== null && "progressToken" in meta ? meta["progressToken"] : id(turn);
	return { method: "notifications/progress", params: { progressToken: token, progress } };
}

function parsed(turn: Turn): Record<string, never> {
	return JSON.parse(turn.work()) as Record<string, never>;
}

function listChanged(turn: Turn): void {
	turn.tell({ method: "notifications/tools/list_changed" });
}

/** The answer with a value that no recursion can walk; on its own, a log message that holds one. */
function deep(turn: Turn, open: string, close: string): void {
	const nested = `${open.repeat(200_000)}${open.startsWith("{") ? "1" : ""}${close.repeat(200_000)}`;
	if (turn.request === undefined) {
		turn.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${nested}}}`);
		return;
	}
	turn.send(
		turn.work().replace('"result":{', `"result":{"structuredContent":{"deep":${nested}},"_meta":{"deep":${nested}},`),
	);
}

function deepSchema(turn: Turn): true {
	const nested = `${'{"type":"object","properties":{"a":'.repeat(500)}{}${"}}".repeat(500)}`;
	turn.send(
		textOf({ id: id(turn), result: { tools: [tool("count"), tool("echo"), tool("arm")] } }).replace(
			'"tools":[',
			`"tools":[{"name":"deep","inputSchema":${nested}},`,
		),
	);
	return true;
}
