import { type ProtocolError, SdkHttpError } from "@modelcontextprotocol/client";
import { reasonIn, saysOf } from "../../base/senderWords.ts";
import { wordsWithoutSecrets } from "../../base/secrets/judge.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";
import { causesOf } from "./networkFault.ts";
import { type Words, wordsOf } from "./responseWords.ts";

/** The parts of an error response that give the reason. */
export interface HttpRefusal {
	readonly headers: Headers;
	/** Secrets of the request that may be repeated in the answer and must not be shown. */
	readonly secrets: readonly string[];
	/** The body, where the SDK does not pass it on. */
	readonly text?: string;
}

const kept = new WeakMap<Error, Words>();

/** Keeps with an error of the SDK why the server refused: the SDK passes on its status and its body only. */
export function keepWords(error: unknown, refusal: HttpRefusal | undefined): void {
	if (!(error instanceof SdkHttpError)) return;
	const { headers, secrets, text } = refusal ?? { headers: new Headers(), secrets: [] };
	kept.set(error, wordsOf(error.data["text"] ?? text, headers, secrets));
}

/** Attaches the reason and the wait of an HTTP error to the error that it became. */
export function keepWait(error: Error, from: SdkHttpError): void {
	kept.set(error, { wait: kept.get(from)?.wait ?? "", says: "" });
}

/** Gives an error that the SDK made of a refusal the words of that refusal. */
export function shareWords(error: unknown, refusal: SdkHttpError | undefined): void {
	const words = refusal === undefined ? undefined : kept.get(refusal);
	for (const cause of causesOf(error)) {
		if (!(cause instanceof SdkHttpError) || kept.has(cause)) continue;
		if (words !== undefined && cause.status === refusal?.status) kept.set(cause, words);
	}
}

/** The words attached to an error or its causes: sentences to follow ours; empty if there are none. */
export function wordsIn(error: unknown): string {
	const errors = causesOf(error).filter((cause) => cause instanceof Error);
	const words = errors.map((cause) => kept.get(cause)).find((one) => one !== undefined);
	return words === undefined ? "" : words.wait + words.says;
}

/** The message of an error of the protocol, on one line: a validator's dump as its words, without what looks like a key. */
export function messageIn({ message }: ProtocolError, limit: number): string {
	return oneLine(withoutTerminal(wordsWithoutSecrets(reasonIn(message) ?? message)), limit);
}

/** The content of `data` in a protocol error, beside its message, as `wordsIn`. */
export function dataWords({ message, data }: ProtocolError): string {
	if (data === undefined || data === null) return "";
	const told = reasonIn(data) ?? (typeof data === "string" ? "" : JSON.stringify(data));
	// Much of it repeats what the message says.
	const values = typeof data === "object" ? Object.values(data) : [data];
	return message.includes(told) || values.every((value) => message.includes(String(value))) ? "" : saysOf(told);
}
