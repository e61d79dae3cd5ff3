import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { NoteReading } from "./generousReading.ts";

/** The prefix of a received value in a form that the protocol does not have. */
const foreignForm = "(This does not follow the protocol. It is shown as the server sent it.)";
/** Members that describe a result and are not part of its content. */
const aboutResults: ReadonlySet<string> = new Set(["_meta", "isError", "resultType", "content", "structuredContent"]);
/** Where the answer to each request has its list. */
const listMembers: Readonly<Record<string, string>> = {
	"tools/list": "tools",
	"prompts/list": "prompts",
	"resources/list": "resources",
	"resources/templates/list": "resourceTemplates",
	"prompts/get": "messages",
	"resources/read": "contents",
};
/** Members that only a request's result has, if that is not a list. */
const ownMembers: Readonly<Record<string, readonly string[]>> = {
	initialize: ["protocolVersion"],
	"server/discover": ["supportedVersions"],
	"tools/call": ["content", "structuredContent"],
	"completion/complete": ["completion"],
};
const roles: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** Whether a result has the members of the answer to this method, and of no other method. */
export function isResultOf(method: string | undefined, result: JsonObject): boolean {
	if (method === undefined) return false;
	const list = listMembers[method];
	return (list === undefined ? (ownMembers[method] ?? []) : [list]).some((member) => Object.hasOwn(result, member));
}

/**
 * The result of a request in the protocol's form, if the received value has one reading: a text, a block or null in
 * place of a list, a tool without the outline of its arguments. A value without a reading is shown whole, as JSON.
 * `method` is undefined for a result with another form, as of a call that became a task.
 */
export function inShape(method: string | undefined, result: Json, note: NoteReading): Json {
	if (method === "tools/call" || method === "tasks/result") return ofCall(result, note);
	const member = method === undefined ? undefined : listMembers[method];
	if (member !== undefined) return ofList(member, result, note);
	if (Array.isArray(result) && result.length === 0) return said({}, "result", "[] read as {}", note);
	if (!isJsonObject(result)) return result;
	if (method === "initialize") return ofInitialize(result, note);
	const { completion } = result;
	if (method !== "completion/complete" || !isJsonObject(completion) || completion["values"] !== null) return result;
	return {
		...result,
		completion: { ...completion, values: said([], "completion.values", "null read as an empty list", note) },
	};
}

/** The description of a server is only displayed, so a missing part does not prevent its use. */
function ofInitialize(result: JsonObject, note: NoteReading): JsonObject {
	const { capabilities, serverInfo } = result;
	const info: JsonObject = isJsonObject(serverInfo) ? serverInfo : {};
	const textOf = (member: "name" | "version"): Json => {
		const text = info[member];
		if (typeof text === "string") return text;
		const found = text === undefined || text === null ? "it is missing" : "it is no string";
		return said("unknown", `serverInfo.${member}`, `${found}, read as "unknown"`, note);
	};
	const hasCapabilities = capabilities !== undefined && capabilities !== null;
	return {
		...result,
		serverInfo: { ...info, name: textOf("name"), version: textOf("version") },
		...(hasCapabilities ? {} : { capabilities: said({}, "capabilities", "null or missing, read as {}", note) }),
	};
}

function ofCall(result: Json, note: NoteReading): Json {
	if (!isJsonObject(result)) {
		return said({ content: blocksOf(result, note) }, "result", "read as its content", note);
	}
	const { resultType, content, isError } = result;
	if (resultType !== undefined && resultType !== null && resultType !== "complete") return result;
	const read: Record<string, Json | undefined> = { ...result };
	if (isError !== undefined && isError !== null && typeof isError !== "boolean") {
		// A fault never becomes a success.
		read["isError"] = said(isError !== "false" && isError !== 0, "isError", "not a boolean", note);
	}
	const hasData = result["structuredContent"] !== undefined && result["structuredContent"] !== null;
	if (content !== undefined && content !== null) read["content"] = blocksOf(content, note);
	else if (content === null) read["content"] = said([], "content", "null read as an empty list", note);
	else if (!hasData && Object.keys(result).some((key) => !aboutResults.has(key))) {
		const { _meta, ...given } = result;
		read["content"] = said([asItCame(given)], "result", "no content; shown as JSON", note);
	}
	return read;
}

/** The blocks of a result's content. */
function blocksOf(content: Json, note: NoteReading): readonly Json[] {
	if (typeof content === "string") return said([textBlock(content)], "content", "text read as a list of one", note);
	if (!Array.isArray(content)) {
		const block = isJsonObject(content) ? blockOf(content) : undefined;
		return said(
			[block ?? asItCame(content)],
			"content",
			block ? "one block read as a list of one" : "shown as JSON",
			note,
		);
	}
	const items = content as readonly Json[];
	if (items.every((item) => isJsonObject(item) && typeof item["type"] === "string")) return items;
	const blocks = items.flatMap((item): readonly Json[] => {
		if (item === null) return [];
		if (typeof item === "string") return [textBlock(item)];
		return [(isJsonObject(item) ? blockOf(item) : undefined) ?? asItCame(item)];
	});
	return said(blocks, "content[]", "an item that is not a block read as text", note);
}

/** A block that has a type, and a text without one; undefined for other values. */
function blockOf(value: JsonObject): JsonObject | undefined {
	if (typeof value["type"] === "string") return value;
	return typeof value["text"] === "string" ? { ...value, type: "text" } : undefined;
}

function ofList(member: string, result: Json, note: NoteReading): Json {
	if (Array.isArray(result)) {
		return ofList(
			member,
			said({ [member]: result as readonly Json[] }, "result", `a list read as ${member}`, note),
			note,
		);
	}
	if (!isJsonObject(result)) return result;
	const list = result[member];
	let items: readonly Json[];
	if (Array.isArray(list)) items = list as readonly Json[];
	else if (list === null) items = said([], member, "null read as an empty list", note);
	else if (isJsonObject(list)) items = said([list], member, "one entry read as a list of one", note);
	else if (member === "messages" && typeof list === "string")
		items = said([list], member, "text read as a list of one", note);
	else return result;
	if (member === "tools") items = each(items, (tool) => withArguments(tool, note));
	if (member === "messages") items = items.flatMap((message) => messagesOf(message, note));
	if (member === "contents") items = each(items, (content) => withText(content, note));
	return items === list ? result : { ...result, [member]: items };
}

/** The same list where none of its items changes: most lists are long and in order. */
function each(items: readonly Json[], read: (item: Json) => Json): readonly Json[] {
	const changed = items.map(read);
	return changed.some((item, index) => item !== items[index]) ? changed : items;
}

/** A tool with the outline of its arguments: one without says that it takes any. */
function withArguments(tool: Json, note: NoteReading): Json {
	if (!isJsonObject(tool)) return tool;
	const { inputSchema } = tool;
	const isMissing = inputSchema === undefined || inputSchema === null || inputSchema === true;
	if (isMissing || (Array.isArray(inputSchema) && inputSchema.length === 0)) {
		return {
			...tool,
			inputSchema: said({ type: "object" }, "tools[].inputSchema", "missing; any arguments are allowed", note),
		};
	}
	if (!isJsonObject(inputSchema)) return tool;
	const { type } = inputSchema;
	const isOpen =
		type === undefined || type === null || (Array.isArray(type) && (type as readonly Json[]).includes("object"));
	if (!isOpen) return tool;
	return {
		...tool,
		inputSchema: said({ ...inputSchema, type: "object" }, "tools[].inputSchema.type", "read as object", note),
	};
}

/** A message of a prompt, or one for each of its blocks. An invalid one is shown as received. */
function messagesOf(message: Json, note: NoteReading): readonly Json[] {
	const unread = (): Json => said({ role: "user", content: asItCame(message) }, "messages[]", "shown as JSON", note);
	if (message === null) return [];
	if (typeof message === "string") {
		return [
			said({ role: "user", content: textBlock(message) }, "messages[]", "text read as a message of the user", note),
		];
	}
	if (!isJsonObject(message) || !roles.has(message["role"])) return [unread()];
	const { content } = message;
	if (isJsonObject(content) && typeof content["type"] === "string") return [message];
	if (content === undefined || content === null) return [unread()];
	const { role, _meta } = message;
	const about = _meta === undefined ? { role } : { role, _meta };
	return blocksOf(content, note).map((block) => Object.assign({ content: block }, about));
}

/** A content of a resource whose text is data: JSON is its one spelling. */
function withText(content: Json, note: NoteReading): Json {
	if (!isJsonObject(content)) return content;
	const { text, blob } = content;
	if (typeof text !== "object" || text === null || typeof blob === "string") return content;
	return {
		...content,
		text: said(JSON.stringify(text, undefined, 2), "contents[].text", "data read as JSON text", note),
	};
}

function textBlock(text: string): JsonObject {
	return { type: "text", text };
}

/** A block of text that shows what is in none of the protocol's forms, and says so. */
export function asItCame(value: Json): JsonObject {
	return textBlock(`${foreignForm}\n${JSON.stringify(value, undefined, 2)}`);
}

function said<T>(value: T, place: string, reading: string, note: NoteReading): T {
	note(place, reading);
	return value;
}
