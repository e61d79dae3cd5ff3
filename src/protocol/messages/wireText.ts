import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, jsonIn } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import { outlineOf } from "./messageOutline.ts";
import { RefusedAnswer } from "./limitErrors.ts";

/** The meaning of a received text. */
export type WireText =
	/** JSON. `numbers` names the members that held what JSON has no word for, and that are null now. */
	| { readonly kind: "json"; readonly value: Json; readonly numbers: readonly string[] }
	/** A broken answer to a request: the error that replaces it. Its id is undefined if it names none. */
	| { readonly kind: "broken"; readonly message: JSONRPCMessage }
	| { readonly kind: "none" };

/** Numbers as the languages of many servers write them. */
const notJson = /-?\b(?:NaN|Infinity)\b/g;
/** Replaces such a number until its place is known; no text that JSON allows contains it. */
const mark = "\u{F0000}mcp-host:not-a-number:";
/** How many members are named. */
const mostNamed = 5;
/** How much of each end of a text identifies it. */
const endLength = 512;
/** The methods that a message may have which does not say that it is one of JSON-RPC 2.0. */
const methodOfProtocol = /^(?:ping|[a-z]+\/[a-zA-Z_/]+)$/;

/** Reads a text as JSON, as generously as is safe: NaN and Infinity, which JSON does not have, are null. */
export function readWireText(text: string): WireText {
	try {
		return { kind: "json", value: jsonIn(text), numbers: [] };
	} catch (error) {
		return withoutNumbers(text) ?? brokenAnswer(text, error);
	}
}

/** The sentence about `numbers` of a text, for the server's log. */
export function readAsNull(numbers: readonly string[]): string {
	return `The server sends numbers that JSON does not allow; they are read as null: ${numbers.join(", ")}.`;
}

function withoutNumbers(text: string): WireText | undefined {
	const marked = outsideStrings(text, (part) => part.replace(notJson, (found) => JSON.stringify(mark + found)));
	if (marked === text) return undefined;
	const numbers: string[] = [];
	try {
		const value: Json = JSON.parse(marked, function (this: unknown, key, member: unknown) {
			if (typeof member !== "string" || !member.startsWith(mark)) return member;
			if (numbers.length < mostNamed)
				numbers.push(`${Array.isArray(this) ? "[]" : oneLine(key, 60)} (${member.slice(mark.length)})`);
			return null;
		});
		return { kind: "json", value, numbers };
	} catch {
		return undefined;
	}
}

/** The text with the parts outside its strings changed. In time linear in its length, unlike a pattern. */
function outsideStrings(text: string, change: (part: string) => string): string {
	const parts: string[] = [];
	for (let at = 0; at < text.length;) {
		const begin = text.indexOf('"', at);
		parts.push(change(text.slice(at, begin === -1 ? undefined : begin)));
		if (begin === -1) break;
		let end = text.indexOf('"', begin + 1);
		while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
		at = end === -1 ? text.length : end + 1;
		parts.push(text.slice(begin, at));
	}
	return parts.join("");
}

function isEscaped(text: string, at: number): boolean {
	let slashes = 0;
	while (text[at - 1 - slashes] === "\\") slashes++;
	return slashes % 2 === 1;
}

function brokenAnswer(text: string, error: unknown): WireText {
	const outline = outlineOf(text.slice(0, endLength), text.slice(-endLength));
	if (outline.kind !== "answer" || !text.includes('"jsonrpc"')) return { kind: "none" };
	const why = error instanceof Error ? oneLine(error.message, 200) : "";
	return { kind: "broken", message: brokenBy(`The server's response is not valid JSON: ${why}`, outline.id) };
}

/** The error that replaces an unreadable answer: its data inform the host, and no server can forge them. */
export function brokenBy(why: string, id: RequestId | undefined): JSONRPCMessage {
	const error = { code: -32603, message: why, data: new RefusedAnswer("protocol", why) };
	return id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error };
}

/** The messages in a value: revision 2025-03-26 allows several in one list. Undefined if there is none. */
export function messagesIn(value: Json): readonly JSONRPCMessage[] | undefined {
	if (!Array.isArray(value)) return isMessage(value) ? [value] : undefined;
	const messages = (value as readonly unknown[]).filter(isMessage);
	return messages.length === 0 ? undefined : messages;
}

/**
 * Whether a value has the outline of a JSON-RPC message; its contents are checked later. An answer without a result
 * counts: it fails its request, which would otherwise wait for nothing (TRN-13).
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
	if (!isJsonObject(value)) return false;
	const { jsonrpc, method, id } = value;
	// Without an id it must have a method: nobody waits for an error answer.
	if (jsonrpc === "2.0") return typeof method === "string" || id !== undefined || value["error"] !== undefined;
	// Some leave it out. A line of a log may look alike, so that more has to be right.
	if (typeof method === "string") return methodOfProtocol.test(method) && ("params" in value || id !== undefined);
	const isAnswer = isJsonObject(value["result"]) !== isJsonObject(value["error"]);
	return isAnswer && (typeof id === "number" || typeof id === "string") && Object.keys(value).every(isOfAnswer);
}

function isOfAnswer(key: string): boolean {
	return ["jsonrpc", "id", "result", "error", "method", "params"].includes(key);
}

/** Whether a message is an answer: some servers write all members of all messages, those without a use as null. */
export function isAnswer(message: JSONRPCMessage): boolean {
	const { method } = jsonObjectOf(message);
	return method === undefined || method === null;
}

/** Whether a message answers a request that it does not name: an error with any other id, or a result without an id. */
export function isUnnamedAnswer(message: JSONRPCMessage): boolean {
	if (!isAnswer(message) || usableId(message) !== undefined) return false;
	const { id = null, result, error } = jsonObjectOf(message);
	return (error !== undefined && error !== null) || (result !== undefined && (id === null || id === ""));
}

/** The id of a message as far as it can name a request. */
export function usableId(message: JSONRPCMessage): RequestId | undefined {
	const { id } = jsonObjectOf(message);
	return (typeof id === "number" && Number.isFinite(id)) || (typeof id === "string" && id !== "") ? id : undefined;
}
