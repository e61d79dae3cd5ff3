import type { JSONRPCMessage, JSONRPCRequest, RequestId, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { ofCall } from "../wireTap.ts";
import type { RequestControl } from "../connection.ts";

/*
 * From revision 2026-07-28 the SDK checks an answer as a whole before the caller's schema sees it: one tool that breaks the
 * protocol fails the list of all, a completion of 101 values fails, bytes are checked twice, and what a user reads of
 * it is the validator's dump. So the host takes such answers out on their way to the SDK, hands it an empty one that is
 * valid, and checks by its own schema what the server sent: alike in both eras, and once.
 */

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

/** The params of a request whose answer the host checks by `asSent` of its schema, as those of the call of its control. */
export function held<T extends object>(params: T, { call }: Pick<RequestControl, "call"> = {}): T {
	return ofCall({ ...params, [isHeld]: true }, call);
}

/** Makes a schema check the received value in place of its placeholder. */
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
	/** The methods of the requests that wait for such an answer. */
	private readonly waiting = new Map<RequestId, string>();

	/** Takes note of a request that is sent. */
	note({ id, method, params }: JSONRPCRequest): void {
		if (params !== undefined && isHeld in params) this.waiting.set(id, method);
	}

	/** Nobody waits for the answer of a request any more. */
	forget(id: RequestId): void {
		this.waiting.delete(id);
	}

	/** The message in the form for the SDK. */
	take(message: JSONRPCMessage): JSONRPCMessage {
		if (this.waiting.size === 0 || "method" in message || message.id === undefined) return message;
		const method = this.waiting.get(message.id);
		if (method === undefined) return message;
		this.waiting.delete(message.id);
		if (!("result" in message) || !isJsonObject(message.result)) return message;
		// An incomplete result, such as a request for input, is handled by the SDK.
		const { resultType, ...result } = message.result;
		const standIn = standIns[method];
		if (standIn === undefined || (resultType !== undefined && resultType !== "complete")) return message;
		// A cursor is the schema's to check as well: some servers write null for the one that they do not have.
		const rest = { ...message.result, ...standIn, nextCursor: undefined, structuredContent: undefined };
		return { ...message, result: { ...rest, [sent]: result } };
	}
}

function isStandIn(answer: unknown): answer is { readonly [sent]: unknown } {
	return typeof answer === "object" && answer !== null && sent in answer;
}
