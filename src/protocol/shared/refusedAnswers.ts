import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { jsonObjectOf } from "../../base/guards.ts";
import { RefusedAnswer } from "../messages/limitErrors.ts";

/** The member that only windows write into a message: the code of the verdict on a refused answer. */
const mark = "mcpHostRefused";

/**
 * A message of a server as it goes to another window. The verdict of the host on an answer that it refused is an instance
 * in the data of the error, which JSON cannot carry; a mark does. A mark of the server is left out, so that it cannot
 * forge one.
 */
export function withMark(message: JSONRPCMessage): JSONRPCMessage {
	const { data } = jsonObjectOf(jsonObjectOf(message)["error"]);
	const code = data instanceof RefusedAnswer ? data.code : undefined;
	if (code === undefined && !(mark in message)) return message;
	// JSON has no undefined members.
	const marked = { ...message, [mark]: code };
	return marked;
}

/** A message from another window, with the verdict of the host on an answer that was refused there. */
export function withVerdict(message: JSONRPCMessage): JSONRPCMessage {
	if (!("error" in message) || !(mark in message)) return message;
	const { id, error } = message;
	const data = new RefusedAnswer(message[mark] === "limit" ? "limit" : "protocol", error.message);
	return { jsonrpc: "2.0", id, error: { ...error, data } };
}
