import {
	type CallToolResult,
	type CompleteResult,
	type GetPromptResult,
	type Prompt,
	type ReadResourceResult,
	type Resource,
	type ResourceTemplateType,
	specTypeSchemas,
	type StandardSchemaV1,
	type Tool,
} from "@modelcontextprotocol/client";
import { isJsonObject, type Json } from "../../base/json.ts";
import { Slices } from "../../base/slices.ts";
import { oneLine } from "../../base/text.ts";
import { asItCame } from "../messages/resultShapes.ts";
import type { Page } from "../connection.ts";
import type { Departure, DepartureRule, OnTrouble } from "../departure.ts";
import { asSent } from "./heldAnswers.ts";

/** As many values as a completion may have (specification, "Completion"). */
const mostValues = 100;
/** The maximum length of a value that a user may choose; a part of it would be another value. In characters. */
const longestValue = 10_000;
/** The longest name or URI of an item, in characters: rows, searches and requests go through all of it (TRN-56). */
export const longestKey = 65_536;

/** How many entries of a page are named in a list of departures. */
const mostNamed = 30;

/** The shape of a page of each list, and of a prompt and a resource. */
export interface AnswerSchemas {
	readonly tools: StandardSchemaV1<unknown, Page<Tool>>;
	readonly prompts: StandardSchemaV1<unknown, Page<Prompt>>;
	readonly resources: StandardSchemaV1<unknown, Page<Resource>>;
	readonly resourceTemplates: StandardSchemaV1<unknown, Page<ResourceTemplateType>>;
	readonly prompt: StandardSchemaV1<unknown, GetPromptResult>;
	readonly resource: StandardSchemaV1<unknown, ReadResourceResult>;
	/** A list is read again, from its first page. */
	begin(method: string): void;
}

/** A list: the request that reads it, the member of the answer, and the keys on the pages so far. */
interface ListPages {
	readonly method: string;
	readonly member: string;
	readonly seen: Set<string>;
}

/** The schemas of answers of which a bad part costs itself: `onRefused` gets words for the log about those. */
export function answerSchemas(onRefused: OnTrouble): AnswerSchemas {
	const pages = (method: string, member: string): ListPages => ({ method, member, seen: new Set() });
	const lists = {
		tools: pages("tools/list", "tools"),
		prompts: pages("prompts/list", "prompts"),
		resources: pages("resources/list", "resources"),
		resourceTemplates: pages("resources/templates/list", "resourceTemplates"),
	};
	return {
		begin: (begun) => Object.values(lists).forEach(({ method, seen }) => method === begun && seen.clear()),
		tools: pageSchema(lists.tools, specTypeSchemas.Tool, ({ name }) => name, onRefused),
		prompts: pageSchema(lists.prompts, specTypeSchemas.Prompt, ({ name }) => name, onRefused),
		resources: pageSchema(lists.resources, specTypeSchemas.Resource, ({ uri }) => uri, onRefused),
		resourceTemplates: pageSchema(
			lists.resourceTemplates,
			specTypeSchemas.ResourceTemplate,
			({ uriTemplate }) => uriTemplate,
			onRefused,
		),
		prompt: promptSchema(onRefused),
		resource: resourceSchema(onRefused),
	};
}

/**
 * The schema of one page of a list, whose items are under `member` and are each checked by `schema`: a page of ten
 * thousand does not block the thread, and an item that breaks the protocol is left out instead of failing the list. So
 * is one whose name or URI, by `keyOf`, is too long. `onRefused` receives words for the log about those.
 */
function pageSchema<T>(
	{ method, member, seen }: ListPages,
	schema: StandardSchemaV1<unknown, T>,
	keyOf: (item: T) => string,
	onRefused: OnTrouble,
): StandardSchemaV1<unknown, Page<T>> {
	return asSent(async (page) => {
		const entries = isJsonObject(page) ? (page as { readonly [key: string]: unknown })[member] : undefined;
		if (!isJsonObject(page) || !Array.isArray(entries))
			return { issues: [{ message: `The result has no list of ${member}.` }] };
		// Some servers write null for the cursor that they do not have.
		const nextCursor = (page as { nextCursor?: Json }).nextCursor ?? undefined;
		if (nextCursor !== undefined && typeof nextCursor !== "string") {
			return { issues: [{ message: "The cursor is not a string." }] };
		}
		const items: T[] = [];
		const departures: Departure[] = [];
		const note = (rule: DepartureRule, path: string, what: string, item?: string): void => {
			const about = { message: method, path: `result.${member}${path}`, ...(item === undefined ? {} : { item }) };
			if (departures.length < mostNamed) departures.push({ rule, what, ...about });
		};
		let refused = 0;
		let tooLong = 0;
		let repeated = 0;
		let first = "";
		const slices = new Slices();
		for (const [index, entry] of (entries as readonly unknown[]).entries()) {
			const outcome = schema["~standard"].validate(entry);
			// The schemas of the SDK answer at once; a promise for each item would be most of the work.
			const result = outcome instanceof Promise ? await outcome : outcome;
			if (result.issues === undefined) {
				const key = keyOf(result.value);
				if (key.length > longestKey) {
					tooLong++;
					note("limit", `[${index}]`, `It has a name or URI of more than ${longestKey} characters and is left out.`);
					continue;
				}
				items.push(result.value);
				if (seen.has(key)) {
					repeated++;
					note(
						"duplicate",
						`[${index}]`,
						`${oneLine(key, 80)} is listed more than once. Only the first one is used.`,
						key,
					);
				}
				seen.add(key);
			} else {
				if (refused++ === 0) first = words(entry, result.issues);
				const what = `It is left out. ${words(entry, result.issues)}.`;
				note("left-out", `[${index}]${pathOf(result.issues)}`, what, itemOf(entry));
			}
			if (slices.isOver) await slices.next();
		}
		const about = (rule: DepartureRule): readonly Departure[] => departures.filter((one) => one.rule === rule);
		if (refused > 0) {
			onRefused(
				`${refused} of ${entries.length} ${member} do not follow the protocol and are left out. The first one: ${first}`,
				about("left-out"),
			);
		}
		if (repeated > 0) {
			onRefused(
				`${repeated} of ${entries.length} ${member} are listed more than once. Only the first one of each is used.`,
				about("duplicate"),
			);
		}
		if (tooLong > 0) {
			onRefused(
				`${tooLong} of ${entries.length} ${member} have a name or URI of more than ${longestKey} characters and are left out.`,
				about("limit"),
			);
		}
		const { ttlMs } = page as { ttlMs?: Json };
		const isHint = typeof ttlMs === "number" && ttlMs > 0;
		return { value: { items, nextCursor, ...(isHint ? { ttlMs } : {}) } };
	});
}

/** The URI or name of an entry of a list, if it can be read. */
function itemOf(entry: unknown): string | undefined {
	const name = isJsonObject(entry) ? (entry["uri"] ?? entry["uriTemplate"] ?? entry["name"]) : undefined;
	return typeof name === "string" && name.length <= longestKey ? name : undefined;
}

function words(entry: unknown, [issue]: readonly StandardSchemaV1.Issue[]): string {
	const name = isJsonObject(entry) ? (entry["name"] ?? entry["uri"] ?? entry["uriTemplate"]) : undefined;
	const path = issue?.path?.map((part) => keyIn(part).toString()).join(".") ?? "";
	return oneLine(`${typeof name === "string" ? name : "unnamed"}: ${path} ${issue?.message ?? ""}`, 300);
}

/** Where in an entry the first issue is, such as `.inputSchema.type`. */
function pathOf([issue]: readonly StandardSchemaV1.Issue[]): string {
	const keys = issue?.path?.map(keyIn) ?? [];
	return oneLine(keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key.toString()}`)).join(""), 200);
}

function keyIn(part: PropertyKey | StandardSchemaV1.PathSegment): PropertyKey {
	return typeof part === "object" ? part.key : part;
}

/**
 * The schema of the answer to `prompts/get`. An invalid message is replaced by its received text. `onRefused` receives
 * words for the log.
 */
function promptSchema(onRefused: OnTrouble): StandardSchemaV1<unknown, GetPromptResult> {
	return asSent((answer) => {
		const whole = specTypeSchemas.GetPromptResult["~standard"];
		if (!isJsonObject(answer) || !Array.isArray(answer["messages"])) return whole.validate(answer);
		const messages = answer["messages"].map((message: Json, index): Json => {
			const issues = issuesOf(specTypeSchemas.PromptMessage, message);
			if (issues === undefined) return message;
			const what = `A message of the prompt does not follow the protocol and is shown as received: ${words({ name: `number ${index + 1}` }, issues)}`;
			const path = `result.messages[${index}]${pathOf(issues)}`;
			onRefused(what, [{ rule: "left-out", what, message: "prompts/get", path }]);
			const role = isJsonObject(message) && message["role"] === "assistant" ? "assistant" : "user";
			return { role, content: asItCame(message) };
		});
		return whole.validate({ ...answer, messages });
	});
}

/**
 * The schema of the answer to `resources/read`. An invalid content is left out; the answer fails only if no content is
 * left. `onRefused` receives words for the log.
 */
function resourceSchema(onRefused: OnTrouble): StandardSchemaV1<unknown, ReadResourceResult> {
	return asSent((answer) => {
		const whole = specTypeSchemas.ReadResourceResult["~standard"];
		if (!isJsonObject(answer) || !Array.isArray(answer["contents"])) return whole.validate(answer);
		const contents: Json[] = [];
		let first: string | undefined;
		for (const content of answer["contents"] as readonly Json[]) {
			const issues =
				issuesOf(specTypeSchemas.TextResourceContents, content) &&
				issuesOf(specTypeSchemas.BlobResourceContents, content);
			if (issues === undefined) contents.push(content);
			else first ??= words(content, issues);
		}
		if (first === undefined) return whole.validate(answer);
		const why = `of its ${answer["contents"].length} contents, ${answer["contents"].length - contents.length} do not follow the protocol: ${first}`;
		if (contents.length === 0)
			return { issues: [{ message: `The resource has no contents that can be shown: ${why}` }] };
		const what = `A part of a resource is left out: ${why}`;
		onRefused(what, [{ rule: "left-out", what, message: "resources/read", path: "result.contents" }]);
		return whole.validate({ ...answer, contents });
	});
}

/** The problem of a value by a schema of the SDK, synchronously; undefined for none. */
function issuesOf(
	schema: StandardSchemaV1<unknown, unknown>,
	value: unknown,
): readonly StandardSchemaV1.Issue[] | undefined {
	const outcome = schema["~standard"].validate(value);
	return outcome instanceof Promise ? undefined : outcome.issues;
}

/**
 * The schema of the answer to `completion/complete`. If there are more values than the protocol allows, the first are
 * kept, without those that are too long (PRM-05). `total` is then the number of all values.
 */
export const completionSchema: StandardSchemaV1<unknown, CompleteResult> = asSent((result) =>
	specTypeSchemas.CompleteResult["~standard"].validate(cut(result)),
);

function cut(result: unknown): unknown {
	if (!isJsonObject(result) || !isJsonObject(result["completion"])) return result;
	const { completion } = result;
	const { values } = completion;
	if (!Array.isArray(values)) return result;
	const kept = values.slice(0, mostValues).filter((value) => typeof value === "string" && value.length <= longestValue);
	// Some servers write null for the counts that they do not have.
	const total = completion["total"] ?? undefined;
	const hasMore = completion["hasMore"] ?? undefined;
	const counts = values.length > mostValues ? { total: total ?? values.length, hasMore: true } : { total, hasMore };
	return { ...result, completion: { ...completion, ...counts, values: kept } };
}

/** Whether an answer has what is asked of one to `tools/call`, and no more (see {@link toolResultSchema}). */
function isToolAnswer(answer: object): answer is CallToolResult {
	return !("content" in answer) || answer.content === undefined || Array.isArray(answer.content);
}

/**
 * The answer to `tools/call` as the server sent it, if it is an object with a list for content, or with none. The tool has
 * run, so that one block that breaks the protocol, or is of a later revision, must not take the others from the user:
 * `readResult` in results/result.ts takes nothing in it for certain (TOL-13).
 */
export const toolResultSchema: StandardSchemaV1<unknown, CallToolResult> = {
	"~standard": {
		version: 1,
		vendor: "mcp-host",
		validate(answer) {
			if (!isJsonObject(answer)) return { issues: [{ message: "It is not an object." }] };
			return isToolAnswer(answer) ? { value: answer } : { issues: [{ message: "Its content is not a list." }] };
		},
	},
};
