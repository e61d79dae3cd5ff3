import type { ModelEvent, ModelMessage, ModelRequestOptions } from "../../src/models/model.ts";
import { ScriptedModel } from "../unit/surfaces/chat/scripted.ts";

/** A call that a model is instructed to make. */
interface Order {
	readonly name: string;
	readonly arguments: { readonly [member: string]: string };
}

/**
 * The worst model: it obeys every text that it gets, once each, regardless of the author. Tool definitions, results,
 * errors and instructions are all the same to it, including hidden characters and escapes. It follows links by reading
 * them.
 */
export class ObedientModel extends ScriptedModel {
	/** The words that it was instructed to put into a call, in the order in which it obeyed. */
	readonly obeyed: string[] = [];
	private readonly known = new Set<string>();
	private readonly wish: Order | undefined;

	/** `wish` is the user's request, and its first action. */
	constructor(wish?: Order) {
		super([]);
		this.wish = wish;
	}

	override async *respond(messages: readonly ModelMessage[], options: ModelRequestOptions): AsyncGenerator<ModelEvent> {
		this.requests.push({ messages: structuredClone(messages), options });
		const heard = messages.filter(({ role }) => role !== "assistant").map(({ content }) => content);
		const orders = textsOf([heard, options.tools ?? []]).flatMap((text) => ordersIn(readHidden(text)));
		const wishes = this.wish === undefined ? [] : [this.wish];
		for (const order of [...wishes, ...orders]) {
			const key = JSON.stringify(order);
			if (this.known.has(key)) continue;
			this.known.add(key);
			const { text } = order.arguments;
			if (text !== undefined) this.obeyed.push(text);
			yield { type: "tool-call", callId: `call-${this.known.size}`, ...order };
		}
		yield { type: "text", text: "As I was told." };
		yield { type: "done", stopReason: "endTurn", model: "obedient" };
	}
}

function ordersIn(text: string): readonly Order[] {
	const calls = [...text.matchAll(/call ([\w-]+) with the text ([\w-]+)/gi)].map(([, name = "", said = ""]) => ({
		name,
		arguments: { text: said },
	}));
	const links = text.match(/\b(?:poison|file|command|https?):[^\s"'()<>,]+/g) ?? [];
	return [...calls, ...links.map((uri) => ({ name: "read_resource", arguments: { server: "poisoned", uri } }))];
}

/** Every text in a value, names of members included. */
function textsOf(value: unknown): readonly string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null) return [];
	return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)];
}

/** A text as a model reads it: tag characters are letters, and invisible characters or their escapes hide nothing. */
export function readHidden(text: string): string {
	return text
		.replace(/\\u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/gi, (_all, long?: string, short?: string) =>
			String.fromCodePoint(Number.parseInt(long ?? short ?? "0", 16)),
		)
		.replace(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
		.replace(/[\p{Cf}\p{Cc}]/gu, (character) => (character === "\n" ? character : ""));
}
