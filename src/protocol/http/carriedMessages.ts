import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { SaidOnce } from "../messages/saidOnce.ts";
import { isAnswer, isUnnamedAnswer, messagesIn, readWireText, usableId } from "../messages/wireText.ts";

/** The method of the placeholder for a message without an answer's id. */
const standInMethod = "notifications/carried";
const member = "carried";

/**
 * Carries messages past the transports of the SDK, whose schema would refuse some readable ones and report a
 * validator's words. The SDK gets a placeholder for each message, and the host gets the received message.
 */
export class CarriedMessages {
	private readonly carried = new Map<number, JSONRPCMessage>();
	private readonly said: SaidOnce;
	private count = 0;
	private unasked = 0;

	/** `say` gets a sentence for the server's log. */
	constructor(say: (sentence: string) => void) {
		this.said = new SaidOnce(say);
	}

	/** How many events arrived on streams that answer no request. */
	get unaskedEvents(): number {
		return this.unasked;
	}

	/**
	 * The messages in a text; undefined if there is none. An answer without a request's id answers `id`, the request
	 * whose response this text is, if there is one.
	 */
	read(text: string, id: RequestId | undefined): readonly JSONRPCMessage[] | undefined {
		const found = readWireText(text.trim());
		if (found.kind === "none") return undefined;
		if (found.kind === "json" && found.numbers.length > 0) {
			this.said.say(
				found.numbers,
				(news) => `The server sends numbers that JSON does not allow; they are read as null: ${news.join(", ")}.`,
			);
		}
		const messages = found.kind === "broken" ? [found.message] : messagesIn(found.value);
		return messages?.map((message) =>
			id !== undefined && isUnnamedAnswer(message) ? Object.assign({}, message, { id }) : message,
		);
	}

	/** The JSON that the SDK gets in place of messages: a list, or the one message of an event. */
	standIns(messages: readonly JSONRPCMessage[], isEvent: boolean): string {
		const all = messages.map((message) => this.standIn(message));
		return JSON.stringify(isEvent && all.length === 1 ? all[0] : all);
	}

	/** The events that the SDK gets in place of the data of an event: none for data that are not a message. */
	ofEvent(data: string, id: RequestId | undefined): readonly string[] {
		const messages = this.read(data, id);
		if (id === undefined) this.unasked++;
		if (messages !== undefined) return messages.map((message) => this.standIns([message], true));
		this.said.say(
			[""],
			() => `The server's event stream contains data that is not a message; it is skipped: ${oneLine(data, 200)}`,
		);
		return [];
	}

	/** The message of a placeholder. Any other value is returned unchanged. */
	take(message: JSONRPCMessage): JSONRPCMessage {
		const holder: unknown = "method" in message ? message.params : "result" in message ? message.result : undefined;
		const key = isJsonObject(holder) ? holder[member] : undefined;
		const taken = typeof key === "number" ? this.carried.get(key) : undefined;
		if (taken === undefined || typeof key !== "number") return message;
		this.carried.delete(key);
		return taken;
	}

	private standIn(message: JSONRPCMessage): JSONRPCMessage {
		this.carried.set(++this.count, message);
		const content = { [member]: this.count };
		const id = isAnswer(message) ? usableId(message) : undefined;
		if (id === undefined) return { jsonrpc: "2.0", method: standInMethod, params: content };
		return { jsonrpc: "2.0", id, result: content };
	}
}
