/**
 * A server without a fault, or with one of `faults`: `node seededServer.ts [fault]` over standard input and output. For checks
 * that look for what servers do wrong, so that everything else about it is as the specification (2025-11-25) says.
 */
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { onLines } from "./received.ts";

/** The features of a server and its description of itself. */
interface Offers {
	readonly serverInfo: JsonObject;
	readonly capabilities: JsonObject;
	readonly tools: readonly JsonObject[];
	readonly prompts: readonly JsonObject[];
	readonly resources: readonly JsonObject[];
	readonly templates: readonly JsonObject[];
}

const search: JsonObject = {
	name: "search_orders",
	description: "Finds orders by the name of the customer. Use it before anything else.",
	inputSchema: {
		type: "object",
		properties: { customer: { type: "string", description: "A part of the customer's name, such as Smith." } },
		required: ["customer"],
	},
	annotations: { readOnlyHint: true },
};
const cancel: JsonObject = {
	name: "cancel_order",
	description: "Cancels an order that was not shipped yet.",
	inputSchema: {
		type: "object",
		properties: {
			number: { type: "string", description: "The number of the order, such as O-1." },
			reason: { type: "string", description: "Why: by customer or by us.", enum: ["customer", "us"] },
		},
		required: ["number"],
	},
	annotations: { destructiveHint: true },
};

const sound: Offers = {
	serverInfo: { name: "orders", version: "1.0.0" },
	capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
	tools: [search, cancel],
	prompts: [
		{
			name: "apology",
			description: "Writes an apology to a customer.",
			arguments: [{ name: "customer", description: "The customer's name.", required: true }],
		},
	],
	resources: [{ uri: "orders://today", name: "today", description: "The orders of today.", mimeType: "text/plain" }],
	templates: [{ uriTemplate: "orders://{number}", name: "order", description: "One order.", mimeType: "text/plain" }],
};

/** How a fault changes a server: what it offers, or each of its messages as it is written. */
interface Fault {
	readonly offers?: (sound: Offers) => Partial<Offers>;
	/** In place of the answer; undefined for none. `method` is that of the request. */
	readonly answer?: (answer: JsonObject, method: string, params: JsonObject) => JsonObject | undefined;
	/** In place of the line of a message. */
	readonly line?: (line: string, method: string) => string;
}

const withTool = (change: JsonObject): Fault => ({
	offers: ({ tools }) => ({ tools: [...tools, { ...search, ...change }] }),
});
const other = { name: "count_orders", description: "Counts the orders of a day." };
const withSchema = (inputSchema: JsonObject): Fault => withTool({ ...other, inputSchema });

/** One fault each. */
const table = {
	"stdout-banner": { line: (line, method) => (method === "initialize" ? `Orders server listening\n${line}` : line) },
	"tool-without-object-schema": withSchema({ type: "string" }),
	"tool-listed-twice": { offers: ({ tools }) => ({ tools: [...tools, { ...search }] }) },
	"error-code-as-text": {
		answer: (answer) =>
			isJsonObject(answer["error"]) ? { ...answer, error: { ...answer["error"], code: "E_FAILED" } } : answer,
	},
	"id-as-text": { answer: (answer) => ({ ...answer, id: String(answer["id"]) }) },
	"no-server-version": { offers: () => ({ serverInfo: { name: "orders" } }) },
	"no-jsonrpc": { answer: (answer) => ({ ...answer, jsonrpc: undefined }) },
	"null-title": withTool({ ...other, title: null }),
	"prompts-not-implemented": {
		answer: ({ result, ...rest }, method) =>
			method === "prompts/list" || method === "prompts/get"
				? { ...rest, error: { code: -32601, message: "Method not found" } }
				: { ...rest, ...(result === undefined ? {} : { result }) },
	},
	"cursor-repeats": {
		answer: (answer, method) =>
			method === "tools/list" && isJsonObject(answer["result"])
				? { ...answer, result: { ...answer["result"], nextCursor: "again" } }
				: answer,
	},
	"not-a-number": {
		line: (line, method) => (method === "resources/list" ? line.replace('"mimeType"', '"size":NaN,"mimeType"') : line),
	},
	"resource-without-name": {
		offers: ({ resources }) => ({ resources: [...resources, { uri: "orders://all", mimeType: "text/plain" }] }),
	},
	"stray-response": {
		line: (line, method) => (method === "tools/list" ? `${line}\n{"jsonrpc":"2.0","id":987,"result":{}}` : line),
	},
	"no-description": withTool({ ...other, description: "" }),
	"no-parameter-description": withSchema({ type: "object", properties: { day: { type: "string" } } }),
	"similar-names": withTool({ ...other, name: "searchOrders" }),
	"long-name": withTool({ ...other, name: "count_orders_".repeat(6) }),
	"refused-characters": withTool({ ...other, name: "count.orders" }),
	"read-only-delete": withTool({ ...other, name: "delete_orders", annotations: { readOnlyHint: true } }),
	"hidden-characters": withTool({ ...other, description: "Counts\u200B the orders of a day." }),
	"enum-codes": withSchema({ type: "object", properties: { kind: { type: "string", enum: ["A", "B"] } } }),
	"same-description": withTool({ name: "count_orders" }),
	"schema-anyof": withSchema({ type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
	"list-without-items": withSchema({
		type: "object",
		properties: { days: { type: "array", description: "The days." } },
	}),
	"expensive-tools": {
		offers: ({ tools }) => ({
			tools: [
				...tools,
				...[..."abcdefghijklmno"].map((letter) =>
					Object.assign({}, search, {
						name: `${letter}_orders`,
						description: `Counts the orders of ${letter}, and explains each. `.repeat(150),
					}),
				),
			],
		}),
	},
	"no-mime-type": { offers: ({ resources }) => ({ resources: [...resources, { uri: "orders://all", name: "all" }] }) },
	"empty-capability": {
		offers: ({ capabilities }) => ({ capabilities: { ...capabilities, prompts: {} }, prompts: [] }),
	},
	"no-argument-description": {
		offers: ({ prompts }) => ({
			prompts: prompts.map((one) => Object.assign({}, one, { arguments: [{ name: "customer" }] })),
		}),
	},
	"unknown-method-silent": { answer: (answer, method) => (isKnown(method) ? answer : undefined) },
	"unknown-method-accepted": {
		answer: ({ error: _, ...rest }, method) =>
			isKnown(method) ? { ...rest, ...(_ === undefined ? {} : { error: _ }) } : { ...rest, result: {} },
	},
	"unknown-tool-accepted": {
		answer: ({ error, ...rest }, method, { name }) =>
			method === "tools/call" && name !== undefined
				? { ...rest, result: { content: [] } }
				: { ...rest, ...(error === undefined ? {} : { error }) },
	},
	"no-ping": { answer: (answer, method) => (method === "ping" ? notFound(answer) : answer) },
	"unused-argument": {
		answer: (answer, method) =>
			method === "prompts/get" && answer["error"] === undefined ? { ...answer, result: apology("somebody") } : answer,
	},
	"wrong-parameters-accepted": {
		answer: ({ error, ...rest }, method, { name }) =>
			method === "tools/call" && name === undefined
				? { ...rest, result: { content: [] } }
				: { ...rest, ...(error === undefined ? {} : { error }) },
	},
	"unknown-resource-accepted": {
		answer: ({ error, ...rest }, method) =>
			method === "resources/read" && error !== undefined
				? { ...rest, result: { contents: [] } }
				: { ...rest, ...(error === undefined ? {} : { error }) },
	},
	"completion-refused": { answer: (answer, method) => (method === "completion/complete" ? notFound(answer) : answer) },
	"completion-too-long": {
		answer: (answer, method) =>
			method === "completion/complete" && isJsonObject(answer["result"])
				? { ...answer, result: { completion: { values: Array.from({ length: 101 }, (_, index) => `Smith ${index}`) } } }
				: answer,
	},
	"unknown-completion-accepted": {
		answer: ({ error, ...rest }, method) =>
			method === "completion/complete" && error !== undefined
				? { ...rest, result: { completion: { values: [] } } }
				: { ...rest, ...(error === undefined ? {} : { error }) },
	},
	"template-not-read": {
		answer: (answer, method, { uri }) =>
			method === "resources/read" && String(uri).includes("mcphostcheck") ? notFound(answer) : answer,
	},
	"template-malformed": {
		offers: ({ templates }) => ({ templates: [...templates, { uriTemplate: "orders://{number", name: "broken" }] }),
	},
	"invalid-cursor-accepted": {
		answer: (answer, method, { cursor }) => {
			const { result } = answer;
			if (method !== "tools/list") return answer;
			if (cursor === undefined && isJsonObject(result))
				return { ...answer, result: { tools: [search], nextCursor: "2" } };
			return { jsonrpc: "2.0", id: answer["id"] ?? null, result: { tools: cursor === "2" ? [cancel] : [] } };
		},
	},
} satisfies Readonly<Record<string, Fault>>;

/** The name of a fault. */
export type SeededFault = keyof typeof table;

const faults: Readonly<Record<string, Fault>> = table;

/** The names of all faults. */
export const seededFaults = Object.keys(table).filter((name): name is SeededFault => name in table);

function isKnown(method: string): boolean {
	return /^(?:initialize|ping|(?:tools|prompts|resources|resources\/templates)\/list|tools\/call|prompts\/get|resources\/read|completion\/complete)$/.test(
		method,
	);
}

function notFound({ jsonrpc, id }: JsonObject): JsonObject {
	return { jsonrpc, id, error: { code: -32601, message: "Method not found" } };
}

function apology(customer: string): JsonObject {
	return { messages: [{ role: "user", content: { type: "text", text: `Write an apology to ${customer}.` } }] };
}

function invalid(message: string): JsonObject {
	return { error: { code: -32602, message } };
}

/** The answer of a server with a fault to a request, as a line; undefined for none. */
export function seededAnswer(fault: string | undefined, request: JsonObject): string | undefined {
	const { offers, answer, line } = faults[fault ?? ""] ?? {};
	const { method, id = null, params } = request;
	if (typeof method !== "string" || request["id"] === undefined) return undefined;
	const given = isJsonObject(params) ? params : {};
	const whole: JsonObject = { jsonrpc: "2.0", id, ...answerTo(method, given, { ...sound, ...offers?.(sound) }) };
	const changed = answer === undefined ? whole : answer(whole, method, given);
	if (changed === undefined) return undefined;
	const text = JSON.stringify(changed);
	return line === undefined ? text : line(text, method);
}

function answerTo(
	method: string,
	params: JsonObject,
	{ serverInfo, capabilities, tools, prompts, resources, templates }: Offers,
): JsonObject {
	const page = (member: string, items: readonly Json[]): JsonObject =>
		params["cursor"] === undefined || params["cursor"] === "again"
			? { result: { [member]: items } }
			: invalid("There is no such page.");
	switch (method) {
		case "initialize":
			return { result: { protocolVersion: "2025-11-25", capabilities, serverInfo } };
		case "ping":
			return { result: {} };
		case "tools/list":
			return page("tools", tools);
		case "prompts/list":
			return page("prompts", prompts);
		case "resources/list":
			return page("resources", resources);
		case "resources/templates/list":
			return page("resourceTemplates", templates);
		case "tools/call":
			return invalid("There is no such tool.");
		case "completion/complete": {
			const { ref } = params;
			const isKnown = isJsonObject(ref) && (ref["name"] === "apology" || ref["type"] === "ref/resource");
			return isKnown ? { result: { completion: { values: ["Smith"] } } } : invalid("There is no such prompt.");
		}
		case "prompts/get": {
			const values = params["arguments"];
			const customer = isJsonObject(values) ? values["customer"] : undefined;
			return params["name"] === "apology" && typeof customer === "string"
				? { result: apology(customer) }
				: invalid("No.");
		}
		case "resources/read":
			return params["uri"] === "orders://today"
				? { result: { contents: [{ uri: "orders://today", mimeType: "text/plain", text: "none" }] } }
				: { error: { code: -32002, message: "There is no such resource." } };
		default:
			return { error: { code: -32601, message: "Method not found" } };
	}
}

if (process.argv[1] === import.meta.filename) {
	onLines(process.stdin, (text) => {
		const request: unknown = JSON.parse(text);
		const answer = isJsonObject(request) ? seededAnswer(process.argv[2], request) : undefined;
		if (answer !== undefined) process.stdout.write(`${answer}\n`);
	});
}
