import type { ModelMessage, ModelPart, ModelTool } from "./model.ts";

/**
 * Tokenizers split a text at the ends of words and numbers before they join anything, so each of those is at least one
 * token. In the vocabularies of GPT-2 to o200k, the longest token of letters or digits has 64 of them.
 */
const words = /\p{L}[\p{L}\p{M}']{0,63}|\p{N}{1,64}/gu;
/** The longest token of all: a run of this many blanks. Other compressible runs, such as dashes, have shorter ones. */
const longestToken = 128;

/**
 * The number of tokens that no tokenizer goes below for a text, by which reports that cannot be true are known. Two thirds
 * of the tokens of prose, and half of those of code; a few in a hundred of one character repeated, or of a script without
 * blanks between its words.
 */
export function fewestTokens(text: string): number {
	let count = 0;
	words.lastIndex = 0;
	while (words.test(text)) count++;
	return Math.max(count, Math.ceil(text.length / longestToken));
}

/**
 * The same for a whole request. For tools only their names and descriptions, because endpoints rewrite schemas, and
 * shorter. Pictures and sounds are left out: their cost depends on the model.
 */
export function fewestRequestTokens(messages: readonly ModelMessage[], tools: readonly ModelTool[] = []): number {
	const ofMessages = messages.flatMap(({ content }) => content.map(fewestOf)).reduce(sum, 0);
	return tools.map(({ name, description }) => fewestTokens(`${name} ${description}`)).reduce(sum, ofMessages);
}

function fewestOf(part: ModelPart): number {
	switch (part.type) {
		case "text":
			return fewestTokens(part.text);
		case "tool-call": {
			// The letter of an escape is not a word.
			const args = JSON.stringify(part.arguments).replace(/\\[bfnrt]/g, " ");
			return fewestTokens(part.name) + fewestTokens(args);
		}
		case "tool-result":
			return part.content.map(fewestOf).reduce(sum, 0);
		case "image":
		case "audio":
			return 0;
		default:
			return part satisfies never;
	}
}

function sum(a: number, b: number): number {
	return a + b;
}
