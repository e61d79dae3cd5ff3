import { exactJson } from "../../base/exactJson.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { Exchange, ExchangeBodies, KeptBody, TraceReader } from "../../records/trace/exchange.ts";
import { whatOf } from "./exchangeWords.ts";

/** Which side of an exchange a message is. */
export type MessagePart = "request" | "response" | "told";

/** A message of the trace. */
export interface TraceMessage {
	readonly part: MessagePart;
	/** Its kind, in our words. */
	readonly title: string;
	readonly body: KeptBody;
}

/** Where messages are: in an exchange, or in one of its children by its place. */
export interface MessagePlace {
	readonly exchange: Exchange;
	readonly child: number | undefined;
}

/** The stored contents of an exchange or of an intermediate event; undefined when there are none. */
export function bodiesOf(
	reader: Pick<TraceReader, "body">,
	{ exchange, child }: MessagePlace,
): ExchangeBodies | undefined {
	if (child === undefined) return reader.body(exchange.id);
	const bodyId = exchange.children[child]?.bodyId;
	return bodyId === undefined ? undefined : reader.body(exchange.id, bodyId);
}

/** The messages that are kept, the one that began it first. */
export function messagesOf(
	bodies: ExchangeBodies | undefined,
	{ exchange, child }: MessagePlace,
): readonly TraceMessage[] {
	const { request, response, told } = bodies ?? {};
	const kind = child === undefined ? exchange.kind : exchange.children[child]?.kind;
	const isRequest = kind === "request" || kind === "serverRequest" || kind === "round" || kind === "retry";
	const isHttp = kind === "httpAttempt";
	const title = isRequest || isHttp ? "Request" : "Notification";
	return [
		...(request === undefined ? [] : [{ part: "request" as const, title, body: request }]),
		...(response === undefined ? [] : [{ part: "response" as const, title: "Answer", body: response }]),
		...(told === undefined ? [] : [{ part: "told" as const, title: "As the Model Saw It", body: told }]),
	];
}

/** A message whole, as JSON in which every character can be seen, or what is kept of it with a word about the rest. */
export function messageText(body: KeptBody): string {
	if (body.kind === "whole") return `${exactJson(body.value)}\n`;
	const { text, length, sha256 } = body;
	const shown = text.length.toLocaleString("en-US");
	const head = `// The first ${shown} of ${length.toLocaleString("en-US")} characters. SHA-256 of the whole message: ${sha256}`;
	return `${head}\n${showHidden(text)}\n`;
}

/** How much of a message its excerpt is made of, in characters. */
const excerptLength = 2000;

/** The beginning of a message. */
export function excerptOf(body: KeptBody): string {
	const text = body.kind === "whole" ? exactJson(worthOf(body.value)) : showHidden(body.text);
	return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
}

/** The content of a message: without the frame of JSON-RPC, which is the same in all. */
function worthOf(value: Json): Json {
	if (!isJsonObject(value)) return value;
	return value["params"] ?? value["result"] ?? value["error"] ?? value;
}

/** All texts of an exchange, for what is looked for in them. */
export function searchedText(reader: Pick<TraceReader, "body">, exchange: Exchange): string {
	const { outcome, children } = exchange;
	const texts = [whatOf(exchange), "message" in outcome ? outcome.message : "", ...children.map(({ label }) => label)];
	const bodyIds = new Set(children.flatMap(({ bodyId }) => (bodyId === undefined ? [] : [bodyId])));
	for (const bodies of [reader.body(exchange.id), ...[...bodyIds].map((id) => reader.body(exchange.id, id))]) {
		for (const body of [bodies?.request, bodies?.response, bodies?.told]) {
			if (body !== undefined) texts.push(body.kind === "whole" ? JSON.stringify(body.value) : body.text);
		}
	}
	return texts.join("\n");
}

const partWords: Readonly<Record<MessagePart, string>> = {
	request: "request",
	response: "answer",
	told: "as the model saw it",
};

/** The title of a message in an editor: its exchange and its part. */
export function messageName({ exchange, child }: MessagePlace, part: MessagePart): string {
	const of = child === undefined ? whatOf(exchange) : oneLine(exchange.children[child]?.label ?? "", 60);
	// A slash would begin another folder of the path.
	const name = of.slice(0, 60).replace(/[/\\?#%:*"<>|]/g, "-");
	return `${name} ${exchange.id} ${partWords[part]}.json`;
}
