import type { RequestId } from "@modelcontextprotocol/client";
import { parseJson } from "../../base/json.ts";

/** The outline of a message that was not kept, as far as its ends show. */
export type Outline =
	| { readonly kind: "answer"; readonly id: RequestId | undefined }
	/** A request or a notification of the server's. */
	| { readonly kind: "other" }
	| { readonly kind: "none" };

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const id = String.raw`-?\d+|${text}`;
/** Members that are short, then the name of the first one that may be long. */
const beginning = new RegExp(String.raw`^\s*\{((?:\s*"(?:jsonrpc|id)"\s*:\s*(?:${id})\s*,)*)\s*"(\w+)"\s*:`, "s");
const idAmongMembers = new RegExp(String.raw`"id"\s*:\s*(${id})\s*,`, "s");
/** The message ends with its outermost brace, so an id right before it is the message's own. */
const ending = new RegExp(String.raw`"id"\s*:\s*(${id})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`, "s");

/**
 * Determines from the first and the last few hundred characters of a JSON-RPC message what it is and which request it
 * answers. The SDK of the first generation writes the id last, others write it first. `tail` is empty while the end has
 * not arrived.
 */
export function outlineOf(head: string, tail: string): Outline {
	const [, members, next] = beginning.exec(head) ?? [];
	if (members === undefined) return { kind: "none" };
	if (next === "method" || next === "params") return { kind: "other" };
	if (next !== "result" && next !== "error") return { kind: "none" };
	const found = idAmongMembers.exec(members)?.[1] ?? ending.exec(tail)?.[1];
	const id = found === undefined ? undefined : parseJson(found);
	return { kind: "answer", id: typeof id === "string" || typeof id === "number" ? id : undefined };
}
