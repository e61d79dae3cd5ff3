import type { ModelTool } from "./model.ts";

/** Texts up to this length are counted whole, longer ones by samples, so that megabytes cost no more than this. */
const wholeLength = 64_000;
const sampleCount = 16;

/** The weight of a text's pieces in tokens, fitted to o200k over the tools of ten published servers. */
const weights = { word: 1.02, letter: 0.06, digits: 1.08, marks: 0.74, twoMarks: 0.37, line: 1, blank: 0.06 } as const;
/** Characters outside of ASCII, each on its own; an accented letter is part of a word that a vocabulary knows less well. */
const wideWeights = { accented: 0.6, ideograph: 0.75, surrogate: 1, other: 0.3 } as const;

/** Letters beyond this many of one word weigh something of their own. */
const shortWord = 7;

/**
 * The approximate number of tokens in a text. Deterministic, the same for every model, and without a vocabulary of
 * megabytes: it counts words (parts of `camelCase` separately), groups of digits, runs of punctuation and wide
 * characters. Against o200k, over the 127 tools of ten published servers, single definitions are within 10 % and the
 * sum within 2 %; prose and code are within 20 %, other scripts within 35 %, and texts without language (keys, base64)
 * within a factor of two. Of more than 64,000 characters it reads evenly spread samples.
 */
export function estimateTokens(text: string): number {
	if (text.length <= wholeLength) return Math.ceil(weigh(text, 0, text.length));
	const length = wholeLength / sampleCount;
	const stride = (text.length - length) / (sampleCount - 1);
	let sum = 0;
	for (let index = 0; index < sampleCount; index++) {
		const start = Math.floor(index * stride);
		sum += weigh(text, start, start + length);
	}
	return Math.ceil((sum / wholeLength) * text.length);
}

/** The cost of a tool in every request that offers it, as {@link estimateTokens} of the definition as it is sent. */
export function toolTokens(tool: ModelTool): number {
	const known = costs.get(tool);
	if (known !== undefined) return known;
	const { name, description, inputSchema } = tool;
	const sent = { type: "function", function: { name, description, parameters: inputSchema } };
	const cost = estimateTokens(JSON.stringify(sent));
	costs.set(tool, cost);
	return cost;
}

/** By the definition itself: it is asked again and again, of thousands of tools, and never changes. */
const costs = new WeakMap<ModelTool, number>();

type Kind = "start" | "lower" | "upper" | "digit" | "mark" | "blank" | "line" | "wide";

/** The weight of a part of a text. One pass over the character codes, since it runs over all tools of all servers. */
function weigh(text: string, start: number, end: number): number {
	let sum = 0;
	let kind: Kind = "start";
	/** How many characters of the present run there were. */
	let run = 0;
	for (let index = start; index < end; index++) {
		const code = text.charCodeAt(index);
		const now = kindOf(code);
		// A word continues in small letters after a capital, and a run of capitals is one word.
		const isSame = now === kind || (now === "lower" && kind === "upper");
		run = isSame ? run + 1 : 1;
		if (now === "lower" || now === "upper") sum += isSame ? (run > shortWord ? weights.letter : 0) : weights.word;
		else if (now === "digit") sum += run % 3 === 1 ? weights.digits : 0;
		else if (now === "mark") sum += run === 1 ? weights.marks : run > 2 && run % 2 === 1 ? weights.twoMarks : 0;
		else if (now === "line") sum += weights.line;
		else if (now === "blank") sum += run > 1 ? weights.blank : 0;
		if (code > 127) sum += wideWeight(code);
		kind = now;
	}
	return sum;
}

function kindOf(code: number): Kind {
	if (code >= 97 && code <= 122) return "lower";
	if (code === 32) return "blank";
	if (code >= 65 && code <= 90) return "upper";
	if (code >= 48 && code <= 57) return "digit";
	if (code === 10) return "line";
	if (code < 128) return "mark";
	return isAccented(code) ? "lower" : "wide";
}

function isAccented(code: number): boolean {
	return code >= 0xc0 && code < 0x250;
}

function wideWeight(code: number): number {
	if (isAccented(code)) return wideWeights.accented;
	if (code >= 0xd800 && code < 0xe000) return wideWeights.surrogate;
	return code >= 0x2e80 ? wideWeights.ideograph : wideWeights.other;
}
