import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { modern } from "./book.ts";
import { everyCarrier, refuses, works, type Expectation, type Fault, type Misbehaviour, type Turn } from "./fault.ts";
import { itemsFault, resultFault } from "./resourceFaults.ts";

const prompt = (title: string, row: string, result: Json, host: Expectation): readonly Misbehaviour[] =>
	resultFault(row, title, "prompts/get", result, host);
const completion = (title: string, result: Json, host: Expectation): readonly Misbehaviour[] =>
	resultFault("PRM-05", title, "completion/complete", result, host);

/** The words of a result that breaks the protocol: its server and its violation, without a dump of a validator. */
const broken = (method: string): RegExp => new RegExp(`(?=.*${method})^(?!.*"code":)`, "s");
const brokenPrompt = refuses(broken("prompts/get"), "protocol");
const brokenCompletion = refuses(broken("completion/complete"), "protocol");

const says = (content: Json, role = "user"): Json => ({ messages: [{ role, content }] });
const word = (text: string): JsonObject => ({ type: "text", text });

/** A schema of one text field. */
const who = { type: "object", properties: { name: { type: "string" } } };

/** Sends the host a request during a call of a legacy connection, and answers the call when it has answered. */
function asks(turn: Turn, requests: readonly JsonObject[]): void {
	for (const [index, request] of requests.entries()) turn.tell({ id: `ask-${turn.nth}-${index}`, ...request });
	// The host has to have seen them before the answer.
	setTimeout(() => turn.answer(), 300);
}

/** Faults of prompts, completions, elicitations and requests for roots. */
export const primitivesFaults: readonly Fault[] = [
	...prompt("a message of the system", "PRM-01", says(word("Obey."), "system"), works),
	...prompt("a message without a role", "PRM-01", { messages: [{ content: word("Hello.") }] }, works),
	...prompt("messages that are no list", "PRM-01", { messages: word("Hello.") }, works),
	...prompt("no messages at all", "PRM-01", {}, brokenPrompt),
	...prompt("an empty list of messages", "PRM-01", { messages: [] }, works),
	...prompt("a content that nobody knows", "PRM-02", says({ type: "hologram", data: "AAAA" }), works),
	...prompt("a picture that is no base64", "PRM-02", says({ type: "image", data: "*", mimeType: "image/png" }), works),
	...prompt(
		"an embedded resource of a hostile URI",
		"PRM-02",
		says({ type: "resource", resource: { uri: "command:workbench.action.quit", text: "x", mimeType: "text/html" } }),
		works,
	),
	...prompt(
		"an embedded resource with neither text nor bytes",
		"PRM-02",
		says({ type: "resource", resource: { uri: "fault://one" } }),
		works,
	),
	...resultFault(
		"PRM-02",
		"messages beyond the limit",
		"prompts/get",
		() => says(word("word ".repeat(1_200_000))),
		refuses(/large|limit|MB|exceed/i, "limit"),
	),
	...resultFault(
		"PRM-01",
		"ten thousand messages",
		"prompts/get",
		() => ({ messages: Array.from({ length: 10_000 }, (_, index) => ({ role: "user", content: word(`${index}`) })) }),
		works,
	),
	...itemsFault(
		"PRM-03",
		"prompts that break the protocol among good ones",
		"prompts",
		[
			{ name: "good", title: "Sign in to GitHub", description: "[x](command:quit)" },
			{ name: "good", title: "the same name again" },
			{ name: "arguments", arguments: "none" },
			{ name: "required", arguments: [{ name: "a", required: "yes" }] },
			{ title: "no name" },
			{ name: 7 },
			null,
		],
		1,
	),
	...resultFault(
		"PRM-05",
		"a hundred thousand values",
		"completion/complete",
		() => ({ completion: { values: Array.from({ length: 100_000 }, (_, index) => `value ${index}`) } }),
		works,
	),
	...completion("values that are no texts", { completion: { values: [7, null, { a: 1 }] } }, works),
	...completion("no values", { completion: {} }, brokenCompletion),
	...completion("no completion", {}, brokenCompletion),
	...completion("a total that cannot be", { completion: { values: ["Ann"], total: -5, hasMore: false } }, works),
	...completion("a value of a megabyte", { completion: { values: ["v".repeat(1_000_000)] } }, works),
	{
		row: "ELC-05",
		title: "fifty forms in a row",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) =>
			asks(
				turn,
				Array.from({ length: 50 }, () => ({
					method: "elicitation/create",
					params: { message: "Who?", requestedSchema: who },
				})),
			),
		host: works,
	},
	{
		row: "ELC-06",
		title: "forms with forbidden fields",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) =>
			asks(
				turn,
				[
					{ message: "Nested", requestedSchema: { type: "object", properties: { a: who } } },
					{ message: "A list", requestedSchema: { type: "array", items: {} } },
					{ message: 7, requestedSchema: who },
					{ requestedSchema: who },
					{ message: "No schema" },
					{ mode: "telepathy", message: "Unknown", requestedSchema: who },
					{ mode: "url", message: "No address", elicitationId: "a" },
					{ mode: "url", message: "No address either", elicitationId: "a", url: "not an address" },
				].map((params): JsonObject => ({ method: "elicitation/create", params: params as JsonObject })),
			),
		host: works,
	},
	{
		row: "ELC-07",
		title: "two calls whose questions look alike",
		phases: ["call"],
		carriers: ["stdio", "http"],
		revision: modern,
		protocol: "modern",
		act: askAlike,
		async run(stage) {
			await stage.run();
			stage.testHost.user.elicit = async () => ({ action: "accept", content: { name: "Ann" } });
			const calls = [stage.call(), stage.call(), stage.call()];
			for (const { kind, text, nonce } of await Promise.all(calls)) {
				assert.equal(kind, "result", text);
				assert.equal(text, nonce, "an answer went to another call");
			}
		},
	},
	{
		row: "ELC-08",
		title: "the server dies while the user is asked",
		phases: ["call"],
		carriers: ["stdio"],
		act(turn) {
			turn.tell({ id: "ask", method: "elicitation/create", params: { message: "Who?", requestedSchema: who } });
			setTimeout(() => process.exit(0), 200);
		},
		async run(stage) {
			let isWithdrawn = false;
			stage.testHost.user.elicit = ({ signal }) =>
				new Promise((_, reject) => {
					signal.addEventListener("abort", () => {
						isWithdrawn = true;
						reject(signal.reason as Error);
					});
				});
			await stage.run();
			const { kind, code } = await stage.call();
			assert.ok(kind === "error" && code !== undefined, `the call ended with ${kind}`);
			await stage.until(() => isWithdrawn, "the question was taken back");
		},
	},
	{
		row: "ELC-08",
		title: "questions that are taken back at once",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			const requestId = `gone-${turn.nth}`;
			turn.tell({ id: requestId, method: "elicitation/create", params: { message: "Who?", requestedSchema: who } });
			turn.tell({ method: "notifications/cancelled", params: { requestId } });
			setTimeout(() => turn.answer(), 100);
		},
		host: works,
	},
	{
		row: "ELC-04",
		title: "pages that are done and were never opened",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act(turn) {
			for (const params of [
				{ elicitationId: "unknown" },
				{ elicitationId: 7 },
				{},
				{ elicitationId: "x".repeat(100_000) },
			]) {
				turn.tell({ method: "notifications/elicitation/complete", params });
			}
			turn.answer();
		},
		host: works,
	},
	...[
		["nothing about the pages", undefined],
		["pages that are no list", { elicitations: "https://fault.example" }],
		["a page without an address", { elicitations: [{ mode: "url", elicitationId: "a", message: "Go" }] }],
		[
			"a page whose address is none",
			{ elicitations: [{ mode: "url", elicitationId: "a", message: "Go", url: "nowhere" }] },
		],
		["no pages", { elicitations: [] }],
	].map(([title, data]): Misbehaviour => ({
		row: "ELC-04",
		title: `error -32042 with ${title as string}`,
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			const error = { code: -32042, message: "Visit the page", ...(data === undefined ? {} : { data: data as Json }) };
			turn.tell({ id: turn.request?.id ?? "", error });
			turn.http?.response.end();
		},
		host: refuses(/\w+ \w+/),
	})),
	{
		row: "ELC-05",
		title: "a thousand pages in one error",
		phases: ["call"],
		carriers: everyCarrier,
		act(turn) {
			const elicitations = Array.from({ length: 1000 }, (_, index) => ({
				mode: "url",
				elicitationId: `page-${index}`,
				message: "Go",
				url: `https://fault.example/${index}`,
			}));
			turn.tell({ id: turn.request?.id ?? "", error: { code: -32042, message: "Visit", data: { elicitations } } });
			turn.http?.response.end();
		},
		host: refuses(/1000 (web )?pages|too many|limit/i, "limit"),
		check: (stage) => assert.deepEqual(stage.testHost.user.asked, [], "somebody was asked"),
	},
	{
		row: "ROOT-02",
		title: "the roots are asked for a hundred times",
		phases: ["call"],
		carriers: everyCarrier,
		act: (turn) =>
			asks(
				turn,
				Array.from({ length: 100 }, () => ({ method: "roots/list" })),
			),
		host: works,
	},
];

/** Asks the same question under the same key with the same state, for any call, until it is answered. */
function askAlike(turn: Turn): void {
	if (turn.request?.params["inputResponses"] !== undefined) {
		turn.answer();
		return;
	}
	const inputRequests = {
		name: { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema: who } },
	};
	turn.tell({
		id: turn.request?.id ?? "",
		result: { resultType: "input_required", inputRequests, requestState: "the same for all" },
	});
	turn.http?.response.end();
}
