import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";

/** The authors of each century, and the books of each author. */
const authors: Readonly<Record<string, readonly string[]>> = {
	"18th": ["Ann Radcliffe", "Laurence Sterne"],
	"19th": ["Emily Brontë", "Jane Austen", "Mary Shelley"],
	"20th": ["Karel Čapek", "Stanisław Lem", "Ursula K. Le Guin"],
};
const books: Readonly<Record<string, readonly string[]>> = {
	"Ann Radcliffe": ["The Mysteries of Udolpho"],
	"Laurence Sterne": ["A Sentimental Journey", "Tristram Shandy"],
	"Emily Brontë": ["Wuthering Heights"],
	"Jane Austen": ["Emma", "Persuasion", "Pride and Prejudice"],
	"Mary Shelley": ["Frankenstein", "The Last Man"],
	"Karel Čapek": ["R.U.R.", "War with the Newts"],
	"Stanisław Lem": ["Solaris", "The Cyberiad", "The Futurological Congress"],
	"Ursula K. Le Guin": ["A Wizard of Earthsea", "The Dispossessed"],
};

/**
 * Completes an argument of a template or prompt. `author` depends on `century`, `book` on `author`; `word` takes longer
 * the shorter it is, so that answers are out of order; `value` has 100,000 candidates, and all that fit are sent at
 * once, which is more than the protocol allows (PRM-05); `stuck` is never answered.
 */
export async function complete(
	_reference: CompleteRequestParams["ref"],
	argument: { readonly name: string; readonly value: string },
	known: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<CompleteResult["completion"]> {
	const { name, value } = argument;
	if (name === "word") await new Promise((resolve) => setTimeout(resolve, Math.max(0, 800 - 200 * value.length)));
	if (name === "stuck") await new Promise((resolve) => signal.addEventListener("abort", resolve));
	const fitting = candidates(name, value, known).filter((candidate) =>
		candidate.toLowerCase().startsWith(value.toLowerCase()),
	);
	const sent = name === "value" ? fitting : fitting.slice(0, 100);
	return { values: [...sent], total: fitting.length, hasMore: sent.length < fitting.length };
}

function candidates(name: string, value: string, known: Readonly<Record<string, string>>): readonly string[] {
	switch (name) {
		case "century":
			return Object.keys(authors);
		case "author":
			return authors[known["century"] ?? ""] ?? Object.keys(books);
		case "book":
			return books[known["author"] ?? ""] ?? [];
		case "language":
			return ["Czech", "English", "Polish"];
		case "word":
			return Array.from({ length: 5 }, (_, index) => `${value}${"abcde".slice(0, index + 1)}`);
		case "value":
			return Array.from({ length: 100_000 }, (_, index) => `value-${String(index).padStart(6, "0")}`);
		case "tone":
			return ["formal", "friendly", "terse"];
		default:
			return [];
	}
}
