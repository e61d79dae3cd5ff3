import { randomUUID } from "node:crypto";
import type {
	CallToolResult,
	JSONRPCMessage,
	JSONRPCRequest,
	RequestId,
	StandardSchemaV1,
} from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { ofCall } from "../wireTap.ts";
import type { RequestControl } from "../connection.ts";

/*
 * In the modern era the SDK checks an answer as a whole before the caller's schema sees it: one tool that breaks the
 * protocol fails the list of all, a completion of 101 values fails, bytes are checked twice, and what a user reads of
 * it is the validator's dump. So the host takes such answers out on their way to the SDK, hands it an empty one that is
 * valid, and checks by its own schema what the server sent: alike in both eras, and once.
 */

/** Where the stand-in for a task keeps it. A name that no server can know, since the SDK drops symbols in what it checks. */
const createdTask = `mcp-host/created-task/${randomUUID()}`;

/** Marks the params of a request whose answer is held. No server can write a symbol, and no text carries it. */
const isHeld = Symbol("the host checks the answer");
/** Where the stand-in for an answer keeps what the server sent. */
const sent = Symbol("as sent");

/** What stands in for the members of an answer that are held, by the request's method. */
const standIns: Readonly<Record<string, JsonObject>> = {
	"tools/list": { tools: [] },
	"tools/call": { content: [] },
	"prompts/list": { prompts: [] },
	"prompts/get": { messages: [] },
	"resources/list": { resources: [] },
	"resources/templates/list": { resourceTemplates: [] },
	"resources/read": { contents: [] },
	"completion/complete": { completion: { values: [] } },
};

/** The params of a request whose answer the host checks by `asSent` of its schema, as those of the call of its control. */
export function held<T extends object>(params: T, { call }: Pick<RequestControl, "call"> = {}): T {
	return ofCall({ ...params, [isHeld]: true }, call);
}

/** Has a schema check what the server sent in place of what stands in for it. */
export function asSent<T>(schema: StandardSchemaV1<unknown, T>): StandardSchemaV1<unknown, T> {
	const { validate } = schema["~standard"];
	return {
		"~standard": {
			version: 1,
			vendor: "mcp-host",
			validate: (answer) => validate(isStandIn(answer) ? answer[sent] : answer),
		},
	};
}

/** The held answers of one transport. */
export class HeldAnswers {
	/** The requests that wait for such an answer, or for one that may be a task. */
	private readonly waiting = new Map<RequestId, { readonly method: string; readonly holds: boolean }>();

	/** Takes note of a request that is sent. */
	note({ id, method, params }: JSONRPCRequest): void {
		const holds = params !== undefined && isHeld in params;
		if (holds || method === "tools/call") this.waiting.set(id, { method, holds });
	}

	/** Nobody waits for the answer of a request any more. */
	forget(id: RequestId): void {
		this.waiting.delete(id);
	}

	/** The message as the SDK shall have it. */
	take(message: JSONRPCMessage): JSONRPCMessage {
		if (this.waiting.size === 0 || "method" in message || message.id === undefined) return message;
		const request = this.waiting.get(message.id);
		if (request === undefined) return message;
		this.waiting.delete(message.id);
		if (!("result" in message) || !isJsonObject(message.result)) return message;
		const { method, holds } = request;
		// What is not complete, such as a question for input, is the SDK's own business.
		const { resultType, ...result } = message.result;
		if (resultType === "task" && method === "tools/call") {
			const standIn = { content: [], _meta: { [createdTask]: result } };
			return { ...message, result: { ...standIn, resultType: "complete", [sent]: standIn } };
		}
		if (!holds) return message;
		const standIn = standIns[method];
		if (standIn === undefined || (resultType !== undefined && resultType !== "complete")) return message;
		// A cursor is the schema's to check as well: some servers write null for the one that they do not have.
		const rest = { ...message.result, ...standIn, nextCursor: undefined, structuredContent: undefined };
		return { ...message, result: { ...rest, [sent]: result } };
	}
}

/** The task that a server created in answer to `tools/call`, as sent (extension "Tasks"); undefined for a result. */
export function createdTaskIn({ _meta: meta }: CallToolResult): JsonObject | undefined {
	const task = meta?.[createdTask];
	return isJsonObject(task) ? task : undefined;
}

function isStandIn(answer: unknown): answer is { readonly [sent]: unknown } {
	return typeof answer === "object" && answer !== null && sent in answer;
}
