import { isJsonObject, type Json } from "../../base/json.ts";
import { jsonOf } from "../../base/guards.ts";
import { cap } from "../../base/text.ts";
import { keptWith, readKept, sizeOf } from "../../models/kept/keptFields.ts";
import type { ModelMessage, ModelPart } from "../../models/model.ts";
import { linkTo } from "./stream.ts";
import type { TurnRecord } from "./turn.ts";

/** A turn of this participant as VS Code stores it. */
export interface PastTurn {
	/** The user's message. */
	readonly prompt: string;
	/** The answer as text, for turns without usable metadata (such as cancelled ones). */
	readonly answer: string;
	/** The metadata that `toMetadata` made, as VS Code returns it: unchecked. */
	readonly metadata: unknown;
}

/** The key of our part of a chat result's metadata, and the version of its shape. */
const key = "mcpHost";
const version = 1;

/** The limits for one result and one turn in the stored history: VS Code stores it with the chat (SEC-03). */
const longestText = 4000;
const longestTurn = 40_000;
/** The limit for opaque data that models need back with their answers; it cannot be cut. */
const longestKept = 200_000;

/** Characters of history for each token that the model can read; the rest is for this turn and the tools. */
const charactersPerToken = 1.5;

/** Our links are parts of their own: a model would take them for its own words, and write such ones. */
const anyLink = linkTo("");

/**
 * The answer of a turn by its displayed parts. Empty if a server asked the user something there: their answer is for
 * that server alone, and one part may contain both. `questionLink` is the beginning of links below such questions.
 */
export function answerOf(shown: readonly string[], questionLink: string): string {
	if (shown.some((text) => text.includes(questionLink))) return "";
	return shown.filter((text) => !text.includes(anyLink)).join("");
}

/** The data to store with a turn for later ones: bounded, without images and audio. */
export function toMetadata(record: TurnRecord): { readonly [key: string]: Json } {
	const messages: readonly ModelMessage[] = record.messages.map(({ role, content }) => ({
		role,
		content: content.map(shorten),
	}));
	const isLong = JSON.stringify(messages).length > longestTurn;
	const { ending } = record;
	const stored = isLong ? withoutTools(messages) : withKept(messages, record.messages);
	return { [key]: { version, ending, messages: jsonOf(stored) } };
}

/** The messages with the kept data of each; if all of it is too much, only that of the latest ones (MDL-01). */
function withKept(messages: readonly ModelMessage[], said: readonly ModelMessage[]): readonly ModelMessage[] {
	let left = longestKept;
	const stored: ModelMessage[] = [];
	for (const [index, message] of [...messages.entries()].toReversed()) {
		const kept = said[index]?.kept;
		left -= kept === undefined ? 0 : sizeOf(kept);
		stored.unshift({ ...message, ...keptWith(left < 0 ? undefined : kept) });
	}
	return stored;
}

/**
 * The conversation so far as messages, the newest turns that fit into part of the model's context. Whole turns only, so
 * that no tool call loses its result; in each the user begins and the model ends, since many models refuse two messages
 * of one of them in a row.
 */
export function toMessages(turns: readonly PastTurn[], maxInputTokens: number): readonly ModelMessage[] {
	let left = maxInputTokens * charactersPerToken;
	const kept: (readonly ModelMessage[])[] = [];
	for (const turn of turns.toReversed()) {
		const messages = takingTurns(readMetadata(turn.metadata) ?? plainTurn(turn), turn.metadata);
		left -= JSON.stringify(messages).length;
		if (left < 0) break;
		kept.unshift(messages);
	}
	return kept.flat();
}

/** Consecutive messages of one role are merged, and a missing answer is replaced by a word of ours. */
function takingTurns(messages: readonly ModelMessage[], metadata: unknown): readonly ModelMessage[] {
	const taking: ModelMessage[] = [];
	for (const message of messages) {
		const last = taking.at(-1);
		if (last?.role !== message.role) taking.push(message);
		else {
			const content = [...last.content, ...message.content];
			taking[taking.length - 1] = { role: last.role, content, ...keptWith(message.kept ?? last.kept) };
		}
	}
	if (taking.at(-1)?.role !== "user") return taking;
	const own = isJsonObject(metadata) ? metadata[key] : undefined;
	const isComplete = isJsonObject(own) && own["ending"] === "complete";
	const text = isComplete ? "(Noted.)" : "(This answer ended before it was complete.)";
	return [...taking, { role: "assistant", content: [{ type: "text", text }] }];
}

function plainTurn({ prompt, answer }: PastTurn): readonly ModelMessage[] {
	const said = (role: "user" | "assistant", text: string): readonly ModelMessage[] =>
		text.trim() === "" ? [] : [{ role, content: [{ type: "text", text: cap(text, longestTurn) }] }];
	return [...said("user", prompt), ...said("assistant", answer)];
}

function shorten(part: ModelPart): ModelPart {
	switch (part.type) {
		case "text":
			return { type: "text", text: cap(part.text, longestTurn / 2) };
		case "image":
		case "audio":
			return { type: "text", text: `(${part.mimeType} of an earlier turn)` };
		case "tool-call": {
			const isLong = JSON.stringify(part.arguments).length > longestText;
			const { type, callId, name } = part;
			return { type, callId, name, arguments: isLong ? { note: "(too long to keep)" } : part.arguments };
		}
		case "tool-result":
			return {
				...part,
				content: part.content.map((inner) =>
					inner.type === "text" ? { ...inner, text: cap(inner.text, longestText) } : shorten(inner),
				),
			};
	}
}

/** The text of both roles, for a turn whose calls and results are too long to keep. */
function withoutTools(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const texts = messages.map(({ role, content }) => ({ role, content: content.filter(({ type }) => type === "text") }));
	let left = longestTurn;
	return texts.filter(({ content }) => content.length > 0 && (left -= JSON.stringify(content).length) > 0);
}

/** The messages of our metadata, or undefined if it is not ours, of another version, or damaged (SEC-08). */
function readMetadata(metadata: unknown): readonly ModelMessage[] | undefined {
	const own = isJsonObject(metadata) ? metadata[key] : undefined;
	if (!isJsonObject(own) || own["version"] !== version || !Array.isArray(own["messages"])) return undefined;
	const messages: ModelMessage[] = [];
	for (const message of own["messages"] as readonly unknown[]) {
		if (!isJsonObject(message) || !Array.isArray(message["content"])) return undefined;
		const role = message["role"];
		const content = (message["content"] as readonly unknown[]).map(readPart);
		// A conversation never brings a system message with it.
		if ((role !== "user" && role !== "assistant") || content.includes(undefined)) return undefined;
		const kept = role === "assistant" ? readKept(message["kept"]) : undefined;
		messages.push({ role, content: content.filter((part) => part !== undefined), ...keptWith(kept) });
	}
	return hasPairedCalls(messages) ? messages : undefined;
}

function readPart(part: unknown): ModelPart | undefined {
	if (!isJsonObject(part)) return undefined;
	const { type, text, callId, name, arguments: args, content, isError } = part;
	if (type === "text" && typeof text === "string") return { type, text };
	if (typeof callId !== "string") return undefined;
	if (type === "tool-call" && typeof name === "string" && isJsonObject(args))
		return { type, callId, name, arguments: args };
	if (type !== "tool-result" || !Array.isArray(content)) return undefined;
	const inner = (content as readonly unknown[]).map(readPart);
	if (inner.some((one) => one?.type !== "text")) return undefined;
	return { type, callId, content: inner.filter((one) => one !== undefined), isError: isError === true };
}

/** Endpoints refuse calls without results, and results without calls. */
function hasPairedCalls(messages: readonly ModelMessage[]): boolean {
	const open = new Set<string>();
	for (const { content } of messages) {
		for (const part of content) {
			if (part.type === "tool-call") open.add(part.callId);
			if (part.type === "tool-result" && !open.delete(part.callId)) return false;
		}
	}
	return open.size === 0;
}
