import type { ModelRequestOptions } from "../../models/model.ts";

/** What counts as one token. Close enough for a script. */
const charactersPerToken = 4;

/** How many tokens a text is taken for. */
export function countTokens(text: string): number {
	return Math.ceil(text.length / charactersPerToken);
}

/** The text up to the first stop sequence or the limit of tokens, with what ended it early if anything did. */
export function limit(
	text: string,
	{ maxTokens = Infinity, stopSequences = [] }: Pick<ModelRequestOptions, "maxTokens" | "stopSequences">,
): { readonly text: string; readonly reason?: "maxTokens" | "stopSequence" } {
	const stops = stopSequences.filter((stop) => stop !== "").map((stop) => text.indexOf(stop));
	const stop = Math.min(text.length, ...stops.filter((index) => index >= 0));
	const most = maxTokens * charactersPerToken;
	if (Math.min(stop, text.length) > most) return { text: text.slice(0, most), reason: "maxTokens" };
	return stop < text.length ? { text: text.slice(0, stop), reason: "stopSequence" } : { text };
}
