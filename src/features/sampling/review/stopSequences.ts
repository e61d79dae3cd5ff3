import type { ModelEvent } from "../../../models/model.ts";

/**
 * What a model says up to the first stop sequence, which is not part of it: some models and endpoints do not know stop
 * sequences, and a server that asked for one must not get what follows it. The model is stopped there, and the answer ends
 * with `stopSequence`. What could become a stop sequence is held back until that is known. Where two overlap, the one that
 * is complete first ends the answer, as with a provider, however the answer is cut into pieces.
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

/** Where the stop sequence begins that is complete first; of two that end together the longer one. */
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
