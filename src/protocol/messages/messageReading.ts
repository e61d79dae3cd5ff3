import { jsonOf } from "../../base/guards.ts";
import type {
	JSONRPCErrorResponse,
	JSONRPCMessage,
	JSONRPCNotification,
	JSONRPCRequest,
	JSONRPCResultResponse,
	RequestId,
} from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import { readGenerously, type NoteReading } from "./generousReading.ts";
import { inShape } from "./resultShapes.ts";
import { SaidOnce } from "./saidOnce.ts";
import { wellFormed, type RawAnswer } from "./wellFormed.ts";

/** A request or notification of the server as it is read, or the reason why it cannot be. */
export type Reading =
	| { readonly kind: "request"; readonly message: JSONRPCRequest }
	| { readonly kind: "notification"; readonly message: JSONRPCNotification }
	| {
			readonly kind: "unreadable";
			readonly id: RequestId | undefined;
			readonly why: string;
			readonly isRequest: boolean;
	  };

/**
 * The one reader of messages from servers, before any schema. A value with one possible reading is converted to the
 * protocol's form, and null in an optional member counts as absent. Each such reading is logged once in the server's
 * log.
 */
export class MessageReading {
	private readonly said: SaidOnce;

	/** `say` gets a sentence for the server's log. */
	constructor(say: (sentence: string) => void) {
		this.said = new SaidOnce(say);
	}

	/** The answer to the request `id` of a method; without one, its result is not brought to a form. Never throws. */
	answer(id: RequestId, method: string | undefined, raw: RawAnswer): JSONRPCResultResponse | JSONRPCErrorResponse {
		const hasError = raw.error !== undefined && raw.error !== null;
		if (hasError || raw.result === undefined || raw.result === null) return wellFormed(id, raw);
		return this.noting(`the answer to ${method ?? "a request"}`, (note) => {
			const result = inShape(method, jsonOf(raw.result), note);
			return wellFormed(id, { result: readGenerously(result, note) });
		});
	}

	/** A message with a method; its other members may be anything. Never throws. */
	incoming(raw: JSONRPCMessage): Reading {
		const { method, id, params } = jsonObjectOf(raw);
		const name = typeof method === "string" ? method : "";
		const hasId = id !== undefined && id !== null;
		const usable = typeof id === "string" || (typeof id === "number" && Number.isInteger(id)) ? id : undefined;
		// Null is how some write the id that a notification does not have.
		const isRequest = hasId || (id === null && !name.startsWith("notifications/"));
		const unreadable = (why: string): Reading => ({ kind: "unreadable", id: usable, why, isRequest });
		if (name === "") return unreadable("Its method is not a string.");
		const isEmpty = params === undefined || params === null || (Array.isArray(params) && params.length === 0);
		if (!isEmpty && !isJsonObject(params)) return unreadable("Its params are not an object.");
		if (isRequest && usable === undefined) return unreadable("Its id is neither a string nor an integer.");
		const what = `${isRequest ? "the request" : "the notification"} ${oneLine(name, 60)}`;
		const read = isEmpty ? undefined : this.noting(what, (note) => readGenerously(params, note));
		const content = { method: name, ...(isJsonObject(read) ? { params: read } : {}) };
		if (usable === undefined) return { kind: "notification", message: { jsonrpc: "2.0", ...content } };
		return { kind: "request", message: { jsonrpc: "2.0", id: usable, ...content } };
	}

	private noting<T>(what: string, read: (note: NoteReading) => T): T {
		const notes = new Set<string>();
		const value = read((place, reading) => notes.add(`${oneLine(place, 100)} (${reading})`));
		this.said.say(notes, (news) => `Tolerated in ${what}: ${news.join(", ")}.`, what);
		return value;
	}
}
