import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { SaidOnce } from "../messages/saidOnce.ts";
import { isAnswer, isUnnamedAnswer, messagesIn, readAsNull, readWireText, usableId } from "../messages/wireText.ts";

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
	 * The JSON of the placeholder of each message in a text; undefined if there is none. An answer without a request's id
	 * answers `id`, the request whose response this text belongs to, if there is one.
	 */
	standIns(text: string, id: RequestId | undefined): readonly string[] | undefined {
		if (id === undefined) this.unasked++;
		const found = readWireText(text.trim());
		if (found.kind === "json") this.said.say(found.numbers, readAsNull);
		const messages =
			found.kind === "none" ? undefined : found.kind === "broken" ? [found.message] : messagesIn(found.value);
		return messages
			?.map((message) => (id !== undefined && isUnnamedAnswer(message) ? Object.assign({}, message, { id }) : message))
			.map((message) => JSON.stringify(this.standIn(message)));
	}

	/** Reports that the data of an event are not a message. */
	noteSkipped(data: string): void {
		this.said.say(
			[""],
			() => `The server's event stream contains data that is not a message; it is skipped: ${oneLine(data, 200)}`,
		);
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
