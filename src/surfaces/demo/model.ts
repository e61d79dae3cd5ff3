import { setImmediate, setTimeout } from "node:timers/promises";
import { HostError } from "../../base/errors.ts";
import { demoModelInfo } from "../../models/demoModelInfo.ts";
import type { ChatModel, ModelEvent, ModelMessage, ModelRequestOptions } from "../../models/model.ts";
import { play } from "./script/play.ts";
import { isoDate } from "./world/dates.ts";

/** How the demo model runs; the defaults are for interactive use. */
export interface DemoModelOptions {
	/** Milliseconds from word to word. */
	readonly pace?: number;
	/** The current day. */
	readonly now?: () => Date;
}

/**
 * Makes the demo model: a local script that plays the vacation story with the tools of the demo server and says in every
 * answer that it is a script. Its answers depend on nothing but the messages, the tools and the day.
 * The iteration rejects with a HostError `cancelled` when the signal is aborted.
 */
export function createDemoModel({ pace = 12, now = () => new Date() }: DemoModelOptions = {}): ChatModel {
	return { info: demoModelInfo, respond: (messages, options) => respond(messages, options, pace, isoDate(now())) };
}

async function* respond(
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
	pace: number,
	today: string,
): AsyncGenerator<ModelEvent> {
	const tools = options.toolChoice === "none" ? [] : (options.tools ?? []);
	const { text: whole, call } = play(messages, tools, today);
	const { text, reason } = limit(whole, options);
	for (const word of text.match(/\s*\S+\s*|\s+/g) ?? []) {
		await pause(pace, options.signal);
		yield { type: "text", text: word };
	}
	const isCalling = call !== undefined && reason === undefined;
	if (isCalling) yield { type: "tool-call", ...call };
	yield {
		type: "done",
		stopReason: reason ?? (isCalling ? "toolUse" : "endTurn"),
		model: demoModelInfo.id,
		usage: { inputTokens: countTokens(JSON.stringify(messages)), outputTokens: countTokens(text) },
	};
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
	try {
		if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal });
		else await setImmediate(undefined, { signal });
	} catch (error) {
		throw new HostError("cancelled", "The answer of the demo model was cancelled.", { cause: error });
	}
}

/** The length of one token. Close enough for a script. */
const charactersPerToken = 4;

/** How many tokens a text is taken for. */
function countTokens(text: string): number {
	return Math.ceil(text.length / charactersPerToken);
}

/** The text up to the first stop sequence or the limit of tokens, with the cause of an early end if any. */
function limit(
	text: string,
	{ maxTokens = Infinity, stopSequences = [] }: Pick<ModelRequestOptions, "maxTokens" | "stopSequences">,
): { readonly text: string; readonly reason?: "maxTokens" | "stopSequence" } {
	const stops = stopSequences.filter((stop) => stop !== "").map((stop) => text.indexOf(stop));
	const stop = Math.min(text.length, ...stops.filter((index) => index >= 0));
	const most = maxTokens * charactersPerToken;
	if (Math.min(stop, text.length) > most) return { text: text.slice(0, most), reason: "maxTokens" };
	return stop < text.length ? { text: text.slice(0, stop), reason: "stopSequence" } : { text };
}
