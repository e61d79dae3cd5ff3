import { jsonOf, jsonObjectOf } from "../../base/guards.ts";
import type {
	JSONRPCErrorResponse,
	JSONRPCMessage,
	JSONRPCNotification,
	JSONRPCRequest,
	JSONRPCResultResponse,
	RequestId,
} from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { readGenerously, type NoteReading } from "./generousReading.ts";
import type { Departure, DepartureRule, OnTrouble } from "../departure.ts";
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
	private readonly tell: OnTrouble;
	/** The message that the current note is about. */
	private about: { readonly rule: DepartureRule; readonly message: string } | undefined;

	/** `tell` receives a sentence for the server's log, and the violations. */
	constructor(tell: OnTrouble) {
		this.tell = tell;
		this.said = new SaidOnce((sentence, news) => this.report(sentence, news));
	}

	/** Notes errors in the frame of a message, which is the same in all messages. */
	frame(raw: JSONRPCMessage): void {
		const { jsonrpc, id, method } = jsonObjectOf(raw);
		if (jsonrpc === "2.0") return;
		const found = jsonrpc === undefined ? "it is missing" : `it is ${oneLine(JSON.stringify(jsonrpc), 40)}`;
		const message = typeof method === "string" ? oneLine(method, 60) : id === undefined ? "a message" : "an answer";
		this.noting("json-rpc", message, message, (note) => note("jsonrpc", `${found}; it must be "2.0"`));
	}

	/** Notes that an answer was matched with its request though its id is another one. */
	otherId(id: unknown, method: string | undefined): void {
		const found = id === undefined ? "it is missing" : `it is ${oneLine(JSON.stringify(id), 40)}`;
		const reading = `${found.replace(/\d+/g, "…")}; it must be equal to the id of the request`;
		this.noting("json-rpc", `the answer to ${method ?? "a request"}`, method, (note) => note("id", reading));
	}

	/** The answer to the request `id` of a method; without one, its result is not brought to a form. Never throws. */
	answer(id: RequestId, method: string | undefined, raw: RawAnswer): JSONRPCResultResponse | JSONRPCErrorResponse {
		const hasError = raw.error !== undefined && raw.error !== null;
		const what = `the answer to ${method ?? "a request"}`;
		if (hasError || raw.result === undefined || raw.result === null)
			return this.noting("json-rpc", what, method, (note) => wellFormed(id, raw, note));
		return this.noting("tolerated", what, method, (note) => {
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
		const read = isEmpty
			? undefined
			: this.noting("tolerated", what, oneLine(name, 60), (note) => readGenerously(params, note));
		const content = { method: name, ...(isJsonObject(read) ? { params: read } : {}) };
		if (usable === undefined) return { kind: "notification", message: { jsonrpc: "2.0", ...content } };
		return { kind: "request", message: { jsonrpc: "2.0", id: usable, ...content } };
	}

	private noting<T>(rule: DepartureRule, what: string, message: string | undefined, read: (note: NoteReading) => T): T {
		const notes = new Set<string>();
		const value = read((place, reading) => notes.add(`${oneLine(place, 100)} (${reading})`));
		this.about = { rule, message: message ?? what };
		this.said.say(notes, (news) => `Tolerated in ${what}: ${news.join(", ")}.`, what);
		return value;
	}

	private report(sentence: string, news: readonly string[]): void {
		const { rule, message } = this.about ?? { rule: "tolerated" as const, message: "" };
		const departures = news.map((one): Departure => {
			const path = one.slice(0, one.indexOf(" ("));
			const reading = one.slice(path.length + 2, -1);
			return { rule, what: `${path}: ${reading}.`, message, path };
		});
		this.tell(sentence, departures);
	}
}
