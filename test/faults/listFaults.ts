import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { tool } from "../servers/lineServer.ts";
import { modern } from "./book.ts";
import { everyCarrier, refuses, settles, works, type Fault, type Misbehaviour, type Turn } from "./fault.ts";
import type { Stage } from "./stage.ts";

const ownTools = [tool("count"), tool("echo"), tool("arm")];

/** A fault in the list of tools: of the first reading, or of one that an idle server requests. */
function listFault(
	row: string,
	title: string,
	answer: (turn: Turn) => JsonObject,
	check: (stage: Stage) => Promise<void> | void,
): Misbehaviour {
	const reply = (turn: Turn): true => {
		turn.tell({ id: turn.request?.id ?? "", result: answer(turn) });
		turn.http?.response.end();
		return true;
	};
	return {
		row,
		title,
		phases: ["handshake", "idle"],
		carriers: everyCarrier,
		strikes: "tools/list",
		act: (turn) =>
			void (turn.request === undefined ? turn.tell({ method: "notifications/tools/list_changed" }) : reply(turn)),
		later: (turn) => turn.request?.method === "tools/list" && reply(turn),
		host: works,
		check,
	};
}

function cursorOf({ request }: Turn): string | undefined {
	const cursor = request?.params["cursor"];
	return typeof cursor === "string" ? cursor : undefined;
}

/** Waits until the list of tools was read, and checks its content. */
function listed(test: (names: readonly string[], truncated: string | undefined) => boolean, what: string) {
	return (stage: Stage): Promise<void> =>
		stage.until(
			() => {
				const { status, items } = stage.session.tools;
				const truncated = status.kind === "ready" ? status.truncated : undefined;
				return (
					status.kind === "ready" &&
					test(
						items.map(({ name }) => name),
						truncated,
					)
				);
			},
			what,
			10_000,
		);
}

/** A pattern that takes a backtracking matcher for ever, and a text that shows it. */
const explosive = { pattern: "^(a+)+$", text: `${"a".repeat(40)}!` };

/** Lists the tool `count` with an output schema and answers its calls with structured content. */
function schemaServer(
	outputSchema: JsonObject,
	structuredContent: JsonObject,
): Required<Pick<Misbehaviour, "act" | "later">> {
	const tools = [{ ...tool("count"), outputSchema }, tool("echo"), tool("arm")];
	return {
		act(turn) {
			turn.tell({ id: turn.request?.id ?? "", result: { tools } });
			turn.http?.response.end();
		},
		later(turn) {
			if (turn.request?.method !== "tools/call" || turn.request.params["name"] !== "count") return false;
			const answer = JSON.parse(turn.work()) as JsonObject;
			turn.tell({ id: turn.request.id, result: { ...(answer["result"] as JsonObject), structuredContent } });
			turn.http?.response.end();
			return true;
		},
	};
}

/** Faults of lists, schemas and rounds of input. */
export const listFaults: readonly Fault[] = [
	listFault(
		"TRN-31",
		"the same cursor for ever",
		() => ({ tools: ownTools, nextCursor: "A" }),
		listed(
			(names, truncated) => names.length === 3 && truncated !== undefined,
			"each tool is listed once, with a mark",
		),
	),
	listFault(
		"TRN-32",
		"another cursor for ever",
		(turn) => ({
			tools: [...ownTools, tool(`tool-${cursorOf(turn) ?? 0}`)],
			nextCursor: String(Number(cursorOf(turn) ?? 0) + 1),
		}),
		listed((names, truncated) => names.length > 50 && truncated !== undefined, "the list is ended with a mark"),
	),
	listFault(
		"TRN-33",
		"an empty cursor that is not the end",
		(turn) => (cursorOf(turn) === "" ? { tools: [tool("second")] } : { tools: ownTools, nextCursor: "" }),
		listed((names) => names.includes("second"), "the second page was read"),
	),
	listFault(
		"TRN-34",
		"ten thousand tools in ten pages",
		(turn) => {
			const page = Number(cursorOf(turn) ?? 0);
			const tools = Array.from({ length: 1000 }, (_, index) => tool(`tool-${page}-${index}`));
			return {
				tools: page === 0 ? [...ownTools, ...tools] : tools,
				...(page < 9 ? { nextCursor: String(page + 1) } : {}),
			};
		},
		listed((names) => names.length === 10_003, "all tools were listed"),
	),
	{
		row: "TRN-51",
		title: "tools that claim headers with bad names",
		phases: ["handshake"],
		carriers: ["http"],
		revision: modern,
		protocol: "modern",
		strikes: "tools/list",
		act(turn) {
			const bad = ["X Bad", "bad\r\nX-Evil: 1", "ümlaut", ""].map((name, index) => ({
				name: `bad-${index}`,
				inputSchema: { type: "object", properties: { a: { type: "string", "x-mcp-header": name } } },
			}));
			const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [...ownTools, ...bad] };
			turn.tell({ id: turn.request?.id ?? "", result });
			turn.http?.response.end();
		},
		host: works,
		async check(stage) {
			await listed((names) => names.length === 3, "only the tools without bad headers are listed")(stage);
			assert.ok(
				stage.testHost.log.some((line) => line.includes("bad-0")),
				"the log does not say which tool is left out",
			);
		},
	},
	{
		row: "TRN-53",
		title: "a pattern that explodes",
		phases: ["handshake"],
		carriers: everyCarrier,
		strikes: "tools/list",
		host: works,
		...schemaServer(
			{ type: "object", properties: { a: { type: "string", pattern: explosive.pattern } } },
			{ a: explosive.text },
		),
		async check(stage) {
			await listed((names) => names.length === 3, "the tools were listed")(stage);
			const { kind, text } = await stage.call();
			assert.notEqual(kind, "lost", text);
		},
	},
	{
		row: "TRN-52",
		title: "a schema that refers to the network",
		phases: ["handshake"],
		carriers: ["http", "sse"],
		strikes: "tools/list",
		act(turn) {
			const canary = `http://127.0.0.1:${turn.http?.request.socket.localPort}/canary`;
			const { act } = schemaServer({ type: "object", properties: { a: { $ref: canary } } }, {});
			act(turn);
		},
		later: schemaServer({}, { a: "text" }).later,
		host: works,
		async check(stage) {
			await listed((names) => names.length === 3, "the tools were listed")(stage);
			const { kind, text } = await stage.call();
			assert.notEqual(kind, "lost", text);
			assert.ok(
				stage.http?.arrived.every(({ path }) => path !== "/canary"),
				"the network was asked for the schema",
			);
		},
	},
	{
		row: "TRN-55",
		title: "input is required for ever",
		phases: ["call"],
		carriers: ["stdio", "http"],
		revision: modern,
		protocol: "modern",
		act: (turn) => askAgain(turn, "again"),
		host: refuses(/round|input|did not end|too many/i),
	},
	{
		row: "TRN-55",
		title: "input is required with a state of five megabytes",
		phases: ["call"],
		carriers: ["stdio", "http"],
		revision: modern,
		protocol: "modern",
		act: (turn) => askAgain(turn, "x".repeat(5 * 1024 * 1024)),
		host: settles,
		check: (stage) => assert.ok(stage.outcomes.every(({ kind, text }) => kind === "error" || text.startsWith("arm"))),
	},
	{
		row: "TRN-55",
		title: "input is required where it is not allowed",
		phases: ["handshake"],
		carriers: ["stdio", "http"],
		revision: modern,
		protocol: "modern",
		strikes: "tools/list",
		act: (turn) => askAgain(turn, "state"),
		host: refuses(/\w+ \w+/),
	},
];

function askAgain(turn: Turn, requestState: string): void {
	const inputRequests = { roots: { method: "roots/list", params: {} } };
	turn.tell({ id: turn.request?.id ?? "", result: { resultType: "input_required", inputRequests, requestState } });
	turn.http?.response.end();
}
