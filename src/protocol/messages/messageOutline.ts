import type { RequestId } from "@modelcontextprotocol/client";

/** What a message is that was not kept, as far as its ends tell. */
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
/** What closes the message is its outermost brace, so an id right before it is the message's own. */
const ending = new RegExp(String.raw`"id"\s*:\s*(${id})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`, "s");

/**
 * Tells from the first and the last few hundred characters of a JSON-RPC message what it is and which request it
 * answers. The SDK of the first generation writes the id last, others write it first. `tail` is empty while the end has
 * not come.
 */
export function outlineOf(head: string, tail: string): Outline {
	const [, members, next] = beginning.exec(head) ?? [];
	if (members === undefined) return { kind: "none" };
	if (next === "method" || next === "params") return { kind: "other" };
	if (next !== "result" && next !== "error") return { kind: "none" };
	const found = idAmongMembers.exec(members)?.[1] ?? ending.exec(tail)?.[1];
	return { kind: "answer", id: found === undefined ? undefined : parseId(found) };
}

function parseId(found: string): RequestId | undefined {
	try {
		return JSON.parse(found);
	} catch {
		return undefined;
	}
}
