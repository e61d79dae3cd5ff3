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
 * From revision 2026-07-28 the SDK checks an answer as a whole before the caller's schema sees it: one tool that breaks the
 * protocol fails the list of all, a completion of 101 values fails, bytes are checked twice, and what a user reads of
 * it is the validator's dump. So the host takes such answers out on their way to the SDK, hands it an empty one that is
 * valid, and checks by its own schema what the server sent: alike in both eras, and once.
 */

/** The member that holds a task in its placeholder. No server can guess it; the SDK drops symbols in checked values. */
const createdTask = `mcp-host/created-task/${randomUUID()}`;

/** Marks the params of a request whose answer is held. No server can send a symbol, and no text contains it. */
const isHeld = Symbol("the host checks the answer");
/** Where the placeholder for an answer keeps the received answer. */
const sent = Symbol("as sent");

/** The placeholders for the members of an answer that are held, by the request's method. */
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

/** The params of a request whose answer the host checks by a schema of `asSent`, as those of the call of its control. */
export function held<T extends object>(params: T, { call }: Pick<RequestControl, "call"> = {}): T {
	return ofCall({ ...params, [isHeld]: true }, call);
}

/** A schema that checks the received value in place of its placeholder. */
export function asSent<T>(
	validate: StandardSchemaV1<unknown, T>["~standard"]["validate"],
): StandardSchemaV1<unknown, T> {
	const inPlace: typeof validate = (answer) => validate(isStandIn(answer) ? answer[sent] : answer);
	return { "~standard": { version: 1, vendor: "mcp-host", validate: inPlace } };
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

	/** The message in the form for the SDK. */
	take(message: JSONRPCMessage): JSONRPCMessage {
		if (this.waiting.size === 0 || "method" in message || message.id === undefined) return message;
		const request = this.waiting.get(message.id);
		if (request === undefined) return message;
		this.waiting.delete(message.id);
		if (!("result" in message) || !isJsonObject(message.result)) return message;
		const { method, holds } = request;
		// An incomplete result, such as a request for input, is handled by the SDK.
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
