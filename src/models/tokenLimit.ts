import { estimateTokens } from "./tokens.ts";
import type { ModelEvent } from "./model.ts";

/**
 * A model's output within a number of tokens, for models that may not respect it: the answer is cut there, ends with
 * `maxTokens`, and the model is stopped. `count` returns how many tokens a text is for this model; if it fails, or
 * there is none, the host's estimate counts. Without a limit everything passes.
 */
export async function* withinTokens(
	events: AsyncIterable<ModelEvent>,
	most: number | undefined,
	count: (text: string) => PromiseLike<number> | number = estimateTokens,
): AsyncGenerator<ModelEvent> {
	const measure = async (text: string): Promise<number> => {
		try {
			return await count(text);
		} catch {
			return estimateTokens(text);
		}
	};
	let said = "";
	// Counting has a cost, and no token is less than a byte: this many bytes may pass before the next count.
	let room = most ?? 0;
	for await (const event of events) {
		if (event.type === "text" && most !== undefined) {
			room -= Buffer.byteLength(event.text);
			if (room < 0) {
				const tokens = await measure(said + event.text);
				if (tokens > most) {
					const text = await fitting(said, event.text, async (whole) => (await measure(whole)) <= most);
					if (text !== "") yield { type: "text", text };
					yield { type: "done", stopReason: "maxTokens", model: "" };
					return;
				}
				room = most - tokens;
			}
			said += event.text;
		}
		yield event;
	}
}

/** As much of a text as fits behind another. */
async function fitting(before: string, text: string, fits: (whole: string) => Promise<boolean>): Promise<string> {
	let length = 0;
	for (let tooLong = text.length; tooLong - length > 1;) {
		const middle = Math.floor((length + tooLong) / 2);
		if (await fits(before + text.slice(0, middle))) length = middle;
		else tooLong = middle;
	}
	// Not half of a character.
	return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
