import { familyOf, wordsOf } from "./families.ts";

/** How fast a model answers and how much it is capable of, from 0 to 1; rough, for telling models from each other. */
export interface ModelStrengths {
	readonly speed: number;
	readonly intelligence: number;
}

/** What a model's name tells of it. */
export interface ModelNature extends ModelStrengths {
	readonly family: string | undefined;
	/** Models of other providers that are as strong are of the same size. Undefined when the name tells nothing of it. */
	readonly size: "small" | "medium" | "large" | undefined;
}

type Pair = readonly [speed: number, intelligence: number];

/** What makers call the sizes of their models. */
const sizeWords: ReadonlyMap<string, Pair> = new Map<string, Pair>([
	["nano", [0.95, 0.25]],
	["micro", [0.95, 0.25]],
	["tiny", [0.95, 0.25]],
	["lite", [0.9, 0.3]],
	["mini", [0.85, 0.4]],
	["small", [0.8, 0.4]],
	["instant", [0.85, 0.4]],
	["haiku", [0.85, 0.45]],
	["flash", [0.85, 0.45]],
	["fast", [0.85, 0.45]],
	["luna", [0.85, 0.45]],
	["air", [0.75, 0.48]],
	["turbo", [0.7, 0.55]],
	["medium", [0.6, 0.6]],
	["plus", [0.6, 0.65]],
	["terra", [0.6, 0.65]],
	["sonnet", [0.6, 0.7]],
	["sol", [0.5, 0.8]],
	["large", [0.4, 0.8]],
	["pro", [0.35, 0.85]],
	["max", [0.35, 0.85]],
	["opus", [0.35, 0.9]],
	["ultra", [0.3, 0.9]],
	["astra", [0.3, 0.95]],
	["fable", [0.3, 0.95]],
	["mythos", [0.3, 0.95]],
	["heavy", [0.2, 0.95]],
]);

/** What members of a family are that no word says more of. */
const familyUsual: ReadonlyMap<string, Pair> = new Map<string, Pair>([
	["claude", [0.6, 0.7]],
	["gpt", [0.55, 0.75]],
	["gemini", [0.6, 0.7]],
	["grok", [0.55, 0.75]],
	["deepseek", [0.5, 0.7]],
	["kimi", [0.5, 0.75]],
	["glm", [0.5, 0.7]],
	["minimax", [0.5, 0.7]],
]);

/** Words for models that think before they answer. */
const thinking: ReadonlySet<string> = new Set(["thinking", "reasoner", "reasoning", "r1", "qwq", "magistral"]);
const unknown: Pair = [0.5, 0.5];

/** The names of models are read again whenever a request is edited. */
const known = new Map<string, ModelNature>();
const most = { names: 2000, characters: 200 };

/** Reads a model's name, or a hint at one. Never throws. */
export function natureOf(name: string): ModelNature {
	const nature = known.get(name) ?? read(name);
	if (known.size >= most.names) known.clear();
	if (name.length <= most.characters) known.set(name, nature);
	return nature;
}

function read(name: string): ModelNature {
	const words = wordsOf(name);
	const family = familyOf(words);
	const told = ofParameters(words) ?? ofWords(words, family) ?? ofFamily(words, family);
	const [speed, intelligence] = told ?? unknown;
	const isThinking = words.some((word) => thinking.has(word) || /^o[1-9]$/.test(word));
	return {
		family,
		speed: clamp(speed - (isThinking ? 0.25 : 0)),
		intelligence: clamp(intelligence + (isThinking ? 0.15 : 0)),
		size: told === undefined ? undefined : sizeOf(clamp(intelligence + (isThinking ? 0.15 : 0))),
	};
}

/**
 * By the number of parameters, `8b` or, of effective ones, `e4b`: all of them count for what it can do, those active at once
 * (`30b-a3b`) for its speed.
 */
function ofParameters(words: readonly string[]): Pair | undefined {
	let total: number | undefined;
	let active: number | undefined;
	for (const word of words) {
		const [, kind = "", experts, number = "", unit = ""] =
			/^([ae]?)(?:(\d+)x)?(\d+(?:\.\d+)?)([mbt])$/.exec(word) ?? [];
		const billions = Number(number) * (unit === "m" ? 0.001 : unit === "t" ? 1000 : 1);
		if (number === "" || billions === 0) continue;
		if (kind === "a") active ??= billions;
		else if (experts === undefined) total ??= billions;
		else {
			total ??= Number(experts) * billions;
			// Mixtures of that kind use two experts at once.
			active ??= 2 * billions;
		}
	}
	if (total === undefined) return undefined;
	return [clamp(1 - share(active ?? total)), clamp(share(total))];
}

/** How much of the way a model is from the smallest to the largest, which have about a thousand times as many parameters. */
function share(billions: number): number {
	return (Math.log2(billions) + 1) / 10.5;
}

/** Of several words the one for the smallest counts: `flash-lite`. */
function ofWords(words: readonly string[], family: string | undefined): Pair | undefined {
	const found = words.map((word) => sizeWords.get(word)).filter((pair) => pair !== undefined);
	const smallest = found.toSorted(([, a], [, b]) => a - b)[0];
	// What Google calls so is what others have in the middle.
	return family === "gemini" && smallest === sizeWords.get("pro") ? [0.5, 0.8] : smallest;
}

/** The name of a family alone speaks of none of its members. */
function ofFamily(words: readonly string[], family: string | undefined): Pair | undefined {
	const isBare = words.length === 1 && /^[a-z]+$/.test(words[0] ?? "");
	return family === undefined || isBare ? undefined : familyUsual.get(family);
}

function sizeOf(intelligence: number): ModelNature["size"] {
	if (intelligence < 0.5) return "small";
	return intelligence < 0.82 ? "medium" : "large";
}

function clamp(value: number): number {
	return Math.min(1, Math.max(0, value));
}
