import { isJsonObject, type Json } from "../../base/json.ts";

/** The revisions of the protocol that have a feature, both ends included; without an end all later ones. */
interface Span {
	readonly since?: string;
	readonly until?: string;
}

/** A member of messages, by its place: `*` matches every item of a list. */
interface Member extends Span {
	readonly at: string;
}

const beforeModern = "2025-11-25";
const modern = "2026-07-28";
const legacy: Span = { until: beforeModern };
const tasksOnly: Span = { since: "2025-11-25", until: "2025-11-25" };

/** Methods that are not in every revision (specification, "Key Changes" of each, and its schema). */
const methods: Readonly<Record<string, Span>> = {
	initialize: legacy,
	ping: legacy,
	"logging/setLevel": legacy,
	"resources/subscribe": legacy,
	"resources/unsubscribe": legacy,
	"sampling/createMessage": legacy,
	"roots/list": legacy,
	"elicitation/create": { since: "2025-06-18", until: beforeModern },
	"notifications/initialized": legacy,
	"notifications/roots/list_changed": legacy,
	"notifications/elicitation/complete": tasksOnly,
	"notifications/tasks/status": tasksOnly,
	"server/discover": { since: modern },
	"subscriptions/listen": { since: modern },
	"notifications/subscriptions/acknowledged": { since: modern },
};

const [march, june, november] = ["2025-03-26", "2025-06-18", "2025-11-25"];

function ofItems(list: string): readonly Member[] {
	return [
		{ at: `${list}/*/title`, since: june },
		{ at: `${list}/*/icons`, since: november },
	];
}

/** Members of results, by the method that was asked for, that are not in every revision. */
const results: Readonly<Record<string, readonly Member[]>> = {
	initialize: [
		{ at: "capabilities/completions", since: march },
		{ at: "capabilities/tasks", ...tasksOnly },
		{ at: "serverInfo/title", since: june },
		{ at: "serverInfo/icons", since: november },
	],
	"tools/list": [
		{ at: "tools/*/annotations", since: march },
		{ at: "tools/*/outputSchema", since: june },
		{ at: "tools/*/execution", ...tasksOnly },
		...ofItems("tools"),
	],
	"prompts/list": ofItems("prompts"),
	"resources/list": ofItems("resources"),
	"resources/templates/list": ofItems("resourceTemplates"),
	"tools/call": [
		{ at: "structuredContent", since: june },
		{ at: "content/*/type=audio", since: march },
		{ at: "content/*/type=resource_link", since: june },
	],
	"prompts/get": [
		{ at: "messages/*/content/type=audio", since: march },
		{ at: "messages/*/content/type=resource_link", since: june },
	],
};

const ofAnyResult: readonly Member[] = [
	{ at: "resultType", since: modern },
	{ at: "ttlMs", since: modern },
	{ at: "cacheScope", since: modern },
];

/** Members of the params of requests and notifications. */
const params: Readonly<Record<string, readonly Member[]>> = {
	"sampling/createMessage": [{ at: "tools", since: november }],
	"elicitation/create": [{ at: "mode=url", since: november }],
	"notifications/progress": [{ at: "message", since: march }],
	"completion/complete": [{ at: "context", since: june }],
	"tools/call": [{ at: "task", ...tasksOnly }],
};

/** Results that say how long they may be kept (specification 2026-07-28, "Caching"). */
const cacheable: ReadonlySet<string> = new Set([
	"tools/list",
	"prompts/list",
	"resources/list",
	"resources/templates/list",
	"resources/read",
	"server/discover",
]);

/** Whether a method is in a revision, or in none that is known: an extension's is its own matter. */
export function methodNote(method: string, revision: string): string | undefined {
	const span = Object.hasOwn(methods, method) ? methods[method] : undefined;
	return span === undefined || isIn(span, revision) ? undefined : `${method} is ${words(span)}`;
}

/** The params of a request or notification that belong to other revisions. */
export function paramsNotes(method: string, value: Json | undefined, revision: string): readonly string[] {
	return foreign(Object.hasOwn(params, method) ? (params[method] ?? []) : [], value, revision);
}

/** The members of a result that belong to other revisions, and the missing ones that the revision requires. */
export function resultNotes(method: string, value: Json, revision: string): readonly string[] {
	const own = Object.hasOwn(results, method) ? (results[method] ?? []) : [];
	const found = foreign([...ofAnyResult, ...own], value, revision);
	if (!isJsonObject(value)) return found;
	const isComplete = (value["resultType"] ?? "complete") === "complete" && value["task"] === undefined;
	const wanted = [
		...(revision < modern ? [] : ["resultType"]),
		...(revision >= modern && isComplete && cacheable.has(method) ? ["ttlMs", "cacheScope"] : []),
		...(method === "tools/call" && isComplete ? ["content"] : []),
	];
	return [...found, ...wanted.filter((name) => value[name] === undefined).map((name) => `${name} is missing`)];
}

function foreign(known: readonly Member[], value: Json | undefined, revision: string): readonly string[] {
	return known.flatMap(({ at, ...span }) => {
		if (isIn(span, revision)) return [];
		const place = firstAt(value, at.split("/"));
		return place === undefined ? [] : [`${place} is ${words(span)}`];
	});
}

/** The first place at which a pattern finds something; undefined for none. */
function firstAt(value: Json | undefined, [step, ...rest]: readonly string[]): string | undefined {
	if (step === undefined) return value === undefined ? undefined : "";
	if (step === "*") {
		const items = Array.isArray(value) ? (value as readonly Json[]) : [];
		for (const [index, item] of items.entries()) {
			const found = firstAt(item, rest);
			if (found !== undefined) return `/${index}${found}`;
		}
		return undefined;
	}
	const [name = "", wanted] = step.split("=");
	if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
	const inner = value[name];
	if (wanted !== undefined) return inner === wanted ? `/${name} ${wanted}` : undefined;
	const found = firstAt(inner, rest);
	return found === undefined ? undefined : `/${name}${found}`;
}

function isIn({ since = "", until }: Span, revision: string): boolean {
	return since <= revision && (until === undefined || revision <= until);
}

function words({ since, until }: Span): string {
	if (since === undefined) return `in no revision after ${until}`;
	if (until === undefined) return `in no revision before ${since}`;
	return since === until ? `in revision ${since} only` : `in revisions ${since} to ${until} only`;
}
