import { HostError, messageOf } from "../../../base/errors.ts";
import { cap, oneLine, showHidden } from "../../../base/text.ts";
import { untilAborted } from "../../../base/untilAborted.ts";
import { isUnused } from "../../../models/failure.ts";
import type {
	ChatModel,
	ModelEvent,
	ModelInfo,
	ModelPart,
	ModelRequestOptions,
	ModelStopReason,
	TokenUse,
} from "../../../models/model.ts";
import { fewestRequestTokens } from "../../../models/fewestTokens.ts";
import { believableUse, type MeasuredUse } from "../../../models/reportedUse.ts";
import { estimateTokens } from "../../../models/tokens.ts";
import { type CompletionPart, toolUseOf } from "../answer.ts";
import type { ApprovedRequest } from "../fields.ts";

/** The longest completion that is read, in characters. */
const completionLimit = 4_000_000;

/** How much of a model's thoughts is kept for the user, in characters. */
const longestThoughts = 200_000;

/** How a model's answer ended. For every end, the earlier output is in {@link Generation.parts}. */
export type GenerationEnd =
	| {
			readonly kind: "answered";
			readonly stopReason: ModelStopReason;
			readonly model: string;
			/** Parameters that the model did not take. */
			readonly without: readonly string[];
	  }
	| { readonly kind: "failed"; readonly message: string }
	| { readonly kind: "stopped" };

/** One answer of a model to an approved request. The request is sent once, when `run` is called. */
export class Generation {
	readonly model: ModelInfo;
	private readonly chatModel: ChatModel;
	private readonly approved: ApprovedRequest;
	private readonly inputTokens: number;
	private readonly scope: string;
	private readonly controller = new AbortController();
	private readonly calls: CompletionPart[] = [];
	private written = "";
	private thought = "";
	private pause: string | undefined;
	private isThinking = false;
	private hasAnswered = false;
	private wasRefused = false;
	private usage: TokenUse | undefined;

	/**
	 * `inputTokens` is the estimate of the request, which counts if the provider reports nothing. `server` is the id of
	 * the requesting one: it repeats the calls of earlier answers, but never sees the model's opaque data with them
	 * (MDL-03).
	 */
	constructor(chatModel: ChatModel, approved: ApprovedRequest, inputTokens: number, server: string) {
		this.scope = `sampling ${server}`;
		this.model = chatModel.info;
		this.chatModel = chatModel;
		this.approved = approved;
		this.inputTokens = inputTokens;
	}

	/** The text that has arrived so far. */
	get text(): string {
		return this.written;
	}

	/**
	 * The model's thoughts, with hidden characters shown; empty if it reported none. They are for the user alone: no part
	 * of the completion, and in no record (MDL-14).
	 */
	get thoughts(): string {
		return showHidden(cap(this.thought, longestThoughts));
	}

	/** The model's activity beside writing text; undefined when there is none. */
	get note(): string | undefined {
		if (this.pause !== undefined) return this.pause;
		if (this.isThinking) return "The model is thinking.";
		const names = this.calls.flatMap((part) => (part.type === "tool-use" ? [oneLine(part.name, 60)] : []));
		return names.length === 0 ? undefined : `The model calls ${names.join(", ")}.`;
	}

	/** The parts so far: the text, if any, then the tool calls. */
	get parts(): readonly CompletionPart[] {
		return this.written === "" ? [...this.calls] : [{ type: "text", text: this.written }, ...this.calls];
	}

	/** Its usage: as the provider reports it if plausible, otherwise estimates of the sent and received text. */
	get used(): MeasuredUse {
		// A provider that refuses the request, or is not there, takes nothing for it.
		if (this.wasRefused && !this.hasAnswered) return { inputTokens: 0, outputTokens: 0, isEstimated: true };
		const calls = this.calls.map((call) => estimateTokens(JSON.stringify(call)));
		const outputTokens = calls.reduce((sum, tokens) => sum + tokens, estimateTokens(this.written));
		const { messages, tools } = this.approved;
		const fewest = {
			inputTokens: fewestRequestTokens(messages, tools),
			outputTokens: fewestRequestTokens([{ role: "assistant", content: this.parts.map(toModelPart) }]),
		};
		return believableUse(this.usage, { inputTokens: this.inputTokens, outputTokens }, fewest);
	}

	/** Ends the answer here, immediately, whether or not the model respects it. */
	stop(): void {
		this.controller.abort();
	}

	/** Sends the request and reads the answer; `onProgress` receives each piece. Never rejects. */
	async run(onProgress: () => void): Promise<GenerationEnd> {
		const { signal } = this.controller;
		try {
			const answer = this.chatModel.respond(this.approved.messages, this.options());
			for await (const event of untilAborted(stoppingAt(answer, this.approved.stopSequences), signal)) {
				if (signal.aborted) break;
				const end = this.take(event);
				if (end !== undefined) return end;
				onProgress();
			}
			if (signal.aborted) return { kind: "stopped" };
			throw new HostError("model", "The answer was interrupted.");
		} catch (error) {
			if (signal.aborted) return { kind: "stopped" };
			this.wasRefused = isUnused(error);
			return { kind: "failed", message: messageOf(error) };
		} finally {
			this.controller.abort();
		}
	}

	private options(): ModelRequestOptions {
		const { maxTokens, temperature, stopSequences, tools, toolChoice, metadata } = this.approved;
		return {
			signal: this.controller.signal,
			isApprovedOnce: true,
			scope: this.scope,
			maxTokens,
			...(temperature !== undefined && { temperature }),
			...(stopSequences.length > 0 && { stopSequences }),
			...(tools.length > 0 && { tools }),
			...(tools.length > 0 && toolChoice !== undefined && { toolChoice }),
			...(metadata !== undefined && { metadata }),
		};
	}

	private take(event: ModelEvent): GenerationEnd | undefined {
		this.pause = undefined;
		this.isThinking = false;
		switch (event.type) {
			case "waiting":
				this.pause = `${event.reason}, trying again in ${Math.ceil(event.afterMs / 1000)} s`;
				return undefined;
			case "reasoning":
				this.hasAnswered = true;
				this.isThinking = true;
				if (event.isLate === true) this.written = "";
				if (this.thought.length <= longestThoughts) this.thought += event.text;
				return undefined;
			case "text":
				this.hasAnswered = true;
				this.written += event.text;
				if (this.written.length > completionLimit) throw new HostError("model", "The answer is too long.");
				return undefined;
			case "tool-call":
				this.hasAnswered = true;
				this.call(event);
				return undefined;
			case "done":
				this.hasAnswered = true;
				this.usage = event.usage;
				return {
					kind: "answered",
					stopReason: event.stopReason,
					model: event.model || this.model.name,
					without: event.without ?? [],
				};
			default:
				return event satisfies never;
		}
	}

	private call(event: Extract<ModelEvent, { type: "tool-call" }>): void {
		const use = toolUseOf(event, this.approved);
		if ("problem" in use) throw new HostError("model", use.problem);
		this.calls.push(use);
	}
}

/** A part as the model wrote it, except the name of a tool, which is the server's. */
function toModelPart(part: CompletionPart): ModelPart {
	return part.type === "text" ? part : { type: "tool-call", callId: part.id, name: "", arguments: part.input };
}

/**
 * The model's output up to the first stop sequence, which is not part of it. Some models and endpoints do not support
 * stop sequences, and a server that requested one must not get the text after it. The model is stopped there, and the
 * answer ends with `stopSequence`. Text that could become a stop sequence is held back until that is known. Where two
 * overlap, the one that is complete first ends the answer, as with a provider, however the answer is split into pieces.
 */
export async function* stoppingAt(
	events: AsyncIterable<ModelEvent>,
	stopSequences: readonly string[],
): AsyncGenerator<ModelEvent> {
	let held = "";
	for await (const event of events) {
		if (event.type !== "text") {
			if (event.type === "reasoning" && event.isLate === true) held = "";
			if (event.type !== "waiting" && event.type !== "reasoning" && held !== "") {
				yield { type: "text", text: held };
				held = "";
			}
			yield event;
			continue;
		}
		held += event.text;
		const end = firstOf(held, stopSequences);
		const ready = end ?? held.length - unfinished(held, stopSequences);
		if (ready > 0) yield { type: "text", text: held.slice(0, ready) };
		if (end !== undefined) {
			// Leaving the loop ends the model's answer.
			yield { type: "done", stopReason: "stopSequence", model: "" };
			return;
		}
		held = held.slice(ready);
	}
}

/** The beginning of the stop sequence that is complete first; of two that end together, the longer one. */
function firstOf(text: string, stopSequences: readonly string[]): number | undefined {
	const found = stopSequences
		.map((stop) => ({ start: text.indexOf(stop), length: stop.length }))
		.filter(({ start }) => start >= 0);
	const [first] = found.toSorted(
		(one, other) => one.start + one.length - other.start - other.length || one.start - other.start,
	);
	return first?.start;
}

/** How many characters at the end of a text may be the beginning of a stop sequence. */
function unfinished(text: string, stopSequences: readonly string[]): number {
	let most = 0;
	for (const stop of stopSequences) {
		for (let length = Math.min(stop.length - 1, text.length); length > most; length--) {
			if (text.endsWith(stop.slice(0, length))) most = length;
		}
	}
	return most;
}
