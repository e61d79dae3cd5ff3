import { isJsonObject, type Json } from "../../base/json.ts";
import { jsonObjectOf, oneOf, keysOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import type { ExchangeBodies, KeptBody } from "../../records/trace/exchange.ts";
import { holdsMarks } from "./copies.ts";
import type { MessagePlace } from "./messages.ts";
import { methodNote, paramsNotes, resultNotes } from "./revisions.ts";

/** The result of checking messages against the protocol. */
export interface ProtocolVerdict {
	/** The revision that was spoken, where it is known. */
	readonly revision: string | undefined;
	/** The deviations, in our sentences. */
	readonly misfits: readonly string[];
	/** The same, each with its place. */
	readonly found: readonly ProtocolMisfit[];
}

/** A mismatch in one place of a message. */
export interface ProtocolMisfit {
	/** A sentence of ours, with the place. */
	readonly words: string;
	/** The keys to the place, from the message on, such as `/result/tools/1/name`; empty where it is the message itself. */
	readonly place: string;
	/** The error there, in a sentence. */
	readonly what: string;
	/** It is well-formed, but of another revision than the one in use. */
	readonly isOfRevision?: true;
}

/** More would not help anybody to find the fault. */
const mostMisfits = 10;

/** The types of the protocol by the method of a request or notification; results have the same name with another end. */
const types: Readonly<Record<string, string>> = {
	initialize: "Initialize",
	ping: "Ping",
	"server/discover": "Discover",
	"logging/setLevel": "SetLevel",
	"completion/complete": "Complete",
	"tools/list": "ListTools",
	"tools/call": "CallTool",
	"prompts/list": "ListPrompts",
	"prompts/get": "GetPrompt",
	"resources/list": "ListResources",
	"resources/templates/list": "ListResourceTemplates",
	"resources/read": "ReadResource",
	"resources/subscribe": "Subscribe",
	"resources/unsubscribe": "Unsubscribe",
	"subscriptions/listen": "SubscriptionsListen",
	"sampling/createMessage": "CreateMessage",
	"elicitation/create": "Elicit",
	"roots/list": "ListRoots",
	"notifications/initialized": "InitializedNotification",
	"notifications/cancelled": "CancelledNotification",
	"notifications/progress": "ProgressNotification",
	"notifications/message": "LoggingMessageNotification",
	"notifications/resources/updated": "ResourceUpdatedNotification",
	"notifications/resources/list_changed": "ResourceListChangedNotification",
	"notifications/tools/list_changed": "ToolListChangedNotification",
	"notifications/prompts/list_changed": "PromptListChangedNotification",
	"notifications/roots/list_changed": "RootsListChangedNotification",
};

/** Results that say nothing. */
const silent: ReadonlySet<string> = new Set([
	"ping",
	"logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe",
]);

/** The schemas of the protocol's types; the SDK has them, and is loaded already where anything passed. */
const schemas = async () => (await import("@modelcontextprotocol/client")).specTypeSchemas;

/**
 * Checks the messages of an exchange, or of an intermediate event, against the protocol: their shape by its schemas,
 * and their features by the revision in use (TRC-45). Undefined if nothing was kept that could be checked.
 */
export async function checkProtocol(
	bodies: ExchangeBodies | undefined,
	{ exchange, child }: MessagePlace,
): Promise<ProtocolVerdict | undefined> {
	const within = child === undefined ? undefined : exchange.children[child];
	if (within?.kind === "httpAttempt" || within?.kind === "stderr" || exchange.method === "stderr") return undefined;
	const request = messageIn(bodies?.request);
	const response = messageIn(bodies?.response);
	if (request === undefined && response === undefined) return undefined;
	const revision = exchange.protocolVersion;
	const asked = isJsonObject(request) ? request["method"] : undefined;
	const method = typeof asked === "string" ? asked : (within?.label ?? exchange.method);
	const misfits = [
		...(request === undefined ? [] : await requestMisfits(request, method, revision)),
		...(response === undefined ? [] : await responseMisfits(response, method, revision)),
	];
	return { revision, misfits: [...new Set(misfits.map(({ words }) => words))].slice(0, mostMisfits), found: misfits };
}

function messageIn(body: KeptBody | undefined): Json | undefined {
	return body?.kind === "whole" ? body.value : undefined;
}

async function requestMisfits(
	message: Json,
	method: string,
	revision: string | undefined,
): Promise<readonly ProtocolMisfit[]> {
	const isRequest = isJsonObject(message) && message["id"] !== undefined;
	const type = Object.hasOwn(types, method) ? types[method] : undefined;
	const own = type === undefined ? undefined : isRequest ? `${type}Request` : type;
	const what = isRequest ? "request" : "notification";
	const params = isJsonObject(message) ? message["params"] : undefined;
	const notes =
		revision === undefined
			? []
			: [
					...[methodNote(method, revision) ?? []].flat(),
					...paramsNotes(method, params, revision).map((note) => `/params${note}`),
				];
	return [
		...(await shapeMisfits(message, isRequest ? "JSONRPCRequest" : "JSONRPCNotification", `The ${what}`, "")),
		...(await shapeMisfits(message, own, `The ${what}`, "")),
		...notes.map((note) => noted(note, `In the ${what}, ${note}; this connection uses ${revision}.`)),
	];
}

async function responseMisfits(
	message: Json,
	method: string,
	revision: string | undefined,
): Promise<readonly ProtocolMisfit[]> {
	const result = isJsonObject(message) ? message["result"] : undefined;
	if (result === undefined) return shapeMisfits(message, "JSONRPCErrorResponse", "The answer", "");
	const notes = revision === undefined ? [] : resultNotes(method, result, revision);
	return [
		...(await shapeMisfits(message, "JSONRPCResultResponse", "The answer", "")),
		...(await shapeMisfits(result, resultType(method, result), "The answer", "/result")),
		...notes.map((note) =>
			note.endsWith("is missing")
				? noted("/result", `The answer does not match revision ${revision} at /result: ${note}.`)
				: noted(`/result${note}`, `In the answer, /result${note}; this connection uses ${revision}.`),
		),
	];
}

/** A mismatch with the revision, at the place that its note begins with. */
function noted(note: string, words: string): ProtocolMisfit {
	return { words, place: /^\/\S*/.exec(note)?.[0] ?? "", what: words, isOfRevision: true };
}

/** The type of a result; undefined for one of an extension. */
function resultType(method: string, result: Json): string | undefined {
	const type = Object.hasOwn(types, method) ? types[method] : undefined;
	if (!isJsonObject(result)) return "Result";
	if (result["resultType"] === "input_required") return "InputRequiredResult";
	// A task of the extension has a shape of its own.
	if (type === undefined || silent.has(method) || result["resultType"] === "task") return "Result";
	if (method === "sampling/createMessage") return "CreateMessageResultWithTools";
	return method === "tools/call" && result["task"] !== undefined ? "CreateTaskResult" : `${type}Result`;
}

/** The result of a check by the SDK's schemas, as far as it is read here. */
interface Issue {
	readonly code?: string;
	readonly path?: readonly PropertyKey[];
	readonly message: string;
	readonly expected?: string;
	readonly values?: readonly unknown[];
	readonly keys?: readonly string[];
	/** For a value that may be one of several: its problems as each of them. */
	readonly errors?: readonly (readonly Issue[])[];
}

function isIssue(value: unknown): value is Issue {
	return typeof jsonObjectOf(value)["message"] === "string";
}

async function shapeMisfits(
	value: Json,
	type: string | undefined,
	what: string,
	at: string,
): Promise<readonly ProtocolMisfit[]> {
	const known = await schemas();
	const name = oneOf(keysOf(known), type);
	if (name === undefined) return [];
	const { issues = [] } = known[name]["~standard"].validate(value);
	const found = [...issues].filter(isIssue).flatMap((issue) => precise(issue, []));
	return found
		.filter(({ path, code }) => code !== "unrecognized_keys" && !isHidden(value, path))
		.map(({ path, ...issue }) => {
			const place = `${at}${path.map((key) => `/${String(key)}`).join("")}`;
			const wrong = wordsOf(issue, valueAt(value, path));
			const where = place === "" ? "" : ` at ${oneLine(place, 200)}`;
			return {
				words: `${what} does not match the protocol${where}: ${wrong}`,
				place: oneLine(place, 200),
				what: wrong,
			};
		});
}

/** The most informative issues: for a value that may be one of several, its problems as the intended one. */
function precise(
	issue: Issue,
	above: readonly PropertyKey[],
): readonly (Issue & { readonly path: readonly PropertyKey[] })[] {
	const path = [...above, ...(issue.path ?? [])];
	const { errors = [] } = issue;
	const meant = errors.filter((branch) => !branch.some(isDiscriminator)).toSorted((a, b) => a.length - b.length);
	const [best] = meant;
	if (best === undefined || best.length === 0) return [{ ...issue, path }];
	return best.flatMap((inner) => precise(inner, path));
}

/** Whether it says that a value is not of this kind at all. */
function isDiscriminator({ code, path = [] }: Issue): boolean {
	return code === "invalid_value" && ["type", "mode", "method"].includes(String(path.at(-1)));
}

/** Whether something was hidden at a place, which then says nothing of its form. */
function isHidden(value: Json, path: readonly PropertyKey[]): boolean {
	const found = valueAt(value, path);
	return typeof found === "string" && holdsMarks(found);
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
	let current: Json | undefined = value;
	for (const key of path) {
		if (typeof current !== "object" || current === null) return undefined;
		current = Object.hasOwn(current, key) ? Reflect.get(current, key) : undefined;
	}
	return current;
}

function wordsOf({ code, expected, values = [], message }: Omit<Issue, "path">, value: Json | undefined): string {
	if (value === undefined) return "It is missing.";
	if (code === "invalid_type" && expected !== undefined)
		return `Must be ${kind(expected)}, but is ${kind(kindOf(value))}.`;
	if (code === "invalid_value" && values.length > 0)
		return `Must be ${values.map((one) => JSON.stringify(one)).join(" or ")}.`;
	if (code === "invalid_union") return "It does not have any of the allowed types.";
	return oneLine(message.replace(/^Invalid input: /, "").replace(/\.?$/, "."), 200);
}

function kindOf(value: Json): string {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}

const kinds: Readonly<Record<string, string>> = {
	string: "text",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	array: "a list",
	object: "an object",
	record: "an object",
};

function kind(name: string): string {
	return kinds[name] ?? name;
}
